import { ValuationTable } from '../../observations/abstraction/index.js';
import type { Learner } from './learner.js';
import { SeenRow, SmoothedRow } from './smoothedRow.js';
import { Successors } from './successors.js';
import { START_OR_END } from './transitionTable.js';

/** The result of an update of a live chain. */
export interface LiveChainUpdate {
  /** The number of states before the update; new states follow. */
  readonly before: number;
  /** States from before the update whose rows may have changed, ascending. */
  readonly changed: readonly number[];
}

/**
 * The rows of a learner's chain, followed as it learns. States are numbered from 1 and keep their numbers; 0 is `start` as a state, and
 * `end` as a target. Their probabilities are those of `learner.chain()`.
 */
export class LiveChain {
  readonly learner: Learner;
  /** Valuations of the states: state s has index s - 1. */
  readonly space: ValuationTable;
  readonly #seen = new SeenRow();
  readonly #row = new SmoothedRow();
  readonly #successors: Successors;
  /** The state of each row of the tally, and the row of each state; -1 if there is none. */
  readonly #states: number[] = [START_OR_END];
  readonly #rows: number[] = [START_OR_END];
  #revision = -1;

  constructor(learner: Learner) {
    this.learner = learner;
    const { abstraction, settings } = learner;
    this.space = new ValuationTable(abstraction.words);
    this.#successors = new Successors(abstraction, this.space, (state) => this.#isTarget(state));
    if (settings.states === 'valid') {
      const { valuations, size, words } = abstraction.validStates();
      for (let i = 0; i < size; i++) {
        this.space.insert(valuations, i * words);
        this.#rows.push(-1);
      }
    }
  }

  /** Number of states. */
  get states(): number {
    return this.space.size;
  }

  /** Takes in what was learnt since the last update. */
  update(): LiveChainUpdate {
    const { tally, revision, touched, statesTouched, allTouched } = this.learner.state;
    const before = this.#revision < 0 ? 0 : this.states;
    const { valuations, size, words } = tally.table;
    for (let row = this.#states.length; row <= size; row++) {
      const state = this.space.insert(valuations, (row - 1) * words) + 1;
      this.#states.push(state);
      this.#rows[state] = row;
    }
    // Smoothing gives mass to all valid successors, so adding or removing a state changes every row.
    const all =
      this.learner.settings.smoothing > 0 &&
      (this.states > before || statesTouched > this.#revision || allTouched > this.#revision);
    const changed: number[] = [];
    for (let state = 1; state <= before; state++) {
      if (all || (touched[this.#rows[state]] ?? -1) > this.#revision) changed.push(state);
    }
    this.#revision = revision;
    return { before, changed };
  }

  /**
   * @internal The row of a state, valid until the next call. Targets ascend, 0 (`end`) first. The row is empty if the state has no data and
   * nothing is smoothed, or if the state is forgotten.
   */
  row(state: number): Pick<SmoothedRow, 'size' | 'targets' | 'values'> {
    const { tally, memory } = this.learner.state;
    const { smoothing, states } = this.learner.settings;
    const seen = this.#seen;
    tally.row(this.#rows[state], memory, seen);
    if (states === 'valid') this.#renumber();
    const alpha = state === START_OR_END || !this.#isKept(state) ? 0 : smoothing;
    this.#row.fill(
      seen,
      alpha,
      this.states,
      alpha === 0 ? null : (isSeen, into) => this.#successors.of(state, isSeen, into),
    );
    return this.#row;
  }

  /** Renumbers the targets of the current row as states, in order; if all states were seen first, the numbers already agree. */
  #renumber(): void {
    const { size, targets, counts } = this.#seen;
    const pairs = Array.from({ length: size }, (_, i) => [this.#states[targets[i]], counts[i]] as const);
    pairs.sort(([a], [b]) => a - b);
    for (const [i, [target, count]] of pairs.entries()) {
      targets[i] = target;
      counts[i] = count;
    }
  }

  #isKept(state: number): boolean {
    const { memory } = this.learner.state;
    return memory === null || this.learner.settings.states === 'valid' || memory.isKept(this.#rows[state]);
  }

  #isTarget(state: number): boolean {
    const row = this.#rows[state];
    if (!this.#isKept(state)) return false;
    return row < 0 || !this.learner.state.tally.forbidden[row - 1];
  }
}
