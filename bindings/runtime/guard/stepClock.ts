import type { EvaluationContext } from '../../languages/expression/runtime/index.js';
import { GapCheck, MAX_MISSING_STEPS, SamplingGrid } from '../../observations/trace/index.js';
import type { GuardFile } from './guardFile.js';
import type { LostSteps, RecordedStep } from './recordedStep.js';

const NO_TIME: EvaluationContext = {};

/** Whether observations come a sampling period apart, and what is missing between them. The fields are those of the last that `due` was asked of. */
export class StepClock {
  /** Steps have a sampling period: then `due` is to be asked before each observation. */
  readonly isTimed: boolean;
  /** An observation that comes before its time is left out. */
  readonly resamples: boolean;
  /** The decision at hand is on an observation that `due` was asked of. */
  wasAsked = false;
  /** The time of the observation is a fault. */
  irregular = false;
  /** Steps that are missing before it, of which nothing is known. */
  lost: LostSteps = 0;
  /** More than a sampling period has passed, and what is missing is no step. */
  skipped = false;
  /** At most one of the two is there: irregular times are a fault, or they are held or skipped. */
  readonly #gaps: GapCheck | null = null;
  readonly #grid: SamplingGrid | null = null;
  /** Seconds; NaN where the observation has no time. An array, for a number that is stored or passed may have to be allocated. */
  readonly #seconds = Float64Array.of(Number.NaN);
  /** The latest time of a run that was resumed, until there is a new one; else NaN. */
  readonly #before = Float64Array.of(Number.NaN);
  readonly #holds: boolean;
  /** There was a step, and one without a time since the last that had one. */
  #began = false;
  #untimed = false;
  /** Nobody knows when the last step was. */
  #isLost = false;

  constructor({ samplingPeriodSeconds: seconds, periodTolerance: tolerance, resample = 'error' }: GuardFile) {
    if (seconds !== null) {
      if (resample === 'error') this.#gaps = new GapCheck({ seconds, tolerance });
      else this.#grid = new SamplingGrid({ seconds, tolerance });
    }
    this.isTimed = seconds !== null;
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

  /** The time that `due` was asked of last, in seconds; null is none. */
  get time(): number | null {
    const time = this.#seconds[0];
    return Number.isNaN(time) ? null : time;
  }

  /**
   * How many steps of the rules the observation to come makes up for, itself included. All but the last are the observation before it
   * again; 0 is an observation that comes before its time and does not count. Says in `lost` what is missing beside them.
   */
  due(context: EvaluationContext): number {
    this.wasAsked = true;
    this.skipped = false;
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
      steps = this.#grid.take(this.#seconds);
      if (steps <= 0) return 0;
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

  /**
   * Whether the time of an observation to come has come, or is no number, so that nobody knows: `due` would not find it too early. Null where it has none. Nothing
   * changes.
   */
  hasCome(context: EvaluationContext): boolean | null {
    const time = timeOf(context);
    if (time === undefined) return null;
    if (typeof time !== 'number' || !Number.isFinite(time) || this.#isLostAt(time)) return true;
    return (this.#gaps ?? this.#grid)?.hasCome(Float64Array.of(time)) ?? null;
  }

  /** Takes what `time` was at a decision before, undefined where the clock was not asked. Nobody knows when a step without it was: the next that has a time is not on time. */
  recall({ time, irregular }: Pick<RecordedStep, 'time' | 'irregular'>, isStep: boolean): void {
    this.wasAsked = this.skipped = false;
    if (!this.isTimed) return;
    if (time === undefined) {
      if (isStep) this.#isLost = this.#began = true;
    } else if (time === null) this.due(NO_TIME);
    else {
      const before = this.#before[0];
      // Only a grid that began anew finds a time irregular.
      if (isStep && irregular) this.#grid?.reset();
      this.#before[0] = Number.NaN;
      this.due({ time });
      this.#before[0] = before > time ? before : time;
    }
  }

  /** Nobody knows how long it is since the last step: records do not say when it was, or the run was resumed under another clock, which is behind. */
  #isLostAt(time: number): boolean {
    return this.#isLost || time < this.#before[0];
  }

  #restart(): void {
    this.#gaps?.reset();
    this.#grid?.reset();
    this.#isLost = false;
    this.#before[0] = Number.NaN;
  }

  /** What is missing before an observation whose time is irregular: nothing where it only comes too early. */
  #missing(wasLost: boolean): LostSteps {
    const missing = wasLost || this.#gaps === null ? Number.NaN : this.#gaps.missing;
    if (missing === 0) return 0;
    // Steps without a time were taken for on time, and were not: what is missing may have been before them.
    if (this.#untimed) return 'anywhere';
    return missing <= MAX_MISSING_STEPS ? missing : 'some';
  }
}

/** Whatever the caller's object holds or throws, this does not; null is no time that can be read. */
function timeOf(context: EvaluationContext): unknown {
  try {
    return context.time;
  } catch {
    return null;
  }
}
