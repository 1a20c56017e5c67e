import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../bindings/base/canonicalJson.js';
import { InvalidDataError } from '../../bindings/base/errors.js';

describe('canonical JSON', () => {
  it('has the keys of every object in ascending order of UTF-16 code units, as RFC 8785 sorts them', () => {
    const given = {
      '\u20ac': 1,
      '\r': 2,
      '\ufb33': 3,
      '1': 4,
      '\ud83d\ude00': 5,
      '\u0080': 6,
      '\u00f6': 7,
      '10': 8,
      '9': 9,
    };
    expect(canonicalJson(given)).toBe(
      '{"\\r":2,"1":4,"10":8,"9":9,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
    );
  });

  it('is JSON of the same content, whatever that is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('writes what JSON leaves out or converts as JSON does', () => {
    const given = { b: undefined, a: [undefined, Number.NaN, -0, () => 1], d: new Date(0), f: Symbol('f') };
    expect(canonicalJson(given)).toBe('{"a":[null,null,0,null],"d":"1970-01-01T00:00:00.000Z"}');
    expect(canonicalJson(JSON.parse('{"__proto__":{"b":1,"a":2}}'))).toBe('{"__proto__":{"a":2,"b":1}}');
  });

  it('refuses what has no JSON, and what would have more of it than asked for', () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = [cyclic];
    expect(() => canonicalJson(cyclic)).toThrow(/cyclic, or nested more than 1000 deep/);
    expect(() => canonicalJson({ n: 1n })).toThrow(InvalidDataError);
    expect(() => canonicalJson(undefined)).toThrow(/undefined is not JSON/);
    let shared: unknown = [];
    for (let i = 0; i < 60; i++) shared = [shared, shared];
    expect(() => canonicalJson(shared, 10_000)).toThrow(/more than 10000 characters/);
    expect(canonicalJson({ a: 'x' }, 100)).toBe('{"a":"x"}');
  });
});
