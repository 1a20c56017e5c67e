import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { Abstraction, type AbstractionDefinition } from '../../observations/abstraction/index.js';
import type { Step, Trace } from '../../observations/trace/index.js';
import { Counter } from './counter.js';
import { Decay } from './decay.js';
import { DrawWindow } from './drawWindow.js';
import { checkForgetting, type Forgetting, type LearnersMemory } from './forgetting.js';
import { type LearntChain, learntModel, type SavedCounts } from './learntChain.js';
import type { LearningSettings, LearnOptions } from './options.js';
import { RunWindow } from './runWindow.js';
import type { Tally } from './tally.js';
import { START_OR_END } from './transitionTable.js';

const FORMAT = 'foreguard-learner 1';

/** The counts of a learner, and the abstraction and settings they were made with. */
export interface LearnersCounts {
  readonly id: string;
  readonly definition: AbstractionDefinition;
  readonly settings: LearningSettings;
  readonly counts: SavedCounts;
}

interface Saved extends LearnersCounts {
  readonly format: typeof FORMAT;
  readonly forgetting: Forgetting | null;
  readonly now: number | null;
  readonly memory: unknown;
}

/** How a learner learns, and what it forgets. */
export interface LearnerOptions extends LearnOptions {
  /** The learner's fixed name among those whose results are merged. Default `learner`. */
  readonly id?: string;
  /** Default null: nothing is forgotten. */
  readonly forgetting?: Forgetting | null;
}

/**
 * Learns a chain online from traces, whole or step by step; the chain is available at any time. It is the chain of `learn` on all traces so
 * far, with an open trace counted as cut; under `forgetting`, on what is not forgotten.
 *
 * Memory grows with the states and transitions seen, and with what a window keeps.
 */
export class Learner {
  readonly id: string;
  readonly forgetting: Forgetting | null;
  readonly #counter: Counter;
  readonly #memory: LearnersMemory | null;
  #now = Number.NEGATIVE_INFINITY;
  #revision = 0;
  /** The revision in which each row's counts, the set of states, and all rows at once last changed. */
  readonly #touched: number[] = [];
  #statesTouched = 0;
  #allTouched = 0;

  /**
   * @throws InvalidArgumentError, NotSupportedError for options out of range
   */
  constructor(abstraction: Abstraction, options: LearnerOptions = {}) {
    const { id = 'learner', forgetting = null, ...settings } = options;
    this.id = id;
    this.forgetting = forgetting;
    this.#counter = new Counter(abstraction, settings);
    const { tally } = this.#counter;
    this.#memory = forgetting && memoryOf(forgetting, tally, (row, state) => this.#touch(row, state));
    tally.onDraw = (from, entry) => {
      this.#memory?.drawn(from, entry);
      this.#touch(from, START_OR_END);
    };
  }

  get abstraction(): Abstraction {
    return this.#counter.abstraction;
  }

  get settings(): LearningSettings {
    return this.#counter.settings;
  }

  /**
   * Counts one trace.
   *
   * @param at start of the trace, in seconds of a clock that all traces share; required if forgetting counts seconds, and ignored
   * otherwise.
   * @param options `onRequest`: the trace's first state was requested, so it is no evidence of how the agent begins; only what follows is
   * counted. Default false.
   * @returns whether the trace was counted; empty traces and skipped invalid traces are not
   * @throws as `Counter.add`; InvalidDataError if the clock went backwards; InvalidArgumentError if a trace is open, or for runs on request
   * under forgetting. After an error nothing of the trace is counted.
   */
  add(trace: Trace, at?: number, { onRequest = false }: { readonly onRequest?: boolean } = {}): boolean {
    if (onRequest && this.#memory !== null) {
      throw new InvalidArgumentError(
        `trace "${trace.id}" was begun on request, which serves certificates, and there are none under forgetting: use a learner that forgets nothing`,
      );
    }
    this.#begin(at);
    return this.#counter.add(trace, onRequest);
  }

  /**
   * Begins a trace that is counted step by step: each step is counted as soon as it is observed.
   *
   * @param at as of `add`.
   * @throws as `add`; InvalidArgumentError also under `skipInvalid`, `onContradiction: dropTrace`, and `resample: hold` or `skip`, which
   * need the whole trace
   */
  begin(id: string, at?: number): void {
    this.#begin(at);
    this.#counter.begin(id);
  }

  /**
   * Counts the next step of the trace that was begun.
   * @throws as `add`; the steps before stay counted, and the trace is closed as cut
   */
  observe(state: Step['state'], { action, time }: Omit<Step, 'state'> = {}): void {
    this.#revision++;
    this.#counter.observe({
      state,
      ...(action !== undefined && { action }),
      ...(time !== undefined && { time }),
    });
  }

  /**
   * Ends the trace that was begun.
   * @param complete false if the trace was cut: its last step then leads nowhere. Default true.
   */
  end(complete = true): void {
    this.#revision++;
    this.#counter.end(complete);
  }

  /**
   * Advances the clock, so that old data are forgotten even if no trace arrives.
   * @throws InvalidDataError if the clock went backwards
   */
  advance(at: number): void {
    if (!Number.isFinite(at)) {
      throw new InvalidDataError(`the time is ${at}; expected a number of seconds`);
    }
    if (at < this.#now) {
      throw new InvalidDataError(
        `the clock went backwards, from ${this.#now} s to ${at} s: what is recent cannot be told; use a clock that only moves on`,
      );
    }
    this.#now = at;
    this.#revision++;
    this.#memory?.advance(at);
    this.#fade();
  }

  /**
   * The chain learnt so far, smoothed, in the layout of `readLearntChain`. Under `forgetting` the annotations `firstDraw` and
   * `drawsSinceNew` are 0, and `parameters.foreguard.forgetting` says what was forgotten. The report covers all traces, unless the window
   * is one of traces or seconds.
   *
   * @throws InvalidDataError if no trace counts; InvalidArgumentError as `learn`
   */
  chain(): LearntChain {
    const memory = this.#memory;
    if (memory === null) return this.#counter.finish();
    const { read, settings, tally } = this.#counter;
    if (!(memory instanceof RunWindow)) {
      if (read.traces === 0) return this.#counter.finish();
      return learntModel({ tally, settings, traces: read.traces, steps: read.steps, memory }, read);
    }
    const { kept } = memory;
    if (kept.traces === 0) throw new InvalidDataError('there are no traces to learn from: none is kept');
    const recounted = memory.recount();
    const { counts } = recounted.transitions;
    const all = { forgetting: memory.forgetting, count: (entry: number) => counts[entry] };
    const { held, missing, leftOut, untimed = 0 } = read.resampled;
    // The window does not record which traces had held steps, so if any had, the numbers of all traces are reported; their gaps always are.
    const resampled =
      held + missing + leftOut + untimed === 0 ? { ...read.resampled, steps: kept.steps } : read.resampled;
    return learntModel({ tally: recounted, settings, ...kept, memory: all }, { ...read, ...kept, resampled });
  }

  /** The counts with their abstraction and settings, for `mergeLearners`; forgetting is ignored. @internal */
  get counts(): LearnersCounts {
    const { abstraction, settings } = this.#counter;
    return { id: this.id, definition: abstraction.definition, settings, counts: this.#counter.save() };
  }

  /** Everything learnt, as JSON text, for `Learner.restore`. An open trace counts as cut. */
  save(): string {
    const { id, definition, settings, counts } = this.counts;
    const saved: Saved = {
      format: FORMAT,
      id,
      definition,
      settings,
      forgetting: this.forgetting,
      now: Number.isFinite(this.#now) ? this.#now : null,
      counts,
      memory: this.#memory?.save() ?? null,
    };
    return JSON.stringify(saved);
  }

  /**
   * Restores a saved learner. Whatever it learns from then on, its chain is the one that the saved learner would have had.
   *
   * @param text written by `save`.
   * @throws InvalidDataError if the text is not a saved learner
   */
  static restore(text: string): Learner {
    const saved = parse(text);
    const { id, definition, settings, forgetting, now, counts, memory } = saved;
    const learner = new Learner(new Abstraction(definition), { ...settings, id, forgetting });
    const { onDraw } = learner.#counter.tally;
    learner.#counter.tally.onDraw = undefined;
    learner.#counter.load(counts);
    learner.#counter.tally.onDraw = onDraw;
    learner.#memory?.load(memory);
    if (now !== null) learner.#now = now;
    return learner;
  }

  /** @internal For `LiveChain`: the counts, the part of them that is kept, and the revisions in which they changed. */
  get state(): {
    readonly tally: Tally;
    readonly memory: LearnersMemory | null;
    readonly revision: number;
    readonly touched: readonly number[];
    readonly statesTouched: number;
    readonly allTouched: number;
  } {
    return {
      tally: this.#counter.tally,
      memory: this.#memory,
      revision: this.#revision,
      touched: this.#touched,
      statesTouched: this.#statesTouched,
      allTouched: this.#allTouched,
    };
  }

  #begin(at: number | undefined): void {
    this.#counter.requireNoneOpen();
    if (this.forgetting?.of === 'seconds') {
      if (at === undefined) {
        throw new InvalidArgumentError(
          'what is older than so many seconds is forgotten: say when a trace began',
        );
      }
      this.advance(at);
    }
    this.#revision++;
    this.#fade();
  }

  /** Weights of all rows fade together; this shows in the probabilities because smoothing does not fade with them. */
  #fade(): void {
    const { forgetting } = this;
    if (forgetting !== null && 'halfLife' in forgetting && forgetting.of !== 'draws') {
      this.#allTouched = this.#revision;
    }
  }

  #touch(row: number, state: number): void {
    while (this.#touched.length <= row) this.#touched.push(0);
    this.#touched[row] = this.#revision;
    if (state !== START_OR_END) this.#statesTouched = this.#revision;
  }
}

function memoryOf(
  forgetting: Forgetting,
  tally: Tally,
  touch: (row: number, state: number) => void,
): LearnersMemory {
  checkForgetting(forgetting);
  if ('halfLife' in forgetting) return new Decay(forgetting, tally);
  return forgetting.of === 'draws'
    ? new DrawWindow(forgetting, tally)
    : new RunWindow(forgetting, tally, touch);
}

function parse(text: string): Saved {
  let saved: Partial<Saved> | null;
  try {
    saved = JSON.parse(text) as Partial<Saved> | null;
  } catch (cause) {
    throw new InvalidDataError(`what was saved is not a learner: ${(cause as Error).message}`, { cause });
  }
  if (saved?.format === FORMAT) return saved as Saved;
  throw new InvalidDataError(
    `what was saved is not a learner: its format is ${JSON.stringify(saved?.format)}; expected "${FORMAT}"`,
  );
}
