import type { Bounds } from '../../base/bounds.js';
import type { BitSet, Direction } from '../../solvers/kernel/index.js';
import type { ConfidenceRows } from './confidenceRows.js';
import { type CertificateOptions, intervalMatrix } from './intervalBounds.js';
import type { CertificateProblem } from './problem.js';

/** Maximal numbers of sweeps and of entries examined in all, after which the current bounds are returned, and the change below which sweeping stops. */
const SWEEPS = 10_000;
const ENTRIES = 2e8;
const STILL = 1e-10;

/**
 * Computes the certificate of one property for a decision process: bounds on the minimal or the maximal probability over all policies that
 * choose among the observed actions, from the empirical process and the distances of its rows alone.
 *
 * A row changes the mean of values in [0, 1] by at most its distance d. Hence, if v is an upper bound on the probability, so is min(1,
 * opt_a (d_a + Σ P̂_a v)). The iteration goes downward from v = 1 and is valid at every sweep. Its limit is at most p̂ plus the largest
 * expected sum of d over policies, which is infinite if a policy may stay undecided for ever. There v stays at 1, as it must, because the
 * row's error accumulates for ever. Lower bounds are one minus the upper bounds for the complementary event. Rows without data, and unseen
 * outcomes, count with the worst value.
 *
 * `scheduler` is 'min' for the minimal probability, 'max' (default) for the maximal.
 */
export function policyAmplification(
  problem: CertificateProblem,
  confidence: ConfidenceRows,
  { scheduler = 'max', horizonSteps = null, signal }: CertificateOptions = {},
): Bounds {
  const { violated, safe } = problem;
  const opposite = scheduler === 'max' ? 'min' : 'max';
  const rows = empiricalRows(problem, confidence);
  const above = (direction: Direction, worth: BitSet, nothing: BitSet, undecided: 0 | 1): Float64Array =>
    boundAbove({ ...rows, direction, worth, nothing, undecided, horizonSteps, signal });
  return {
    lower: above(opposite, safe, violated, 1).map((value) => Math.max(0, 1 - value)),
    upper: above(scheduler, violated, safe, 0),
  };
}

/** The empirical rows of a problem. */
interface EmpiricalRows {
  readonly problem: CertificateProblem;
  /** Float64Array(entries): count / draws; 0 for unseen outcomes. */
  readonly values: Float64Array;
  /** Float64Array(rows): the distance from the truth; 0 if nothing is drawn, Infinity without data. */
  readonly distance: Float64Array;
}

function empiricalRows(problem: CertificateProblem, confidence: ConfidenceRows): EmpiricalRows {
  const { centre, radius } = intervalMatrix(problem, confidence);
  const distance = radius.map((most, row) => (problem.source[row] < 0 ? 0 : most));
  return { problem, values: centre, distance };
}

interface Above extends EmpiricalRows {
  readonly direction: Direction;
  /** Where the event has occurred, and where it can no longer occur. */
  readonly worth: BitSet;
  readonly nothing: BitSet;
  /** The value of a node when the steps are used up. */
  readonly undecided: 0 | 1;
  readonly horizonSteps: number | null;
  readonly signal: AbortSignal | undefined;
}

function boundAbove(given: Above): Float64Array {
  const { problem, worth, nothing, undecided, horizonSteps, signal } = given;
  const { nodes, unseen, start } = problem;
  const values = Float64Array.from({ length: nodes }, (_, node) =>
    node === unseen || worth.has(node) ? 1 : nothing.has(node) ? 0 : horizonSteps === null ? 1 : undecided,
  );
  const open = Uint32Array.from({ length: nodes }, (_, node) => node).filter(
    (node) => node !== unseen && !worth.has(node) && !nothing.has(node),
  );
  if (horizonSteps === null) {
    // Values are replaced in place, because each bounds its node at any moment. Sweeps alternate in direction, because rows lead either
    // way.
    const affordable = Math.min(SWEEPS, Math.ceil(ENTRIES / problem.columns.length));
    for (let sweep = 0; sweep < affordable; sweep++) {
      signal?.throwIfAborted();
      let moved = 0;
      for (const node of open) {
        const value = bestAbove(given, values, node);
        moved = Math.max(moved, values[node] - value);
        if (value < values[node]) values[node] = value;
      }
      open.reverse();
      if (moved < STILL) break;
    }
    return values;
  }
  let before = values;
  for (let step = 0; step < horizonSteps; step++) {
    signal?.throwIfAborted();
    const after = before.slice();
    for (const node of open) after[node] = bestAbove(given, before, node);
    before = after;
  }
  // The start is not a position.
  before[start] = bestAbove(given, before, start);
  return before;
}

/** The bound of one node from its successors' bounds, rounded upward. */
function bestAbove(
  { problem, values, distance, direction }: Above,
  bounds: Float64Array,
  node: number,
): number {
  const { rowGroupStart, rowStart, columns } = problem;
  let best = direction === 'max' ? 0 : 1;
  for (let row = rowGroupStart[node]; row < rowGroupStart[node + 1]; row++) {
    let sum = distance[row];
    for (let i = rowStart[row]; i < rowStart[row + 1]; i++) sum += values[i] * bounds[columns[i]];
    const value = Math.min(1, sum * (1 + (rowStart[row + 1] - rowStart[row] + 3) * 2 ** -52));
    best = direction === 'max' ? Math.max(best, value) : Math.min(best, value);
  }
  return best;
}
