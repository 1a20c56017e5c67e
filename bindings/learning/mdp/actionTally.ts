import { TransitionTable } from '../transitionTable.js';

/** Number of the choice to take no action; action i of `names` has number i + 1. */
export const NO_CHOICE = 0;

/**
 * How often each action was taken in each state, and what came of it: a pair (state, action) is an entry of `pairs` from its first draw
 * on, and a row of `outcomes` with the same number.
 */
export class ActionTally {
  /** In order of discovery. */
  readonly names: string[] = [];
  /** From the state's row to the action's number; entries in order of first draws. */
  readonly pairs = new TransitionTable();
  /** From the pair to the row of the state that came, OUTSIDE for the end. */
  readonly outcomes = new TransitionTable();
  readonly #numberOf = new Map<string, number>();

  /** Counts that action `name` (null: none) was taken in the state of row `state`, and that the state of row `target` came. */
  draw(state: number, name: string | null, target: number): void {
    const pair = this.pairs.insert(state, this.#number(name));
    const draws = ++this.pairs.counts[pair];
    const outcome = this.outcomes.insert(pair, target);
    if (this.outcomes.counts[outcome] === 0) this.outcomes.firstDraws[outcome] = draws;
    this.outcomes.counts[outcome]++;
  }

  #number(name: string | null): number {
    if (name === null) return NO_CHOICE;
    const known = this.#numberOf.get(name);
    if (known !== undefined) return known;
    this.names.push(name);
    this.#numberOf.set(name, this.names.length);
    return this.names.length;
  }
}
