import { decidedRuns, type RunForecast, stepsBefore } from './forecast.js';
import { clopperPearsonInterval, type RateInterval } from './intervals.js';
import { type MeanInterval, meanOf } from './mean.js';

/** The value of alarms on runs whose outcome is known. Rates have Clopper and Pearson's intervals, with runs taken as independent. */
export interface Detection {
  /** Runs whose outcome is known. */
  readonly runs: number;
  readonly violations: number;
  /** Violated runs whose first alarm came before the violation. */
  readonly detected: number;
  /** Runs with an alarm but no violation. */
  readonly falseAlarms: number;
  /** `detected / violations`, also called recall. */
  readonly detectionRate: RateInterval;
  /** `falseAlarms` as a fraction of the runs without violation. */
  readonly falseAlarmRate: RateInterval;
  /** `detected` as a fraction of the runs with an alarm before a violation or without one. */
  readonly precision: RateInterval;
  /** Steps from the first alarm to the violation, over the detected runs. If only the end of a run breaks the rule, the violation is at its last step. */
  readonly warningSteps: MeanInterval;
  /** The warning in seconds; without runs if a detected run has no times. */
  readonly warningSeconds: MeanInterval;
  /** The warning in seconds over all violated runs; undetected runs count 0. */
  readonly warningSecondsOfAll: MeanInterval;
}

/**
 * Evaluates alarms. The first step of a run whose score raises the alarm counts, if it comes before the violation; an alarm at the
 * violation or later is no warning.
 *
 * @param alarms whether a score raises the alarm, such as `(risk) => risk >= 0.5`
 * @param confidence of all intervals, in (0, 1). Default 0.95.
 * @throws InvalidArgumentError if `confidence` is outside (0, 1)
 */
export function detection(
  given: readonly RunForecast[],
  alarms: (score: number) => boolean,
  confidence = 0.95,
): Detection {
  const runs = decidedRuns(given);
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
    steps.push(Math.min(run.violatedAt, run.scores.length - 1) - alarmAt);
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

/** The first step before the violation that raises the alarm. */
function firstAlarm(run: RunForecast, alarms: (score: number) => boolean): number | null {
  const end = stepsBefore(run);
  for (let i = 0; i < end; i++) if (alarms(run.scores[i])) return i;
  return null;
}

function secondsBetween({ scores, times, violationTime }: RunForecast, from: number, to: number): number {
  if (times === undefined) return Number.NaN;
  return (violationTime ?? times[Math.min(to, scores.length - 1)]) - times[from];
}
