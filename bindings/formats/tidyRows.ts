import { InvalidModelError } from '../errors.js';
import type { BitSet, Csr } from '../kernel/index.js';
import { ROW_SUM_TOLERANCE } from '../model/index.js';

/** Numbers per branch that follow their branches, and what two branches to one target make of them. */
export interface BranchValues {
  readonly name: string;
  readonly values: Float64Array;
  /** `mean`: weighted by probability, as expected rewards ask. `equal`: they must agree. */
  readonly merge: 'mean' | 'equal';
}

/** Rows as a model wants them, and which states got a self-loop for want of any branch. */
export interface TidyRows extends Csr {
  readonly branchValues: readonly Float64Array[];
  readonly deadlocks: readonly number[];
}

/**
 * Turns branches as files list them into rows as a model wants them: sorted by target, those to one target added up, those
 * of probability 0 left out. A state without branches gets a self-loop with probability 1, unless it is in `unknown`.
 *
 * @throws InvalidModelError on a probability outside [0, 1], a target that is no state, or merged values that differ
 */
export function tidyRows(rows: Csr, branchValues: readonly BranchValues[] = [], unknown?: BitSet): TidyRows {
  const states = rows.rowStart.length - 1;
  const rowStart = new Uint32Array(states + 1);
  const room = rows.columns.length + states;
  const columns = new Uint32Array(room);
  const values = new Float64Array(room);
  const carried = branchValues.map(() => new Float64Array(room));
  const deadlocks: number[] = [];
  let size = 0;
  for (let state = 0; state < states; state++) {
    const start = size;
    for (const branch of sortedBranches(rows, state, states)) {
      const target = rows.columns[branch];
      const probability = rows.values[branch];
      if (size > start && columns[size - 1] === target) {
        const sum = values[size - 1] + probability;
        branchValues.forEach((given, i) => {
          carried[i][size - 1] = merged(
            given,
            carried[i][size - 1],
            branch,
            probability / sum,
            state,
            target,
          );
        });
        values[size - 1] = sum > 1 && sum <= 1 + ROW_SUM_TOLERANCE ? 1 : sum;
      } else {
        columns[size] = target;
        values[size] = probability;
        branchValues.forEach((given, i) => {
          carried[i][size] = given.values[branch];
        });
        size++;
      }
    }
    if (rows.rowStart[state] === rows.rowStart[state + 1] && !unknown?.has(state)) {
      deadlocks.push(state);
      columns[size] = state;
      values[size] = 1;
      size++;
    }
    rowStart[state + 1] = size;
  }
  return {
    rowStart,
    columns: columns.slice(0, size),
    values: values.slice(0, size),
    branchValues: carried.map((list) => list.slice(0, size)),
    deadlocks,
  };
}

/** What to tell about deadlocks that were closed: how many, and the first of them. */
export function deadlockWarning(deadlocks: readonly number[]): string {
  const shown = deadlocks.slice(0, 5).join(', ') + (deadlocks.length > 5 ? ', …' : '');
  const subject =
    deadlocks.length === 1 ? 'a state has no transitions' : `${deadlocks.length} states have no transitions`;
  return `${subject} and got a self-loop: ${shown}`;
}

/** The branches of a row that have positive probability, by target; branches to one target stay in order. */
function sortedBranches({ rowStart, columns, values }: Csr, state: number, states: number): number[] {
  const branches: number[] = [];
  let ascending = true;
  for (let branch = rowStart[state]; branch < rowStart[state + 1]; branch++) {
    if (!(values[branch] >= 0 && values[branch] <= 1)) {
      throw new InvalidModelError(
        `state ${state}: its transition to ${columns[branch]} has probability ${values[branch]}; expected a number in [0, 1]`,
        { state },
      );
    }
    if (columns[branch] >= states) {
      throw new InvalidModelError(
        `state ${state}: a transition leads to state ${columns[branch]}, but the states are 0..${states - 1}`,
        { state },
      );
    }
    if (values[branch] === 0) continue;
    if (branches.length > 0 && columns[branches[branches.length - 1]] > columns[branch]) ascending = false;
    branches.push(branch);
  }
  return ascending ? branches : branches.sort((a, b) => columns[a] - columns[b] || a - b);
}

function merged(
  { name, values, merge }: BranchValues,
  before: number,
  branch: number,
  weight: number,
  state: number,
  target: number,
): number {
  const value = values[branch];
  if (merge === 'mean') return before + (value - before) * weight;
  if (value === before) return value;
  throw new InvalidModelError(
    `state ${state} has two branches to state ${target} that differ in annotation "${name}" (${before} and ${value}); a chain has one transition there`,
    { state },
  );
}
