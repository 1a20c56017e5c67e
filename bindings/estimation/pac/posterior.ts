import type { Bounds } from '../../base/bounds.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { Random } from '../../base/random.js';
import { BitSet, getKernel } from '../../solvers/kernel/index.js';
import { requireDelta } from './confidenceRows.js';
import { DirichletSampler } from './dirichlet.js';
import { type CertificateOptions, stepOptions } from './intervalBounds.js';
import { type CertificateProblem, UNSEEN } from './problem.js';

/** Options of posterior intervals. */
export interface PosteriorOptions
  extends Pick<CertificateOptions, 'horizonSteps' | 'scheduler' | 'precision' | 'signal'> {
  /** The posterior probability outside each interval. Default 0.05. */
  readonly delta?: number;
  /** The pseudo-count of each successor before any draw. Default 1/2. It is not the chain's smoothing, which is not used here. */
  readonly prior?: number;
  /** Number of sampled chains. Default 1000. */
  readonly samples?: number;
  /** Default 1; the same seed gives the same intervals. */
  readonly seed?: number;
}

/** Intervals without a guarantee: they are right for a fraction 1 - delta of the chains drawn from their own prior, not for any given chain. */
export interface PosteriorBounds extends Bounds {
  readonly guaranteed: false;
  readonly samples: number;
}

/**
 * Computes for every node the equal-tailed credible interval of the probability of the bad event, with posterior probability 1 - delta, if
 * rows were drawn from Dirichlet(prior, …, prior). Chains (a thousand by default) are sampled from the posterior and solved; the intervals
 * are order statistics.
 *
 * **Not guaranteed.** It is calibrated on average over chains from the prior, node by node. For a single chain, above all a sparse or slow
 * one, the truth may be outside far more often, and no single chain need lie in all intervals at once.
 *
 * Each drawn row is sampled once per chain, so its copies agree. If successors are not known, all unseen outcomes count as one more
 * successor, harmless for the lower end and the bad event for the upper end. The computation takes one solve per sample, and memory for
 * samples times nodes.
 *
 * @throws InvalidArgumentError for options out of range; NotConvergedError as the kernel
 * @see Gelman et al. (2013), Bayesian Data Analysis, 3.4
 */
export function posteriorIntervals(
  problem: CertificateProblem,
  { delta = 0.05, prior = 0.5, samples = 1000, seed = 1, ...options }: PosteriorOptions = {},
): PosteriorBounds {
  requireDelta(delta);
  if (!(prior > 0 && prior < Number.POSITIVE_INFINITY)) {
    throw new InvalidArgumentError(`the prior is ${prior}; expected a positive number, such as 0.5`);
  }
  if (!(Number.isInteger(samples) && samples >= 1)) {
    throw new InvalidArgumentError(`samples is ${samples}; expected a whole number of chains, such as 1000`);
  }
  const { nodes, violated, unseen } = problem;
  const draw = rowSampler(problem, prior, new DirichletSampler(new Random(seed)));
  const targets = [violated];
  if (problem.entry.some((e, i) => e === UNSEEN && problem.columns[i] === unseen)) {
    targets.push(violated.union(BitSet.of(nodes, [unseen])));
  }
  const solved = targets.map(() => new Float64Array(samples * nodes));
  for (let sample = 0; sample < samples; sample++) {
    const values = draw();
    for (const [i, one] of solve(problem, values, targets, options).entries()) {
      for (let node = 0; node < nodes; node++) {
        solved[i][node * samples + sample] = (one.lower[node] + one.upper[node]) / 2;
      }
    }
  }
  // With N samples, an independent value of the same distribution is below the k-th smallest with probability k/(N + 1).
  const k = Math.floor(((samples + 1) * delta) / 2);
  const nth = (all: Float64Array, node: number, rank: number): number =>
    all.subarray(node * samples, (node + 1) * samples).sort()[rank];
  const range = Array.from({ length: nodes });
  return {
    lower: Float64Array.from(range, (_, node) => (k === 0 ? 0 : nth(solved[0], node, k - 1))),
    upper: Float64Array.from(range, (_, node) =>
      k === 0 ? 1 : nth(solved[solved.length - 1], node, samples - k),
    ),
    guaranteed: false,
    samples,
  };
}

/** Samples all rows of the problem: one value per entry, in the same array at each call. */
function rowSampler(
  { rows, rowStart, source, entry }: CertificateProblem,
  prior: number,
  sampler: DirichletSampler,
): () => Float64Array {
  const used = [...new Set(source)].filter((row) => row >= 0);
  // Each row needs one place more than its entries, for unseen outcomes if successors are not known.
  const drawn = new Float64Array(rows.columns.length + rows.draws.length);
  const values = new Float64Array(entry.length);
  return () => {
    for (const row of used) {
      const begin = rows.rowStart[row];
      const end = rows.rowStart[row + 1];
      const weights = drawn.subarray(begin + row, end + row + (rows.known && end > begin ? 0 : 1));
      for (let i = 0; i < weights.length; i++)
        weights[i] = prior + (begin + i < end ? rows.counts[begin + i] : 0);
      sampler.draw(weights);
    }
    for (let copy = 0; copy < source.length; copy++) {
      const row = source[copy];
      for (let i = rowStart[copy]; i < rowStart[copy + 1]; i++) {
        if (row < 0) values[i] = 1;
        else values[i] = drawn[(entry[i] === UNSEEN ? rows.rowStart[row + 1] : entry[i]) + row];
      }
    }
    return values;
  };
}

/** P(reach target) in one sampled model, for each of the targets. */
function solve(
  { nodes, rowGroupStart, rowStart, columns, start }: CertificateProblem,
  values: Float64Array,
  targets: readonly BitSet[],
  { horizonSteps = null, scheduler = 'max', ...options }: Omit<PosteriorOptions, 'delta'>,
): Bounds[] {
  const everywhere = BitSet.full(nodes);
  const steps = stepOptions(options);
  const atStart = { ...steps, active: BitSet.of(nodes, [start]) };
  if (rowGroupStart[nodes] === nodes) {
    using chain = getKernel().chain({ rowStart, columns, values });
    return targets.map((target) =>
      horizonSteps === null
        ? chain.until(everywhere, target, options)
        : chain.stepBack(chain.boundedUntil(everywhere, target, horizonSteps, steps), 1, atStart),
    );
  }
  using mdp = getKernel().mdp({ rowGroupStart, rowStart, columns, values });
  return targets.map((target) => {
    if (horizonSteps === null) return mdp.until(scheduler, everywhere, target, options);
    const within = mdp.boundedUntil(scheduler, everywhere, target, horizonSteps, steps);
    return mdp.stepBack(scheduler, within, 1, atStart);
  });
}
