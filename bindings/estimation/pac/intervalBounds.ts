import type { Bounds } from '../../base/bounds.js';
import { NotConvergedError } from '../../base/errors.js';
import {
  BitSet,
  getKernel,
  type IntervalMdpMatrix,
  type Players,
  type RobustOptions,
  type StepOptions,
} from '../../solvers/kernel/index.js';
import type { ConfidenceRows } from './confidenceRows.js';
import { DivergenceSweeps } from './divergenceSweeps.js';
import { type CertificateProblem, UNSEEN } from './problem.js';

/** Sweeps after which the current bounds are returned. */
const SWEEPS = 10_000;

/** Maximal number of sweeps that narrow bounds by divergences, the gain below which they stop, and the maximal number of rows that they process in all. */
const NARROWINGS = 100;
const NARROW_ENOUGH = 1e-4;
const ROWS_NARROWED = 1e6;

/** How a certificate is solved. */
export interface CertificateOptions extends RobustOptions {
  /** The bad event within this many steps; default null: ever. */
  readonly horizonSteps?: number | null;
  /** For an MDP: 'min' or 'max', for the minimal or the maximal risk over policies. Default 'max'; ignored for a chain. */
  readonly scheduler?: 'min' | 'max';
}

/**
 * Computes bounds on the probability of the bad event from every node, over all chains whose rows lie in the sets: with probability at
 * least 1 - delta over the data, all of them hold at once. The lower bounds iterate up from 0 and treat unseen outcomes as harmless; the
 * upper bounds iterate down from 1 and treat them as the bad event. Both are sound at every sweep.
 *
 * Copies of one drawn row in several nodes may take different distributions of its set, so the bounds are sound but not tight. The kernel
 * optimises over intervals and distances; then divergences narrow the bounds, as long as they gain enough and for up to a million rows.
 *
 * If rows allow staying so long that the sweeps do not converge, the bounds reached so far are returned; they are valid.
 *
 * @see Givan, Leach, Dean (2000), doi:10.1016/S0004-3702(00)00047-3
 */
export function intervalBounds(
  problem: CertificateProblem,
  confidence: ConfidenceRows,
  { horizonSteps = null, scheduler = 'max', ...options }: CertificateOptions = {},
): Bounds {
  using model = getKernel().intervalMdp(intervalMatrix(problem, confidence));
  const { nodes, violated, unseen, start } = problem;
  const sweeps = new DivergenceSweeps(problem, confidence, scheduler);
  const affordable = sweeps.useful ? Math.floor(ROWS_NARROWED / problem.source.length) : 0;
  const steps = stepOptions(options);

  /** Lower ends: nature minimises; upper ends: nature maximises. */
  const reach = (target: BitSet, end: keyof Bounds): Float64Array => {
    const players: Players = { scheduler, nature: end === 'lower' ? 'min' : 'max' };
    const back = (values: Float64Array, active = BitSet.full(nodes)): Float64Array =>
      model.stepBack({ lower: values, upper: values }, 1, players, { ...steps, active })[end];
    const narrow = (from: Float64Array, into: Float64Array): number =>
      end === 'lower' ? sweeps.raise(from, into) : sweeps.lower(from, into);

    const everSwept = (): Float64Array<ArrayBufferLike> => {
      try {
        return model.until(BitSet.full(nodes), target, players, { maxIterations: SWEEPS, ...options })[end];
      } catch (error) {
        // With few data, nature may stay almost for ever. Bounds are valid at every sweep, and further sweeps would improve them little.
        if (error instanceof NotConvergedError) return error[end];
        throw error;
      }
    };
    if (horizonSteps === null) {
      const values = everSwept();
      for (let i = 0; i < Math.min(affordable, NARROWINGS); i++) {
        if (narrow(values, values) < NARROW_ENOUGH) break;
        const stepped = back(values);
        for (let node = 0; node < nodes; node++) {
          values[node] =
            end === 'lower' ? Math.max(values[node], stepped[node]) : Math.min(values[node], stepped[node]);
        }
      }
      return values;
    }
    let values: Float64Array = Float64Array.from({ length: nodes }, (_, node) => Number(target.has(node)));
    if (horizonSteps > affordable) {
      values = model.boundedUntil(BitSet.full(nodes), target, horizonSteps, players, steps)[end];
      return back(values, BitSet.of(nodes, [start]));
    }
    for (let step = 0; step < horizonSteps; step++) {
      const stepped = back(values);
      narrow(values, stepped);
      values = stepped;
    }
    const stepped = back(values, BitSet.of(nodes, [start]));
    narrow(values, stepped);
    values[start] = stepped[start];
    return values;
  };
  return {
    lower: reach(violated, 'lower'),
    upper: reach(violated.union(BitSet.of(nodes, [unseen])), 'upper'),
  };
}

/** The options that step-bounded solves use. */
export function stepOptions({ signal }: Pick<RobustOptions, 'signal'>): StepOptions {
  return signal === undefined ? {} : { signal };
}

/** The problem with its row sets, in the kernel's format. */
export function intervalMatrix(
  { rowGroupStart, rowStart, columns, source, entry }: CertificateProblem,
  { rows, empirical, lower, upper, unseen, distance }: ConfidenceRows,
): IntervalMdpMatrix & Readonly<Record<'centre' | 'radius', Float64Array>> {
  const entries = columns.length;
  const matrix = {
    rowGroupStart,
    rowStart,
    columns,
    lower: new Float64Array(entries),
    upper: new Float64Array(entries),
    centre: new Float64Array(entries),
    radius: new Float64Array(source.length),
  };
  for (let row = 0; row < source.length; row++) {
    const drawn = source[row];
    const width = rowStart[row + 1] - rowStart[row];
    const nothing = drawn < 0 || rows.draws[drawn] === 0;
    matrix.radius[row] = nothing ? Number.POSITIVE_INFINITY : distance[drawn];
    for (let i = rowStart[row]; i < rowStart[row + 1]; i++) {
      const e = entry[i];
      if (nothing) {
        matrix.lower[i] = width === 1 ? 1 : 0;
        matrix.upper[i] = 1;
        matrix.centre[i] = 1 / width;
      } else {
        matrix.lower[i] = e === UNSEEN ? 0 : lower[e];
        matrix.upper[i] = e === UNSEEN ? unseen[drawn] : upper[e];
        matrix.centre[i] = e === UNSEEN ? 0 : empirical[e];
      }
    }
  }
  return matrix;
}
