import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { createRedaction } from '../../../bindings/runtime/enforcement/redaction.js';

const hide = (value: unknown, ...fields: string[]): unknown => createRedaction(fields)(value);
const HIDDEN = '[redacted]';

describe('redaction', () => {
  it('hides fields of a name at any depth, whatever they hold', () => {
    const given = {
      password: 'a',
      user: { password: { hash: 'b' }, name: 'c' },
      all: [{ password: null }, ['d']],
    };
    expect(hide(given, 'password')).toEqual({
      password: HIDDEN,
      user: { password: HIDDEN, name: 'c' },
      all: [{ password: HIDDEN }, ['d']],
    });
  });

  it('hides the fields of a path from the top only, where `*` is any field', () => {
    const given = {
      email: 'a',
      user: { email: 'b', user: { email: 'c' } },
      arguments: { card: { number: 1, owner: { name: 2 } }, cards: 3 },
    };
    expect(hide(given, 'user.email', 'arguments.card.*')).toEqual({
      email: 'a',
      user: { email: HIDDEN, user: { email: 'c' } },
      arguments: { card: { number: HIDDEN, owner: HIDDEN }, cards: 3 },
    });
    expect(hide(given, '*.email')).toMatchObject({
      email: 'a',
      user: { email: HIDDEN, user: { email: 'c' } },
    });
    expect(hide(given, '*')).toEqual({ email: HIDDEN, user: HIDDEN, arguments: HIDDEN });
  });

  it('reads paths through lists, with and without a part for the item', () => {
    const given = { users: [{ email: 1 }, [{ email: 2, name: 3 }]] };
    expect(hide(given, 'users.email')).toEqual({ users: [{ email: HIDDEN }, [{ email: HIDDEN, name: 3 }]] });
    expect(hide(given, 'users.*.email')).toMatchObject({ users: [{ email: HIDDEN }, [{ email: HIDDEN }]] });
    expect(hide(given, 'users.1')).toEqual({ users: [{ email: 1 }, HIDDEN] });
    const flat = { users: [{ email: 1 }, { email: 2 }] };
    expect(hide(flat, 'users.0.email')).toEqual({ users: [{ email: HIDDEN }, { email: 2 }] });
    let nested: unknown = { email: 1 };
    for (let i = 0; i < 90; i++) nested = [nested];
    expect(JSON.stringify(hide({ nested }, 'nested.*.*.*.*.*.*.email'))).toContain(HIDDEN);
  });

  it('takes a path for a field whose own name has dots, too', () => {
    const given = { 'user.email': 1, a: { 'b.c': 2, b: { c: 3 } } };
    expect(hide(given, 'user.email', 'a.b.c')).toEqual({
      'user.email': HIDDEN,
      a: { 'b.c': HIDDEN, b: { c: HIDDEN } },
    });
  });

  it('copies: what is given is not changed, and later changes do not show', () => {
    const given = { list: [{ token: 'a', n: 1 }] };
    const before = structuredClone(given);
    const copy = hide(given, 'token') as typeof given;
    expect(given).toEqual(before);
    given.list[0].n = 2;
    expect(copy).toEqual({ list: [{ token: HIDDEN, n: 1 }] });
    expect(hide('text', 'text')).toBe('text');
  });

  it('leaves nothing of a named field in any plain data', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 3 }), (value, depth) => {
        let given: unknown = { secret: 'TELL-NOBODY', value };
        for (let i = 0; i < depth; i++) given = i % 2 === 0 ? [given, value] : { given, value };
        const text = JSON.stringify(hide(given, 'secret'));
        expect(text).not.toContain('TELL-NOBODY');
        expect(text).toContain(HIDDEN);
        expect(JSON.stringify(hide(value, 'secret'))).toBe(JSON.stringify(value));
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it('is safe against what holds itself, has getters, no prototype, or `__proto__` for a field', () => {
    const cyclic: Record<string, unknown> = { a: 1, secret: 2 };
    cyclic.self = [cyclic];
    expect(hide(cyclic, 'secret')).toEqual({ a: 1, secret: HIDDEN, self: ['[cyclic]'] });
    const shared = { n: 1 };
    expect(hide([shared, shared])).toEqual([{ n: 1 }, { n: 1 }]);

    let called = false;
    const lurking = {
      get trap() {
        called = true;
        throw new Error('read');
      },
    };
    expect([hide(lurking), called]).toEqual([{ trap: '[getter]' }, false]);
    const refusing = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    expect(hide({ refusing })).toEqual({ refusing: '[unreadable]' });

    const polluting = JSON.parse(
      '{"__proto__":{"admin":true,"secret":1},"constructor":{"prototype":{"x":1}}}',
    );
    const copy = hide(polluting, 'secret') as Record<string, unknown>;
    expect(JSON.stringify(copy)).toBe(
      '{"__proto__":{"admin":true,"secret":"[redacted]"},"constructor":{"prototype":{"x":1}}}',
    );
    expect([copy.admin, ({} as { admin?: unknown }).admin]).toEqual([undefined, undefined]);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(hide(Object.assign(Object.create(null), { secret: 1 }), 'secret')).toEqual({ secret: HIDDEN });
  });

  it('names what is no plain data, and reads no methods of it', () => {
    class User {
      readonly secret = 1;
      readonly at = 5;
      toJSON = (): string => 'TELL';
    }
    const given = [
      new User(),
      new Map([['secret', 1]]),
      new Uint8Array(3),
      12n,
      () => 1,
      undefined,
      Number.NaN,
    ];
    expect(hide(given, 'secret')).toEqual([
      { secret: HIDDEN, at: 5, toJSON: '[function]' },
      {},
      '[bytes]',
      '12',
      '[function]',
      undefined,
      Number.NaN,
    ]);
  });

  it('cuts what is huge, and says so', () => {
    const wide = hide({ list: Array.from({ length: 1_000_000 }, (_, i) => i), next: 1 }) as Record<
      string,
      unknown[]
    >;
    expect(wide.list.length).toBeLessThan(10_001);
    expect(wide.list.at(-1)).toBe('[more]');
    expect(wide.next).toBeUndefined();
    let deep: unknown = 'bottom';
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(JSON.stringify(hide(deep))).toContain('[deeper]');
    let shared: unknown = ['x'];
    for (let i = 0; i < 50; i++) shared = [shared, shared];
    expect(JSON.stringify(hide(shared)).length).toBeLessThan(100_000);
    const long = hide({ text: 'x'.repeat(5_000_000), after: 'y' }) as Record<string, string>;
    expect(long.text.length).toBeLessThan(100_100);
    expect(long.text).toMatch(/… \[5000000 characters\]$/);
  });

  it('refuses a field without a name', () => {
    for (const field of ['', 'a..b', '.a', 'a.'])
      expect(() => createRedaction([field])).toThrow(InvalidArgumentError);
  });
});
