import { isObject } from '../../base/objectKind.js';
import type { PastCall } from '../../observations/trace/index.js';
import { severity } from '../guard/index.js';
import type { SessionObserver } from './observer.js';
import { recordedStep } from './recordedStep.js';
import { type HiddenFields, hiddenFields } from './redaction.js';
import type { SessionOptions } from './sessionOptions.js';
import { IDLE, type ToolCall } from './toolCall.js';
import type { OpenTrace, TraceSink } from './traceSink.js';
import type { Verdict } from './verdict.js';
import type { Clock, State } from './world.js';

/** A call that was let through and has not come back. */
interface RunningCall {
  /** Number of the decision. */
  readonly number: number;
  readonly call: ToolCall;
  /** It has its step: the time of another came while it ran. */
  hasStep: boolean;
}

/** The world as it was observed last. */
interface Seen {
  readonly state: State;
  readonly time?: number;
  /** The calls that had answered since the last step that is final. */
  readonly answered: readonly PastCall[];
}

/**
 * Records a run as a trace: a step for each call that came back, in this order, with the world as it was observed last before; a step for doing nothing; and
 * the world at the end. A call that is let through has its step before it runs, so that it is not lost if the process is.
 *
 * Recording decides nothing: what it cannot keep, and an error of the sink, end the trace there, as cut.
 */
export class Recording implements SessionObserver {
  readonly #run: string;
  readonly #sink: TraceSink;
  readonly #hidden: HiddenFields;
  #trace: OpenTrace | null = null;
  /** Number of steps that are final. */
  #place = 0;
  /** The call of the step after these; null if there is none yet. */
  #open: RunningCall | null = null;
  #running: RunningCall[] = [];
  /** Null if the world could not be observed. */
  #seen: Seen | null = null;
  /** The calls that have answered since the last step that is final. */
  #answered: PastCall[] = [];
  #time = Number.NEGATIVE_INFINITY;
  /** Nothing more is recorded. */
  #cut = false;
  #ending = false;
  /** The world was observed since the last call came back. */
  #isCurrent = false;
  /** What the sink is still at work on. */
  #kept: Promise<unknown> = Promise.resolve();

  constructor(run: string, sink: TraceSink, options: Pick<SessionOptions, 'redact'>) {
    this.#run = run;
    this.#sink = sink;
    this.#hidden = hiddenFields(options.redact ?? []);
  }

  /** A call has answered. */
  answered(call: PastCall): void {
    this.#answered.push(call);
  }

  /** The world was observed. */
  saw(state: unknown, { time }: Clock): void {
    // Nothing has come back, so the time of another step has come while a call ran.
    if (this.#open !== null && !this.#ending) this.#settle(this.#open);
    const isReadable =
      isObject(state) && (time === undefined || (Number.isFinite(time) && time >= this.#time));
    this.#seen = isReadable
      ? { state, ...(time !== undefined && { time }), answered: [...this.#answered] }
      : null;
    if (isReadable && time !== undefined) this.#time = time;
    this.#isCurrent = true;
    const next = this.#running.find(({ hasStep }) => !hasStep);
    if (next !== undefined && !this.#ending) this.#show(next);
  }

  /** The world could not be observed. */
  failed(): void {
    this.#seen = null;
  }

  /** Whether the world must be observed before the next call has its step: a session lets some calls run, in shadow mode, without looking. */
  get isBehind(): boolean {
    return !this.#isCurrent && this.#open === null && !this.#ending;
  }

  decided({ number, call, run, decision }: Verdict): void {
    if (this.#ending) return;
    if (run !== null) {
      const running = { number, call: run, hasStep: false };
      this.#running.push(running);
      if (this.#open === null) this.#show(running);
    } else if (call === IDLE && severity[decision] <= severity.report) {
      this.#put(null);
      this.#next();
    }
  }

  ran({ number }: Verdict): void {
    const one = this.#running.find((running) => running.number === number);
    if (one === undefined) return;
    this.#running = this.#running.filter((running) => running !== one);
    this.#isCurrent = false;
    // The step of another call was the current one, and ends now.
    if (one.hasStep) {
      if (this.#open !== null) this.#settle(this.#open);
      return;
    }
    if (this.#open !== one) this.#show(one);
    this.#settle(one);
  }

  withdrawn({ number }: Verdict): void {
    const one = this.#running.find((running) => running.number === number);
    this.#running = this.#running.filter((running) => running !== one);
    if (one === undefined || this.#open !== one) return;
    this.#open = null;
    const next = this.#running.find(({ hasStep }) => !hasStep);
    if (next !== undefined) this.#show(next);
    else this.#keep((trace) => trace.put(this.#place, null, {}));
  }

  /** The run ends: what is observed from now on is its last state. */
  ending(): void {
    this.#ending = true;
    this.#isCurrent = false;
  }

  /**
   * Ends the trace, with the last state unless a call is still running.
   * @param complete whether the run came to its end
   * @returns resolves once the sink has kept it; never rejects
   */
  async end(complete: boolean): Promise<void> {
    const isOver = this.#running.length === 0 && this.#isCurrent;
    if (isOver) this.#put(null);
    await this.#kept;
    try {
      await this.#trace?.end(complete && isOver && !this.#cut);
    } catch {
      // As in `#keep`.
    }
  }

  /** Makes this call the action of the current step. */
  #show(one: RunningCall): void {
    this.#open = one;
    this.#put(one.call);
  }

  #settle(one: RunningCall): void {
    one.hasStep = true;
    this.#open = null;
    this.#next();
  }

  /** The current step is final. */
  #next(): void {
    this.#place++;
    if (this.#seen === null) return;
    this.#answered.splice(0, this.#seen.answered.length);
    this.#seen = { ...this.#seen, answered: [] };
  }

  /** Keeps the current step, with this call. */
  #put(call: ToolCall | null): void {
    const seen = this.#seen;
    if (seen === null) this.#cut = true;
    if (seen === null || this.#cut) return;
    const { step, notRecorded } = recordedStep({ ...seen, call }, this.#hidden, lacking(seen));
    this.#keep((trace) => trace.put(this.#place, step, notRecorded));
  }

  #keep(what: (trace: OpenTrace) => void | Promise<void>): void {
    if (this.#cut) return;
    try {
      this.#trace ??= this.#sink.begin(this.#run);
      const kept = what(this.#trace);
      if (kept === undefined) return;
      const settled = kept.catch(() => {
        this.#cut = true;
      });
      this.#kept = Promise.all([this.#kept, settled]);
    } catch {
      // The sink tells whoever opened it.
      this.#cut = true;
    }
  }
}

/** The fields of the calls' history that a state lacks because they cannot be read; a state that is no record has none of it. */
function lacking({ state }: Seen): string[] {
  if (!Object.hasOwn(state, 'lastTool')) return [];
  return ['lastArguments', 'lastResult'].filter((field) => !Object.hasOwn(state, field));
}
