import { type Abstraction, ValuationTable } from '../../observations/abstraction/index.js';
import type { Memory } from './forgetting.js';
import type { SeenRow } from './smoothedRow.js';
import { START_OR_END, TransitionTable } from './transitionTable.js';

/** A tally as JSON: the valuation of each state; the draws of each row; the rest by transition, in order of discovery. */
export interface SavedTally {
  readonly valuations: readonly number[];
  readonly draws: readonly number[];
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly counts: readonly number[];
  readonly firstDraws: readonly number[];
  readonly forbidden: readonly number[];
}

/**
 * The counts of a chain: its states in order of discovery, how often each was left, and for which successors. Row 0 is `start`; row s
 * belongs to the valuation with index s - 1.
 */
export class Tally {
  readonly abstraction: Abstraction;
  readonly table: ValuationTable;
  readonly transitions = new TransitionTable();
  /** How often each row was left. */
  readonly draws: number[] = [0];
  /** Whether the constraints forbid each valuation. */
  readonly forbidden: boolean[] = [];

  /** Called with each draw after it is counted. */
  onDraw: ((from: number, entry: number) => void) | undefined;

  constructor(abstraction: Abstraction) {
    this.abstraction = abstraction;
    this.table = new ValuationTable(abstraction.words);
  }

  /**
   * Counts a run.
   *
   * @param valuations packed valuations of the run's steps.
   * @param rows the row of each step's valuation; 0 if it has none yet, and then written.
   * @param entries the entry of the transition into each step; -1 if unknown.
   * @param complete whether the run went on to `end`.
   * @param onRequest whether the run's first state was requested, which is then no draw of `start`.
   */
  count(
    valuations: Uint32Array,
    rows: Uint32Array,
    entries: Int32Array,
    steps: number,
    complete: boolean,
    onRequest = false,
  ): void {
    let from = START_OR_END;
    if (onRequest) {
      if (rows[0] === 0) rows[0] = this.insertState(valuations, 0);
      from = rows[0];
    }
    for (let i = Number(onRequest); i < steps; i++) from = this.step(from, valuations, i, rows, entries);
    if (complete) this.end(from);
  }

  /** Counts the end of a run in row `from`. */
  end(from: number): void {
    this.draw(from, this.insertTransition(from, START_OR_END, false));
  }

  /** Counts step `i` of a run, entered from row `from`; returns its row. */
  step(from: number, valuations: Uint32Array, i: number, rows: Uint32Array, entries: Int32Array): number {
    const { words } = this.table;
    const offset = i * words;
    if (rows[i] === 0) rows[i] = this.insertState(valuations, offset);
    let entry = entries[i];
    if (entry < 0) {
      const forbidden =
        from !== START_OR_END &&
        !this.abstraction.validTransition(valuations, offset - words, valuations, offset);
      entry = this.insertTransition(from, rows[i], forbidden);
    }
    this.draw(from, entry);
    return rows[i];
  }

  draw(from: number, entry: number): void {
    this.transitions.counts[entry]++;
    this.draws[from]++;
    this.onDraw?.(from, entry);
  }

  /** Everything that `append` needs, as JSON. */
  save(): SavedTally {
    const { from, to, counts, firstDraws, forbidden, size } = this.transitions;
    const list = (array: ArrayLike<number>): number[] => Array.from({ length: size }, (_, i) => array[i]);
    return {
      valuations: Array.from(this.table.valuations),
      draws: [...this.draws],
      from: list(from),
      to: list(to),
      counts: list(counts),
      firstDraws: list(firstDraws),
      forbidden: list(forbidden),
    };
  }

  /** Counts all draws of another tally after those of this one, as if its runs came now. */
  append(saved: SavedTally): void {
    const { words } = this.table;
    const valuations = Uint32Array.from(saved.valuations);
    const rows = [START_OR_END];
    for (let offset = 0; offset < valuations.length; offset += words) {
      rows.push(this.insertState(valuations, offset));
    }
    const { transitions, draws } = this;
    saved.counts.forEach((count, i) => {
      const [from, to] = [rows[saved.from[i]], rows[saved.to[i]]];
      const entry = this.insertTransition(from, to, saved.forbidden[i] === 1);
      // A count of 0 means that the entry was just inserted.
      if (transitions.counts[entry] === 0) transitions.firstDraws[entry] = draws[from] + saved.firstDraws[i];
      transitions.counts[entry] += count;
    });
    saved.draws.forEach((drawn, row) => {
      draws[rows[row]] += drawn;
    });
  }

  /** Writes the successors seen of a row, or the part that `memory` keeps, into `into`. */
  row(row: number, memory: Memory | null, into: SeenRow): void {
    const { to, counts } = this.transitions;
    const entries = this.transitions.leaving(row);
    into.begin(entries.length);
    for (const entry of entries) {
      const count = memory === null ? counts[entry] : memory.count(entry);
      if (count > 0) into.push(entry, to[entry], count);
    }
  }

  /** The row of the valuation at `offset`, created if there is none. */
  insertState(valuations: Uint32Array, offset: number): number {
    const index = this.table.insert(valuations, offset);
    if (index === this.forbidden.length) {
      this.forbidden.push(!this.abstraction.validState(valuations, offset));
      this.draws.push(0);
    }
    return index + 1;
  }

  /** The entry of a transition that is about to be counted, created if there is none. */
  insertTransition(from: number, to: number, forbidden: boolean): number {
    const { transitions } = this;
    const entry = transitions.insert(from, to);
    if (transitions.firstDraws[entry] === 0) {
      transitions.firstDraws[entry] = this.draws[from] + 1;
      transitions.forbidden[entry] = forbidden ? 1 : 0;
    }
    return entry;
  }
}
