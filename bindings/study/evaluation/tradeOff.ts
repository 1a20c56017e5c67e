import { InvalidArgumentError } from '../../base/errors.js';
import {
  describeThreshold,
  type GuardFile,
  type Level,
  meetsThreshold,
  type Threshold,
} from '../../runtime/guard/index.js';
import type { Moment } from './followTrace.js';
import { clopperPearsonInterval, type RateInterval } from './intervals.js';
import { type MeanInterval, meanOf } from './mean.js';

/** The alarms of a rule under another threshold, in the runs whose verdict is known. Intervals have 95% confidence, with runs taken as independent. */
export interface TradeOffRow {
  /** `risk >= 0.3`. */
  readonly threshold: string;
  /** The risk from which, or above which, the threshold is met: also 0.3 for `1 - risk < 0.7`. */
  readonly risk: number;
  /** Whether it is the rule's own threshold; with several levels, the one that is met first. */
  readonly own: boolean;
  /** Violated runs in which the threshold was met before the violation. */
  readonly predicted: number;
  /** Violated runs in which no step before the violation met the threshold, may have met it, or was decided by `onUnknown` other than as `allow`. */
  readonly missed: number;
  /** Runs that keep the rule but met the threshold. */
  readonly falseAlarms: number;
  /** `missed` as a fraction of the violated runs. */
  readonly missedRate: RateInterval;
  /** `falseAlarms` as a fraction of the runs that keep the rule. */
  readonly falseAlarmRate: RateInterval;
  /**
   * Steps from the first that meets the threshold to the violation, over `predicted`, counted as the rule reads them: held steps count. The
   * end of a run is its last step.
   */
  readonly stepsAhead: MeanInterval;
  /** The same in seconds; without runs if one of those steps has no time. */
  readonly secondsAhead: MeanInterval;
}

/** Thresholds on the risk that are tried beside a rule's own. */
export const TRADE_OFF_THRESHOLDS: readonly number[] = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1,
];

/** A new maximum of the risk within a run, before a violation. */
interface Peak {
  readonly risk: number;
  readonly moment: Moment;
}

/** The peaks of a run whose verdict is known. They determine which thresholds it meets, and when first; nothing else needs to be kept. */
export interface RunPeaks {
  readonly peaks: readonly Peak[];
  /** The same of the risks that a guard compares, which are greater where a risk is not known. */
  readonly compared: readonly Peak[];
  /** Null if the run keeps the rule. */
  readonly violation: Moment | null;
  /** Whether a step before the violation (any step, without one) was an alarm because it could not be judged. */
  readonly unknownAlarm: boolean;
}

/** Records the peaks of one run. */
export class Peaks {
  readonly peaks: Peak[] = [];
  #largest = Number.NEGATIVE_INFINITY;

  add(risk: number, moment: Moment): void {
    if (!(risk > this.#largest)) return;
    this.#largest = risk;
    this.peaks.push({ risk, moment });
  }

  /** Null if no risk was known. */
  get largest(): number | null {
    return this.peaks.length === 0 ? null : this.#largest;
  }
}

/** @throws InvalidArgumentError for a value that is not a probability */
export function checkThresholds(thresholds: readonly number[]): void {
  const wrong = thresholds.find((value) => !(value >= 0 && value <= 1));
  if (wrong === undefined) return;
  throw new InvalidArgumentError(`a threshold is ${wrong}; expected a risk from 0 to 1, such as 0.3`);
}

/**
 * Whether another threshold suffices to reconstruct the decisions of rule number r. Under a budget it does not: the rest of the budget
 * depends on the actions permitted before.
 */
export function hasTradeOff({ actions, rules }: GuardFile, r: number): boolean {
  return actions?.mode !== 'budget' || rules[r].tables?.least === undefined;
}

/** The trade-off between missed violations and false alarms, over thresholds, in ascending order. */
export function tradeOff(
  runs: readonly RunPeaks[],
  levels: readonly Level[],
  thresholds: readonly number[],
): TradeOffRow[] {
  const own = firstMet(levels);
  const others = [...new Set(thresholds)]
    .map((value): Threshold => ({ compare: 'risk>=', value }))
    .filter(({ compare, value }) => compare !== own.compare || value !== own.value);
  return [own, ...others]
    .sort((a, b) => riskOf(a) - riskOf(b))
    .map((threshold) => rowOf(runs, threshold, threshold === own));
}

/** The threshold of the lowest level. */
function firstMet(levels: readonly Level[]): Threshold {
  return levels
    .map(({ threshold }) => threshold)
    .reduce((first, other) => (riskOf(other) < riskOf(first) ? other : first));
}

function riskOf({ compare, value }: Threshold): number {
  return compare === 'risk>=' || compare === 'risk>' ? value : 1 - value;
}

function rowOf(runs: readonly RunPeaks[], threshold: Threshold, own: boolean): TradeOffRow {
  let [violations, kept, missed, falseAlarms] = [0, 0, 0, 0];
  const steps: number[] = [];
  const seconds: number[] = [];
  for (const { peaks, compared, violation, unknownAlarm } of runs) {
    const isMet = ({ risk }: Peak): boolean => meetsThreshold(threshold, risk);
    const first = peaks.find(isMet);
    if (violation === null) {
      kept++;
      if (first !== undefined) falseAlarms++;
      continue;
    }
    violations++;
    if (first === undefined) {
      if (!unknownAlarm && !compared.some(isMet)) missed++;
      continue;
    }
    steps.push(violation.position - first.moment.position);
    seconds.push(violation.time - first.moment.time);
  }
  return {
    threshold: describeThreshold(threshold),
    risk: riskOf(threshold),
    own,
    predicted: steps.length,
    missed,
    falseAlarms,
    missedRate: clopperPearsonInterval(missed, violations),
    falseAlarmRate: clopperPearsonInterval(falseAlarms, kept),
    stepsAhead: meanOf(steps),
    secondsAhead: meanOf(seconds.some(Number.isNaN) ? [] : seconds),
  };
}
