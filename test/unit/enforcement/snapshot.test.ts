import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExpression, parseExpression } from '../../../bindings/languages/expression/index.js';
import { frozenJson, frozenState } from '../../../bindings/runtime/enforcement/snapshot.js';

const MOST = 10_000;

describe('a frozen copy of JSON', () => {
  it('says the same as the original, and cannot be changed anywhere', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        fc.pre(!JSON.stringify(plain).includes('"__proto__"'));
        const copy = frozenJson(plain, 1e6);
        expect(JSON.stringify(copy)).toBe(JSON.stringify(plain));
        const check = (part: unknown): void => {
          if (typeof part !== 'object' || part === null) return;
          expect(Object.isFrozen(part)).toBe(true);
          Object.values(part).forEach(check);
        };
        check(copy);
      }),
    );
  });

  it('asks getters and proxies once', () => {
    let asked = 0;
    const changing = {
      get path() {
        return asked++ === 0 ? '/tmp/notes' : '/etc/passwd';
      },
    };
    const proxied = new Proxy({ list: ['a'] }, {});
    const copy = frozenJson({ changing, proxied }, MOST);
    expect(JSON.stringify(copy)).toBe('{"changing":{"path":"/tmp/notes"},"proxied":{"list":["a"]}}');
    expect(JSON.stringify(copy)).toContain('/tmp/notes');
    expect(asked).toBe(1);
  });

  it('leaves out what JSON does: absent fields, symbols, what is inherited or hidden', () => {
    const given = Object.create({ inherited: 1 });
    given.absent = undefined;
    given[Symbol('hidden')] = 1;
    Object.defineProperty(given, 'hidden', { value: 1, enumerable: false });
    given.kept = null;
    expect(Reflect.ownKeys(frozenJson(given, MOST) as object)).toEqual(['kept']);
    expect(frozenJson(Object.assign(Object.create(null), { a: 1 }), MOST)).toEqual({ a: 1 });
  });

  // biome-ignore lint/suspicious/noSparseArray: a gap is what is tested
  const gap = [1, , 3];
  it.each<[string, unknown, string]>([
    ['a date', { when: new Date(0) }, 'when is an object with a method toJSON'],
    ['bytes', { list: [new Uint8Array(3)] }, 'list[0] is of the kind Uint8Array'],
    ['a map', { map: new Map() }, 'map is of the kind Map'],
    ['a set', new Set(), 'it is of the kind Set'],
    ['a function', { a: { f: () => 1 } }, 'a.f is a function'],
    ['a symbol', { s: Symbol('s') }, 's is a symbol'],
    ['a bigint', { n: 1n }, 'n is a bigint'],
    ['NaN', { n: Number.NaN }, 'n is NaN'],
    ['infinity', { n: [-1 / 0] }, 'n[0] is -Infinity'],
    ['a gap', { gap }, 'gap[1] is undefined'],
    ['its own toJSON', { toJSON: () => ({ path: '/tmp' }) }, 'toJSON'],
    ['a prototype', JSON.parse('{"a":{"__proto__":{"b":1}}}'), '__proto__'],
  ])('refuses %s, and says where', (_, value, words) => {
    expect(() => frozenJson(value, MOST)).toThrow(words);
  });

  it('gives up what does not end', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(() => frozenJson(cyclic, MOST)).toThrow('cyclic');
    const endless: unknown = new Proxy([], { get: (_, key) => (key === 'length' ? 2 ** 32 : 1) });
    expect(() => frozenJson(endless, MOST)).toThrow('more than 10000 characters');
    expect(() => frozenJson({ text: 'x'.repeat(MOST + 1) }, MOST)).toThrow('more than 10000');
  });
});

describe('a frozen copy of a state', () => {
  it('is what a recorded trace would hold, read once', () => {
    let asked = 0;
    const state = {
      get speed() {
        return ++asked;
      },
      at: new Date(0),
      list: [1, { deep: true }],
      nothing: null,
    };
    const copy = frozenState(state) as Record<string, unknown>;
    expect(copy).toEqual({
      speed: 1,
      at: '1970-01-01T00:00:00.000Z',
      list: [1, { deep: true }],
      nothing: null,
    });
    expect(Object.isFrozen(copy.list)).toBe(true);
    state.list.push(2);
    expect([copy.speed, copy.speed, copy.list]).toEqual([1, 1, [1, { deep: true }]]);
  });

  it('keeps cycles, and what cannot be read throws wherever it is asked for, and only there', () => {
    const state: Record<string, unknown> = {
      ok: 1,
      get broken(): number {
        throw new Error('no sensor');
      },
    };
    state.self = state;
    const copy = frozenState(state) as Record<string, unknown>;
    expect(copy.self).toBe(copy);
    expect(copy.ok).toBe(1);
    expect(() => copy.broken).toThrow('no sensor');
    expect(() => copy.broken).toThrow('no sensor');
  });

  it('is no record where the original is none, and has its own fields', () => {
    class Vehicle {
      readonly speed = 3;
    }
    const state = { done: new Set(['read']), vehicle: new Vehicle(), table: new Map([['a', 1]]) };
    const copy = frozenState(state) as Record<'done' | 'vehicle' | 'table', object>;
    const holds = (source: string) => () => compileExpression(parseExpression(source))(copy, {});
    expect(holds('vehicle.speed == 3')()).toBe(true);
    expect(holds('"read" in done')).toThrow('of the kind Set');
    expect(holds('table.exists(k, true)')).toThrow('of the kind Map');
    expect(holds('has(vehicle.crashed)')).toThrow('an instance of a class');
    expect(Object.keys(copy.vehicle)).toEqual(['speed']);
  });

  it('is given up where reading would not end', () => {
    const twice: Record<string, unknown> = { toJSON: () => ({ a: { ...twice }, b: { ...twice } }) };
    expect(() => frozenState(twice)).toThrow('more than 1000 deep');
    expect(() => frozenState(Array.from({ length: 300_000 }, () => ({})))).toThrow(
      'more than 250000 objects',
    );
  });
});
