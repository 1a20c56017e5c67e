import type { EvaluationContext } from '../../languages/expression/runtime/index.js';
import { GapCheck, MAX_MISSING_STEPS, SamplingGrid } from '../../observations/trace/index.js';
import type { GuardFile } from './guardFile.js';
import type { LostSteps, RecordedStep } from './recordedStep.js';

const NO_TIME: EvaluationContext = {};

/**
 * Checks whether observations come one sampling period apart, and which steps are missing between them. The fields describe the last observation passed to
 * `due`.
 */
export class StepClock {
  /** Steps have a sampling period: `due` must then be called before each observation. */
  readonly isTimed: boolean;
  /** An observation that comes too early is left out. */
  readonly resamples: boolean;
  /** The current decision is on an observation that was passed to `due`. */
  wasAsked = false;
  /** The observation last passed to `due` came before its time and does not count. */
  #isEarly = false;
  /** Whether the time of the observation is a fault. */
  irregular = false;
  /** Missing steps before it, of which nothing is known. */
  lost: LostSteps = 0;
  /** More than one sampling period has passed, but the missing part is not a step. */
  skipped = false;
  /** At most one of the two is set: irregular times are a fault, or they are held or skipped. */
  readonly #gaps: GapCheck | null = null;
  readonly #grid: SamplingGrid | null = null;
  /** Seconds; NaN if the observation has no time. An array, because a number that is stored or passed may be allocated. */
  readonly #seconds = Float64Array.of(Number.NaN);
  /** The latest time of a resumed run, until a new one arrives; else NaN. */
  readonly #before = Float64Array.of(Number.NaN);
  readonly #holds: boolean;
  /** When the last step that counted before the observation was due; and what `dueOf` returns. */
  readonly #dueBefore = Float64Array.of(Number.NaN);
  readonly #due = Float64Array.of(Number.NaN);
  readonly #period: number;
  /** There was a step; and there was one without a time since the last that had one. */
  #began = false;
  #untimed = false;
  /** The time of the last step is unknown. */
  #isLost = false;

  constructor({
    samplingPeriodSeconds: seconds,
    periodTolerance: tolerance,
    resample = 'error',
  }: Pick<GuardFile, 'samplingPeriodSeconds' | 'periodTolerance' | 'resample'>) {
    if (seconds !== null) {
      if (resample === 'error') this.#gaps = new GapCheck({ seconds, tolerance });
      else this.#grid = new SamplingGrid({ seconds, tolerance });
    }
    this.isTimed = seconds !== null;
    this.#period = seconds ?? Number.NaN;
    this.resamples = this.#grid !== null;
    this.#holds = resample === 'hold';
  }

  /** Forgets the observations made so far. */
  reset(): void {
    this.#restart();
    this.wasAsked = false;
    this.irregular = false;
    this.lost = 0;
    this.skipped = false;
    this.#began = false;
    this.#untimed = false;
  }

  /** The current decision is on an observation that came before its time and does not count. */
  get leavesOut(): boolean {
    return this.wasAsked && this.#isEarly;
  }

  /** The time last passed to `due`, in seconds; null if there was none. */
  get time(): number | null {
    const time = this.#seconds[0];
    return Number.isNaN(time) ? null : time;
  }

  /**
   * Number of rule steps that the next observation stands for, itself included. All but the last repeat the observation before it; 0 means that the observation
   * comes too early and does not count. Sets `lost` to the steps missing beside them.
   */
  due(context: EvaluationContext): number {
    this.wasAsked = true;
    this.skipped = false;
    this.#isEarly = false;
    const time = timeOf(context);
    if (typeof time !== 'number' || !Number.isFinite(time)) {
      this.#seconds[0] = Number.NaN;
      this.irregular = time !== undefined;
      this.lost = this.irregular && this.#began ? 'some' : 0;
      this.#began = true;
      this.#untimed = true;
      this.#gaps?.takeUntimed();
      this.#grid?.takeUntimed();
      return 1;
    }
    this.#seconds[0] = time;
    const wasLost = this.#isLostAt(time);
    if (wasLost) this.#restart();
    this.#before[0] = Number.NaN;
    let steps = 1;
    if (this.#grid === null) this.irregular = this.#gaps?.isRegular(this.#seconds) === false;
    else {
      this.#dueBefore[0] = this.#grid.time;
      steps = this.#grid.take(this.#seconds);
      this.#isEarly = steps <= 0;
      if (this.#isEarly) return 0;
      this.irregular = Number.isNaN(steps);
    }
    if (wasLost) this.irregular = true;
    this.lost = this.irregular ? this.#missing(wasLost) : 0;
    this.#began = true;
    this.#untimed = false;
    if (this.#holds) return Math.max(1, steps);
    this.skipped = steps > 1;
    return 1;
  }

  /** When held step number `held`, from 1, before the observation last passed to `due` was due, in seconds; the same array at every call. */
  dueOf(held: number): Float64Array {
    this.#due[0] = this.#dueBefore[0] + held * this.#period;
    return this.#due;
  }

  /**
   * Whether the time of the next observation has come, or is not a number and therefore unknown: `due` would not find it too early. Null if it has no time.
   * Changes nothing.
   */
  hasCome(context: EvaluationContext): boolean | null {
    const time = timeOf(context);
    if (time === undefined) return null;
    if (typeof time !== 'number' || !Number.isFinite(time) || this.#isLostAt(time)) return true;
    return (this.#gaps ?? this.#grid)?.hasCome(Float64Array.of(time)) ?? null;
  }

  /** Seconds until the time of the next step has come, for an observation before it (`hasCome` is false) where times are resampled. Changes nothing. */
  dueIn(context: EvaluationContext): number {
    return (this.#grid?.next ?? 0) - (timeOf(context) as number);
  }

  /**
   * Restores the clock from a recorded decision; `time` is undefined if the clock was not asked. The time of such a step is unknown: the next step that has a
   * time is not on time.
   */
  recall({ time, irregular }: Pick<RecordedStep, 'time' | 'irregular'>, isStep: boolean): void {
    this.wasAsked = this.skipped = false;
    if (!this.isTimed) return;
    if (time === undefined) {
      if (isStep) this.#isLost = this.#began = true;
    } else if (time === null) this.due(NO_TIME);
    else {
      const before = this.#before[0];
      // Only a restarted grid finds a time irregular.
      if (isStep && irregular) this.#grid?.reset();
      this.#before[0] = Number.NaN;
      this.due({ time });
      this.#before[0] = before > time ? before : time;
    }
  }

  /** Whether the time since the last step is unknown: the records lack it, or the run was resumed under another clock, which is behind. */
  #isLostAt(time: number): boolean {
    return this.#isLost || time < this.#before[0];
  }

  #restart(): void {
    this.#gaps?.reset();
    this.#grid?.reset();
    this.#isLost = false;
    this.#before[0] = Number.NaN;
  }

  /** The missing steps before an observation with an irregular time. */
  #missing(wasLost: boolean): LostSteps {
    const missing = wasLost || this.#gaps === null ? Number.NaN : this.#gaps.missing;
    if (missing === 0 && !this.#gaps?.early) return 0;
    // Steps without a time were taken to be on time, but were not: the missing steps may lie before them.
    if (this.#untimed) return 'anywhere';
    if (missing === 0) return 'early';
    return missing <= MAX_MISSING_STEPS ? missing : 'some';
  }
}

/** Reads the time without throwing, whatever the caller's object holds or throws; null is an unreadable time. */
function timeOf(context: EvaluationContext): unknown {
  try {
    return context.time;
  } catch {
    return null;
  }
}
