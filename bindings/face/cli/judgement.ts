import { InvalidDataError } from '../../base/errors.js';
import { predicatesOf } from '../../languages/logic/index.js';
import { notRecordedField, Readability, type Unread } from '../../observations/abstraction/index.js';
import type { Trace, TraceNote } from '../../observations/trace/index.js';
import { allPredicates, type Specification } from '../../rules/specification/index.js';
import { plural } from './terminal.js';

/** A rule that is not judged, at least on some traces, because it reads a field that their recordings lack. */
export interface NotJudged {
  readonly rule: string;
  /** Each missing field that it reads, with the reason given by the first trace. */
  readonly fields: Readonly<Record<string, string>>;
  /** Number of traces on which it is not judged, and of all traces. */
  readonly traces: number;
  readonly of: number;
  /** The first of those traces. */
  readonly first: string;
}

interface Tally {
  readonly fields: Map<string, string>;
  traces: number;
  first: string;
}

/** Determines which rules can be judged on which traces. Commands add each trace, and report at the end what was not judged. */
export class Judgement {
  readonly #specification: Specification;
  readonly #readability: Readability;
  readonly #tallies = new Map<string, Tally>();
  #of = 0;

  constructor(specification: Specification) {
    this.#specification = specification;
    this.#readability = new Readability(allPredicates(specification));
  }

  /** Counts a trace, and returns for each rule that is not judged on it the reason, by the rule's name. */
  add(trace: Trace): Map<string, string> {
    return this.count(trace, this.#readability.unread(trace));
  }

  /** As `add`, if the unreadable predicates are already known. */
  count(trace: Trace, unread: ReadonlyMap<string, Unread>): Map<string, string> {
    this.#of++;
    const reasons = new Map<string, string>();
    if (unread.size === 0) return reasons;
    for (const { name, formula } of this.#specification.rules) {
      const fields = new Map(
        predicatesOf(formula).flatMap((predicate) => {
          const found = unread.get(predicate);
          return found === undefined ? [] : [[found.field, found.reason] as const];
        }),
      );
      if (fields.size > 0) reasons.set(name, this.#tally(name, trace, fields));
    }
    return reasons;
  }

  /** Passes the traces on and counts each. */
  async *along(traces: AsyncIterable<Trace>): AsyncGenerator<Trace> {
    for await (const trace of traces) {
      this.add(trace);
      yield trace;
    }
  }

  /** If judging a rule failed because the trace lacks a field: counts the trace, and returns the reason. */
  excuse(rule: string, trace: Trace, error: unknown): string | undefined {
    const field = notRecordedField(error, trace.notRecorded);
    if (field === undefined) return undefined;
    return this.#tally(rule, trace, new Map([[field, trace.notRecorded?.[field] ?? '']]));
  }

  #tally(rule: string, { id }: Trace, fields: ReadonlyMap<string, string>): string {
    const tally = this.#tallies.get(rule) ?? { fields: new Map<string, string>(), traces: 0, first: id };
    tally.traces++;
    for (const [field, why] of fields) if (!tally.fields.has(field)) tally.fields.set(field, why);
    this.#tallies.set(rule, tally);
    return `reads ${listed(fields)}`;
  }

  /** The rules that are not judged, in the order of the specification. */
  get notJudged(): NotJudged[] {
    return this.#specification.rules.flatMap(({ name }) => {
      const tally = this.#tallies.get(name);
      if (tally === undefined) return [];
      const { fields, traces, first } = tally;
      return [{ rule: name, fields: Object.fromEntries(fields), traces, of: this.#of, first }];
    });
  }

  /** A note for each rule that is not judged. @throws InvalidDataError if there is one and `strict` is set */
  notes(strict = false): TraceNote[] {
    const { source } = this.#specification;
    const notes = this.notJudged.map((found) => ({ source, message: describeNotJudged(found) }));
    if (strict) refuse(notes);
    return notes;
  }
}

/** @throws InvalidDataError if there is a note about rules not judged */
export function refuse(notes: readonly TraceNote[]): void {
  if (notes.length === 0) return;
  const more = notes.length > 1 ? `, and ${plural(notes.length - 1, 'more rule')} likewise` : '';
  throw new InvalidDataError(
    `${notes[0].message}${more}; record what is missing, or leave the rule out of the specification; without --strict the others are judged`,
  );
}

/** Describes in words which rule is not judged, on how many traces, and for lack of which fields. */
export function describeNotJudged({ rule, fields, traces, of, first }: NotJudged): string {
  const where =
    traces === of
      ? of > 1
        ? ` on any of ${of} traces`
        : ''
      : ` on ${traces} of ${of} traces, the first "${first}"`;
  return `rule "${rule}" is not judged${where}: it reads ${listed(new Map(Object.entries(fields)))}`;
}

/** `trafficLightAheadcolor, which is not recorded (no traffic_lights)`. */
export function listed(fields: ReadonlyMap<string, string>): string {
  return Array.from(fields, ([field, why]) => `${field}, which is not recorded (${why})`).join('; ');
}
