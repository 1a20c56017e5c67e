import { nearestName } from '../../base/suggest.js';
import { ID_EXPECTED, isPlanName, isStepId, NAME_EXPECTED } from './names.js';
import type { Place } from './place.js';
import type { Action, PlanExpression, Step, Value } from './plan.js';
import { describe, MOST_NESTED, MOST_STEPS, own, quoted, type Reading, type ReadObject } from './reading.js';
import { readType } from './readType.js';
import { readCondition, readValue } from './readValue.js';

/** The fields of each kind of step, the one that shows the kind first. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  call: ['call', 'with', 'as', 'onError'],
  ask: ['ask', 'as'],
  let: ['let', 'be'],
  if: ['if', 'then', 'else', 'yields'],
  forEach: ['forEach', 'item', 'atMost', 'do', 'collect'],
  fold: ['fold', 'item', 'from', 'accumulator', 'do', 'next', 'as'],
  require: ['require', 'else'],
  return: ['return'],
};
const KINDS = Object.keys(FIELDS);

/** Reads steps in the nested form. */
export class StepReader {
  readonly #reading: Reading;
  readonly #ids = new Set<string>();
  #count = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** A list of steps. Steps that cannot be read are left out. An id that is missing is empty. */
  steps(given: unknown, place: Place, nested = 0): readonly Step[] {
    const reading = this.#reading;
    if (nested > MOST_NESTED) {
      reading.problem(place, `steps nested deeper than ${MOST_NESTED} levels`, 'flatter steps');
      return [];
    }
    const list = reading.list(given, place, 'a list of steps') ?? [];
    const outer = reading.step;
    const steps: Step[] = [];
    for (const [i, step] of list.entries()) {
      if (reading.isFull) break;
      if (++this.#count === MOST_STEPS + 1) {
        reading.problem(place.at(i), `more than ${MOST_STEPS} steps`, `at most ${MOST_STEPS}`);
        break;
      }
      if (this.#count > MOST_STEPS) break;
      reading.step = null;
      const read = this.#step(step, reading.child(place, i, step), nested);
      if (read !== undefined) steps.push(read);
    }
    reading.step = outer;
    return steps;
  }

  #step(given: unknown, place: Place, nested: number): Step | undefined {
    const reading = this.#reading;
    const object = reading.object(given, place, 'a step, as an object');
    if (object === undefined) return undefined;
    const { fields } = object;
    const id = this.#id(object);
    reading.step = id === '' ? null : id;
    const kind = this.#kind(object);
    if (kind === undefined) return undefined;
    reading.onlyFields(object, ['id', 'note', ...FIELDS[kind]], `a step with ${kind}`);
    const note = Object.hasOwn(fields, 'note') ? reading.text(object, 'note', 'a note, as text') : undefined;
    const action = this.#action(kind, object, nested);
    return action && { id, ...(note !== undefined && { note }), ...action };
  }

  #id({ fields, place }: ReadObject): string {
    const id = own(fields, 'id');
    if (id === undefined) return '';
    if (typeof id !== 'string' || !isStepId(id))
      this.#reading.problem(place.at('id'), describe(id), ID_EXPECTED);
    else if (this.#ids.has(id))
      this.#reading.problem(
        place.at('id'),
        `the id ${quoted(id)} a second time`,
        'an id that no other step has',
      );
    else {
      this.#ids.add(id);
      return id;
    }
    return '';
  }

  #kind({ fields, place }: ReadObject): string | undefined {
    const kinds = KINDS.filter((kind) => Object.hasOwn(fields, kind));
    if (kinds.length === 1) return kinds[0];
    const expected = `a step with one of ${KINDS.join(', ')}`;
    if (kinds.length > 1) return this.#reading.problem(place, `a step with ${kinds.join(' and ')}`, expected);
    const near = Object.keys(fields)
      .filter((field) => field !== 'id' && field !== 'note')
      .slice(0, 10)
      .map((field) => nearestName(field, KINDS))
      .find((name) => name !== undefined);
    return this.#reading.problem(place, describe(fields), expected, near && quoted(near));
  }

  #action(kind: string, object: ReadObject, nested: number): Action | undefined {
    const { fields, place } = object;
    const reading = this.#reading;
    const at = (name: string) => reading.child(place, name, own(fields, name));
    const value = (name: string): Value => this.#value(object, name);
    const steps = (name: string) => this.steps(own(fields, name), at(name), nested + 1);
    switch (kind) {
      case 'call':
        return this.#call(object);
      case 'ask':
        return this.#ask(object);
      case 'let': {
        const name = this.#name(object, 'let');
        const be = value('be');
        return name === undefined ? undefined : { kind, name, be };
      }
      case 'if': {
        const condition = this.#condition(object, 'if');
        const then = steps('then');
        const otherwise = Object.hasOwn(fields, 'else') ? steps('else') : [];
        const yields = this.#named(object, 'yields', (one, where) => this.#pair(one, where));
        return condition && { kind, condition, then, else: otherwise, ...(yields && { yields }) };
      }
      case 'forEach': {
        const item = this.#name(object, 'item');
        const atMost = this.#atMost(object);
        const body = { in: value('forEach'), do: steps('do') };
        const collect = this.#named(object, 'collect', (one, where) => readValue(reading, one, where));
        if (item === undefined) return undefined;
        return { kind, item, ...body, ...(atMost !== undefined && { atMost }), ...(collect && { collect }) };
      }
      case 'fold': {
        const [item, accumulator, as] = ['item', 'accumulator', 'as'].map((name) => this.#name(object, name));
        const parts = { in: value('fold'), from: value('from'), do: steps('do'), next: value('next') };
        if (item === undefined || accumulator === undefined || as === undefined) return undefined;
        return { kind, item, accumulator, as, ...parts };
      }
      case 'require': {
        const condition = this.#condition(object, 'require');
        const otherwise = reading.text(object, 'else', 'what to say if the condition does not hold, as text');
        return condition && otherwise !== undefined ? { kind, condition, otherwise } : undefined;
      }
      case 'return':
        return { kind, value: value('return') };
      default:
        return undefined;
    }
  }

  #call(object: ReadObject): Action {
    const { fields, place } = object;
    const reading = this.#reading;
    const tool = reading.text(object, 'call', 'the name of a tool, as text') ?? '';
    const given = own(fields, 'with') ?? {};
    const at = reading.child(place, 'with', given);
    const record = reading.object(given, at, 'an object with the arguments by name');
    const entries = Object.entries(record?.fields ?? {}).map(
      ([name, one]) => [name, readValue(reading, one, reading.child(at, name, one))] as const,
    );
    const as = Object.hasOwn(fields, 'as') ? this.#name(object, 'as') : undefined;
    const onError = own(fields, 'onError') ?? 'stop';
    if (onError !== 'stop' && onError !== 'skip')
      reading.problem(place.at('onError'), describe(onError), '"stop" or "skip"');
    if (onError === 'skip' && as !== undefined)
      reading.problem(
        place.at('as'),
        `the name ${quoted(as)} of a result that may be missing`,
        'no "as" beside "onError": "skip"',
      );
    const skips = onError === 'skip' ? ({ onError } as const) : {};
    return {
      kind: 'call',
      tool,
      with: Object.fromEntries(entries),
      ...(as !== undefined && { as }),
      ...skips,
    };
  }

  #ask(object: ReadObject): Action | undefined {
    const { fields, place } = object;
    const reading = this.#reading;
    const as = this.#name(object, 'as');
    const ask = own(fields, 'ask');
    const at = reading.child(place, 'ask', ask);
    const asked = reading.object(ask, at, 'an object with question, about and schema');
    if (asked === undefined) return undefined;
    reading.onlyFields(asked, ['question', 'about', 'schema'], 'ask');
    const question = reading.text(asked, 'question', 'the question, as text') ?? '';
    const given = own(asked.fields, 'about') ?? [];
    const list = reading.list(given, at.at('about'), 'a list of values') ?? [];
    const about = list.map((one, i) => readValue(reading, one, reading.child(at.at('about'), i, one)));
    const schema = own(asked.fields, 'schema');
    const type = readType(reading, schema, reading.child(at, 'schema', schema));
    return as === undefined ? undefined : { kind: 'ask', question, about, type, as };
  }

  #value(object: ReadObject, name: string): Value {
    const { fields, place } = object;
    if (Object.hasOwn(fields, name)) {
      const given = own(fields, name);
      return readValue(this.#reading, given, this.#reading.child(place, name, given));
    }
    this.#reading.problem(place.at(name), 'nothing', 'a value');
    return { kind: 'literal', value: null };
  }

  #name({ fields, place }: ReadObject, field: string): string | undefined {
    const name = own(fields, field);
    if (typeof name === 'string' && isPlanName(name)) return name;
    return this.#reading.problem(place.at(field), describe(name), NAME_EXPECTED);
  }

  #condition({ fields, place }: ReadObject, field: string): PlanExpression | undefined {
    return readCondition(this.#reading, own(fields, field), place.at(field));
  }

  #atMost({ fields, place }: ReadObject): number | undefined {
    const most = own(fields, 'atMost');
    if (most === undefined || (Number.isSafeInteger(most) && (most as number) >= 0))
      return most as number | undefined;
    return this.#reading.problem(place.at('atMost'), describe(most), 'a whole number from 0');
  }

  /** An object from names to what is read of each; undefined if it is missing or empty. */
  #named<T>(
    object: ReadObject,
    field: string,
    read: (value: unknown, place: Place) => T,
  ): Record<string, T> | undefined {
    const { fields, place } = object;
    if (!Object.hasOwn(fields, field)) return undefined;
    const given = own(fields, field);
    const at = this.#reading.child(place, field, given);
    const found = this.#reading.object(given, at, 'an object from names to values');
    const entries: [string, T][] = [];
    for (const [name, one] of Object.entries(found?.fields ?? {})) {
      const where = this.#reading.child(at, name, one);
      if (isPlanName(name)) entries.push([name, read(one, where)]);
      else this.#reading.problem(where, `the name ${quoted(name)}`, NAME_EXPECTED);
    }
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  #pair(given: unknown, place: Place): readonly [Value, Value] {
    const list = Array.isArray(given) && given.length === 2 ? given : [null, null];
    if (list !== given)
      this.#reading.problem(place, describe(given), 'a list of two values: after "then", and after "else"');
    const [then, otherwise] = list.map((one, i) =>
      readValue(this.#reading, one, this.#reading.child(place, i, one)),
    );
    return [then, otherwise];
  }
}
