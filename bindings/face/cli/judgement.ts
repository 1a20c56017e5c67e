import { InvalidDataError } from '../../base/errors.js';
import { predicatesOf } from '../../languages/logic/index.js';
import { notRecordedField, Readability, type Unread } from '../../observations/abstraction/index.js';
import type { Trace, TraceNote } from '../../observations/trace/index.js';
import type { Specification } from '../../rules/specification/index.js';
import { plural } from './terminal.js';

/** A rule that is not judged, at least on some traces, because it reads a field that their recordings do not tell. */
export interface NotJudged {
  readonly rule: string;
  /** Each field that it reads and that is not told, with the reason of the first trace. */
  readonly fields: Readonly<Record<string, string>>;
  /** Traces on which it is not judged, and of how many. */
  readonly traces: number;
  readonly of: number;
  /** The first of them. */
  readonly first: string;
}

interface Tally {
  readonly fields: Map<string, string>;
  traces: number;
  first: string;
}

/** Which rules can be judged on which traces; commands take each trace to it, and say in the end what was not judged. */
export class Judgement {
  readonly #specification: Specification;
  readonly #readability: Readability;
  readonly #tallies = new Map<string, Tally>();
  #of = 0;

  constructor(specification: Specification) {
    this.#specification = specification;
    this.#readability = new Readability(specification.abstraction.predicates);
  }

  /** Counts a trace, and gives the reason why each rule that is not judged on it is not, by the rule's name. */
  add(trace: Trace): Map<string, string> {
    return this.count(trace, this.#readability.unread(trace));
  }

  /** The same, where it is known which predicates cannot be read. */
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

  /** The traces as they come, each counted. */
  async *along(traces: AsyncIterable<Trace>): AsyncGenerator<Trace> {
    for await (const trace of traces) {
      this.add(trace);
      yield trace;
    }
  }

  /** Where judging a rule failed of a field that the trace does not tell: counts it, and gives the reason. */
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

  /** In the order of the specification. */
  get notJudged(): NotJudged[] {
    return this.#specification.rules.flatMap(({ name }) => {
      const tally = this.#tallies.get(name);
      if (tally === undefined) return [];
      const { fields, traces, first } = tally;
      return [{ rule: name, fields: Object.fromEntries(fields), traces, of: this.#of, first }];
    });
  }

  /** A note for each rule that is not judged. @throws InvalidDataError where there is one and `strict` is asked for */
  notes(strict = false): TraceNote[] {
    const { source } = this.#specification;
    const notes = this.notJudged.map((found) => ({ source, message: describeNotJudged(found) }));
    if (strict) refuse(notes);
    return notes;
  }
}

/** @throws InvalidDataError if there is a note of what is not judged */
export function refuse(notes: readonly TraceNote[]): void {
  if (notes.length === 0) return;
  const more = notes.length > 1 ? `, and ${plural(notes.length - 1, 'more rule')} likewise` : '';
  throw new InvalidDataError(
    `${notes[0].message}${more}; record what is missing, or leave the rule out of the specification; without --strict the others are judged`,
  );
}

/** In words: which rule, on how many traces, for lack of what. */
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
