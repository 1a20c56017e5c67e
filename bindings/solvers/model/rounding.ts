/** How far, relatively, a model's doubles may be from the numbers of its source that they stand for. */
export interface Rounding {
  readonly probabilities: number;
  /** As far as rewards subtract nothing but whole numbers. */
  readonly rewards: number;
}
