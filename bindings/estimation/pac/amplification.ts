import type { Bounds } from '../../base/bounds.js';
import { BitSet, type Csr, getKernel, type KernelChain } from '../../solvers/kernel/index.js';
import type { ConfidenceRows } from './confidenceRows.js';
import { empiricalDecisions } from './empiricalDecisions.js';
import { type CertificateOptions, stepOptions } from './intervalBounds.js';
import type { CertificateProblem } from './problem.js';

/** The empirical chain of a problem and how far errors of its rows reach. */
export interface Amplification {
  /** Bounds on the probability of the bad event in the empirical chain, which rows without data leave for nowhere. */
  readonly estimate: Bounds;
  /** Float64Array(nodes): bounds, from above, on how far the truth is from it: the sum of expected visits times distances of rows. */
  readonly error: Float64Array;
}

/**
 * The certificate of one property: |p̂ − p| <= N d, with N the expected visits in the empirical chain and d the distances of
 * its rows from the true ones, which holds wherever all rows do. In R, the nodes that are neither decided nor ended,
 * (I − P̂)(p̂ − p) = (P̂ − P) p with the true P and p; p lies in [0, 1] and the differences of a row sum to 0, so a row contributes at
 * most its distance at each visit. What is unseen is inside the distances. Rows without data, and nodes that cannot leave R in P̂, count as
 * left for nowhere, at distance 1. Within k steps visits are those of the first k.
 *
 * It is found by one solve of an expected reward; no inverse is formed.
 *
 * @throws NotConvergedError as the kernel
 */
export function amplification(
  problem: CertificateProblem,
  confidence: ConfidenceRows,
  { horizonSteps = null, ...options }: Pick<CertificateOptions, 'horizonSteps' | 'precision' | 'signal'> = {},
): Amplification {
  const chain = empiricalChain(problem, confidence);
  const { nodes, violated } = problem;
  using kernel = chain.kernel;
  const everywhere = BitSet.full(nodes);
  const gains = { states: chain.distance };
  if (horizonSteps !== null) {
    const taken = stepOptions(options);
    const atStart = { ...taken, active: BitSet.of(nodes, [problem.start]) };
    const error = kernel.stepBack(kernel.cumulativeReward(gains, horizonSteps, taken), 1, atStart).upper;
    error[problem.start] = (error[problem.start] + chain.distance[problem.start]) * (1 + 2 ** -52);
    return {
      estimate: kernel.stepBack(kernel.boundedUntil(everywhere, violated, horizonSteps, taken), 1, atStart),
      error,
    };
  }
  return {
    estimate: kernel.until(everywhere, violated, options),
    error: kernel.reachabilityReward(gains, chain.decided, options).upper,
  };
}

/** What the certificate says: the estimate, as far around as the error, cut to [0, 1]. */
export function amplificationBounds({ estimate, error }: Amplification): Bounds {
  return {
    lower: estimate.lower.map((value, node) => Math.max(0, (value - error[node]) * (1 - 2 ** -50))),
    upper: estimate.upper.map((value, node) => Math.min(1, (value + error[node]) * (1 + 2 ** -50))),
  };
}

/** The empirical chain of a problem. */
export interface EmpiricalChain {
  readonly kernel: KernelChain;
  readonly matrix: Csr;
  /** Nodes where nothing is left to happen: decided, ended, unseen. */
  readonly decided: BitSet;
  /** Nodes left for nowhere: without data, or without a way out. */
  readonly lost: BitSet;
  /** Float64Array(nodes): the distance of a node's row, 0 in `decided`. */
  readonly distance: Float64Array;
}

/** @returns a chain on the nodes of the problem, where rows without data or way out lead to `unseen`; the kernel's handle is the caller's */
export function empiricalChain(problem: CertificateProblem, confidence: ConfidenceRows): EmpiricalChain {
  const { nodes, source, violated, safe, unseen } = problem;
  const { rows, distance } = confidence;
  const decided = violated.union(safe).union(BitSet.of(nodes, [unseen]));
  const empty = BitSet.where(nodes, (node) => source[node] >= 0 && rows.draws[source[node]] === 0);
  const seen = empiricalDecisions(problem, confidence);
  using graph = getKernel().chain(seen);
  const stuck = graph.canReach(BitSet.full(nodes), decided).complement();
  const lost = empty.union(stuck);
  const matrix = stuck.count() === 0 ? seen : empiricalDecisions(problem, confidence, lost);
  return {
    kernel: getKernel().chain(matrix),
    matrix,
    decided,
    lost,
    distance: Float64Array.from(source, (drawn, node) =>
      drawn < 0 || decided.has(node) ? 0 : lost.has(node) ? 1 : distance[drawn],
    ),
  };
}
