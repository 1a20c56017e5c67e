import type { Bounds } from '../../base/bounds.js';
import type { LearntMdpView } from '../../estimation/learning/index.js';
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
}

/** @returns the model's rows with smoothing; without smoothing, rows without data are empty. */
export function decisionRows({ model, stateOf, parameters, draws, start, end }: LearntMdpView): DecisionRows {
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
  };
}

/**
 * Bounds the minimal or maximal probability of the bad event in the learnt decision process, over all policies; states without data count
 * as [0, 1].
 *
 * @param problem built on `decisionRows`.
 * @throws NotConvergedError as the kernel
 */
export function decisionRisk(
  problem: CertificateProblem,
  values: Float64Array,
  direction: Direction,
  horizonSteps: number | null,
  options: Pick<SolveOptions, 'precision' | 'signal'>,
): Bounds {
  const { nodes, violated, unseen, start, rowGroupStart, source, rowStart, columns, entry } = problem;
  const probabilities = Float64Array.from(entry, (e) => (e === UNSEEN ? 1 : values[e]));
  using kernel = getKernel().mdp({ rowGroupStart, rowStart, columns, values: probabilities });
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
