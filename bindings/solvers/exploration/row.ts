import { grown } from '../../base/grown.js';
import type { Rational } from '../../base/rational.js';

/** A distribution under construction: ascending targets with bounds on their probabilities; equal targets are added up. */
export class Row {
  length = 0;
  targets = new Int32Array(16);
  lower = new Float64Array(16);
  upper = new Float64Array(16);
  readonly exact: (Rational | undefined)[] = [];
  readonly #keepExact: boolean;

  constructor(keepExact: boolean) {
    this.#keepExact = keepExact;
  }

  clear(): void {
    this.length = 0;
    this.exact.length = 0;
  }

  add(target: number, lower: number, upper: number, exact: Rational | undefined): void {
    const { targets } = this;
    // Search from the end: most successors are new states, whose numbers are the largest.
    let at = this.length;
    while (at > 0 && targets[at - 1] > target) at--;
    if (at > 0 && targets[at - 1] === target) {
      this.lower[at - 1] += lower;
      this.upper[at - 1] += upper;
      if (this.#keepExact) this.exact[at - 1] = exact && this.exact[at - 1]?.plus(exact);
    } else this.#insert(at, target, lower, upper, exact);
  }

  #insert(at: number, target: number, lower: number, upper: number, exact: Rational | undefined): void {
    if (this.length === this.targets.length) this.#grow();
    const { targets, lower: lowers, upper: uppers, length } = this;
    for (let i = length; i > at; i--) {
      targets[i] = targets[i - 1];
      lowers[i] = lowers[i - 1];
      uppers[i] = uppers[i - 1];
    }
    targets[at] = target;
    lowers[at] = lower;
    uppers[at] = upper;
    if (this.#keepExact) this.exact.splice(at, 0, exact);
    this.length++;
  }

  #grow(): void {
    const length = 2 * this.targets.length;
    this.targets = grown(this.targets, length);
    this.lower = grown(this.lower, length);
    this.upper = grown(this.upper, length);
  }
}
