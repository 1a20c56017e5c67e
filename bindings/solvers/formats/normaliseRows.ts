import { InvalidModelError } from '../../base/errors.js';
import type { BitSet } from '../kernel/index.js';
import { ROW_SUM_TOLERANCE } from '../model/index.js';

/** Branches as a file lists them, in any order within a row. */
export interface ListedRows {
  /** Uint32Array(states + 1): the rows of each state. Default: one row per state. */
  readonly rowGroupStart?: Uint32Array;
  readonly rowStart: Uint32Array;
  readonly columns: Uint32Array;
  /** Probabilities; lower bounds if `upper` is present. */
  readonly values: Float64Array;
  readonly upper?: Float64Array;
}

/** Numbers per branch that move with their branches, and the rule for merging branches with the same target. */
export interface BranchValues {
  readonly name: string;
  readonly values: Float64Array;
  /** `mean`: weighted by probability, as expected rewards require; for intervals, as `equal`. `equal`: the values must agree. */
  readonly merge: 'mean' | 'equal';
}

/** Rows in a model's form, and the states that got a self-loop because they had no branch. */
export interface TidyRows extends ListedRows {
  readonly branchValues: readonly Float64Array[];
  readonly deadlocks: readonly number[];
  /** Uint32Array(rows): the listed row behind each row; `ADDED` for the self-loop of a state without choices. */
  readonly sourceRow: Uint32Array;
}

export const NO_SOURCE = 0xffffffff;

/**
 * Turns the branches listed in files into a model's rows: sorted by target, with branches to the same target added up and
 * branches of probability 0 dropped. A state without branches gets a self-loop with probability 1, unless it is in `unknown`.
 *
 * @throws InvalidModelError on a probability outside [0, 1], a target that is not a state, or merged values that differ
 */
export function normaliseRows(
  rows: ListedRows,
  branchValues: readonly BranchValues[] = [],
  unknown?: BitSet,
): TidyRows {
  return new RowNormaliser(rows, branchValues).run(unknown);
}

/** Maps numbers per listed row to the tidied rows; an added row gets `absent`. */
export function mapRows<T extends Float64Array | Uint32Array>(
  listed: T,
  { sourceRow }: TidyRows,
  absent = 0,
): T {
  if (listed.length === sourceRow.length) return listed;
  const values = listed.slice(0, 0).constructor as new (length: number) => T;
  const moved = new values(sourceRow.length);
  for (let row = 0; row < sourceRow.length; row++) {
    moved[row] = sourceRow[row] === NO_SOURCE ? absent : listed[sourceRow[row]];
  }
  return moved;
}

/** The warning about closed deadlocks: their number and the first of them. */
export function deadlockWarning(deadlocks: readonly number[]): string {
  const shown = deadlocks.slice(0, 5).join(', ') + (deadlocks.length > 5 ? ', …' : '');
  const subject =
    deadlocks.length === 1 ? 'a state has no transitions' : `${deadlocks.length} states have no transitions`;
  return `${subject} and got a self-loop: ${shown}`;
}

class RowNormaliser {
  readonly #states: number;
  readonly #rowStart: Uint32Array;
  readonly #rowGroupStart: Uint32Array;
  readonly #listedRow: Uint32Array;
  readonly #columns: Uint32Array;
  readonly #values: Float64Array;
  readonly #upper: Float64Array | undefined;
  readonly #carried: readonly Float64Array[];
  readonly #deadlocks: number[] = [];
  #size = 0;
  #count = 0;
  readonly #listed: ListedRows;
  readonly #branchValues: readonly BranchValues[];

  constructor(listed: ListedRows, branchValues: readonly BranchValues[]) {
    this.#listed = listed;
    this.#branchValues = branchValues;
    const rows = listed.rowStart.length - 1;
    this.#states = listed.rowGroupStart ? listed.rowGroupStart.length - 1 : rows;
    const room = listed.columns.length + this.#states;
    const roomForRows = listed.rowGroupStart ? rows + this.#states : rows;
    this.#rowGroupStart = new Uint32Array(this.#states + 1);
    this.#rowStart = new Uint32Array(roomForRows + 1);
    this.#listedRow = new Uint32Array(roomForRows);
    this.#columns = new Uint32Array(room);
    this.#values = new Float64Array(room);
    this.#upper = listed.upper && new Float64Array(room);
    this.#carried = branchValues.map(() => new Float64Array(room));
  }

  run(unknown: BitSet | undefined): TidyRows {
    const { rowGroupStart: groups, rowStart } = this.#listed;
    for (let state = 0; state < this.#states; state++) {
      const first = groups ? groups[state] : state;
      const last = groups ? groups[state + 1] : state + 1;
      for (let row = first; row < last; row++) {
        const empty = rowStart[row] === rowStart[row + 1];
        if (empty && groups) {
          throw new InvalidModelError(`choice ${row - first} of state ${state} has no transitions`, {
            state,
            rowSum: 0,
          });
        }
        if (empty && !unknown?.has(state)) this.#close(state, row);
        else this.#addRow(state, row);
      }
      if (first === last) this.#close(state, NO_SOURCE);
      this.#rowGroupStart[state + 1] = this.#count;
    }
    const size = this.#size;
    const count = this.#count;
    return {
      ...(groups && { rowGroupStart: this.#rowGroupStart }),
      rowStart: this.#rowStart.slice(0, count + 1),
      columns: this.#columns.slice(0, size),
      values: this.#values.slice(0, size),
      ...(this.#upper && { upper: this.#upper.slice(0, size) }),
      branchValues: this.#carried.map((list) => list.slice(0, size)),
      deadlocks: this.#deadlocks,
      sourceRow: this.#listedRow.slice(0, count),
    };
  }

  #close(state: number, row: number): void {
    this.#deadlocks.push(state);
    this.#columns[this.#size] = state;
    this.#values[this.#size] = 1;
    if (this.#upper) this.#upper[this.#size] = 1;
    this.#size++;
    this.#endRow(row);
  }

  #endRow(row: number): void {
    this.#listedRow[this.#count++] = row;
    this.#rowStart[this.#count] = this.#size;
  }

  #addRow(state: number, row: number): void {
    const { columns, values, upper } = this.#listed;
    const start = this.#size;
    for (const branch of this.#sortedBranches(state, row)) {
      if (this.#size > start && this.#columns[this.#size - 1] === columns[branch]) this.#merge(state, branch);
      else {
        this.#columns[this.#size] = columns[branch];
        this.#values[this.#size] = values[branch];
        if (this.#upper && upper) this.#upper[this.#size] = upper[branch];
        this.#branchValues.forEach((given, i) => {
          this.#carried[i][this.#size] = given.values[branch];
        });
        this.#size++;
      }
    }
    this.#endRow(row);
  }

  /** Merges a branch into the last one, which has the same target. */
  #merge(state: number, branch: number): void {
    const at = this.#size - 1;
    const probability = this.#listed.values[branch];
    const sum = this.#values[at] + probability;
    this.#branchValues.forEach((given, i) => {
      const before = this.#carried[i][at];
      const value = given.values[branch];
      if (given.merge === 'mean' && !this.#upper) {
        this.#carried[i][at] = before + ((value - before) * probability) / sum;
      } else if (value !== before) {
        throw new InvalidModelError(
          `state ${state} has two branches to state ${this.#columns[at]} that differ in annotation "${given.name}" (${before} and ${value}); a chain has one transition there`,
          { state },
        );
      }
    });
    this.#values[at] = sum > 1 && sum <= 1 + ROW_SUM_TOLERANCE ? 1 : sum;
    if (this.#upper && this.#listed.upper) {
      this.#upper[at] = Math.min(1, this.#upper[at] + this.#listed.upper[branch]);
    }
  }

  /** The branches of a row that have positive probability, by target; branches to one target stay in order. */
  #sortedBranches(state: number, row: number): number[] {
    const { rowStart, columns, values, upper = values } = this.#listed;
    const branches: number[] = [];
    let ascending = true;
    for (let branch = rowStart[row]; branch < rowStart[row + 1]; branch++) {
      if (!(values[branch] >= 0 && values[branch] <= upper[branch] && upper[branch] <= 1)) {
        const found = this.#upper ? `[${values[branch]},${upper[branch]}]` : values[branch];
        const expected = this.#upper ? 'an interval within [0, 1]' : 'a number in [0, 1]';
        throw new InvalidModelError(
          `state ${state}: its transition to ${columns[branch]} has probability ${found}; expected ${expected}`,
          { state },
        );
      }
      if (columns[branch] >= this.#states) {
        throw new InvalidModelError(
          `state ${state}: a transition leads to state ${columns[branch]}, but the states are 0..${this.#states - 1}`,
          { state },
        );
      }
      if (upper[branch] === 0) continue;
      if (branches.length > 0 && columns[branches[branches.length - 1]] > columns[branch]) ascending = false;
      branches.push(branch);
    }
    return ascending ? branches : branches.sort((a, b) => columns[a] - columns[b] || a - b);
  }
}
