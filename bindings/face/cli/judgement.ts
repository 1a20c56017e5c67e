import { InvalidDataError } from '../../base/errors.js';
import { parseExpression, pathsAsked } from '../../languages/expression/index.js';
import { predicatesOf } from '../../languages/logic/index.js';
import { notRecordedField, Readability, type Unread } from '../../observations/abstraction/index.js';
import type { Trace, TraceNote } from '../../observations/trace/index.js';
import { allPredicates, type Specification } from '../../rules/specification/index.js';
import { ComparedFields } from './comparedFields.js';
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

/** A predicate that asks with `has` whether a field is there, which recordings say that they lack. */
interface Asked {
  readonly predicate: string;
  readonly path: string;
}

/** Determines which rules can be judged on which traces. Commands add each trace, and report at the end what was not judged. */
export class Judgement {
  readonly #specification: Specification;
  readonly #readability: Readability;
  readonly #tallies = new Map<string, Tally>();
  readonly #asks: readonly Asked[];
  readonly #askedInVain = new Map<Asked, Tally>();
  readonly #compared: ComparedFields;
  #of = 0;

  constructor(specification: Specification) {
    this.#specification = specification;
    const predicates = allPredicates(specification);
    this.#readability = new Readability(predicates);
    this.#compared = new ComparedFields(predicates);
    this.#asks = predicates.flatMap(({ name, expression }) =>
      pathsAsked(parseExpression(expression, { name: `predicate "${name}"` })).map((path) => ({
        predicate: name,
        path,
      })),
    );
  }

  /** Counts a trace, and returns for each rule that is not judged on it the reason, by the rule's name. */
  add(trace: Trace): Map<string, string> {
    return this.count(trace, this.#readability.unread(trace));
  }

  /** As `add`, if the unreadable predicates are already known. */
  count(trace: Trace, unread: ReadonlyMap<string, Unread>): Map<string, string> {
    this.#of++;
    this.#compared.add(trace);
    this.#countAsked(trace, unread);
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

  /** Counts what `has` is asked for in vain, by predicates that are readable all the same. */
  #countAsked(trace: Trace, unread: ReadonlyMap<string, Unread>): void {
    const { notRecorded = {} } = trace;
    const lacking = Object.keys(notRecorded);
    for (const asked of lacking.length === 0 ? [] : this.#asks) {
      const field = lacking.find((key) => asked.path === key || asked.path.startsWith(`${key}.`));
      if (field === undefined || unread.has(asked.predicate)) continue;
      addTo(this.#askedInVain, asked, trace, new Map([[field, notRecorded[field]]]));
    }
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

  #tally(rule: string, trace: Trace, fields: ReadonlyMap<string, string>): string {
    addTo(this.#tallies, rule, trace, fields);
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

  /**
   * A note for each rule that is not judged, for each field that predicates ask `has` for in vain, and for texts and nulls that they compare in vain. @throws InvalidDataError if `strict` is set and one of them
   * concerns a rule
   */
  notes(strict = false): TraceNote[] {
    const notJudged = this.#noted(this.notJudged.map(describeNotJudged));
    if (strict) {
      refuse(notJudged);
      refuse(this.#noted(this.#describeAsked(this.#askedByRules)), ASKED_ADVICE);
    }
    const asked = this.#describeAsked([...this.#askedInVain.keys()]);
    return [...notJudged, ...this.#noted([...asked, ...this.#compared.notes()])];
  }

  /** What `--strict` refuses, in words: rules that are not judged, and those judged on the answer of `has` where a field is not recorded. */
  get failures(): string[] {
    return [...this.notJudged.map(describeNotJudged), ...this.#describeAsked(this.#askedByRules)];
  }

  get #askedByRules(): Asked[] {
    const read = new Set(this.#specification.rules.flatMap(({ formula }) => predicatesOf(formula)));
    return Array.from(this.#askedInVain.keys()).filter(({ predicate }) => read.has(predicate));
  }

  #describeAsked(asks: readonly Asked[]): string[] {
    return asks.flatMap((asked) => {
      const tally = this.#askedInVain.get(asked);
      if (tally === undefined) return [];
      const { fields, traces, first } = tally;
      const why = `${[...fields.values()].join('; ')})${onTraces(traces, this.#of, first)}`;
      return `predicate "${asked.predicate}" asks has(${asked.path}), which is not recorded (${why}: wherever it lacks, the answer is false`;
    });
  }

  #noted(messages: readonly string[]): TraceNote[] {
    return messages.map((message) => ({ source: this.#specification.source, message }));
  }
}

const JUDGED_ADVICE =
  'record what is missing, or leave the rule out of the specification; without --strict the others are judged';
const ASKED_ADVICE =
  'record what is missing, or leave out has: then the rules that read it are not judged there; without --strict they are judged on that answer';

/** @throws InvalidDataError if there is a note about rules not judged, or judged on the answer of `has` */
export function refuse(notes: readonly TraceNote[], advice = JUDGED_ADVICE): void {
  if (notes.length === 0) return;
  const what = advice === JUDGED_ADVICE ? 'more rule' : 'more question';
  const more = notes.length > 1 ? `, and ${plural(notes.length - 1, what)} likewise` : '';
  throw new InvalidDataError(`${notes[0].message}${more}; ${advice}`);
}

/** Describes in words which rule is not judged, on how many traces, and for lack of which fields. */
export function describeNotJudged({ rule, fields, traces, of, first }: NotJudged): string {
  const where = traces === of && of > 1 ? ` on any of ${of} traces` : onTraces(traces, of, first);
  return `rule "${rule}" is not judged${where}: it reads ${listed(new Map(Object.entries(fields)))}`;
}

function onTraces(traces: number, of: number, first: string): string {
  if (traces === of) return of > 1 ? ` on all of ${of} traces` : '';
  return ` on ${traces} of ${of} traces, the first "${first}"`;
}

/** Adds a trace, and the fields that it lacks, to one of the tallies. */
function addTo<K>(tallies: Map<K, Tally>, of: K, { id }: Trace, fields: ReadonlyMap<string, string>): void {
  const tally = tallies.get(of) ?? { fields: new Map<string, string>(), traces: 0, first: id };
  tally.traces++;
  for (const [field, why] of fields) if (!tally.fields.has(field)) tally.fields.set(field, why);
  tallies.set(of, tally);
}

/** `trafficLightAheadcolor, which is not recorded (no traffic_lights)`. */
export function listed(fields: ReadonlyMap<string, string>): string {
  return Array.from(fields, ([field, why]) => `${field}, which is not recorded (${why})`).join('; ');
}
