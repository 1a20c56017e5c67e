import type { Abstraction, ValuationTable } from '../abstraction/index.js';

/**
 * Which transitions of a chain are valid: those that the constraints allow between valid states and to `end`, and those
 * that were seen, for a contradiction that was accepted is valid from then on.
 */
export class Successors {
  readonly #abstraction: Abstraction;
  readonly #space: ValuationTable;
  readonly #valuations: Uint32Array;
  readonly #forbidden: readonly boolean[];

  /**
   * @param space valuations of the chain states: model state s has index s - 1.
   * @param forbidden per valuation whether `constraints.state` forbids it (absent: allowed).
   */
  constructor(abstraction: Abstraction, space: ValuationTable, forbidden: readonly boolean[]) {
    this.#abstraction = abstraction;
    this.#space = space;
    this.#valuations = space.valuations;
    this.#forbidden = forbidden;
  }

  /**
   * Writes the valid successors of model state `state`, ascending and `end` last, into `into`.
   * @param isSeen whether the transition to a model state was seen.
   * @returns their number
   */
  of(state: number, isSeen: (target: number) => boolean, into: Uint32Array): number {
    const { words, size } = this.#space;
    const valuations = this.#valuations;
    const offset = (state - 1) * words;
    let k = 0;
    for (let target = 1; target <= size; target++) {
      const allowed =
        !this.#forbidden[target - 1] &&
        this.#abstraction.validTransition(valuations, offset, valuations, (target - 1) * words);
      if (allowed || isSeen(target)) into[k++] = target;
    }
    const end = size + 1;
    if (this.#abstraction.validEnd(valuations, offset) || isSeen(end)) into[k++] = end;
    return k;
  }
}
