import { InvalidArgumentError } from '../../base/errors.js';
import { empiricalChain } from './amplification.js';
import { type ConfidenceRows, requireDelta } from './confidenceRows.js';
import type { DrawnRows } from './drawnRows.js';
import { largestSum } from './empiricalDecisions.js';
import type { CertificateProblem } from './problem.js';

/** The two papers' demands on the data, row by row. They are reported as the papers print them; neither is a guarantee. */
export interface PapersCriteria {
  readonly epsilon: number;
  readonly delta: number;
  /** Float64Array(rows): draws that the first criterion demands, H*; 0 in rows that nothing is drawn from. */
  readonly first: Float64Array;
  /** Float64Array(rows): draws that the second criterion demands, (1.1 B)² H*, and at least 1 if the first demands any. */
  readonly second: Float64Array;
  /**
   * B, as an upper bound: how many errors of single transitions, at most, accumulate: visits times half the successors. For a decision
   * process, the maximum over policies; Infinity if a policy may stay undecided for ever.
   */
  readonly amplification: number;
  /** Whether every row has as many draws as the criterion demands. */
  readonly firstMet: boolean;
  readonly secondMet: boolean;
}

/**
 * The number of draws that guarantees every transition's probability to within epsilon of its frequency, with probability 1 - delta:
 * ln(2K/delta)/(2 epsilon²). It assumes that the K = `transitions` possible transitions are fixed in advance and that every row is drawn
 * this often, independently of its draws.
 *
 * @see Hoeffding (1963), doi:10.1080/01621459.1963.10500830
 */
export function drawsForEveryTransition(transitions: number, epsilon: number, delta: number): number {
  requireEpsilon(epsilon);
  requireDelta(delta);
  return Math.ceil(Math.log((2 * transitions) / delta) / (2 * epsilon ** 2));
}

/**
 * The first paper's right-hand side for one row, with the largest H, although the paper prints the smallest (its example and proof use the
 * largest): max over its entries of (2/epsilon²) ln(2/delta') [1/4 − max(|1/2 − n_t/n| − 2 epsilon/3, 0)²], delta' = delta/m.
 *
 * It is not a guarantee: it lacks the union bound over a row's entries, and treats the number of draws as fixed.
 *
 * @param frequencies n_t/n of the row's entries; if empty, the worst case 1/2 counts.
 * @param states m, the number of states.
 */
export function papersDraws(
  frequencies: Iterable<number>,
  states: number,
  epsilon: number,
  delta: number,
): number {
  let spread = Number.NEGATIVE_INFINITY;
  for (const frequency of frequencies) {
    spread = Math.max(spread, 0.25 - Math.max(Math.abs(0.5 - frequency) - (2 * epsilon) / 3, 0) ** 2);
  }
  if (spread === Number.NEGATIVE_INFINITY) spread = 0.25;
  return (2 / epsilon ** 2) * Math.log((2 * states) / delta) * spread;
}

/**
 * Computes both papers' stopping criteria for one property. The second paper leaves B undefined. Here B is the largest expected sum, until
 * the property is decided, of half the number of successors of the visited states: a row whose entries are each off by epsilon is off by
 * that many epsilon in total variation.
 *
 * @throws InvalidArgumentError for epsilon or delta out of range; NotConvergedError as the kernel
 * @see docs/semantics/certificates.md, which describes the gaps of each
 */
export function papersCriteria(
  problem: CertificateProblem,
  confidence: ConfidenceRows,
  epsilon: number,
): PapersCriteria {
  requireEpsilon(epsilon);
  const { rows, delta } = confidence;
  const amplification = largestAmplification(problem, confidence);
  const first = drawsAsked(rows, drawnFrom(problem), epsilon, delta);
  const second = first.map((draws) => secondAsked(draws, amplification));
  const met = (asked: Float64Array): boolean => asked.every((draws, row) => rows.draws[row] >= draws);
  return { epsilon, delta, first, second, amplification, firstMet: met(first), secondMet: met(second) };
}

/** The smallest epsilon with which the data meet the second criterion, to three digits; Infinity if a row has no draw. */
export function secondCriterionEpsilon(problem: CertificateProblem, confidence: ConfidenceRows): number {
  const { rows, delta } = confidence;
  const amplification = largestAmplification(problem, confidence);
  const used = drawnFrom(problem);
  const isMet = (epsilon: number): boolean =>
    drawsAsked(rows, used, epsilon, delta).every(
      (draws, row) => rows.draws[row] >= secondAsked(draws, amplification),
    );
  // Above 3/4 nothing is subtracted in H any more, so the criterion is met from some epsilon on, if at all.
  let [unmet, met] = [1e-9, 1];
  while (!isMet(met)) {
    if (met > 1e9) return Number.POSITIVE_INFINITY;
    met *= 2;
  }
  while (met > unmet * 1.001) {
    const middle = Math.sqrt(met * unmet);
    if (isMet(middle)) met = middle;
    else unmet = middle;
  }
  return met;
}

/**
 * The demand of the second criterion on a row of which the first demands `first` draws. If B is 0, as with one successor each, it is still
 * one draw, because 0 draws have no frequency.
 */
function secondAsked(first: number, amplification: number): number {
  return first === 0 ? 0 : Math.max(1, (1.1 * amplification) ** 2 * first);
}

/** The rows that nodes copy; the property depends on no others. */
function drawnFrom({ source }: CertificateProblem): Set<number> {
  return new Set(source.filter((row) => row >= 0));
}

function drawsAsked(
  { rowStart, counts, draws }: DrawnRows,
  used: ReadonlySet<number>,
  epsilon: number,
  delta: number,
): Float64Array {
  const asked = new Float64Array(draws.length);
  for (const row of used) {
    const frequencies =
      draws[row] === 0 ? [] : counts.subarray(rowStart[row], rowStart[row + 1]).map((x) => x / draws[row]);
    asked[row] = papersDraws(frequencies, used.size, epsilon, delta);
  }
  return asked;
}

function largestAmplification(problem: CertificateProblem, confidence: ConfidenceRows): number {
  const { rows } = confidence;
  const { rowStart } = rows;
  const halves = Float64Array.from(problem.source, (drawn) =>
    drawn < 0 ? 0 : Math.floor((rowStart[drawn + 1] - rowStart[drawn]) / 2),
  );
  const largest = (sums: Float64Array): number => sums.reduce((most, value) => Math.max(most, value), 0);
  if (rows.rowGroupStart !== undefined) return largest(largestSum(problem, confidence, halves));
  const { kernel, decided } = empiricalChain(problem, confidence);
  using chain = kernel;
  return largest(chain.reachabilityReward({ states: halves }, decided).upper);
}

/** @throws InvalidArgumentError unless epsilon is above 0 and below 1 */
export function requireEpsilon(epsilon: number): void {
  // Below this, 1/epsilon² exceeds any number of draws that is ever counted.
  if (epsilon >= 1e-9 && epsilon < 1) return;
  throw new InvalidArgumentError(
    `epsilon is ${epsilon}; expected the error allowed of a probability, at least 1e-9 and below 1, such as 0.05`,
  );
}
