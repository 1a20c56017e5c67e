import type { Random } from '../../base/random.js';

/** Seeded samples from Gamma and Dirichlet distributions. */
export class DirichletSampler {
  readonly #random: Random;
  #spare = Number.NaN;

  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * Replaces positive weights in place by a sample from the Dirichlet distribution with these parameters. Every component is above 0.
   */
  draw(weights: Float64Array): void {
    let sum = 0;
    for (let i = 0; i < weights.length; i++) {
      weights[i] = this.gamma(weights[i]);
      sum += weights[i];
    }
    for (let i = 0; i < weights.length; i++) weights[i] = Math.max(2 ** -400, weights[i] / sum);
  }

  /**
   * A sample from the Gamma distribution with this shape and scale 1.
   *
   * @see Marsaglia, Tsang (2000), doi:10.1145/358407.358414
   */
  gamma(shape: number): number {
    if (shape < 1) return this.gamma(shape + 1) * this.#uniform() ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = this.#normal();
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(this.#uniform()) < 0.5 * x * x + d * (1 - v + Math.log(v))) return d * v;
    }
  }

  /** Marsaglia's polar method, two at a time. */
  #normal(): number {
    if (!Number.isNaN(this.#spare)) {
      const spare = this.#spare;
      this.#spare = Number.NaN;
      return spare;
    }
    for (;;) {
      const x = 2 * this.#uniform() - 1;
      const y = 2 * this.#uniform() - 1;
      const square = x * x + y * y;
      if (square >= 1) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      this.#spare = y * scale;
      return x * scale;
    }
  }

  /** Uniform on the open interval (0, 1). */
  #uniform(): number {
    return (this.#random.bits() + 0.5) / 2 ** 32;
  }
}
