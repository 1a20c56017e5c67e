import { InvalidArgumentError } from '../../base/errors.js';
import { decidedRuns, type RunForecast, stepsBefore } from './forecast.js';
import { clopperPearsonInterval, type RateInterval } from './intervals.js';

/** Runs whose predicted risk fell into one range, and how many of them were violated. */
export interface ReliabilityBin {
  /** Risks from `from` up to but excluding `to`; the last bin includes `to`. */
  readonly from: number;
  readonly to: number;
  readonly runs: number;
  readonly violations: number;
  /** Mean of the risks; NaN without runs. */
  readonly meanRisk: number;
  /** The frequency of violations, with Clopper and Pearson's interval. */
  readonly observed: RateInterval;
}

/**
 * A reliability diagram of predicted risks. A run counts in a bin at most once, at the first step before its violation whose risk lies in
 * the bin. "The first" is a stopping time, so correct risks are the probabilities of a violation there too. A bin counts a run once and
 * runs are independent, so its interval holds.
 *
 * @param options `bins`: their number, of equal width, default 10; `confidence`: of each bin's interval, default 0.95; `leaveOutUnknown`: whether steps at which no
 * risk is known are in no bin, rather than in that of the risk 1, default false.
 * @throws InvalidArgumentError for a risk outside [0, 1], a number of bins below 1, or a `confidence` outside (0, 1)
 */
export function reliability(
  runs: readonly RunForecast[],
  {
    bins = 10,
    confidence = 0.95,
    leaveOutUnknown = false,
  }: { readonly bins?: number; readonly confidence?: number; readonly leaveOutUnknown?: boolean } = {},
): ReliabilityBin[] {
  checkBins(bins);
  const counts = Array.from({ length: bins }, () => ({ runs: 0, violations: 0, risk: 0 }));
  const countedIn = new Int32Array(bins).fill(-1);
  decidedRuns(runs).forEach((run, r) => {
    forEachRisk(run, (risk, i) => {
      if (leaveOutUnknown && run.unknown?.[i] === 1) return;
      const bin = binOf(risk, bins);
      if (countedIn[bin] === r) return;
      countedIn[bin] = r;
      counts[bin].runs++;
      counts[bin].risk += risk;
      if (run.violatedAt !== null) counts[bin].violations++;
    });
  });
  return counts.map(({ runs: counted, violations, risk }, bin) => ({
    from: bin / bins,
    to: (bin + 1) / bins,
    runs: counted,
    violations,
    meanRisk: risk / counted,
    observed: clopperPearsonInterval(violations, counted, confidence),
  }));
}

/** The Brier score and its decomposition. */
export interface BrierScore {
  /** Steps that were judged. */
  readonly steps: number;
  /** Mean square of risk minus outcome (1 violated, 0 not): 0 is best. NaN without steps. */
  readonly score: number;
  /** Mean square of mean risk minus frequency in the bins: the part that rescaling would remove. */
  readonly calibration: number;
  /** Mean of frequency times its complement in the bins, `uncertainty - resolution`: the part that only better predictions remove. */
  readonly refinement: number;
  /** The score of always predicting the overall frequency, as if it were known. */
  readonly uncertainty: number;
  readonly resolution: number;
  /** `score - calibration - refinement`: the variation of risks within bins. */
  readonly withinBins: number;
  /** `1 - score / uncertainty`: 1 is perfect, 0 no better than the overall frequency. */
  readonly skill: number;
}

/**
 * The Brier score of predicted risks over all steps before a violation, each a forecast of whether its run is violated, with Murphy's
 * decomposition into calibration and refinement. Steps of a run depend on each other, so the score is an average over time and has no
 * interval.
 *
 * @param bins number of bins of equal width for the decomposition, default 10
 * @throws InvalidArgumentError for a risk outside [0, 1] or a number of bins below 1
 * @see Murphy, A new vector partition of the probability score, 1973, doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2
 */
export function brierScore(
  runs: readonly RunForecast[],
  { bins = 10 }: { readonly bins?: number } = {},
): BrierScore {
  checkBins(bins);
  const counts = Array.from({ length: bins }, () => ({ steps: 0, violated: 0, risk: 0 }));
  let squares = 0;
  for (const run of decidedRuns(runs)) {
    const outcome = run.violatedAt === null ? 0 : 1;
    forEachRisk(run, (risk) => {
      const bin = counts[binOf(risk, bins)];
      bin.steps++;
      bin.violated += outcome;
      bin.risk += risk;
      squares += (risk - outcome) ** 2;
    });
  }
  const used = counts.filter((bin) => bin.steps > 0);
  const steps = used.reduce((sum, bin) => sum + bin.steps, 0);
  const frequency = used.reduce((sum, { violated }) => sum + violated, 0) / steps;
  const mean = (of: (bin: { steps: number; violated: number; risk: number }) => number): number =>
    used.reduce((sum, bin) => sum + bin.steps * of(bin), 0) / steps;
  const score = squares / steps;
  const calibration = mean((bin) => ((bin.risk - bin.violated) / bin.steps) ** 2);
  const refinement = mean(({ steps: n, violated }) => (violated / n) * (1 - violated / n));
  const uncertainty = frequency * (1 - frequency);
  return {
    steps,
    score,
    calibration,
    refinement,
    uncertainty,
    resolution: mean(({ steps: n, violated }) => (violated / n - frequency) ** 2),
    withinBins: score - calibration - refinement,
    skill: 1 - score / uncertainty,
  };
}

function forEachRisk(run: RunForecast, visit: (risk: number, step: number) => void): void {
  const end = stepsBefore(run);
  for (let i = 0; i < end; i++) {
    const risk = run.scores[i];
    if (!(risk >= 0 && risk <= 1)) {
      throw new InvalidArgumentError(
        `the risk at step ${i} is ${risk}; expected a probability. Scores on another scale have no calibration`,
      );
    }
    visit(risk, i);
  }
}

/** The product may round to either side of a border; the reported borders decide. */
function binOf(risk: number, bins: number): number {
  const bin = Math.min(bins - 1, Math.floor(risk * bins));
  if (risk < bin / bins) return bin - 1;
  return bin + 1 < bins && risk >= (bin + 1) / bins ? bin + 1 : bin;
}

function checkBins(bins: number): void {
  if (!Number.isSafeInteger(bins) || bins < 1) {
    throw new InvalidArgumentError(`${bins} bins; expected a whole number from 1 up, such as 10`);
  }
}
