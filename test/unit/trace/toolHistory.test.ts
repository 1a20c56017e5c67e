import { describe, expect, it } from 'vitest';
import { compilePredicate, parseExpression } from '../../../bindings/languages/expression/index.js';
import { plainData, ToolHistory } from '../../../bindings/observations/trace/index.js';

describe('ToolHistory', () => {
  it('has every field before the first call, and after a reset', () => {
    const history = new ToolHistory(['search', 'buy']);
    const start = {
      lastTool: '',
      lastToolFailed: false,
      lastArguments: {},
      lastResult: null,
      calls: { search: 0, buy: 0 },
      failures: { search: 0, buy: 0 },
      history: [],
    };
    expect(history.state()).toEqual(start);
    history.record({ name: 'buy' }, { error: new Error('sold out') });
    expect(history.state()).not.toEqual(start);
    history.reset();
    expect(history.state()).toEqual(start);
  });

  it('counts calls and failures, and leaves the states given before as they were', () => {
    const history = new ToolHistory(['search', 'buy']);
    const args = { shoe: { size: 41 } };
    const result = { hits: [1, 2] };
    history.record({ name: 'search', arguments: args }, { result });
    const searched = history.state();
    args.shoe.size = 12;
    result.hits.push(3);
    history.record({ name: 'buy', arguments: {} }, { error: 'sold out' });
    expect(searched).toEqual({
      lastTool: 'search',
      lastToolFailed: false,
      lastArguments: { shoe: { size: 41 } },
      lastResult: { hits: [1, 2] },
      calls: { search: 1, buy: 0 },
      failures: { search: 0, buy: 0 },
      history: [{ name: 'search', arguments: { shoe: { size: 41 } }, failed: false }],
    });
    expect(history.state()).toMatchObject({
      lastTool: 'buy',
      lastToolFailed: true,
      lastResult: null,
      calls: { search: 1, buy: 1 },
      failures: { search: 0, buy: 1 },
    });
  });

  it('can be asked about the last result in an expression that asks for the tool first', () => {
    const enough = compilePredicate(parseExpression('lastTool == "search" && size(lastResult.hits) > 1'));
    const history = new ToolHistory(['search']);
    expect(enough(history.state(), {})).toBe(false);
    history.record({ name: 'search' }, { result: '{"hits": [1, 2]}' });
    expect(enough(history.state(), {})).toBe(true);
  });

  it('counts tools named like what objects inherit, and not those that nobody declared', () => {
    const history = new ToolHistory(['__proto__', 'constructor']);
    for (const name of ['__proto__', 'constructor', 'toString', '__proto__'])
      history.record({ name }, { result: 1 });
    const { calls, lastTool } = history.state();
    expect(Object.entries(calls)).toEqual([
      ['__proto__', 2],
      ['constructor', 1],
    ]);
    expect(Object.getPrototypeOf(calls)).toBe(Object.prototype);
    expect(lastTool).toBe('__proto__');
    history.record({ name: 'toString' }, { error: 1 });
    expect(history.state()).toMatchObject({ lastTool: 'toString', lastToolFailed: true });
    expect(Object.keys(history.state().failures)).toEqual(['__proto__', 'constructor']);
  });

  it('keeps no prototype, getter or cycle of what it is given', () => {
    const history = new ToolHistory(['read']);
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    history.record(
      { name: 'read', arguments: JSON.parse('{"__proto__": {"admin": true}}') },
      { result: cyclic },
    );
    const { lastArguments, lastResult } = history.state();
    expect(Object.getPrototypeOf(lastArguments ?? null)).toBe(Object.prototype);
    expect(Object.hasOwn(lastArguments ?? {}, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
    expect(lastResult).toBeUndefined();
    expect('lastResult' in history.state()).toBe(false);
    history.record(
      { name: 'read', arguments: [1] },
      {
        result: {
          get secret() {
            throw new Error('no');
          },
        },
      },
    );
    expect(history.state().lastArguments).toEqual({ text: [1] });
    expect('lastResult' in history.state()).toBe(false);
    history.record({ name: 'read', arguments: cyclic }, { error: 1 });
    expect('lastArguments' in history.state()).toBe(false);
    expect(history.state().lastResult).toBeNull();
  });
});

describe('plainData', () => {
  it.each([
    ['data as it is', { a: [1, 'x', null, true] }, { a: [1, 'x', null, true] }],
    ['without functions and absent fields', { a: undefined, b: () => 1, c: 2 }, { c: 2 }],
    ['what toJSON says', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['big integers as numbers or text', { a: 7n, b: 2n ** 60n }, { a: 7, b: '1152921504606846976' }],
    ['text that is JSON', '{"a": [1]}', { a: [1] }],
    ['text written as JSON twice', JSON.stringify(JSON.stringify({ a: 1 })), { a: 1 }],
    ['text that says true or nothing', ' true ', true],
    ['text that only begins so', 'null and void', 'null and void'],
    ['null of what is not a number', [Number.NaN, () => 1, undefined], [null, null, null]],
    ['text that is not JSON', 'Error: {', 'Error: {'],
    ['a number in text', '42.50', 42.5],
    ['a long identifier', '12345678901234567890', '12345678901234567890'],
    ['text inside data', { id: '42' }, { id: '42' }],
    ['nothing', undefined, null],
  ])('gives %s', (_, value, plain) => {
    expect(plainData(value)).toEqual(plain);
  });

  it.each([
    ['a map', new Map([['secret', true]])],
    ['a set', new Set([1])],
    ['a promise', Promise.resolve(1)],
    ['an error', new Error('secret')],
    ['bytes', new Uint8Array(2)],
    ['a map inside', { a: [new Map()] }],
  ])('is undefined for what JSON would not show: %s', (_, value) => {
    expect(plainData(value)).toBeUndefined();
  });

  it('is undefined for data nested deeper than 1000 levels', () => {
    let data: unknown = 1;
    for (let i = 0; i < 999; i++) data = [data];
    expect(plainData([data])).toBeDefined();
    expect(plainData([[data]])).toBeUndefined();
  });

  it('is undefined for data whose shared parts would make more than 1,000,000 values', () => {
    let data: unknown = [1];
    for (let i = 0; i < 40; i++) data = [data, data];
    expect(plainData(data)).toBeUndefined();
  });
});

describe('a result that is an instance of a class', () => {
  class Page {
    readonly title = 'open';
    readonly #secret = 'k';
    get secret() {
      return this.#secret;
    }
  }
  const holds = (text: string, result: unknown) => {
    const history = new ToolHistory(['fetch']);
    history.record({ name: 'fetch' }, { result });
    return compilePredicate(parseExpression(text))(history.state(), {});
  };

  it.each<[string, unknown]>([
    ['itself', new Page()],
    ['deeper inside', { page: new Page() }],
    ['with what it inherits', Object.create({ secret: 'k' })],
  ])('is no map, %s: what it does not show is not taken for absent', (where, result) => {
    const path = where === 'deeper inside' ? 'lastResult.page' : 'lastResult';
    expect(() => holds(`has(${path}.secret)`, result)).toThrow();
    expect(() => holds(`"secret" in ${path}`, result)).toThrow();
    expect(() => holds(`size(${path}) == 0`, result)).toThrow();
  });

  it('has its own fields', () => expect(holds('lastResult.title == "open"', new Page())).toBe(true));
});
