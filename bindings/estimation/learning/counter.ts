import {
  EvaluationError,
  InvalidArgumentError,
  InvalidDataError,
  NotSupportedError,
} from '../../base/errors.js';
import type { Abstraction } from '../../observations/abstraction/index.js';
import { GapCheck, type Step, type Trace } from '../../observations/trace/index.js';
import {
  CONTRADICTION_ADVICE,
  contradictionMessage,
  nothingCounted,
  placed,
} from './contradictionMessage.js';
import { Contradictions, MAX_REPORTED } from './contradictions.js';
import { type LearntChain, learntModel, type Reading, type SavedCounts } from './learntChain.js';
import type { LearningSettings, LearnOptions } from './options.js';
import type { Contradiction } from './report.js';
import { aboutTrace, Resampling } from './resampling.js';
import { Tally } from './tally.js';
import { START_OR_END } from './transitionTable.js';

/** A trace that is being counted step by step. */
interface OpenTrace {
  readonly id: string;
  /** Steps so far, and the row of the last of them. The last step's valuation is the second of the first two in the buffer. */
  readonly steps: number;
  readonly from: number;
  readonly gaps: GapCheck | null;
}

/** Called with each whole run that was counted: its steps, the row of each step, and whether the run ended. */
type RunListener = (steps: readonly Step[], rows: Uint32Array, complete: boolean) => void;

/** Below this value a smoothed probability could underflow to 0, which would forbid what smoothing is meant to allow. */
const MIN_SMOOTHING = 1e-100;

/**
 * Counts transitions between abstract states, one trace after the other, in memory that depends on the states and transitions seen and on
 * the longest trace, not on the number of traces. `finish` may be called at any time; counting may continue after it.
 *
 * A trace is abstracted and checked as a whole before it is counted, so a skipped trace leaves no partial counts.
 */
export class Counter {
  readonly abstraction: Abstraction;
  readonly settings: LearningSettings;
  /** @internal The counts, read-only. */
  readonly tally: Tally;
  #traces = 0;
  #steps = 0;
  #censored = 0;
  #empty = 0;
  #dropped = 0;
  #skipped = 0;
  readonly #resampling: Resampling;
  readonly #firstSkipped: string[] = [];
  readonly #contradictions = new Contradictions();
  readonly #onRun: RunListener | undefined;
  readonly #check: ((trace: Trace) => void) | undefined;
  #open: OpenTrace | null = null;
  // The trace at hand: packed valuations, row numbers (0 if new), and the entry entered at each step (-1 if new).
  #valuations: Uint32Array = new Uint32Array(0);
  #rows: Uint32Array = new Uint32Array(0);
  #entries: Int32Array = new Int32Array(0);

  /**
   * @param onRun for `MdpCounter`: called with each run that `add` counts.
   * @param check for `MdpCounter`: called with each trace as recorded; throws InvalidDataError, naming the step, if the trace is at fault
   * @throws NotSupportedError for `model: mdp`
   * @throws InvalidArgumentError if `smoothing` is neither 0 nor a number from 1e-100 to 1e100
   */
  constructor(
    abstraction: Abstraction,
    options: LearnOptions = {},
    onRun?: RunListener,
    check?: (trace: Trace) => void,
  ) {
    this.abstraction = abstraction;
    this.settings = {
      model: 'dtmc',
      smoothing: 1,
      states: 'observed',
      onContradiction: 'error',
      period: null,
      skipInvalid: false,
      maxTransitions: 20_000_000,
      specificationHash: null,
      ...options,
    };
    const { model, smoothing } = this.settings;
    if (model === 'mdp') {
      throw new NotSupportedError(
        'learning.model is mdp, a Markov decision process, which learnMdp and `foreguard learn` learn from traces; this counts for a chain, model: dtmc',
      );
    }
    if (smoothing !== 0 && !(smoothing >= MIN_SMOOTHING && smoothing <= 1 / MIN_SMOOTHING)) {
      throw new InvalidArgumentError(
        `learning.smoothing is ${smoothing}; expected 0 or a number from ${MIN_SMOOTHING} to ${1 / MIN_SMOOTHING}`,
      );
    }
    this.tally = new Tally(abstraction);
    this.#resampling = new Resampling(this.settings.period);
    this.#onRun = onRun;
    this.#check = check;
  }

  /**
   * Counts one trace.
   * @param onRequest whether the trace's first state was requested: it is then no draw of `start`, and only what follows is counted.
   * @returns whether the trace was counted; empty traces and skipped invalid traces are not
   * @throws EvaluationError if a predicate fails, naming trace, step and predicate (`skipInvalid` skips the trace instead)
   * @throws InvalidDataError if the trace contradicts a constraint, under `onContradiction: error`
   */
  add(trace: Trace, onRequest = false): boolean {
    this.requireNoneOpen();
    if (trace.steps.length === 0) {
      this.#empty++;
      return false;
    }
    const regular = this.#resample(trace);
    if (regular === null || !this.#encode(regular)) return false;
    if (this.#contradicts(regular) && this.settings.onContradiction === 'dropTrace') {
      this.#dropped++;
      return false;
    }
    const { complete = true, steps } = regular;
    this.tally.count(this.#valuations, this.#rows, this.#entries, steps.length, complete, onRequest);
    this.#onRun?.(steps, this.#rows, complete);
    if (!complete) this.#censored++;
    this.#traces++;
    this.#steps += steps.length;
    this.#resampling.counted();
    return true;
  }

  /** @throws InvalidArgumentError if a trace is open */
  requireNoneOpen(): void {
    if (this.#open === null) return;
    throw new InvalidArgumentError(`trace "${this.#open.id}" was begun and has not ended: end it first`);
  }

  /**
   * Begins a trace that is counted step by step, and counts as cut until it ends.
   * @throws InvalidArgumentError if another trace is open, and under `skipInvalid`, `onContradiction: dropTrace`, and `resample: hold` or
   * `skip`, because counts cannot be taken back
   */
  begin(id: string): void {
    this.requireNoneOpen();
    const { skipInvalid, onContradiction, period } = this.settings;
    const obstacle = skipInvalid
      ? 'skipInvalid'
      : onContradiction === 'dropTrace'
        ? 'onContradiction: dropTrace'
        : period !== null && (period.resample ?? 'error') !== 'error'
          ? `resample: ${period.resample}`
          : '';
    if (obstacle) {
      throw new InvalidArgumentError(
        `a trace cannot be counted step by step under ${obstacle}, which needs all of it: give whole traces to add`,
      );
    }
    this.#resampling.begin();
    this.#open = { id, steps: 0, from: START_OR_END, gaps: period && new GapCheck(period) };
  }

  /**
   * Counts the next step of the trace that was begun. After an error the trace is closed as cut before this step.
   * @throws as `add`; InvalidArgumentError if no trace was begun
   */
  observe(step: Step): void {
    const open = this.#requireOpen();
    this.#open = null;
    const { words } = this.abstraction;
    const at = open.steps === 0 ? 0 : 1;
    this.#reserve(2);
    if (open.steps > 1) this.#valuations.copyWithin(0, words, 2 * words);
    const { id, steps, gaps } = open;
    if (gaps !== null && step.time !== undefined && !gaps.isRegular(Float64Array.of(step.time))) {
      this.#leaveOut(
        new InvalidDataError(
          `trace "${id}", step ${steps}: time ${step.time} is no sampling period of ${this.settings.period?.seconds} s after the step before it`,
        ),
      );
    }
    if (step.time === undefined) gaps?.takeUntimed();
    try {
      this.abstraction.encode(step.state, step, this.#valuations, at * words);
    } catch (error) {
      if (error instanceof EvaluationError) this.#leaveOut(placed(error, id, steps));
      throw error;
    }
    this.#rows[at] = this.tally.table.find(this.#valuations, at * words) + 1;
    this.#judge(id, steps, at, open.from);
    const from = this.tally.step(open.from, this.#valuations, at, this.#rows, this.#entries);
    if (steps === 0) {
      this.#traces++;
      this.#censored++;
    }
    this.#steps++;
    this.#resampling.countStep(step);
    this.#open = { ...open, steps: steps + 1, from };
  }

  /**
   * Ends the trace that was begun.
   * @param complete false if the trace was cut.
   * @throws as `add`; the trace then counts as cut
   */
  end(complete = true): void {
    const { id, steps, from } = this.#requireOpen();
    this.#open = null;
    if (steps === 0) this.#empty++;
    else if (complete) {
      const { words } = this.abstraction;
      this.#judgeEnd(id, steps - 1, Math.min(steps - 1, 1) * words);
      this.tally.end(from);
      this.#censored--;
    }
  }

  /**
   * The chain learnt so far, smoothed.
   *
   * @returns the model in the layout described at `readLearntChain`, and the report
   * @throws InvalidDataError if no trace was counted
   * @throws InvalidArgumentError if the model would have more than `maxTransitions` transitions, or (`states: valid`) too many states
   */
  finish(): LearntChain {
    if (this.#traces === 0) throw new InvalidDataError(nothingCounted(this.read));
    const { tally, settings } = this;
    return learntModel({ tally, settings, traces: this.#traces, steps: this.#steps }, this.read);
  }

  /** @internal The counts as JSON; an open trace counts as cut. */
  save(): SavedCounts {
    return { tally: this.tally.save(), reading: this.read };
  }

  /** @internal Loads what another counter of the same abstraction and settings has counted, before this counter counts anything. */
  load({ tally, reading }: SavedCounts): void {
    this.tally.append(tally);
    this.#traces = reading.traces;
    this.#steps = reading.steps;
    this.#censored = reading.censored;
    this.#empty = reading.empty;
    this.#dropped = reading.dropped;
    this.#skipped = reading.skipped.count;
    this.#firstSkipped.push(...reading.skipped.first);
    this.#resampling.load(reading.resampled);
    this.#contradictions.load(reading.contradictions);
  }

  /** The report so far, without building a chain. */
  get read(): Reading {
    return {
      traces: this.#traces,
      steps: this.#steps,
      censored: this.#censored,
      empty: this.#empty,
      resampled: this.#resampling.read(this.#steps),
      skipped: { count: this.#skipped, first: [...this.#firstSkipped] },
      dropped: this.#dropped,
      contradictions: this.#contradictions.read,
    };
  }

  #requireOpen(): OpenTrace {
    if (this.#open !== null) return this.#open;
    throw new InvalidArgumentError('no trace is open: begin one first');
  }

  #reserve(steps: number): void {
    if (steps <= this.#rows.length) return;
    const capacity = 2 * steps;
    this.#valuations = new Uint32Array(capacity * this.abstraction.words);
    this.#rows = new Uint32Array(capacity);
    this.#entries = new Int32Array(capacity);
  }

  /** The trace with its steps a sampling period apart; null if it is at fault and left out. */
  #resample(trace: Trace): Trace | null {
    try {
      const regular = this.#resampling.regular(trace);
      this.#check?.(trace);
      return regular;
    } catch (error) {
      if (!(error instanceof InvalidDataError)) throw error;
      this.#leaveOut(aboutTrace(trace.id, error));
      return null;
    }
  }

  /** @throws `error`, unless traces at fault are left out; whoever goes on after it has left out this one, and it is counted too */
  #leaveOut(error: Error): void {
    this.#skipped++;
    if (this.#firstSkipped.length < MAX_REPORTED) this.#firstSkipped.push(error.message);
    if (!this.settings.skipInvalid) throw error;
  }

  /** Abstracts all steps of the trace and looks them up; false if the trace is invalid and skipped. */
  #encode({ id, steps, notRecorded }: Trace): boolean {
    const { abstraction } = this;
    const { words } = abstraction;
    this.#reserve(steps.length);
    const { table } = this.tally;
    const valuations = this.#valuations;
    const rows = this.#rows;
    let i = 0;
    try {
      for (let offset = 0; i < steps.length; i++, offset += words) {
        const step: Step = steps[i];
        abstraction.encode(step.state, step, valuations, offset);
        rows[i] = table.find(valuations, offset) + 1;
      }
      return true;
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      this.#leaveOut(placed(error, id, this.#resampling.numberOf(i), notRecorded));
      return false;
    }
  }

  /** Looks up the transitions of the trace and checks the whole trace against the constraints. */
  #contradicts({ id, complete = true, steps }: Trace): boolean {
    let contradictory = false;
    let from = START_OR_END;
    for (let i = 0; i < steps.length; i++) {
      if (this.#judge(id, i, i, from)) contradictory = true;
      from = this.#rows[i];
    }
    const last = steps.length - 1;
    return (complete && this.#judgeEnd(id, last, last * this.abstraction.words)) || contradictory;
  }

  /**
   * Looks up the transition into step `step`, which is at place `at` of the buffers and came from row `from`; returns whether the
   * transition or the state contradicts the constraints.
   */
  #judge(id: string, step: number, at: number, from: number): boolean {
    const { abstraction, tally } = this;
    const { words } = abstraction;
    const valuations = this.#valuations;
    const to = this.#rows[at];
    const offset = at * words;
    let contradictory = false;
    if (to === 0 ? !abstraction.validState(valuations, offset) : tally.forbidden[to - 1]) {
      this.#contradiction('state', id, step, offset);
      contradictory = true;
    }
    const known = to !== 0 && (from !== START_OR_END || step === 0);
    const entry = known ? tally.transitions.find(from, to) : -1;
    this.#entries[at] = entry;
    if (
      entry < 0
        ? step > 0 && !abstraction.validTransition(valuations, offset - words, valuations, offset)
        : tally.transitions.forbidden[entry] === 1
    ) {
      this.#contradiction('transition', id, step, offset);
      contradictory = true;
    }
    return contradictory;
  }

  /** Whether the constraints forbid a trace to end after step `step`, whose valuation is at `offset`. */
  #judgeEnd(id: string, step: number, offset: number): boolean {
    if (this.abstraction.validEnd(this.#valuations, offset)) return false;
    this.#contradiction('end', id, step, offset);
    return true;
  }

  #contradiction(kind: Contradiction['kind'], trace: string, step: number, offset: number): void {
    const describe = (): Contradiction => {
      const place = { kind, trace, step: this.#resampling.numberOf(step) };
      const before = offset - this.abstraction.words;
      const valuations = this.#valuations;
      const message = contradictionMessage(this.abstraction, place, { valuations, offset, before });
      return { ...place, message };
    };
    if (this.settings.onContradiction === 'error') {
      this.#dropped++;
      this.#contradictions.count(kind);
      throw new InvalidDataError(`${describe().message}; ${CONTRADICTION_ADVICE}`);
    }
    this.#contradictions.add(kind, describe);
  }
}
