import type { LiveChain } from '../../estimation/learning/index.js';

/**
 * Checks, as a chain changes, whether runs may continue for ever in states with data. States once found to lead to the end are not examined
 * again until data are forgotten.
 */
export class TerminationCheck {
  readonly #chain: LiveChain;
  readonly #ends = new Set<number>();

  constructor(chain: LiveChain) {
    this.#chain = chain;
  }

  /** Marks every state for a new examination. */
  forget(): void {
    this.#ends.clear();
  }

  /** Whether some state leads neither to the end nor to a state without data. */
  isAny(): boolean {
    for (let state = 1; state <= this.#chain.states; state++) {
      if (!this.#ends.has(state) && this.#isEndless(state)) return true;
    }
    return false;
  }

  #isEndless(state: number): boolean {
    const cameFrom = new Map<number, number>([[state, 0]]);
    let unknown = false;
    for (const reached of cameFrom.keys()) {
      const { size, targets } = this.#chain.row(reached);
      if (size === 0) unknown = true;
      for (let i = 0; i < size; i++) {
        const target = targets[i];
        if (target === 0 || this.#ends.has(target)) {
          for (let on = reached; on !== 0; on = cameFrom.get(on) ?? 0) this.#ends.add(on);
          return false;
        }
        if (!cameFrom.has(target)) cameFrom.set(target, reached);
      }
    }
    return !unknown;
  }
}
