import { nearestName } from '../../base/suggest.js';
import type { Place } from './place.js';
import { describe, MOST_NESTED, own, quoted, type Reading, type ReadObject } from './reading.js';

/*
 * The flat form: blocks of steps, which other steps name, and values that others name. It has no recursion and no records with open names, so that the strict
 * dialects of structured output can describe it. It is lifted to the nested form, which is read as any other; objects remember where they stood.
 */

/** The fields of each kind of step. */
export const FLAT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  call: ['tool', 'arguments', 'as', 'onError'],
  ask: ['question', 'about', 'schema', 'as'],
  let: ['as', 'value'],
  if: ['condition', 'then', 'else', 'yields'],
  forEach: ['in', 'item', 'atMost', 'do', 'collect'],
  fold: ['in', 'item', 'from', 'accumulator', 'do', 'next', 'as'],
  require: ['condition', 'otherwise'],
  return: ['value'],
};

/** The fields of each kind of value. */
export const FLAT_VALUES: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  number: ['number'],
  boolean: ['boolean'],
  null: [],
  json: ['json'],
  reference: ['name', 'path'],
  expression: ['expression'],
  value: ['value'],
  list: ['of'],
  record: ['fields'],
  template: ['of'],
};

type Fields = Readonly<Record<string, unknown>>;

interface Part {
  readonly given: ReadObject;
  state: 'unused' | 'open' | 'used';
}

/** Lifts a plan in the flat form to the nested form. */
export function liftFlat(reading: Reading, root: ReadObject): Fields {
  return new Lifting(reading, root).plan();
}

class Lifting {
  readonly #reading: Reading;
  readonly #root: ReadObject;
  readonly #blocks: Map<string, Part>;
  readonly #values: Map<string, Part>;

  constructor(reading: Reading, root: ReadObject) {
    this.#reading = reading;
    this.#root = root;
    reading.onlyFields(root, ['version', 'goal', 'inputs', 'blocks', 'values'], 'the plan');
    this.#blocks = this.#parts('blocks', ['id', 'steps']);
    this.#values = this.#parts('values', ['id', 'value']);
  }

  plan(): Fields {
    const { fields, place } = this.#root;
    const [first] = this.#blocks.keys();
    if (first === undefined && this.#reading.problems.length === 0)
      this.#reading.problem(place.at('blocks'), 'no block', 'at least one, the first of which is the plan');
    const steps = first === undefined ? [] : this.#block(first, place, 0);
    for (const [what, parts] of [
      ['block', this.#blocks],
      ['value', this.#values],
    ] as const)
      for (const [id, { state, given }] of parts)
        if (state === 'unused')
          this.#reading.problem(
            given.place,
            `the ${what} ${quoted(id)}, which nothing names`,
            `a ${what} that one step or value names`,
          );
    const inputs = fields.inputs == null ? undefined : this.#inputs(fields.inputs, place.at('inputs'));
    return { version: fields.version ?? 1, goal: fields.goal, ...(inputs && { inputs }), steps };
  }

  #parts(name: string, known: readonly string[]): Map<string, Part> {
    const { fields, place } = this.#root;
    const parts = new Map<string, Part>();
    const given = own(fields, name) ?? [];
    const list = this.#reading.list(given, place.at(name), `a list of ${name}`) ?? [];
    for (const [i, one] of list.entries()) {
      const object = this.#reading.object(one, place.at(name).at(i), `an object with ${known.join(' and ')}`);
      if (object === undefined) continue;
      this.#reading.onlyFields(object, known, `one of ${name}`);
      const id = this.#reading.text(object, 'id', 'an id, as text');
      if (id === undefined) continue;
      if (parts.has(id))
        this.#reading.problem(
          object.place.at('id'),
          `the id ${quoted(id)} a second time`,
          'an id that no other has',
        );
      else parts.set(id, { given: object, state: 'unused' });
    }
    return parts;
  }

  /** Opens a block or value by its id, once. */
  #open(parts: Map<string, Part>, what: string, id: unknown, place: Place, nested: number): Part | undefined {
    const reading = this.#reading;
    const part = typeof id === 'string' ? parts.get(id) : undefined;
    if (part === undefined) {
      const near = typeof id === 'string' ? nearestName(id, parts.keys()) : undefined;
      return reading.problem(place, describe(id), `the id of a ${what}`, near && quoted(near));
    }
    if (part.state === 'open')
      return reading.problem(place, `the ${what} ${quoted(String(id))} within itself`, 'no cycle');
    if (part.state === 'used')
      return reading.problem(
        place,
        `the ${what} ${quoted(String(id))} a second time`,
        `a ${what} that nothing else names`,
      );
    if (nested > MOST_NESTED) {
      part.state = 'used';
      return reading.problem(place, `a ${what} nested deeper than ${MOST_NESTED} levels`, 'a flatter plan');
    }
    return part;
  }

  #block(id: unknown, place: Place, nested: number): unknown[] {
    const block = this.#open(this.#blocks, 'block', id, place, nested);
    if (block === undefined) return [];
    block.state = 'open';
    const at = block.given.place.at('steps');
    const list = this.#reading.list(own(block.given.fields, 'steps'), at, 'a list of steps') ?? [];
    const outer = this.#reading.step;
    const steps = list.map((step, i) => {
      this.#reading.step = null;
      return this.#step(step, at.at(i), nested);
    });
    this.#reading.step = outer;
    block.state = 'used';
    return this.#reading.made(steps, at);
  }

  #step(given: unknown, place: Place, nested: number): unknown {
    const reading = this.#reading;
    const object = reading.object(given, place, 'a step, as an object');
    if (object === undefined) return reading.made({ let: 'nothing', be: null }, place);
    const { fields } = object;
    reading.step = typeof fields.id === 'string' ? fields.id : null;
    const kind = this.#kind(object, FLAT_FIELDS, 'step');
    if (kind === undefined) return reading.made({ let: 'nothing', be: null }, place);
    this.#fields(object, ['id', 'kind', 'note', ...FLAT_FIELDS[kind]], `a step of kind ${kind}`);
    const lifted = Object.fromEntries(
      [
        ['id', fields.id ?? undefined],
        ['note', fields.note ?? undefined],
      ].filter(([, one]) => one !== undefined),
    );
    return reading.made({ ...lifted, ...this.#action(kind, object, nested) }, place);
  }

  #kind(
    { fields, place }: ReadObject,
    kinds: Readonly<Record<string, unknown>>,
    of: string,
  ): string | undefined {
    const kind = own(fields, 'kind');
    if (typeof kind === 'string' && Object.hasOwn(kinds, kind)) return kind;
    const near = typeof kind === 'string' ? nearestName(kind, Object.keys(kinds)) : undefined;
    const expected = `the kind of a ${of}: ${Object.keys(kinds).join(', ')}`;
    return this.#reading.problem(place.at('kind'), describe(kind), expected, near && quoted(near));
  }

  /** Refuses fields that are not among those known, unless they are null: strict dialects demand every field. */
  #fields({ fields, place }: ReadObject, known: readonly string[], of: string): void {
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
    this.#reading.onlyFields({ fields: given, place }, known, of);
  }

  #action(kind: string, { fields, place }: ReadObject, nested: number): Fields {
    const given = (name: string, to = name): Fields => (fields[name] == null ? {} : { [to]: fields[name] });
    const value = (name: string): unknown => this.#value(own(fields, name), place.at(name), 0);
    const block = (name: string): unknown[] => this.#block(own(fields, name), place.at(name), nested + 1);
    const named = (name: string, parts: readonly string[]): Fields =>
      this.#named(own(fields, name), place.at(name), parts);
    switch (kind) {
      case 'call':
        return {
          call: fields.tool,
          with: named('arguments', ['value']),
          ...given('as'),
          ...given('onError'),
        };
      case 'ask': {
        const list = this.#reading.list(fields.about ?? [], place.at('about'), 'a list of values') ?? [];
        const about = list.map((one, i) => this.#value(one, place.at('about').at(i), 0));
        const ask = {
          question: fields.question,
          about,
          schema: this.#json(fields.schema, place.at('schema')),
        };
        return { ask: this.#reading.made(ask, place), as: fields.as };
      }
      case 'let':
        return { let: fields.as, be: value('value') };
      case 'if': {
        const otherwise = fields.else == null ? {} : { else: block('else') };
        const yields = fields.yields == null ? {} : { yields: named('yields', ['then', 'else']) };
        return { if: fields.condition, then: block('then'), ...otherwise, ...yields };
      }
      case 'forEach': {
        const collect = fields.collect == null ? {} : { collect: named('collect', ['value']) };
        return { forEach: value('in'), item: fields.item, ...given('atMost'), do: block('do'), ...collect };
      }
      case 'fold': {
        const { item, accumulator, as } = fields;
        return {
          fold: value('in'),
          item,
          from: value('from'),
          accumulator,
          do: block('do'),
          next: value('next'),
          as,
        };
      }
      case 'require':
        return { require: fields.condition, else: fields.otherwise };
      default:
        return { return: value('value') };
    }
  }

  /** A list of objects with a name and values, as an object from names to these: the value of one part, or the list of several. */
  #named(given: unknown, place: Place, parts: readonly string[]): Fields {
    const list =
      this.#reading.list(given ?? [], place, `a list of objects with name, ${parts.join(', ')}`) ?? [];
    const entries = new Map<string, unknown>();
    for (const [i, one] of list.entries()) {
      const at = place.at(i);
      const object = this.#reading.object(one, at, `an object with name, ${parts.join(', ')}`);
      if (object === undefined) continue;
      this.#reading.onlyFields(object, ['name', ...parts], 'a named value');
      const name = this.#reading.text(object, 'name', 'a name, as text');
      if (name === undefined) continue;
      if (entries.has(name))
        this.#reading.problem(at.at('name'), `the name ${quoted(name)} a second time`, 'each name once');
      // A null in place of the value says that an optional argument is left out.
      if (parts.length === 1 && own(object.fields, parts[0]) === null) continue;
      const values = parts.map((part) => this.#value(own(object.fields, part), at.at(part), 0));
      entries.set(name, values.length === 1 ? values[0] : this.#reading.made(values, at));
    }
    return this.#reading.made(Object.fromEntries(entries), place);
  }

  #value(given: unknown, place: Place, nested: number): unknown {
    const reading = this.#reading;
    const nothing = reading.made({ literal: null }, place);
    const object = reading.object(given, place, 'a value, as an object with its kind');
    const kind = object && this.#kind(object, FLAT_VALUES, 'value');
    if (object === undefined || kind === undefined) return nothing;
    const { fields } = object;
    this.#fields(object, ['kind', ...FLAT_VALUES[kind]], `a value of kind ${kind}`);
    switch (kind) {
      case 'text':
      case 'number':
      case 'boolean': {
        const isOf = typeof fields[kind] === (kind === 'text' ? 'string' : kind);
        if (!isOf) reading.problem(place.at(kind), describe(fields[kind]), `a ${kind}`);
        return isOf ? reading.made({ literal: fields[kind] }, place) : nothing;
      }
      case 'json':
        return reading.made({ literal: this.#json(fields.json, place.at('json')) }, place);
      case 'reference':
        return reading.made({ ref: fields.name, ...(fields.path != null && { path: fields.path }) }, place);
      case 'expression':
        return reading.made({ expr: fields.expression }, place);
      case 'value': {
        const part = this.#open(this.#values, 'value', fields.value, place.at('value'), nested);
        if (part === undefined) return nothing;
        part.state = 'open';
        const inner = this.#value(own(part.given.fields, 'value'), part.given.place.at('value'), nested + 1);
        part.state = 'used';
        return inner;
      }
      case 'record': {
        const record = this.#named(fields.fields, place.at('fields'), ['value']);
        return reading.made({ record }, place);
      }
      case 'list':
      case 'template': {
        const list = reading.list(fields.of, place.at('of'), 'a list of values') ?? [];
        if (nested > MOST_NESTED) {
          reading.problem(place, `a value nested deeper than ${MOST_NESTED} levels`, 'a flatter one');
          return nothing;
        }
        const of = list.map((one, i) => this.#value(one, place.at('of').at(i), nested + 1));
        return reading.made(kind === 'list' ? { list: of } : { text: of }, place);
      }
      default:
        return nothing;
    }
  }

  #inputs(given: unknown, place: Place): Fields {
    const list = this.#reading.list(given, place, 'a list of objects with name and schema') ?? [];
    const inputs: [string, unknown][] = [];
    for (const [i, one] of list.entries()) {
      const object = this.#reading.object(one, place.at(i), 'an object with name and schema');
      if (object === undefined) continue;
      this.#reading.onlyFields(object, ['name', 'schema'], 'an input');
      const name = this.#reading.text(object, 'name', 'a name, as text');
      const schema = this.#json(object.fields.schema, place.at(i).at('schema'));
      if (name !== undefined) inputs.push([name, schema]);
    }
    return this.#reading.made(Object.fromEntries(inputs), place);
  }

  /** JSON that stands as text; an object is taken as it is. */
  #json(given: unknown, place: Place): unknown {
    if (typeof given !== 'string') return given ?? null;
    try {
      const value: unknown = JSON.parse(given);
      return typeof value === 'object' && value !== null ? this.#reading.made(value, place) : value;
    } catch {
      this.#reading.problem(place, describe(given), 'JSON, as text');
      return null;
    }
  }
}
