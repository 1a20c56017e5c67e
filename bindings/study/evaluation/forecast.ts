import type { Trace } from '../../observations/trace/index.js';
import { type Guard, type GuardFile, loadGuard } from '../../runtime/guard/index.js';
import { isRiskUnknown } from './alarms.js';
import { followTrace, type Moment } from './followTrace.js';

/** The predictions for a rule along one run, and the outcome. Steps count from 0. */
export interface RunForecast {
  /** Entry i is known once step i has been observed: a risk in [0, 1], or any score that increases with danger. */
  readonly scores: ArrayLike<number>;
  /** Entry i is 1 where no risk is known at step i, so that its score is only what a guard compares there, and else 0. Default: every risk is known. */
  readonly unknown?: ArrayLike<number>;
  /** The first step at which the rule is broken; the number of steps if only the run's end breaks it; null if nothing does. */
  readonly violatedAt: number | null;
  /**
   * Whether the outcome is unknown, because the run was cut before the rule was decided or steps that could not be read may have broken it.
   * Such runs are excluded from the evaluation of forecasts. Default false.
   */
  readonly open?: boolean;
  /** When the rule was broken, in seconds; default the time of step `violatedAt`. It differs if a missing step that is held broke the rule. */
  readonly violationTime?: number;
  /** Times in seconds, one per step; absent if the run has no times. */
  readonly times?: ArrayLike<number>;
}

/** The runs whose outcome is known. */
export function decidedRuns(runs: readonly RunForecast[]): readonly RunForecast[] {
  return runs.filter(({ open }) => open !== true);
}

/** The number of steps before the run is violated; only scores there are predictions. */
export function stepsBefore({ scores, violatedAt }: RunForecast): number {
  return violatedAt === null ? scores.length : Math.min(violatedAt, scores.length);
}

/** The number of steps before a violation, in the runs whose outcome is known, and of those at which no risk is known. */
export function unknownSteps(runs: readonly RunForecast[]): { steps: number; unknownSteps: number } {
  let [all, without] = [0, 0];
  for (const run of decidedRuns(runs)) {
    const before = stepsBefore(run);
    all += before;
    for (let i = 0; i < before; i++) without += run.unknown?.[i] ?? 0;
  }
  return { steps: all, unknownSteps: without };
}

/**
 * Computes the risks that a guard predicts along recorded traces, rule by rule, for evaluation by `detection`, `reliability`, `brierScore`
 * and `areaUnderCurve`. An unknown risk is 1, as the guard treats it, and marked in `unknown`. Nothing is enforced.
 *
 * @param guard a guard file, or a guard, which is reset before and after the forecasts
 * @returns for each rule's name one forecast per trace, in the order of traces
 * @throws as `loadGuard` does, for a file
 */
export async function forecastRuns(
  guard: Guard | GuardFile,
  traces: AsyncIterable<Trace> | Iterable<Trace>,
): Promise<Record<string, RunForecast[]>> {
  const loaded = 'stepInto' in guard ? guard : await loadGuard(guard);
  const forecasts = loaded.rules.map((): RunForecast[] => []);
  for await (const trace of traces) {
    forecastRun(loaded, trace).forEach((forecast, r) => {
      forecasts[r].push(forecast);
    });
  }
  loaded.reset();
  return Object.fromEntries(loaded.rules.map(({ name }, r) => [name, forecasts[r]]));
}

function forecastRun(guard: Guard, trace: Trace): RunForecast[] {
  const { steps } = trace;
  const scores = guard.rules.map(() => new Float64Array(steps.length));
  const unknown = guard.rules.map(() => new Uint8Array(steps.length));
  const violatedAt = guard.rules.map((): number | null => null);
  const times = steps.every(({ time }) => time !== undefined)
    ? { times: Float64Array.from(steps, ({ time }) => time ?? Number.NaN) }
    : {};
  const moments = guard.rules.map((): Moment | null => null);
  const { verdicts } = followTrace(guard, trace, (followed) => {
    guard.rules.forEach((status, r) => {
      scores[r][followed.index] = status.risk;
      unknown[r][followed.index] = Number(isRiskUnknown(status));
      if (followed.violatedAt[r] === null) return;
      violatedAt[r] ??= followed.index;
      moments[r] = followed.violatedAt[r];
    });
  });
  return scores.map((own, r) => ({
    scores: own,
    unknown: unknown[r],
    violatedAt: violatedAt[r] ?? (verdicts[r] === 'violated' ? steps.length : null),
    ...(verdicts[r] === 'open' && { open: true }),
    ...times,
    ...(moments[r]?.held && { violationTime: moments[r].time }),
  }));
}
