import type { Abstraction, ValuationTable } from '../../observations/abstraction/index.js';
import { START_OR_END } from './transitionTable.js';

/**
 * The valid transitions of a chain: those that the constraints allow between valid states and to `end`, and those that were seen, because
 * an accepted contradiction makes its transition valid.
 */
export class Successors {
  readonly #abstraction: Abstraction;
  readonly #space: ValuationTable;
  readonly #isTarget: (state: number) => boolean;

  /**
   * @param space valuations of the chain states: state s has index s - 1.
   * @param isTarget whether a state exists and is not forbidden by `constraints.state`.
   */
  constructor(abstraction: Abstraction, space: ValuationTable, isTarget: (state: number) => boolean) {
    this.#abstraction = abstraction;
    this.#space = space;
    this.#isTarget = isTarget;
  }

  /**
   * Writes the valid successors of `state`, `end` (as OUTSIDE) first and the others ascending, into `into`.
   * @param isSeen whether the transition to a state, or to OUTSIDE, was seen.
   * @returns their number
   */
  of(state: number, isSeen: (target: number) => boolean, into: Uint32Array): number {
    const { words, size, valuations } = this.#space;
    const offset = (state - 1) * words;
    let k = 0;
    if (this.#abstraction.validEnd(valuations, offset) || isSeen(START_OR_END)) into[k++] = START_OR_END;
    for (let target = 1; target <= size; target++) {
      const allowed =
        this.#isTarget(target) &&
        this.#abstraction.validTransition(valuations, offset, valuations, (target - 1) * words);
      if (allowed || isSeen(target)) into[k++] = target;
    }
    return k;
  }
}
