/** Bounds on a value for each state or entry, `lower[s] <= value <= upper[s]`; as `Bounds<number>` on one number. */
export interface Bounds<Values = Float64Array> {
  readonly lower: Values;
  readonly upper: Values;
}
