import type {
  BeginRecord,
  DecisionRecord,
  EndRecord,
  ObservationRecord,
  OutcomeRecord,
  RunRecord,
} from '../record.js';
import { isIdle, startsCall } from '../startedCalls.js';

/** A field of a record that no session can have written there. */
export interface OutOfOrder {
  readonly field: string;
  readonly recorded: unknown;
  /** What can stand there; null if nothing can. */
  readonly replayed: unknown;
}

/** What a session says of calls once the run is over. */
const AFTER_STOP: ReadonlySet<string> = new Set(['run-over', 'log-failed']);

/**
 * What the records of one run say of each other, whatever its judges decide: only a call that was let through comes back, only one that was asked about is answered,
 * each once, nothing is decided after a stop, and decisions are counted.
 */
export class RecordOrder {
  /** Decisions whose numbers were passed over, or that the end counts: the log lacks them. */
  missing = 0;
  readonly #shadow: boolean;
  /** Number of the next decision. */
  #next = 0;
  #isStopped = false;
  /** Numbers of decisions that wait for a person's answer, and whether that is about doing nothing. */
  readonly #asked = new Map<number, boolean>();
  /** Numbers of calls that were let through and have not come back. */
  readonly #running = new Set<number>();

  constructor({ shadow }: BeginRecord['options']) {
    this.#shadow = shadow;
  }

  /** @param isAgain whether the record is the reading of a step that was read before, which decides on nothing */
  take(record: RunRecord, isAgain: boolean): OutOfOrder | null {
    switch (record.kind) {
      case 'decision':
        return this.#decided(record);
      case 'outcome':
        // In shadow mode a call runs even if its decision could not be recorded.
        return this.#shadow ? null : this.#came(record);
      case 'observation':
        return this.#observed(record, isAgain);
      case 'end':
        return this.#ended(record);
      default:
        return null;
    }
  }

  #decided(record: DecisionRecord): OutOfOrder | null {
    const { number, decision, reason, instead } = record;
    if (number < this.#next) return { field: 'number', recorded: number, replayed: this.#next };
    this.missing += number - this.#next;
    this.#next = number + 1;
    if (this.#isStopped && !AFTER_STOP.has(reason))
      return { field: 'reason', recorded: reason, replayed: 'run-over' };
    if (instead !== undefined && decision !== 'replace')
      return { field: 'instead', recorded: instead, replayed: null };
    if (this.#shadow) return null;
    if (decision === 'stop') this.#isStopped = true;
    if (decision === 'inspect') this.#asked.set(number, isIdle(record));
    if (startsCall(record, false)) this.#running.add(number);
    return null;
  }

  #came({ number, outcome, ends }: OutcomeRecord): OutOfOrder | null {
    const isAnswer = outcome === 'approved' || outcome === 'refused' || outcome === 'no-answer';
    const idle = this.#asked.get(number);
    if (!(isAnswer ? this.#asked : this.#running).delete(number))
      return { field: 'outcome', recorded: outcome, replayed: null };
    if (outcome === 'approved' && idle === false) this.#running.add(number);
    if (ends) this.#isStopped = true;
    return null;
  }

  #observed({ decision }: ObservationRecord, isAgain: boolean): null {
    if (decision === 'stop' && !isAgain && !this.#shadow) this.#isStopped = true;
    return null;
  }

  #ended({ decisions }: EndRecord): OutOfOrder | null {
    if (decisions < this.#next) return { field: 'decisions', recorded: decisions, replayed: this.#next };
    this.missing += decisions - this.#next;
    this.#next = decisions;
    return null;
  }
}

/** The options that a run cannot have begun with; null if it can. */
export function unknownOptions({ options }: BeginRecord): OutOfOrder | null {
  const { onFault, shadow, maxReflections } = options;
  if (onFault !== 'stop' && onFault !== 'block')
    return { field: 'options.onFault', recorded: onFault, replayed: 'stop or block' };
  if (typeof shadow !== 'boolean')
    return { field: 'options.shadow', recorded: shadow, replayed: 'true or false' };
  return typeof maxReflections === 'number'
    ? null
    : { field: 'options.maxReflections', recorded: maxReflections, replayed: 'a number' };
}
