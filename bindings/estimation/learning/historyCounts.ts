import { InvalidArgumentError } from '../../base/errors.js';
import type { Counter } from './counter.js';
import type { Tally } from './tally.js';
import { START_OR_END, TransitionTable } from './transitionTable.js';

/** The draws of one state by how it was entered. */
export interface StateHistory {
  /** Row of the tally: chain state `row - 1`. */
  readonly row: number;
  /** Tally entries by which the state was entered before a draw, ascending; their sources are the preceding states (`OUTSIDE` for none). */
  readonly enteredBy: readonly number[];
  /** Tally entries by which the state was left, ascending; their targets are the next states (`OUTSIDE` for the end). */
  readonly leftBy: readonly number[];
  /** counts[h][t]: draws that entered by `enteredBy[h]` and left by `leftBy[t]`. */
  readonly counts: readonly (readonly number[])[];
  /** Excursions between one draw and the next: how often the state was left by `leftBy[t]` and then next entered by `enteredBy[h]`. */
  readonly excursions: readonly (readonly [t: number, h: number, count: number])[];
  /** How the state was entered before its first draw, and left by its last. */
  readonly first: number;
  readonly last: number;
}

/**
 * Counts (previous state, state, next state) triples and how each state was returned to, while a counter counts. An entry of the tally is a
 * state with its predecessor, so both are tables of pairs of entries. Memory grows with the pairs seen, not with the number of traces.
 */
export class HistoryCounts {
  /** @internal The counts behind the rows. */
  readonly tally: Tally;
  /** Pairs (entered by, left by). */
  readonly #moves = new TransitionTable();
  /** Pairs (left by, next entered by). */
  readonly #excursions = new TransitionTable();
  readonly #first: number[] = [];
  readonly #last: number[] = [];
  #enteredBy = -1;

  /** @throws InvalidArgumentError if the counter has already counted, or another listener receives its draws */
  constructor({ tally }: Pick<Counter, 'tally'>) {
    if (tally.draws[START_OR_END] > 0 || tally.onDraw !== undefined) {
      throw new InvalidArgumentError(
        'histories are counted from the first trace on: give a counter that has counted nothing, of its own',
      );
    }
    this.tally = tally;
    tally.onDraw = (row, entry) => this.#draw(row, entry);
  }

  /** The number of draws that entered by one entry of the tally and left by another. */
  count(enteredBy: number, leftBy: number): number {
    const entry = this.#moves.find(enteredBy, leftBy);
    return entry < 0 ? 0 : this.#moves.counts[entry];
  }

  /** The histories of every state that was left, in order of discovery. */
  states(): StateHistory[] {
    const { transitions, table } = this.tally;
    const entering: number[][] = Array.from({ length: table.size + 1 }, () => []);
    for (let entry = 0; entry < transitions.size; entry++) {
      if (this.#moves.leaving(entry).length > 0) entering[transitions.to[entry]].push(entry);
    }
    return entering.flatMap((enteredBy, row) =>
      row === START_OR_END || enteredBy.length === 0 ? [] : [this.#state(row, enteredBy)],
    );
  }

  #state(row: number, enteredBy: readonly number[]): StateHistory {
    const leftBy = [...this.tally.transitions.leaving(row)].sort((a, b) => a - b);
    const historyOf = new Map(enteredBy.map((entry, h) => [entry, h]));
    const { to, counts } = this.#excursions;
    return {
      row,
      enteredBy,
      leftBy,
      counts: enteredBy.map((entered) => leftBy.map((left) => this.count(entered, left))),
      excursions: leftBy.flatMap((left, t) =>
        this.#excursions
          .leaving(left)
          .map((entry) => [t, historyOf.get(to[entry]) as number, counts[entry]] as const),
      ),
      first: historyOf.get(this.#first[row]) as number,
      last: leftBy.indexOf(this.#last[row]),
    };
  }

  #draw(row: number, entry: number): void {
    const enteredBy = this.#enteredBy;
    this.#enteredBy = entry;
    if (row === START_OR_END) return;
    count(this.#moves, enteredBy, entry);
    const last = this.#last[row];
    if (last === undefined) this.#first[row] = enteredBy;
    else count(this.#excursions, last, enteredBy);
    this.#last[row] = entry;
  }
}

function count(table: TransitionTable, from: number, to: number): void {
  // Inserting may replace the array of counts.
  const entry = table.insert(from, to);
  table.counts[entry]++;
}
