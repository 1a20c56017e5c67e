import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { misfit } from '../../../bindings/languages/inputs/index.js';
import {
  describeType,
  either,
  fits,
  inputOf,
  isSubtype,
  misfitText,
  schemaOfType,
  typeOfSchema,
  type ValueType,
} from '../../../bindings/proofs/contract/index.js';
import { runs as times } from '../../laws/runs.js';

const runs = { numRuns: times(150) };

const word = fc.constantFrom('a', 'b', 'in', '__proto__', 'constructor', 'x y');
const bounds = fc
  .tuple(
    fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined }),
    fc.option(fc.integer({ min: 3, max: 6 }), { nil: undefined }),
  )
  .map(([least, most]) => ({ ...(least !== undefined && { least }), ...(most !== undefined && { most }) }));

const { type: types } = fc.letrec<{ type: ValueType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<ValueType>(
      { kind: 'any' },
      { kind: 'null' },
      { kind: 'boolean' },
      { kind: 'text' },
      { kind: 'text', format: 'email' },
      { kind: 'text', most: 3 },
    ),
    bounds.map((one): ValueType => ({ kind: 'integer', ...one })),
    bounds.map((one): ValueType => ({ kind: 'number', ...one })),
    fc
      .uniqueArray(word, { minLength: 1, maxLength: 3 })
      .map((values): ValueType => ({ kind: 'text', values })),
    fc
      .record({ of: tie('type'), least: fc.constantFrom(undefined, 1), most: fc.constantFrom(undefined, 2) })
      .map(
        ({ of, least, most }): ValueType => ({
          kind: 'list',
          of,
          ...(least !== undefined && { least }),
          ...(most !== undefined && { most }),
        }),
      ),
    fc
      .record({
        fields: fc.uniqueArray(fc.tuple(word, fc.record({ type: tie('type'), optional: fc.boolean() })), {
          selector: ([name]) => name,
          maxLength: 3,
        }),
        others: fc.constantFrom('denied' as const, 'ignored' as const),
      })
      .map(
        ({ fields, others }): ValueType => ({ kind: 'record', fields: Object.fromEntries(fields), others }),
      ),
    fc.array(tie('type'), { minLength: 2, maxLength: 3 }).map(either),
  ),
}));

/** Values that are likely to be of some type, and some that are of none. */
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, 1, 3, 2.5, -3, 'a', 'abcd', 'ann@home.example', 'ann@', '', 7),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(word, tie('value')), { selector: ([name]) => name, maxLength: 3 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value;

/** A value of a type, with a choice for each part. */
function valueFor(type: ValueType, pick: (n: number) => number): unknown {
  switch (type.kind) {
    case 'any':
      return [null, 'a', 1, [true], { a: 1 }][pick(5)];
    case 'null':
      return null;
    case 'boolean':
      return pick(2) === 0;
    case 'integer':
    case 'number':
      return pick(2) === 0 ? (type.least ?? type.most ?? 0) + 0 : (type.most ?? type.least ?? 5) + 0;
    case 'text':
      if (type.values !== undefined) return type.values[pick(type.values.length)];
      return type.format === 'email' ? ['a@b.example', 'x.y@home.example'][pick(2)] : ['', 'abc'][pick(2)];
    case 'list':
      return Array.from({ length: Math.max(type.least ?? 0, Math.min(pick(3), type.most ?? 3)) }, () =>
        valueFor(type.of, pick),
      );
    case 'record':
      return Object.fromEntries(
        Object.entries(type.fields).flatMap(([name, field]) =>
          field.optional && pick(2) === 0 ? [] : [[name, valueFor(field.type, pick)]],
        ),
      );
    case 'either':
      return valueFor(type.of[pick(type.of.length)], pick);
  }
}

// What objects inherit, such as `constructor`, is none of their properties.
const ajv = new Ajv({ strict: false, validateFormats: false, ownProperties: true });
const picks = fc.array(fc.nat(1000), { minLength: 40, maxLength: 40 });
const picker = (numbers: readonly number[]) => {
  let at = 0;
  return (n: number): number => numbers[at++ % numbers.length] % n;
};
/** Whether a type says what this validator of JSON Schema does not look at: formats, and properties called `__proto__`. */
const isBeyondAjv = (type: ValueType): boolean => /"(format|__proto__)"/.test(JSON.stringify(type));

describe('types of values', () => {
  it('are read again from their schemas, and schemas say the same to a validator of JSON Schema', () => {
    fc.assert(
      fc.property(types, values, (type, value) => {
        const schema = schemaOfType(type);
        expect(typeOfSchema(schema)).toEqual(type);
        if (isBeyondAjv(type)) return;
        const isValid = ajv.compile(schema)(value) as boolean;
        expect(fits(value, type) === null).toBe(isValid);
      }),
      runs,
    );
  });

  it('have the values that they are made for, and inputs of deciders have them too', () => {
    fc.assert(
      fc.property(types, picks, (type, numbers) => {
        const value = valueFor(type, picker(numbers));
        expect(fits(value, type)).toBe(null);
        const input = inputOf(type);
        if (input !== null) expect(misfit(value, input)).toBe(null);
      }),
      runs,
    );
  });

  it('are subtypes only where all values are', () => {
    let found = 0;
    fc.assert(
      fc.property(types, types, picks, (type, other, numbers) => {
        expect(isSubtype(type, type)).toBe(true);
        if (!isSubtype(type, other)) return;
        found++;
        expect(fits(valueFor(type, picker(numbers)), other)).toBe(null);
      }),
      runs,
    );
    expect(found).toBeGreaterThan(1);
  });

  it('say where a value is none of them, without the value', () => {
    const type = typeOfSchema({
      type: 'array',
      items: {
        type: 'object',
        properties: { from: { type: 'string', format: 'email' }, n: { type: 'integer', minimum: 1 } },
        required: ['from'],
      },
    });
    const at = (value: unknown) => misfitText('mails', fits(value, type)!);
    expect(at([{ from: 'a@b.example' }, { from: 'secret' }])).toBe(
      'mails[1].from should be an e-mail address, and is a text that is none',
    );
    expect(at([{ from: 'a@b.example', n: 0 }])).toBe(
      'mails[0].n should be a whole number from 1 up, and is a number outside of these bounds',
    );
    expect(at([{}])).toBe('mails[0].from should be an e-mail address, and is nothing');
    expect(at({})).toBe(
      'mails should be a list, each a record (from: an e-mail address; n: a whole number from 1 up, or nothing), and is a record',
    );
    expect(fits(-0, { kind: 'integer' })).toMatchObject({ found: 'a negative zero' });
    expect(fits(Number.NaN, { kind: 'any' })).toMatchObject({ found: 'no finite number' });
    expect(describeType({ kind: 'text', format: 'id:files' })).toBe('a key of "files"');
  });
});

describe('schemas of servers', () => {
  it('are read with references, alternatives, null, and what stands in all', () => {
    const schema = {
      $defs: { Address: { type: 'string', format: 'email' } },
      type: 'object',
      properties: {
        to: { anyOf: [{ $ref: '#/$defs/Address' }, { type: 'array', items: { $ref: '#/$defs/Address' } }] },
        cc: { type: ['string', 'null'] },
        level: { enum: ['low', 'high'] },
        n: { allOf: [{ type: 'integer' }, { minimum: 2, exclusiveMaximum: 5 }] },
        uri: { type: 'string', format: 'uri' },
        old: { type: 'string', nullable: true },
      },
      required: ['to'],
      additionalProperties: false,
    };
    const email = { kind: 'text', format: 'email' };
    expect(typeOfSchema(schema)).toEqual({
      kind: 'record',
      others: 'denied',
      fields: {
        to: { optional: false, type: { kind: 'either', of: [email, { kind: 'list', of: email }] } },
        cc: { optional: true, type: { kind: 'either', of: [{ kind: 'text' }, { kind: 'null' }] } },
        level: { optional: true, type: { kind: 'text', values: ['low', 'high'] } },
        n: { optional: true, type: { kind: 'integer', least: 2, most: 4 } },
        uri: { optional: true, type: { kind: 'text' } },
        old: { optional: true, type: { kind: 'either', of: [{ kind: 'text' }, { kind: 'null' }] } },
      },
    });
  });

  it.each([
    [
      { $defs: { T: { type: 'array', items: { $ref: '#/$defs/T' } } }, $ref: '#/$defs/T' },
      'contains itself by "#/$defs/T"; a type here has no recursion',
    ],
    [{ properties: { a: { $ref: '#' } } }, 'at #/properties/a contains itself'],
    [
      { $ref: 'https://elsewhere.example/x' },
      'refers to "https://elsewhere.example/x"; expected a part of the same schema',
    ],
    [{ $ref: '#/$defs/__proto__' }, 'which there is not'],
    [{ type: 'integer', minimum: 3, maximum: 2 }, 'has bounds between which there is no number'],
    [{ type: 'strnig' }, 'has the type "strnig"; expected string'],
    [{ enum: [] }, 'which no value fits'],
    [false, 'is false, which no value fits'],
    [7, 'is 7; expected a schema'],
  ])('%j is refused', (schema, message) => {
    expect(() => typeOfSchema(schema, { root: schema })).toThrow(message);
  });

  it('of references that repeat each other are refused in time', () => {
    const $defs: Record<string, unknown> = { d0: { type: 'string' } };
    for (let i = 1; i < 40; i++) {
      const part = { $ref: `#/$defs/d${i - 1}` };
      $defs[`d${i}`] = { type: 'object', properties: { a: part, b: part } };
    }
    expect(() => typeOfSchema({ $defs, $ref: '#/$defs/d39' })).toThrow(
      /has more than 10000 parts|nested more than/,
    );
    let deep: unknown = { type: 'string' };
    for (let i = 0; i < 10_000; i++) deep = { type: 'array', items: deep };
    expect(() => typeOfSchema(deep)).toThrow('is nested more than');
  });
});
