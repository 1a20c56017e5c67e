import type { Bounds } from '../../base/bounds.js';
import { BitSet, type Csr, getKernel, type KernelChain } from '../../solvers/kernel/index.js';
import type { ConfidenceRows } from './confidenceRows.js';
import { empiricalDecisions } from './empiricalDecisions.js';
import { type CertificateOptions, stepOptions } from './intervalBounds.js';
import type { CertificateProblem } from './problem.js';

/** The empirical chain of a problem, and the effect of errors in its rows. */
export interface Amplification {
  /** Bounds on the probability of the bad event in the empirical chain, whose rows without data lead to `unseen`. */
  readonly estimate: Bounds;
  /** Float64Array(nodes): upper bounds on the distance between the truth and the estimate: the sum of expected visits times distances of rows. */
  readonly error: Float64Array;
}

/**
 * Computes the certificate of one property: |p̂ − p| <= N d, with N the expected visits in the empirical chain and d the distances of its
 * rows from the true ones. It holds whenever all row sets do. In R, the nodes that are neither decided nor ended, (I − P̂)(p̂ − p) = (P̂ −
 * P) p with the true P and p; p lies in [0, 1] and the differences of a row sum to 0, so a row contributes at most its distance at each
 * visit. The unseen mass is included in the distances. Rows without data, and nodes that cannot leave R in P̂, count as leading to
 * `unseen`, at distance 1. For a horizon of k steps, the visits of the first k steps count.
 *
 * One solve of an expected reward gives the result; no inverse is formed.
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

/** The bounds of the certificate: the estimate plus and minus the error, clamped to [0, 1]. */
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
  /** Nodes at which nothing remains to happen: decided, ended, unseen. */
  readonly decided: BitSet;
  /** Nodes that lead to `unseen`: without data, or without a way out. */
  readonly lost: BitSet;
  /** Float64Array(nodes): the distance of a node's row, 0 in `decided`. */
  readonly distance: Float64Array;
}

/** @returns a chain on the nodes of the problem, in which rows without data or way out lead to `unseen`; the caller owns the kernel's handle */
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
