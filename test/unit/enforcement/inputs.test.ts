import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { hashInputs } from '../../../bindings/runtime/enforcement/inputs.js';

describe('the hash of inputs', () => {
  it('is that of their canonical JSON, with a key an HMAC', () => {
    const text = '{"call":{"name":"send"},"state":{"a":1,"b":"ü"}}';
    const given = { state: { b: 'ü', a: 1 }, call: { name: 'send' } };
    expect(hashInputs(given)).toBe(createHash('sha256').update(text).digest('hex'));
    const hashKey = 'correct horse battery staple';
    const keyed = createHmac('sha256', hashKey).update(text).digest('hex');
    expect(hashInputs(given, { hashKey })).toBe(keyed);
    expect(hashInputs(given, { hashKey: new TextEncoder().encode(hashKey) })).toBe(keyed);
  });

  it('is null where there is none', () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const throwing = {
      get x() {
        throw new Error('no');
      },
    };
    for (const value of [cyclic, throwing, { n: 1n }, undefined, 'x'.repeat(1 << 20)])
      expect(hashInputs(value)).toBeNull();
    expect(hashInputs([1, 2, 3], { maxLength: 3 })).toBeNull();
    expect(hashInputs([1, 2, 3], { maxLength: 20 })).toMatch(/^[0-9a-f]{64}$/);
  });

  it('refuses a key that can be guessed', () => {
    expect(() => hashInputs({}, { hashKey: 'secret' })).toThrow(InvalidArgumentError);
    expect(() => hashInputs({}, { key: 'secret' } as never)).toThrow(/no option key/);
  });
});
