import { NO_ACTION } from '../../../solvers/model/index.js';
import type { SeenRow } from '../smoothedRow.js';
import { TransitionTable } from '../transitionTable.js';

/** The choice to take no action among the pairs of a tally, and the first action. Not `NO_ACTION`: no action is the first choice of a state. */
const IDLE = 0;
const FIRST = 1;

/**
 * How often each action was taken in each state, and what came of it: a pair (state, action) is an entry of `pairs` from its first draw
 * on, and a row of `outcomes` with the same number.
 */
export class ActionTally {
  /** In order of discovery. */
  readonly names: string[] = [];
  /** From the state's row to its choices, in the order of first draws. */
  readonly pairs = new TransitionTable();
  /** From the pair to the row of the state that came, OUTSIDE for the end. */
  readonly outcomes = new TransitionTable();
  readonly #numberOf = new Map<string, number>();

  /** Counts that action `name` (null: none) was taken in the state of row `state`, and that the state of row `target` came. */
  draw(state: number, name: string | null, target: number): void {
    const pair = this.pairs.insert(state, name === null ? IDLE : FIRST + this.#number(name));
    const draws = ++this.pairs.counts[pair];
    const outcome = this.outcomes.insert(pair, target);
    if (this.outcomes.counts[outcome] === 0) this.outcomes.firstDraws[outcome] = draws;
    this.outcomes.counts[outcome]++;
  }

  /** The action of a pair by its place in `names`; `NO_ACTION` where none was taken. */
  actionOf(pair: number): number {
    const choice = this.pairs.to[pair];
    return choice === IDLE ? NO_ACTION : choice - FIRST;
  }

  /** Writes what came of a pair into `into`; of -1, nothing. */
  row(pair: number, into: SeenRow): void {
    const entries = this.outcomes.leaving(pair);
    into.begin(entries.length);
    for (const entry of entries) into.push(entry, this.outcomes.to[entry], this.outcomes.counts[entry]);
  }

  #number(name: string): number {
    const known = this.#numberOf.get(name);
    if (known !== undefined) return known;
    this.#numberOf.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}
