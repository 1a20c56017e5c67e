/** The relative error of a model's doubles against the numbers of its source. */
export interface Rounding {
  readonly probabilities: number;
  /** Holds if rewards subtract only whole numbers. */
  readonly rewards: number;
}
