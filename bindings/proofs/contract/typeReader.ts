import { isMap, isScalar, type Node } from 'yaml';
import { nearestName } from '../../base/suggest.js';
import { describeNode, type Entry, type SpecificationDocument } from '../../rules/specification/index.js';
import { FORMATS } from './formats.js';
import { typeOfSchema } from './jsonSchema.js';
import type { ValueType } from './valueType.js';

/** The keys that say a type: JSON Schema's, and `of`, `fields`, which are shorter forms of `items` and `properties`. */
export const TYPE_KEYS = [
  'type',
  'format',
  'enum',
  'const',
  'of',
  'items',
  'fields',
  'properties',
  'required',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
  'maxLength',
  'description',
] as const;

/** Words for types, and what they are in JSON Schema. */
const WORDS: Readonly<Record<string, unknown>> = {
  any: true,
  text: { type: 'string' },
  string: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  null: { type: 'null' },
  record: { type: 'object' },
  object: { type: 'object' },
  map: { type: 'object' },
  list: { type: 'array' },
  array: { type: 'array' },
  ...Object.fromEntries(FORMATS.map((format) => [format, { type: 'string', format }])),
};

export const TYPE_EXPECTED =
  'any, text, number, integer, boolean, null, record, list, email, url, path, glob, date-time, id:STORE, the name of a type, list of one of these, or a mapping as in JSON Schema';

/** A type and whether its word ends with `?`. */
export interface ReadType {
  readonly type: ValueType;
  readonly optional: boolean;
}

const ANY: ReadType = { type: { kind: 'any' }, optional: false };

/** Reads types out of a file of contracts: JSON Schema with shorter words, and named types. */
export class TypeReader {
  readonly #document: SpecificationDocument;
  readonly #stores: readonly string[];
  /** Schemas of the named types. */
  readonly #named = new Map<string, unknown>();

  constructor(document: SpecificationDocument, stores: readonly string[]) {
    this.#document = document;
    this.#stores = stores;
  }

  /** Reads the section `types`: names for types. */
  names(node: Node | null): void {
    const entries = this.#document.entries(node, 'types');
    // Types may name each other, in any order.
    for (const [name, { key }] of entries) {
      if (!/^[A-Za-z_]\w*$/.test(name) || Object.hasOwn(WORDS, name))
        this.#document.problem(
          key,
          `"${name}" is no name of a type; expected a word that is no type already`,
        );
      this.#named.set(name, true);
    }
    const read = [...entries].map(
      ([name, { value }]) => [name, this.#schema(value, `type "${name}"`).schema] as const,
    );
    for (const [name, schema] of read) this.#named.set(name, schema);
    for (const [name, { value }] of entries) this.#typeOf(this.#named.get(name), value, `type "${name}"`);
  }

  /** The type that a node says. A problem gives `any`. */
  type(node: Node | null, what: string): ReadType {
    const { schema, optional } = this.#schema(node, what);
    return { type: this.#typeOf(schema, node, what), optional };
  }

  /** The type that some entries of a mapping say, which may have other entries; null if none says one. */
  typeIn(entries: ReadonlyMap<string, Entry>, node: Node | null, what: string): ReadType | null {
    const said = new Map([...entries].filter(([key]) => (TYPE_KEYS as readonly string[]).includes(key)));
    if ([...said.keys()].every((key) => key === 'description')) return null;
    const before = this.#document.problems.length;
    const { schema, optional } = this.#ofEntries(said, what);
    return this.#document.problems.length > before
      ? ANY
      : { type: this.#typeOf(schema, node, what), optional };
  }

  #typeOf(schema: unknown, node: Node | null, what: string): ValueType {
    const root = { $defs: Object.fromEntries(this.#named) };
    return this.#document.attempt(node, () => typeOfSchema(schema, { root, name: what })) ?? ANY.type;
  }

  #schema(node: Node | null, what: string): { readonly schema: unknown; readonly optional: boolean } {
    if (isScalar(node) && typeof node.value === 'string') return this.#word(node.value, node, what);
    if (isScalar(node) && node.value === true) return { schema: true, optional: false };
    if (!isMap(node)) {
      this.#document.problem(
        node,
        `${what} has the type ${describeNode(node)}; expected ${TYPE_EXPECTED}`,
        TYPE_EXPECTED,
      );
      return { schema: true, optional: false };
    }
    return this.#ofEntries(this.#document.entries(node, what, TYPE_KEYS), what);
  }

  #word(text: string, node: Node, what: string): { readonly schema: unknown; readonly optional: boolean } {
    const [, lists, word, mark] = /^((?:list of )*)(.*?)(\??)$/s.exec(text)!;
    let schema = this.#named.has(word)
      ? { $ref: `#/$defs/${word}` }
      : Object.hasOwn(WORDS, word)
        ? WORDS[word]
        : this.#key(word);
    if (schema === undefined) {
      const nearest = nearestName(word, [...this.#named.keys(), ...Object.keys(WORDS)]);
      this.#document.problem(
        node,
        `${what} has the type "${text}"; ${nearest === undefined ? `expected ${TYPE_EXPECTED}` : `did you mean "${nearest}"?`}`,
        TYPE_EXPECTED,
      );
      schema = true;
    }
    for (let depth = lists.length / 'list of '.length; depth > 0; depth--)
      schema = { type: 'array', items: schema };
    return { schema, optional: mark === '?' };
  }

  /** The keys of a store. */
  #key(word: string): unknown {
    const store = /^id:(.+)$/.exec(word)?.[1];
    return store !== undefined && this.#stores.includes(store) ? { type: 'string', format: word } : undefined;
  }

  #ofEntries(
    entries: ReadonlyMap<string, Entry>,
    what: string,
  ): { readonly schema: unknown; readonly optional: boolean } {
    const document = this.#document;
    const schema: Record<string, unknown> = {};
    let optional = false;
    for (const [key, { key: keyNode, value }] of entries) {
      switch (key) {
        case 'type': {
          const said = isScalar(value)
            ? [this.#schema(value, what)]
            : document.items(value, `${what}: type`).map((item) => this.#schema(item, what));
          optional = said.some((one) => one.optional);
          const schemas = said.map((one) => one.schema);
          if (schemas.length !== 1) schema.anyOf = schemas;
          else if (typeof schemas[0] === 'object') Object.assign(schema, schemas[0]);
          break;
        }
        case 'of':
        case 'items':
          schema.type ??= 'array';
          schema.items = this.#schema(value, `${what}: each element`).schema;
          break;
        case 'fields': {
          const fields = [...document.entries(value, `${what}: fields`)].map(
            ([name, field]) => [name, this.#schema(field.value, `${what}: field "${name}"`)] as const,
          );
          schema.type ??= 'object';
          schema.properties = Object.fromEntries(fields.map(([name, field]) => [name, field.schema]));
          schema.required = fields.flatMap(([name, field]) => (field.optional ? [] : [name]));
          break;
        }
        case 'properties':
          schema.properties = Object.fromEntries(
            [...document.entries(value, `${what}: properties`)].map(([name, field]) => [
              name,
              this.#schema(field.value, `${what}: field "${name}"`).schema,
            ]),
          );
          break;
        case 'anyOf':
        case 'oneOf':
          schema.anyOf = document
            .items(value, `${what}: ${key}`)
            .map((item) => this.#schema(item, what).schema);
          break;
        case 'format': {
          const text = document.text(value, `${what}: format`);
          const known = [...FORMATS, ...this.#stores.map((store) => `id:${store}`)];
          if (text !== undefined && !known.includes(text)) document.choice(value, `${what}: format`, known);
          schema.type ??= 'string';
          schema.format = text;
          break;
        }
        case 'additionalProperties':
          schema.additionalProperties = isScalar(value) ? value.value : true;
          break;
        case 'required':
          if (isScalar(value)) {
            // Of an argument `required: false` is meant.
            document.problem(
              keyNode,
              `${what}: required is the list of fields that a record must have; write optional: ${value.value !== true} to say whether a value may be left out`,
            );
            break;
          }
          schema.required = document.json(value, `${what}: required`);
          break;
        default:
          schema[key] = document.json(value, `${what}: ${key}`);
      }
    }
    return { schema, optional };
  }
}
