import { InvalidArgumentError, NotSupportedError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import { FORMATS } from './formats.js';
import type { FieldType, TextFormat, TextType, ValueType } from './valueType.js';

type Schema = Readonly<Record<string, unknown>>;

/** Parts that are looked at: references can make a short schema stand for a long one. */
const MOST_PARTS = 10_000;
const MOST_DEPTH = 64;

/**
 * The type of the values that a JSON Schema describes, as servers of MCP and tools of the AI SDK give it.
 *
 * It has all these values, and perhaps more: `pattern`, `not`, `if`, `minLength`, `multipleOf`, `uniqueItems`, `patternProperties` and formats other than those of
 * `TextFormat` are left out. Texts and lists without a bound have that of `MOST_TEXT` and `MOST_ELEMENTS`. `maxLength` counts UTF-16 code units. A schema
 * without `type` that has `properties` or `items` is one of a record or a list.
 *
 * @param schema a schema, or `true` for any value
 * @param options.root the schema in which references such as `#/$defs/Mail` look; default: `schema`
 * @param options.name what is described, for messages; default `the schema`
 * @throws NotSupportedError for recursion, references to elsewhere, and schemas that are too large; InvalidArgumentError for what is no schema, and for one that no
 * value fits
 */
export function typeOfSchema(
  schema: unknown,
  options: { readonly root?: unknown; readonly name?: string } = {},
): ValueType {
  const root = options.root ?? schema;
  return new SchemaReader(root, options.name ?? 'the schema').typeOf(
    schema,
    '#',
    root === schema ? ['#'] : [],
  );
}

class SchemaReader {
  readonly #root: unknown;
  readonly #name: string;
  #left = MOST_PARTS;

  constructor(root: unknown, name: string) {
    this.#root = root;
    this.#name = name;
  }

  /** @param open the references that lead here */
  typeOf(given: unknown, at: string, open: readonly string[]): ValueType {
    if (--this.#left < 0)
      this.#refuse(at, `has more than ${MOST_PARTS} parts; expected fewer: references may repeat them`);
    if (at.split('/').length > MOST_DEPTH) this.#refuse(at, `is nested more than ${MOST_DEPTH / 2} deep`);
    if (given === true) return { kind: 'any' };
    if (given === false) this.#invalid(at, 'is false, which no value fits');
    if (!isObject(given)) this.#invalid(at, `is ${shown(given)}; expected a schema: an object, or true`);
    const schema: Schema = given;
    if (schema.nullable === true) {
      const { nullable: _, ...rest } = schema;
      return either([this.typeOf(rest, at, open), { kind: 'null' }]);
    }
    if ('$ref' in schema) return this.#referred(schema, at, open);
    if (Array.isArray(schema.allOf)) return this.#all(schema, schema.allOf, at, open);
    for (const key of ['anyOf', 'oneOf'] as const)
      if (Array.isArray(schema[key])) return this.#oneOf(schema, key, schema[key], at, open);
    if ('const' in schema) return this.#values([schema.const]);
    if (Array.isArray(schema.enum)) {
      if (schema.enum.length === 0) this.#invalid(at, 'has an enum without values, which no value fits');
      return this.#values(schema.enum);
    }
    if (Array.isArray(schema.type)) {
      if (schema.type.length === 0) this.#invalid(at, 'has a type without alternatives, which no value fits');
      return either(schema.type.map((type) => this.typeOf({ ...schema, type }, at, open)));
    }
    return this.#plain(schema, at, open);
  }

  #plain(schema: Schema, at: string, open: readonly string[]): ValueType {
    switch (
      schema.type ??
      (isObject(schema.properties) ? 'object' : 'items' in schema ? 'array' : undefined)
    ) {
      case undefined:
        return { kind: 'any' };
      case 'null':
      case 'boolean':
        return { kind: schema.type as 'null' | 'boolean' };
      case 'integer':
      case 'number':
        return {
          kind: schema.type as 'integer' | 'number',
          ...this.#bounds(schema, at, schema.type === 'integer'),
        };
      case 'string':
        return textOf(schema);
      case 'array':
        return this.#list(schema, at, open);
      case 'object':
        return this.#record(schema, at, open);
      default:
        return this.#invalid(
          at,
          `has the type ${shown(schema.type)}; expected string, number, integer, boolean, object, array or null`,
        );
    }
  }

  #referred({ $ref: reference, ...rest }: Schema, at: string, open: readonly string[]): ValueType {
    if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference))
      this.#refuse(
        at,
        `refers to ${shown(reference)}; expected a part of the same schema, such as "#/$defs/Mail"`,
      );
    if (open.includes(reference))
      this.#refuse(
        at,
        `contains itself by ${shown(reference)}; a type here has no recursion: describe as many levels as are used, or leave the part out, which makes it anything`,
      );
    const target = partAt(reference, this.#root);
    if (target === undefined) this.#invalid(at, `refers to ${shown(reference)}, which there is not`);
    const inner = [...open, reference];
    const notes = new Set([
      'title',
      'description',
      'default',
      'examples',
      '$defs',
      'definitions',
      '$schema',
      '$id',
    ]);
    const says = Object.keys(rest).some((key) => !notes.has(key));
    if (says && isObject(target)) return this.typeOf(merged(target, rest), at, inner);
    return this.typeOf(target, at, inner);
  }

  /** What all of them say; of alternatives within them, those of the last. */
  #all(
    { allOf: _, ...rest }: Schema,
    parts: readonly unknown[],
    at: string,
    open: readonly string[],
  ): ValueType {
    const referred: string[] = [...open];
    const resolved = parts.map((part): Schema => {
      let found = part;
      while (isObject(found) && typeof found.$ref === 'string') {
        const { $ref } = found;
        if (referred.includes($ref)) return this.#referred({ $ref }, at, referred) as never;
        referred.push($ref);
        found = partAt($ref, this.#root) ?? this.#invalid(at, `refers to ${shown($ref)}, which there is not`);
      }
      return isObject(found) ? found : {};
    });
    return this.typeOf(resolved.reduce(merged, rest), `${at}/allOf`, referred);
  }

  #oneOf(
    schema: Schema,
    key: 'anyOf' | 'oneOf',
    parts: readonly unknown[],
    at: string,
    open: readonly string[],
  ): ValueType {
    if (parts.length === 0) this.#invalid(at, `has an ${key} without alternatives, which no value fits`);
    const { [key]: _, ...rest } = schema;
    return either(
      parts.map((part, i) => {
        const here = `${at}/${key}/${i}`;
        // What stands beside the alternatives holds of each of them.
        if (isObject(part) && !('$ref' in part)) return this.typeOf(merged(rest, part), here, open);
        return this.typeOf(part, here, open);
      }),
    );
  }

  #values(values: readonly unknown[]): ValueType {
    const texts = values.filter((value) => typeof value === 'string');
    const numbers = values.filter((value) => typeof value === 'number');
    const types: ValueType[] = [];
    if (texts.length > 0) types.push({ kind: 'text', values: [...new Set(texts)] });
    if (numbers.length > 0)
      types.push({
        kind: numbers.every(Number.isSafeInteger) ? 'integer' : 'number',
        least: Math.min(...numbers),
        most: Math.max(...numbers),
      });
    if (values.some((value) => typeof value === 'boolean')) types.push({ kind: 'boolean' });
    if (values.includes(null)) types.push({ kind: 'null' });
    if (values.some((value) => typeof value === 'object' && value !== null)) types.push({ kind: 'any' });
    return either(types);
  }

  /** A bound that is excluded is that of the next whole number; among numbers with fractions it is included, since none is next. */
  #bounds(schema: Schema, at: string, whole: boolean): { least?: number; most?: number } {
    const read = (key: string): number | undefined => {
      const value = schema[key];
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    };
    const [minimum, above] = [read('minimum'), read('exclusiveMinimum')];
    const [maximum, below] = [read('maximum'), read('exclusiveMaximum')];
    const lows = [minimum, above !== undefined && whole ? Math.floor(above) + 1 : above].filter(
      (x) => x !== undefined,
    );
    const highs = [maximum, below !== undefined && whole ? Math.ceil(below) - 1 : below].filter(
      (x) => x !== undefined,
    );
    const least = lows.length === 0 ? undefined : Math.max(...lows.map((x) => (whole ? Math.ceil(x) : x)));
    const most = highs.length === 0 ? undefined : Math.min(...highs.map((x) => (whole ? Math.floor(x) : x)));
    if (least !== undefined && most !== undefined && least > most)
      this.#invalid(at, 'has bounds between which there is no number');
    return {
      ...(least !== undefined && (!whole || least > Number.MIN_SAFE_INTEGER) && { least }),
      ...(most !== undefined && (!whole || most < Number.MAX_SAFE_INTEGER) && { most }),
    };
  }

  #list(schema: Schema, at: string, open: readonly string[]): ValueType {
    const first = Array.isArray(schema.prefixItems)
      ? schema.prefixItems
      : Array.isArray(schema.items)
        ? schema.items
        : [];
    const others = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
    const types = first.map((item, i) => this.typeOf(item, `${at}/items/${i}`, open));
    const isTuple = first.length > 0;
    if (!isTuple || (others !== false && others !== undefined))
      types.push(this.typeOf(others ?? true, `${at}/items`, open));
    else if (others === undefined) types.push({ kind: 'any' });
    const least = sizeOf(schema.minItems);
    const most = sizeOf(schema.maxItems) ?? (isTuple && others === false ? first.length : undefined);
    if (least !== undefined && most !== undefined && least > most)
      this.#invalid(at, 'asks for more items than it allows');
    return { kind: 'list', of: either(types), ...(least && { least }), ...(most !== undefined && { most }) };
  }

  #record(schema: Schema, at: string, open: readonly string[]): ValueType {
    const required = Array.isArray(schema.required) ? schema.required : [];
    const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
    const fields = properties.map(([name, part]): [string, FieldType] => [
      name,
      {
        type: this.typeOf(part, `${at}/properties/${name.replaceAll('/', '~1')}`, open),
        optional: !required.includes(name),
      },
    ]);
    for (const name of required)
      if (typeof name === 'string' && !properties.some(([known]) => known === name))
        fields.push([name, { type: { kind: 'any' }, optional: false }]);
    const others =
      schema.additionalProperties === false || schema.unevaluatedProperties === false ? 'denied' : 'ignored';
    return { kind: 'record', fields: Object.fromEntries(fields), others };
  }

  #invalid(at: string, what: string): never {
    throw new InvalidArgumentError(`${this.#name}${placeOf(at)} ${what}`);
  }

  #refuse(at: string, what: string): never {
    throw new NotSupportedError(`${this.#name}${placeOf(at)} ${what}`);
  }
}

function placeOf(at: string): string {
  return at === '#' ? '' : ` at ${at}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function sizeOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

function textOf({ format, maxLength }: Schema): TextType {
  const most = sizeOf(maxLength);
  const isKnown = FORMATS.includes(format as never) || (typeof format === 'string' && /^id:./.test(format));
  return {
    kind: 'text',
    ...(isKnown && { format: format as TextFormat }),
    ...(most !== undefined && { most }),
  };
}

/** What holds of both; fields that either describes. Where both say something of the same, the second is taken. */
function merged(all: Schema, one: Schema): Schema {
  const properties =
    isObject(all.properties) && isObject(one.properties)
      ? {
          properties: Object.fromEntries([
            ...Object.entries(all.properties),
            ...Object.entries(one.properties),
          ]),
        }
      : {};
  const required =
    Array.isArray(all.required) && Array.isArray(one.required)
      ? { required: [...all.required, ...one.required] }
      : {};
  return { ...all, ...one, ...properties, ...required };
}

/** What a reference such as `#/$defs/Mail` points to; undefined if there is nothing. */
function partAt(reference: string, root: unknown): unknown {
  let found: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** A type with the values of all of these: without alternatives in alternatives, and none twice. */
export function either(types: readonly ValueType[]): ValueType {
  const all = types.flatMap((type) => (type.kind === 'either' ? type.of : [type]));
  if (all.some(({ kind }) => kind === 'any')) return { kind: 'any' };
  const distinct = [...new Map(all.map((type) => [JSON.stringify(type), type])).values()];
  return distinct.length === 1 ? distinct[0] : { kind: 'either', of: distinct };
}

/** A JSON Schema of a type: it has all values of the type, and `typeOfSchema` reads the type from it. */
export function schemaOfType(type: ValueType): Record<string, unknown> {
  switch (type.kind) {
    case 'any':
      return {};
    case 'null':
    case 'boolean':
      return { type: type.kind };
    case 'integer':
    case 'number':
      return {
        type: type.kind,
        ...(type.least !== undefined && { minimum: type.least }),
        ...(type.most !== undefined && { maximum: type.most }),
      };
    case 'text':
      if (type.values !== undefined) return { type: 'string', enum: [...type.values] };
      return {
        type: 'string',
        ...(type.format !== undefined && { format: type.format }),
        ...(type.most !== undefined && { maxLength: type.most }),
      };
    case 'list':
      return {
        type: 'array',
        items: schemaOfType(type.of),
        ...(type.least !== undefined && { minItems: type.least }),
        ...(type.most !== undefined && { maxItems: type.most }),
      };
    case 'record': {
      const fields = Object.entries(type.fields);
      return {
        type: 'object',
        properties: Object.fromEntries(fields.map(([name, field]) => [name, schemaOfType(field.type)])),
        required: fields.flatMap(([name, { optional }]) => (optional ? [] : [name])),
        additionalProperties: type.others === 'ignored',
      };
    }
    case 'either':
      return { anyOf: type.of.map(schemaOfType) };
  }
}
