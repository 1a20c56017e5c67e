import { type RunForecast, stepsBefore } from './forecast.js';
import { clopperPearsonInterval, type RateInterval } from './intervals.js';
import { type MeanInterval, meanOf } from './mean.js';

/** What alarms are worth on runs whose outcome is known. Rates have Clopper and Pearson's intervals, runs taken as independent. */
export interface Detection {
  readonly runs: number;
  readonly violations: number;
  /** Violated, and the first alarm came before. */
  readonly detected: number;
  /** Not violated, yet an alarm. */
  readonly falseAlarms: number;
  /** `detected / violations`, also called recall. */
  readonly detectionRate: RateInterval;
  /** `falseAlarms` of the runs without violation. */
  readonly falseAlarmRate: RateInterval;
  /** `detected` of the runs with an alarm before a violation or without one. */
  readonly precision: RateInterval;
  /** From the first alarm to the violation, over the detected runs. */
  readonly warningSteps: MeanInterval;
  /** The same in seconds; without runs where one of those has no times. The end of a run has its last step's time. */
  readonly warningSeconds: MeanInterval;
  /** The same over all violated runs; those not detected count 0. */
  readonly warningSecondsOfAll: MeanInterval;
}

/**
 * Judges alarms: the first step of a run whose score alarms counts, and only before the run is violated; an alarm at the
 * violation or later is no warning.
 *
 * @param alarms whether a score raises the alarm, such as `(risk) => risk >= 0.5`
 * @param confidence of all intervals, in (0, 1). Default 0.95.
 * @throws InvalidArgumentError if `confidence` is outside (0, 1)
 */
export function detection(
  runs: readonly RunForecast[],
  alarms: (score: number) => boolean,
  confidence = 0.95,
): Detection {
  let violations = 0;
  let falseAlarms = 0;
  const steps: number[] = [];
  const seconds: number[] = [];
  for (const run of runs) {
    const alarmAt = firstAlarm(run, alarms);
    if (run.violatedAt === null) {
      if (alarmAt !== null) falseAlarms++;
      continue;
    }
    violations++;
    if (alarmAt === null) continue;
    steps.push(run.violatedAt - alarmAt);
    seconds.push(secondsBetween(run, alarmAt, run.violatedAt));
  }
  const detected = steps.length;
  const timed = seconds.some(Number.isNaN) ? [] : seconds;
  const missed = Array.from({ length: timed.length < detected ? 0 : violations - detected }, () => 0);
  return {
    runs: runs.length,
    violations,
    detected,
    falseAlarms,
    detectionRate: clopperPearsonInterval(detected, violations, confidence),
    falseAlarmRate: clopperPearsonInterval(falseAlarms, runs.length - violations, confidence),
    precision: clopperPearsonInterval(detected, detected + falseAlarms, confidence),
    warningSteps: meanOf(steps, confidence),
    warningSeconds: meanOf(timed, confidence),
    warningSecondsOfAll: meanOf([...timed, ...missed], confidence),
  };
}

/** The first step that alarms before the run is violated. */
function firstAlarm(run: RunForecast, alarms: (score: number) => boolean): number | null {
  const end = stepsBefore(run);
  for (let i = 0; i < end; i++) if (alarms(run.scores[i])) return i;
  return null;
}

function secondsBetween({ scores, times }: RunForecast, from: number, to: number): number {
  return times === undefined ? Number.NaN : times[Math.min(to, scores.length - 1)] - times[from];
}

/**
 * Area under the ROC curve of alarms: detection rate against false alarm rate over all thresholds at once. It is how often,
 * of one violated run and one that is not, the first had the larger score, ties counting half; a run's score is its largest
 * before the violation. O(steps + runs log runs).
 *
 * @returns NaN without a pair of such runs
 */
export function areaUnderCurve(runs: readonly RunForecast[]): number {
  const cases = runs.map((run) => ({ score: largestScore(run), violated: run.violatedAt !== null }));
  cases.sort((a, b) => (a.score < b.score ? -1 : Number(a.score > b.score)));
  let wins = 0;
  let below = 0;
  for (let i = 0; i < cases.length; ) {
    const { score } = cases[i];
    let violated = 0;
    let tied = 0;
    for (; i < cases.length && cases[i].score === score; i++) {
      if (cases[i].violated) violated++;
      else tied++;
    }
    wins += violated * (below + tied / 2);
    below += tied;
  }
  return wins / (below * (cases.length - below));
}

function largestScore(run: RunForecast): number {
  const end = stepsBefore(run);
  let largest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < end; i++) if (run.scores[i] > largest) largest = run.scores[i];
  return largest;
}
