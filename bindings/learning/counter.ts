import { type Abstraction, ValuationTable } from '../abstraction/index.js';
import { EvaluationError, InvalidArgumentError, InvalidDataError, NotSupportedError } from '../errors.js';
import type { Dtmc } from '../model/index.js';
import { resample, type Step, type Trace } from '../trace/index.js';
import { buildModel } from './buildModel.js';
import type { LearningSettings, LearnOptions } from './options.js';
import type { Contradiction, LearningReport } from './report.js';
import { OUTSIDE, TransitionTable } from './transitionTable.js';

/** A chain learnt from traces, and what was seen on the way. */
export interface LearntChain {
  readonly model: Dtmc;
  readonly report: LearningReport;
}

/** Contradictions and failures kept with their place; further ones are only counted. */
const KEPT = 100;

/** Below it a smoothed probability could underflow to 0, which would forbid what smoothing is meant to allow. */
const MIN_SMOOTHING = 1e-100;

/**
 * Counts transitions between abstract states, one trace after the other, in memory that depends on the states and
 * transitions seen and on the longest trace, not on the number of traces. `finish` may be called at any time, and counting
 * may go on after it.
 *
 * A trace is first abstracted and checked as a whole and only then counted: one that is left out leaves no partial counts.
 */
export class Counter {
  readonly abstraction: Abstraction;
  readonly settings: LearningSettings;
  readonly #table: ValuationTable;
  readonly #transitions = new TransitionTable();
  /** Per row (`start`, then valuations) how often it was left. */
  readonly #draws: number[] = [0];
  /** Per valuation whether the constraints forbid it. */
  readonly #forbidden: boolean[] = [];
  #traces = 0;
  #steps = 0;
  #censored = 0;
  #empty = 0;
  #dropped = 0;
  #skipped = 0;
  readonly #resampled = { missing: 0, leftOut: 0 };
  readonly #firstSkipped: string[] = [];
  readonly #contradicted = { state: 0, transition: 0, end: 0 };
  readonly #firstContradictions: Contradiction[] = [];
  // The trace at hand: packed valuations, row numbers (0 if new), and the entry entered at each step (-1 if new).
  #valuations: Uint32Array = new Uint32Array(0);
  #rows: Uint32Array = new Uint32Array(0);
  #entries: Int32Array = new Int32Array(0);

  /**
   * @throws NotSupportedError for `model: mdp`
   * @throws InvalidArgumentError if `smoothing` is neither 0 nor a number from 1e-100 to 1e100
   */
  constructor(abstraction: Abstraction, options: LearnOptions = {}) {
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
        'learning.model: mdp, a Markov decision process, cannot be learnt yet; use dtmc, which predicts the agent as it behaved',
      );
    }
    if (smoothing !== 0 && !(smoothing >= MIN_SMOOTHING && smoothing <= 1 / MIN_SMOOTHING)) {
      throw new InvalidArgumentError(
        `learning.smoothing is ${smoothing}; expected 0 or a number from ${MIN_SMOOTHING} to ${1 / MIN_SMOOTHING}`,
      );
    }
    this.#table = new ValuationTable(abstraction.words);
  }

  /**
   * Counts one trace.
   * @throws EvaluationError if a predicate fails, naming trace, step and predicate (`skipInvalid` leaves the trace out instead)
   * @throws InvalidDataError if the trace contradicts a constraint, under `onContradiction: error`
   */
  add(trace: Trace): void {
    if (trace.steps.length === 0) {
      this.#empty++;
      return;
    }
    const regular = this.#resample(trace);
    if (regular === null || !this.#encode(regular)) {
      this.#skipped++;
      return;
    }
    if (this.#contradicts(regular) && this.settings.onContradiction === 'dropTrace') {
      this.#dropped++;
      return;
    }
    this.#count(regular);
  }

  /**
   * The chain learnt so far, smoothed.
   *
   * @returns the model in the layout described at `readLearntChain`, and the report
   * @throws InvalidDataError if no trace was counted
   * @throws InvalidArgumentError if the model would have more than `maxTransitions` transitions, or (`states: valid`) too many states
   */
  finish(): LearntChain {
    if (this.#traces === 0) throw new InvalidDataError(this.#nothingCounted());
    const { model, possible } = buildModel({
      abstraction: this.abstraction,
      settings: this.settings,
      table: this.#table,
      forbidden: this.#forbidden,
      draws: this.#draws,
      transitions: this.#transitions,
      traces: this.#traces,
      steps: this.#steps,
    });
    return {
      model,
      report: {
        ...this.read,
        states: { seen: this.#table.size, model: model.states - 2 },
        transitions: { seen: this.#seenTransitions(), possible },
      },
    };
  }

  /** What was read so far, of which no chain is made. */
  get read(): Omit<LearningReport, 'states' | 'transitions'> {
    return {
      traces: this.#traces,
      steps: this.#steps,
      censored: this.#censored,
      empty: this.#empty,
      resampled: { ...this.#resampled },
      skipped: { count: this.#skipped, first: [...this.#firstSkipped] },
      dropped: this.#dropped,
      contradictions: { ...this.#contradicted, first: [...this.#firstContradictions] },
    };
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
    const { period } = this.settings;
    if (period === null) return trace;
    try {
      const { steps, missing, leftOut } = resample(trace.steps, period);
      this.#resampled.missing += missing;
      this.#resampled.leftOut += leftOut;
      return steps === trace.steps ? trace : { ...trace, steps };
    } catch (error) {
      if (!(error instanceof InvalidDataError)) throw error;
      this.#leaveOut(new InvalidDataError(`trace "${trace.id}", ${error.message}`));
      return null;
    }
  }

  /** @throws `error`, unless traces at fault are left out */
  #leaveOut(error: Error): void {
    if (!this.settings.skipInvalid) throw error;
    if (this.#firstSkipped.length < KEPT) this.#firstSkipped.push(error.message);
  }

  /** Abstracts all steps of the trace and looks them up; false if the trace is at fault and left out. */
  #encode({ id, steps }: Trace): boolean {
    const { abstraction } = this;
    const { words } = abstraction;
    this.#reserve(steps.length);
    const table = this.#table;
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
      const { predicate, message } = error;
      const place = `trace "${id}", step ${i}: ${message}`;
      this.#leaveOut(
        new EvaluationError(place, { ...(predicate !== undefined && { predicate }), cause: error }),
      );
      return false;
    }
  }

  /** Looks up the transitions of the trace and compares all of it with the constraints. */
  #contradicts({ id, complete = true, steps }: Trace): boolean {
    const { abstraction } = this;
    const { words } = abstraction;
    const transitions = this.#transitions;
    const valuations = this.#valuations;
    const rows = this.#rows;
    const entries = this.#entries;
    let contradictory = false;
    let from = OUTSIDE;
    for (let i = 0; i < steps.length; i++) {
      const to = rows[i];
      const offset = i * words;
      if (to === 0 ? !abstraction.validState(valuations, offset) : this.#forbidden[to - 1]) {
        this.#contradiction('state', id, i);
        contradictory = true;
      }
      const known = to !== 0 && (from !== 0 || i === 0);
      const entry = known ? transitions.find(from, to) : -1;
      entries[i] = entry;
      if (
        entry < 0
          ? i > 0 && !abstraction.validTransition(valuations, offset - words, valuations, offset)
          : transitions.forbidden[entry] === 1
      ) {
        this.#contradiction('transition', id, i);
        contradictory = true;
      }
      from = to;
    }
    const last = steps.length - 1;
    if (complete && !abstraction.validEnd(valuations, last * words)) {
      this.#contradiction('end', id, last);
      contradictory = true;
    }
    return contradictory;
  }

  #contradiction(kind: Contradiction['kind'], trace: string, step: number): void {
    const throws = this.settings.onContradiction === 'error';
    this.#contradicted[kind]++;
    // The first of its kind is kept in any case.
    if (!throws && this.#firstContradictions.length >= KEPT && this.#contradicted[kind] > 1) return;
    const { abstraction } = this;
    const describe = (at: number): string =>
      `{ ${abstraction.describe(this.#valuations, at * abstraction.words)} }`;
    const what = {
      state: () => `the state ${describe(step)} is forbidden`,
      transition: () => `the transition from ${describe(step - 1)} to ${describe(step)} is forbidden`,
      end: () => `the run ends in ${describe(step)}, which is forbidden`,
    }[kind]();
    const message = `trace "${trace}", step ${step}: ${what} by constraints.${kind}: ${abstraction.definition.constraints?.[kind]}`;
    if (throws) {
      throw new InvalidDataError(
        `${message}; correct the constraint or the data, or set learning.onContradiction to dropTrace or accept`,
      );
    }
    this.#firstContradictions.push({ kind, trace, step, message });
  }

  #count({ complete = true, steps }: Trace): void {
    const { words } = this.abstraction;
    const valuations = this.#valuations;
    const rows = this.#rows;
    const entries = this.#entries;
    let from = OUTSIDE;
    for (let i = 0; i < steps.length; i++) {
      const offset = i * words;
      const to = rows[i] || this.#insertState(offset);
      let entry = entries[i];
      if (entry < 0) {
        const forbidden =
          i > 0 && !this.abstraction.validTransition(valuations, offset - words, valuations, offset);
        entry = this.#insertTransition(from, to, forbidden);
      }
      this.#transitions.counts[entry]++;
      this.#draws[from]++;
      from = to;
    }
    if (complete) {
      const entry = this.#insertTransition(from, OUTSIDE, false);
      this.#transitions.counts[entry]++;
      this.#draws[from]++;
    } else this.#censored++;
    this.#traces++;
    this.#steps += steps.length;
  }

  /** The row of the valuation at `offset`, made if it has none. */
  #insertState(offset: number): number {
    const index = this.#table.insert(this.#valuations, offset);
    if (index === this.#forbidden.length) {
      this.#forbidden.push(!this.abstraction.validState(this.#valuations, offset));
      this.#draws.push(0);
    }
    return index + 1;
  }

  /** The entry of a transition that is about to be counted. */
  #insertTransition(from: number, to: number, forbidden: boolean): number {
    const transitions = this.#transitions;
    const entry = transitions.insert(from, to);
    if (transitions.firstDraws[entry] === 0) {
      transitions.firstDraws[entry] = this.#draws[from] + 1;
      transitions.forbidden[entry] = forbidden ? 1 : 0;
    }
    return entry;
  }

  #seenTransitions(): number {
    let seen = 0;
    for (let entry = 0; entry < this.#transitions.size; entry++) {
      if (this.#transitions.from[entry] !== OUTSIDE) seen++;
    }
    return seen;
  }

  #nothingCounted(): string {
    const left = [
      [this.#empty, 'had no step'],
      [this.#skipped, 'were skipped because a predicate failed or time was irregular'],
      [this.#dropped, 'were dropped because they contradict a constraint'],
    ].filter(([count]) => count !== 0);
    const why = left.map(([count, what]) => `${count} ${what}`).join(', ');
    return `there are no traces to learn from${why && ` (${why})`}; give at least one trace with a step`;
  }
}
