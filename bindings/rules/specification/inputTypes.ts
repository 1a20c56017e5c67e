import { isMap, isScalar, type Node } from 'yaml';
import {
  ANY_INTEGER,
  type ElementType,
  type Field,
  type InputType,
  MOST_ELEMENTS,
  MOST_TEXT,
  type RecordType,
} from '../../languages/inputs/index.js';
import type { Entry, SpecificationDocument } from './document.js';

/** The keys that say the type of an input. */
export const TYPE_KEYS = ['type', 'enum', 'integer', 'list', 'max'] as const;
const FIELD_KEYS = ['type', 'enum', 'integer', 'record', 'max', 'optional'] as const;
const KINDS = ['text', 'number', 'integer', 'boolean'] as const;

type Fields = Map<string, Entry>;

/** Reads the types of inputs out of a file of policies. */
export class InputTypeReader {
  readonly #document: SpecificationDocument;
  readonly #others: RecordType['others'];

  /** @param others whether records may have fields that their type does not name */
  constructor(document: SpecificationDocument, others: RecordType['others']) {
    this.#document = document;
    this.#others = others;
  }

  /** The type of an input; null with a problem if it has none. */
  type(what: string, node: Node | null, fields: Fields): InputType | null {
    const expected =
      'type: text | number | integer | boolean, enum: [TEXT, …], integer: [LEAST, MOST], list: text | number | integer | boolean | [TEXT, …] | { FIELD: TYPE, … }';
    const key = this.#one(what, node, fields, ['type', 'enum', 'integer', 'list'], expected);
    if (key === null) return null;
    if (key !== 'list') return this.#scalar(what, key, fields);
    const of = this.#element(what, fields.get('list')!.value);
    return of && { kind: 'list', of, most: this.#most(what, fields, MOST_ELEMENTS) };
  }

  /** The one key of some that is there. */
  #one<K extends string>(
    what: string,
    node: Node | null,
    fields: Fields,
    keys: readonly K[],
    expected: string,
  ): K | null {
    const named = keys.filter((key) => fields.has(key));
    if (named.length === 1) return named[0];
    const found = named.length === 0 ? 'no type' : `the types ${named.join(' and ')}`;
    this.#document.problem(node, `${what} has ${found}; expected one of ${expected}`);
    return null;
  }

  #scalar(what: string, key: 'type' | 'enum' | 'integer', fields: Fields): ElementType | null {
    const { value } = fields.get(key)!;
    const kind = key === 'type' ? this.#document.choice(value, `${what}: type`, KINDS) : key;
    if (kind !== 'text' && fields.has('max'))
      this.#document.problem(fields.get('max')!.key, `${what}: max is for texts and lists`);
    if (key === 'enum') return this.#enum(what, value);
    if (key === 'integer') return this.#integer(what, value);
    return kind === undefined ? null : scalarOf(kind as Kind, this.#most(what, fields, MOST_TEXT));
  }

  #most(what: string, fields: Fields, usual: number): number {
    const max = fields.get('max');
    if (max === undefined) return usual;
    const isCount = (x: number): boolean => Number.isSafeInteger(x) && x >= 0;
    return this.#document.number(max.value, `${what}: max`, 'a whole number from 0', isCount) ?? usual;
  }

  #element(what: string, node: Node | null): ElementType | RecordType | null {
    if (isMap(node)) return this.#record(what, node);
    if (!isScalar(node)) return this.#enum(what, node);
    const kind = this.#document.choice(node, `${what}: list`, KINDS);
    return kind === undefined ? null : scalarOf(kind, MOST_TEXT);
  }

  #record(what: string, node: Node | null): RecordType | null {
    const fields: Record<string, Field> = {};
    for (const [name, { key, value }] of this.#document.entries(node, what)) {
      if (!/^[A-Za-z_]\w*$/.test(name) || name in {})
        this.#document.problem(key, `${what}: "${name}" is no name of a field; expected a word`);
      const field = this.#field(`${what}: field "${name}"`, value);
      if (field !== null) fields[name] = field;
    }
    if (Object.keys(fields).length === 0) {
      this.#document.problem(node, `${what}: a record has no field; expected { FIELD: TYPE, … }`);
      return null;
    }
    return { kind: 'record', fields, others: this.#others };
  }

  #field(what: string, node: Node | null): Field | null {
    const document = this.#document;
    if (isScalar(node)) {
      const kind = document.choice(node, what, KINDS);
      return kind === undefined ? null : { type: scalarOf(kind, MOST_TEXT) };
    }
    const fields = document.entries(node, what, FIELD_KEYS);
    const expected =
      'text | number | integer | boolean, or a mapping with one of type, enum, integer, record: { FIELD: TYPE, … }';
    const key = this.#one(what, node, fields, ['type', 'enum', 'integer', 'record'], expected);
    if (key === null) return null;
    const type =
      key === 'record' ? this.#record(what, fields.get(key)!.value) : this.#scalar(what, key, fields);
    const optional =
      fields.has('optional') && document.boolean(fields.get('optional')!.value, `${what}: optional`);
    return type && { type, ...(optional === true && { optional }) };
  }

  #enum(what: string, node: Node | null): Extract<InputType, { kind: 'enum' }> | null {
    const values = this.#document
      .items(node, `${what}: its values`)
      .flatMap((item) => this.#document.text(item, `${what}: a value`) ?? []);
    if (values.length === 0) return null;
    return { kind: 'enum', values: [...new Set(values)] };
  }

  #integer(what: string, node: Node | null): Extract<InputType, { kind: 'integer' }> | null {
    const expected = 'a whole number within ±(2^53 - 1)';
    const bounds = this.#document
      .items(node, `${what}: integer`)
      .map((item) => this.#document.number(item, `${what}: a bound`, expected, Number.isSafeInteger));
    const [least, most] = bounds;
    if (bounds.length !== 2 || least === undefined || most === undefined || least > most) {
      this.#document.problem(node, `${what}: integer must be [LEAST, MOST]`);
      return null;
    }
    return { kind: 'integer', least, most };
  }
}

type Kind = (typeof KINDS)[number];

function scalarOf(kind: Kind, most: number): ElementType {
  if (kind === 'text') return { kind, most };
  return kind === 'integer' ? ANY_INTEGER : { kind };
}
