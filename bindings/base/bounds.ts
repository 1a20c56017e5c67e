/** Bounds on a value for each state or entry, `lower[s] <= value <= upper[s]`; `Bounds<number>` bounds a single number. */
export interface Bounds<Values = Float64Array> {
  readonly lower: Values;
  readonly upper: Values;
}
