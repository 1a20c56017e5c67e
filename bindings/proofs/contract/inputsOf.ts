import type { Schema } from '../../languages/expression/index.js';
import {
  ANY_INTEGER,
  type ElementType,
  type Field,
  type Input,
  type Inputs,
  MOST_ELEMENTS,
  MOST_TEXT,
  type RecordType,
} from '../../languages/inputs/index.js';
import type { ValueType } from './valueType.js';

/**
 * The nearest type of an input that deciders read: it has every value of the type, and perhaps more, as it knows neither formats nor bounds of numbers with
 * fractions. So what is proved of the input holds of the type.
 *
 * @returns null if there is none, as for `any` and for a record outside of a list
 */
export function inputOf(type: ValueType): Input | null {
  const { types, optional } = alternatives(type);
  const [first] = types;
  if (types.length === 1 && first.kind === 'list') {
    const of = elementOf(first.of);
    if (of === null || of.optional) return null;
    return {
      type: { kind: 'list', of: of.type, most: first.most ?? MOST_ELEMENTS },
      ...(optional && { optional }),
    };
  }
  const found = elementOf(type);
  return found === null || found.type.kind === 'record' ? null : { ...found, type: found.type };
}

/** The inputs of several values by name: those whose type has a nearest one. An optional value may be absent. */
export function inputsOf(
  types: Iterable<readonly [string, { readonly type: ValueType; readonly optional?: boolean }]>,
): Inputs {
  const inputs: Record<string, Input> = Object.create(null);
  for (const [name, { type, optional = false }] of types) {
    const input = inputOf(type);
    if (input !== null) inputs[name] = optional ? { ...input, optional } : input;
  }
  return inputs;
}

/** The alternatives of a type but for null. */
function alternatives(type: ValueType): { readonly types: readonly ValueType[]; readonly optional: boolean } {
  const all =
    type.kind === 'either' ? type.of.flatMap((one) => (one.kind === 'either' ? one.of : [one])) : [type];
  const types = all.filter(({ kind }) => kind !== 'null');
  return { types, optional: types.length < all.length };
}

function elementOf(type: ValueType): (Field & { readonly optional?: boolean }) | null {
  const { types, optional } = alternatives(type);
  const found = types
    .map(plainOf)
    .reduce<ElementType | RecordType | null | undefined>(
      (a, b) => (a === undefined ? b : a && b && joined(a, b)),
      undefined,
    );
  return found === undefined || found === null ? null : { type: found, ...(optional && { optional }) };
}

function plainOf(type: ValueType): ElementType | RecordType | null {
  switch (type.kind) {
    case 'boolean':
      return { kind: 'boolean' };
    case 'integer':
      return {
        kind: 'integer',
        least: Math.ceil(type.least ?? ANY_INTEGER.least),
        most: Math.floor(type.most ?? ANY_INTEGER.most),
      };
    case 'number':
      return { kind: 'number' };
    case 'text':
      return type.values === undefined
        ? { kind: 'text', most: type.most ?? MOST_TEXT }
        : { kind: 'enum', values: type.values };
    case 'record': {
      const fields: [string, Field][] = [];
      for (const [name, field] of Object.entries(type.fields)) {
        const found = elementOf(field.type);
        if (found !== null)
          fields.push([
            name,
            { type: found.type, ...((found.optional || field.optional) && { optional: true }) },
          ]);
        // What conditions do not read need not be known, but a record that denies others would refuse it.
        else if (type.others === 'denied') return null;
      }
      return { kind: 'record', fields: Object.fromEntries(fields), others: type.others };
    }
    default:
      return null;
  }
}

/** A type that has the values of both; null if there is none. */
function joined(a: ElementType | RecordType, b: ElementType | RecordType): ElementType | null {
  const isText = (one: typeof a): boolean => one.kind === 'text' || one.kind === 'enum';
  if (isText(a) && isText(b)) {
    if (a.kind === 'enum' && b.kind === 'enum')
      return { kind: 'enum', values: [...new Set([...a.values, ...b.values])] };
    const lengths = [a, b].flatMap((one) =>
      one.kind === 'text' ? [one.most] : one.kind === 'enum' ? one.values.map(({ length }) => length) : [],
    );
    return { kind: 'text', most: Math.max(...lengths) };
  }
  if (a.kind === 'integer' && b.kind === 'integer')
    return { kind: 'integer', least: Math.min(a.least, b.least), most: Math.max(a.most, b.most) };
  const isNumber = (one: typeof a): boolean => one.kind === 'integer' || one.kind === 'number';
  if (isNumber(a) && isNumber(b)) return { kind: 'number' };
  return a.kind === 'boolean' && b.kind === 'boolean' ? a : null;
}

/** The type as the checker of expressions knows it. */
export function expressionSchema(type: ValueType): Schema {
  switch (type.kind) {
    case 'any':
      return 'any';
    case 'null':
    case 'boolean':
      return type.kind;
    case 'integer':
    case 'number':
      return 'number';
    case 'text':
      return 'string';
    case 'list':
      return [expressionSchema(type.of)];
    case 'record': {
      const fields = Object.entries(type.fields);
      // A record of which no field is known may have any.
      if (fields.length === 0 && type.others === 'ignored') return 'any';
      return Object.fromEntries(fields.map(([name, field]) => [name, expressionSchema(field.type)]));
    }
    case 'either': {
      const { types } = alternatives(type);
      const schemas = types.map(expressionSchema);
      const [first] = schemas;
      const isSame = schemas.every((one) => JSON.stringify(one) === JSON.stringify(first));
      return first !== undefined && isSame ? first : 'any';
    }
  }
}
