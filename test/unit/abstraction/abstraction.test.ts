import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EvaluationError,
  InvalidArgumentError,
  NotSupportedError,
  ParseError,
} from '../../../bindings/base/errors.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';

const microwave = {
  predicates: [
    { name: 'forkInMicrowave', expression: '"fork" in contents' },
    { name: 'microwaveOn', expression: 'on' },
    { name: 'doorOpen', expression: 'door == "open"' },
  ],
  constraints: {
    state: '!(microwaveOn && doorOpen)',
    transition: '!(from.microwaveOn && to.doorOpen)',
    end: '!microwaveOn',
  },
};

/** Predicates p0, p1, …: field p<i> of the state. */
function flags(count: number): { name: string; expression: string }[] {
  return Array.from({ length: count }, (_, i) => ({ name: `p${i}`, expression: `p${i}` }));
}

function encoded(abstraction: Abstraction, state: Record<string, unknown>): Uint32Array {
  const valuation = new Uint32Array(abstraction.words);
  abstraction.encode(state, {}, valuation);
  return valuation;
}

describe('an abstraction', () => {
  const abstraction = new Abstraction(microwave);

  it('packs the values of its predicates, first predicate in the lowest bit', () => {
    const into = new Uint32Array([9, 9, 9]);
    abstraction.encode({ contents: ['fork'], on: false, door: 'open' }, {}, into, 1);
    expect([...into]).toEqual([9, 0b101, 9]);
  });

  it('encodes and decodes any number of predicates', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 80 }), (values) => {
        const wide = new Abstraction({ predicates: flags(values.length) });
        expect(wide.words).toBe(Math.max(1, Math.ceil(values.length / 32)));
        const state = Object.fromEntries(values.map((value, i) => [`p${i}`, value]));
        const into = new Uint32Array(wide.words + 2).fill(0xffffffff);
        wide.encode(state, {}, into, 1);
        expect(wide.decode(into, 1)).toEqual(state);
        expect([into[0], into[wide.words + 1]]).toEqual([0xffffffff, 0xffffffff]);
        for (let bit = values.length; bit < 32 * wide.words; bit++) {
          expect((into[1 + (bit >>> 5)] >>> (bit & 31)) & 1).toBe(0);
        }
      }),
    );
  });

  it('lets predicates read the action and the time of a step', () => {
    const timed = new Abstraction({
      predicates: [
        { name: 'heating', expression: 'has(action.name) && action.name == "heat"' },
        { name: 'late', expression: 'time > 5' },
      ],
    });
    const into = new Uint32Array(1);
    timed.encode({}, { action: { name: 'heat' }, time: 6 }, into);
    expect(into[0]).toBe(0b11);
    timed.encode({}, { time: 1 }, into);
    expect(into[0]).toBe(0);
  });

  it('describes a valuation in words', () => {
    const describing = (bits: number): string => abstraction.describe(Uint32Array.of(bits));
    expect(describing(0b011)).toBe('forkInMicrowave, microwaveOn; not doorOpen');
    expect(describing(0b111)).toBe('forkInMicrowave, microwaveOn, doorOpen');
    expect(describing(0)).toBe('none of forkInMicrowave, microwaveOn, doorOpen');
    expect(new Abstraction({ predicates: [] }).describe(Uint32Array.of(0))).toBe('no predicates');
  });

  it('names the predicate that fails on a step', () => {
    const failing = (): Uint32Array => encoded(abstraction, { contents: [], on: false });
    expect(failing).toThrow(EvaluationError);
    expect(failing).toThrow(expect.objectContaining({ predicate: 'doorOpen' }));
    expect(failing).toThrow(/door/);
  });

  it('checks states, transitions and ends against its constraints', () => {
    const valuations = Uint32Array.of(0, 0b010, 0b100, 0b110);
    expect([0, 1, 2, 3].map((i) => abstraction.validState(valuations, i))).toEqual([true, true, true, false]);
    expect([0, 1, 2, 3].map((i) => abstraction.validEnd(valuations, i))).toEqual([true, false, true, false]);
    const from = (i: number): boolean[] =>
      [0, 1, 2, 3].map((j) => abstraction.validTransition(valuations, i, valuations, j));
    expect(from(0)).toEqual([true, true, true, true]);
    expect(from(1)).toEqual([true, true, false, false]);
  });

  it('allows everything where it has no constraints', () => {
    const free = new Abstraction({ predicates: flags(2) });
    expect(free.validState(Uint32Array.of(3))).toBe(true);
    expect(free.validTransition(Uint32Array.of(3), 0, Uint32Array.of(0), 0)).toBe(true);
    expect(free.validEnd(Uint32Array.of(3))).toBe(true);
  });

  it('filters states by a condition over predicates', () => {
    const states = abstraction.validStates();
    const kept = abstraction.filter(states, 'forkInMicrowave && !doorOpen');
    expect(kept.map((i) => states.valuations[i]).sort()).toEqual([0b001, 0b011]);
    expect(() => abstraction.filter(states, 'forkInMicrowav')).toThrow(/did you mean "forkInMicrowave"/);
  });

  it('suggests the nearest predicate for an unknown one in a constraint, with its place', () => {
    const misspelt = (constraints: object) => () => new Abstraction({ ...microwave, constraints });
    expect(misspelt({ state: 'doorOpen ||\n microwaveOm' })).toThrow(ParseError);
    expect(misspelt({ state: 'doorOpen ||\n microwaveOm' })).toThrow(
      /constraints\.state:2:2: .*"microwaveOm".*did you mean "microwaveOn"/,
    );
    expect(misspelt({ transition: 'from.dorOpen' })).toThrow(/did you mean "from.doorOpen"/);
    expect(misspelt({ transition: 'doorOpen' })).toThrow(/did you mean "from.doorOpen"/);
    expect(misspelt({ end: 'to.doorOpen' })).toThrow(/constraints\.end:1:1: unknown predicate "to.doorOpen"/);
    expect(misspelt({ state: 'doorOpen && 1 < 2' })).toThrow(NotSupportedError);
    expect(misspelt({ transition: 'from.doorOpen || size(to.doorOpen) == 1' })).toThrow(NotSupportedError);
  });

  it('refuses names that are no identifiers, reserved, or taken', () => {
    const named =
      (...names: string[]) =>
      () =>
        new Abstraction({ predicates: names.map((name) => ({ name, expression: 'true' })) });
    expect(named('door open')).toThrow(InvalidArgumentError);
    expect(named('end')).toThrow(/reserved/);
    expect(named('a', 'b', 'a')).toThrow(/"a" is defined twice/);
  });

  it('places a malformed predicate', () => {
    const malformed = () => new Abstraction({ predicates: [{ name: 'open', expression: 'door ==' }] });
    expect(malformed).toThrow(ParseError);
    expect(malformed).toThrow(/predicate "open":1:\d/);
  });
});
