import { NO_ACTION } from '../../../solvers/model/index.js';
import type { SeenRow } from '../smoothedRow.js';
import { TransitionTable } from '../transitionTable.js';

/**
 * The choice to take no action in the pairs of a tally; it precedes the first action. Differs from `NO_ACTION`: here no action is the first
 * choice of a state.
 */
const IDLE = 0;
const FIRST = 1;

/**
 * Counts how often each action was taken in each state, and with which outcome. A pair (state, action) is an entry of `pairs` from its
 * first draw on, and a row of `outcomes` with the same number.
 */
export class ActionTally {
  /** Action names in order of discovery. */
  readonly names: string[] = [];
  /** From a state's row to its choices, in the order of first draws. */
  readonly pairs = new TransitionTable();
  /** From a pair to the row of the successor, OUTSIDE for the end. */
  readonly outcomes = new TransitionTable();
  readonly #numberOf = new Map<string, number>();

  /** Counts one draw: action `name` (null: none) was taken in the state of row `state`, and the state of row `target` followed. */
  draw(state: number, name: string | null, target: number): void {
    const pair = this.pairs.insert(state, name === null ? IDLE : FIRST + this.#number(name));
    const draws = ++this.pairs.counts[pair];
    const outcome = this.outcomes.insert(pair, target);
    if (this.outcomes.counts[outcome] === 0) this.outcomes.firstDraws[outcome] = draws;
    this.outcomes.counts[outcome]++;
  }

  /** The action of a pair, as an index into `names`; `NO_ACTION` if none was taken. */
  actionOf(pair: number): number {
    const choice = this.pairs.to[pair];
    return choice === IDLE ? NO_ACTION : choice - FIRST;
  }

  /** Writes the outcomes of a pair into `into`; for -1, none. */
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
