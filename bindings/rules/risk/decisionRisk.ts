import type { Bounds } from '../../base/bounds.js';
import type { LearntMdpView, StayingRows } from '../../estimation/learning/index.js';
import { type CertificateProblem, type DrawnRows, UNSEEN } from '../../estimation/pac/index.js';
import {
  BitSet,
  type Direction,
  getKernel,
  type Solution,
  type SolveOptions,
} from '../../solvers/kernel/index.js';

/** The rows of a learnt decision process as if all its branches were drawn, with the model's probabilities. */
export interface DecisionRows {
  readonly rows: DrawnRows;
  /** Float64Array(entries of `rows`). */
  readonly values: Float64Array;
  /** Float64Array(entries of `rows`): `values`, with doing nothing judged by the steps that went on. Absent: ends count as recorded. */
  readonly staying?: Float64Array;
}

/**
 * @param staying by which steps doing nothing is judged; default: by all, ends of runs with the others
 * @returns the model's rows with smoothing; without smoothing, rows without data are empty.
 */
export function decisionRows(
  { model, stateOf, parameters, draws, start, end }: LearntMdpView,
  staying?: StayingRows,
): DecisionRows {
  const rowCount = stateOf.length;
  const isEmpty = (s: number): boolean =>
    s !== start && s !== end && draws[s] === 0 && parameters.learning.smoothing === 0;
  const rowStart = new Uint32Array(rowCount + 1);
  const kept: number[] = [];
  for (let row = 0; row < rowCount; row++) {
    const end = isEmpty(stateOf[row]) ? 0 : model.rowStart[row + 1];
    for (let i = model.rowStart[row]; i < end; i++) kept.push(i);
    rowStart[row + 1] = kept.length;
  }
  const none = new Float64Array(rowCount);
  return {
    rows: {
      rowGroupStart: model.rowGroupStart,
      rowStart,
      columns: Uint32Array.from(kept, (i) => model.columns[i]),
      counts: new Float64Array(kept.length),
      firstDraws: new Float64Array(kept.length),
      draws: none,
      drawsSinceNew: none,
      rank: none,
      known: true,
    },
    values: Float64Array.from(kept, (i) => model.values[i]),
    ...(staying && { staying: Float64Array.from(kept, (i) => staying.values[i]) }),
  };
}

/**
 * Bounds the minimal or maximal probability of the bad event in the learnt decision process, over all policies; states without data count
 * as [0, 1].
 *
 * @param problem built on the rows of `learnt`. With `staying`, doing nothing leads where the steps that went on led, unless the event
 * occurs at the end of the run: then it leads to the end as often as recorded. So an end never counts in favour of doing nothing.
 * @throws NotConvergedError as the kernel
 */
export function decisionRisk(
  problem: CertificateProblem,
  learnt: DecisionRows,
  direction: Direction,
  horizonSteps: number | null,
  options: Pick<SolveOptions, 'precision' | 'signal'>,
): Bounds {
  const { nodes, violated, unseen, start, rowGroupStart, source, rowStart, entry } = problem;
  using kernel = getKernel().mdp({ rowGroupStart, ...branches(problem, learnt) });
  const reach = (target: BitSet): Pick<Solution, 'lower' | 'upper'> => {
    if (horizonSteps === null) return kernel.until(direction, BitSet.full(nodes), target, options);
    const taken = options.signal === undefined ? {} : { signal: options.signal };
    const within = kernel.boundedUntil(direction, BitSet.full(nodes), target, horizonSteps, taken);
    return kernel.stepBack(direction, within, 1, { ...taken, active: BitSet.of(nodes, [start]) });
  };
  const never = reach(violated);
  if (source.every((row, r) => row < 0 || entry[rowStart[r]] !== UNSEEN)) return never;
  return { lower: never.lower, upper: reach(violated.union(BitSet.of(nodes, [unseen]))).upper };
}

/** The problem's rows with their probabilities. A branch of probability 0 is none. */
function branches(
  problem: CertificateProblem,
  { values, staying }: DecisionRows,
): { rowStart: Uint32Array; columns: Uint32Array; values: Float64Array } {
  const { rows, violated, rowStart, columns, entry } = problem;
  if (staying === undefined) {
    return { rowStart, columns, values: Float64Array.from(entry, (e) => (e === UNSEEN ? 1 : values[e])) };
  }
  const end = rows.rowGroupStart!.length - 2;
  const kept = { rowStart: [0], columns: [] as number[], values: [] as number[] };
  for (let row = 0; row + 1 < rowStart.length; row++) {
    let from = staying;
    for (let i = rowStart[row]; i < rowStart[row + 1]; i++) {
      if (entry[i] !== UNSEEN && rows.columns[entry[i]] === end && violated.has(columns[i])) from = values;
    }
    for (let i = rowStart[row]; i < rowStart[row + 1]; i++) {
      const value = entry[i] === UNSEEN ? 1 : from[entry[i]];
      if (value === 0) continue;
      kept.columns.push(columns[i]);
      kept.values.push(value);
    }
    kept.rowStart.push(kept.columns.length);
  }
  return {
    rowStart: Uint32Array.from(kept.rowStart),
    columns: Uint32Array.from(kept.columns),
    values: Float64Array.from(kept.values),
  };
}
