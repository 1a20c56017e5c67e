import { BitSet } from '../../solvers/kernel/index.js';
import { type EmpiricalChain, empiricalChain } from './amplification.js';
import type { FollowedPolicy } from './followedPolicy.js';
import type { GrownRows } from './grownRows.js';
import { type CertificateOptions, stepOptions } from './intervalBounds.js';
import type { CertificateProblem } from './problem.js';
import { rowSpread } from './rowSpread.js';

/**
 * Decomposes the error of a certificate, half the width of its interval at one node, by rows, and forecasts how it shrinks as rows are
 * drawn more often. To first order the error is the sum over rows of the expected visits of the row's copies, from that node on, times half
 * the spread of the row.
 *
 * The spread of a row is the width of the range that its set allows for the mean of its successors' probabilities. It is at most twice the
 * row's distance d, and less if successors are equally bad, because it then does not matter which of them occurs. Rows of decided nodes
 * have no spread.
 */
export class ErrorForecast {
  /** Rows that contribute to the error, ascending. */
  readonly rows: readonly number[];
  readonly #forecaster: Forecaster;
  readonly #visits: Float64Array;
  readonly #levels: Float64Array[] = [];

  /** @param visits Float64Array(nodes): expected visits from the node whose error is forecast. */
  constructor(forecaster: Forecaster, visits: Float64Array) {
    this.#forecaster = forecaster;
    this.#visits = visits;
    this.rows = [...this.#level(0).keys()].filter((row) => this.#level(0)[row] > 0);
  }

  /** The error once each row was drawn this often. @param draws Float64Array(rows), none below the current number. */
  error(draws: Float64Array): number {
    return this.rows.reduce((sum, row) => sum + this.share(row, draws[row]), 0);
  }

  /** The contribution of `row` to the error once it was drawn `draws` times, at least the current number. */
  share(row: number, draws: number): number {
    const { grown } = this.#forecaster;
    const now = grown.at(0).rows.draws[row];
    if (now === 0)
      return draws === 0 ? this.#level(0)[row] : this.#level(0)[row] * this.#forecaster.hoeffding(draws);
    const level = Math.log2(Math.max(1, draws / now));
    const below = Math.min(Math.floor(level), grown.doublings - 1);
    const [a, b] = [this.#level(below)[row], this.#level(below + 1)[row]];
    const part = Math.min(1, level - below);
    // Beyond the computed levels, errors shrink with the inverse square root of the draws.
    return a * (b / a || 0) ** part * 2 ** (-Math.max(0, level - grown.doublings) / 2);
  }

  /**
   * The decrease of the error by one more draw of `row` when it was drawn `draws` times. It is the best mean over further draws, because
   * with little data the first of them may change nothing, and many may change much.
   */
  gain(row: number, draws: number): number {
    const now = this.share(row, draws);
    let best = 0;
    for (let more = Math.max(1, draws / 16), k = 0; k < this.#forecaster.grown.doublings; k++, more *= 2) {
      const gain = (now - this.share(row, draws + more)) / more;
      if (gain < best) break;
      best = gain;
    }
    return best;
  }

  #level(k: number): Float64Array {
    this.#levels[k] ??= this.#forecaster.shares(k, this.#visits);
    return this.#levels[k];
  }
}

/** Options of the error forecast. */
export interface ForecastOptions extends Pick<CertificateOptions, 'horizonSteps' | 'precision' | 'signal'> {
  /** For a decision process, the policy whose probability is meant. */
  readonly policy?: FollowedPolicy;
}

/** Forecasts errors of a problem at any of its nodes. Free it after use. */
export class Forecaster implements Disposable {
  readonly grown: GrownRows;
  readonly #problem: CertificateProblem;
  readonly #chain: EmpiricalChain;
  readonly #horizonSteps: number | null;
  readonly #options: Pick<CertificateOptions, 'precision' | 'signal'>;
  /** Float64Array(rows of the problem): the fraction of times that each row is chosen when its node is left. */
  readonly #weights: Float64Array;
  /** For each row of the problem; null if nothing is known. */
  readonly #rows: (Successors | null)[];
  /** Float64Array(rows of the problem) by level. */
  readonly #spreads: Float64Array[] = [];

  /** @throws NotConvergedError as the kernel */
  constructor(
    problem: CertificateProblem,
    grown: GrownRows,
    { policy, horizonSteps = null, ...options }: ForecastOptions = {},
  ) {
    this.grown = grown;
    this.#problem = problem;
    this.#horizonSteps = horizonSteps;
    this.#options = options;
    this.#weights = policy?.weights ?? new Float64Array(problem.source.length).fill(1);
    this.#chain = empiricalChain(policy?.chain ?? problem, policy?.confidence ?? grown.at(0));
    const { nodes, violated, rowGroupStart } = problem;
    const { decided, lost, kernel } = this.#chain;
    const everywhere = BitSet.full(nodes);
    const { upper } =
      horizonSteps === null
        ? kernel.until(everywhere, violated, options)
        : kernel.boundedUntil(everywhere, violated, horizonSteps, stepOptions(options));
    this.#rows = [];
    for (let node = 0; node < nodes; node++) {
      const known = !decided.has(node) && !lost.has(node);
      for (let row = rowGroupStart[node]; row < rowGroupStart[node + 1]; row++) {
        this.#rows.push(known ? successorsOf(problem, row, upper) : null);
      }
    }
  }

  /** The error forecast at `node`. @throws NotConvergedError as the kernel */
  at(node: number): ErrorForecast {
    return new ErrorForecast(this, this.#visitsFrom(node));
  }

  [Symbol.dispose](): void {
    this.#chain.kernel.free();
  }

  /** The fraction of the spread of an undrawn row that remains after `draws` draws, by Hoeffding's inequality. */
  hoeffding(draws: number): number {
    const { rows, delta } = this.grown.at(0);
    const found = rows.draws.length;
    return Math.min(1, Math.sqrt((2 * Math.log((2 * found * (found + 1)) / delta)) / draws));
  }

  /** Float64Array(drawn rows): the sum over a row's copies of visits times half the spread, at level k of `grown`. */
  shares(k: number, visits: Float64Array): Float64Array {
    this.#spreads[k] ??= this.#spreadsAt(k);
    const { source, rows, rowGroupStart } = this.#problem;
    const sums = new Float64Array(rows.draws.length);
    visits.forEach((visited, node) => {
      for (let row = rowGroupStart[node]; visited > 0 && row < rowGroupStart[node + 1]; row++) {
        if (source[row] >= 0) sums[source[row]] += (visited * this.#spreads[k][row]) / 2;
      }
    });
    return sums;
  }

  #spreadsAt(k: number): Float64Array {
    const { source } = this.#problem;
    const confidence = this.grown.at(k);
    return this.#weights.map((weight, i) => {
      if (source[i] < 0 || weight === 0) return 0;
      const row = this.#rows[i];
      // Nothing is known of rows without a draw, nor of those that have only been seen to stay, however often.
      if (row === null) return weight;
      return weight * Math.min(1, rowSpread(confidence, source[i], row.values, row.ascending));
    });
  }

  #visitsFrom(node: number): Float64Array {
    const { decided, kernel } = this.#chain;
    const { nodes } = this.#problem;
    const here = new Float64Array(nodes);
    if (decided.has(node)) return here;
    here[node] = 1;
    if (this.#horizonSteps !== null) return this.#visitsWithin(here, this.#horizonSteps, node);
    const { upper } = kernel.visitsFrom(here, { ...this.#options, within: decided.complement() });
    return upper;
  }

  #visitsWithin(initial: Float64Array, horizonSteps: number, node: number): Float64Array {
    const { rowStart, columns, values } = this.#chain.matrix;
    const within = this.#chain.decided.complement();
    const visits = new Float64Array(initial.length);
    // The move from the start is not a step of a horizon.
    const steps = horizonSteps + Number(node === this.#problem.start);
    let here = initial;
    for (let step = 0, left = 1; step < steps && left > 1e-9; step++) {
      const next = new Float64Array(initial.length);
      left = 0;
      for (const from of within) {
        if (here[from] === 0) continue;
        visits[from] += here[from];
        left += here[from];
        for (let i = rowStart[from]; i < rowStart[from + 1]; i++) next[columns[i]] += here[from] * values[i];
      }
      here = next;
    }
    return visits;
  }
}

/** The successors of a row. */
interface Successors {
  /** The probability of the bad event from each successor seen or known, and their order. */
  readonly values: Float64Array;
  readonly ascending: Uint32Array;
}

function successorsOf(
  { rows, source, rowStart, columns }: CertificateProblem,
  row: number,
  value: Float64Array,
): Successors | null {
  const drawn = source[row];
  if (drawn < 0 || rows.draws[drawn] === 0) return null;
  const entries = rows.rowStart[drawn + 1] - rows.rowStart[drawn];
  const values = Float64Array.from(
    columns.subarray(rowStart[row], rowStart[row] + entries),
    (to) => value[to],
  );
  return { values, ascending: Uint32Array.from(values.keys()).sort((a, b) => values[a] - values[b]) };
}
