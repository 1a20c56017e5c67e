import type { Trace } from '../../observations/trace/index.js';
import { type Guard, type GuardFile, loadGuard } from '../../runtime/guard/index.js';
import { followTrace, type Moment } from './followTrace.js';

/** What was predicted of a rule along one run, and what came of it. Steps count from 0. */
export interface RunForecast {
  /** Entry i is known once step i has been observed: a risk in [0, 1], or any number that is larger where there is more danger. */
  readonly scores: ArrayLike<number>;
  /** The first step at which the rule is broken, the number of steps where only the run's end breaks it; null where nothing does. */
  readonly violatedAt: number | null;
  /**
   * It is not known whether the run breaks the rule, since it was cut before the rule was decided or steps that could not be read may have broken it: what judges
   * forecasts leaves such runs out. Default false.
   */
  readonly open?: boolean;
  /** When the rule was broken, in seconds; default the time of step `violatedAt`. Another where a step broke it that was missing and is held. */
  readonly violationTime?: number;
  /** Seconds, one entry a step; absent where the run has no times. */
  readonly times?: ArrayLike<number>;
}

/** The runs whose outcome is known. */
export function decidedRuns(runs: readonly RunForecast[]): readonly RunForecast[] {
  return runs.filter(({ open }) => open !== true);
}

/** The number of steps before the run is violated: only what is predicted there is a prediction. */
export function stepsBefore({ scores, violatedAt }: RunForecast): number {
  return violatedAt === null ? scores.length : Math.min(violatedAt, scores.length);
}

/**
 * The risks that a guard predicts along recorded traces, rule by rule, to be judged by `detection`, `reliability`,
 * `brierScore` and `areaUnderCurve`. A risk that is unknown is 1, as the guard takes it. Nothing is enforced.
 *
 * @param guard a guard file, or a guard, which is reset before and after
 * @returns for each rule's name one forecast a trace, in their order
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
  const violatedAt = guard.rules.map((): number | null => null);
  const times = steps.every(({ time }) => time !== undefined)
    ? { times: Float64Array.from(steps, ({ time }) => time ?? Number.NaN) }
    : {};
  const moments = guard.rules.map((): Moment | null => null);
  const { verdicts } = followTrace(guard, trace, (followed) => {
    guard.rules.forEach(({ risk }, r) => {
      scores[r][followed.index] = risk;
      if (followed.violatedAt[r] === null) return;
      violatedAt[r] ??= followed.index;
      moments[r] = followed.violatedAt[r];
    });
  });
  return scores.map((own, r) => ({
    scores: own,
    violatedAt: violatedAt[r] ?? (verdicts[r] === 'violated' ? steps.length : null),
    ...(verdicts[r] === 'open' && { open: true }),
    ...times,
    ...(moments[r]?.held && { violationTime: moments[r].time }),
  }));
}
