import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import {
  type Automaton,
  bindAutomaton,
  buildAutomaton,
} from '../../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';

const never = buildAutomaton(parseFormula('G !(forkInMicrowave & microwaveOn)'));

describe('bindAutomaton', () => {
  it('finds each predicate at its bit, beyond the first word too', () => {
    const names = Array.from({ length: 40 }, (_, i) => `p${i}`);
    names[31] = 'forkInMicrowave';
    names[38] = 'microwaveOn';
    const stepper = bindAutomaton(never, names);
    const q = never.initial;
    expect(never.verdict[stepper.step(q, Uint32Array.of(9, 2 ** 31, 1 << 6), 1)]).toBe(1);
    expect(never.verdict[stepper.step(q, Uint32Array.of(9, 2 ** 31, 1 << 5), 1)]).toBe(0);
    expect(never.verdict[stepper.step(q, Uint32Array.of(2 ** 31, 1 << 6))]).toBe(1);
  });

  it('names a missing predicate and the nearest known one', () => {
    expect(() => bindAutomaton(never, ['forkInMicrowave', 'microwaveOm'])).toThrow(
      /"microwaveOn".*did you mean "microwaveOm"/,
    );
  });

  it('works on the automaton read back from JSON', () => {
    const copy: Automaton = JSON.parse(JSON.stringify(never));
    expect(copy).toEqual(never);
    expect(bindAutomaton(copy, never.predicates).step(0, Uint32Array.of(3))).not.toBe(0);
  });

  it('refuses malformed decision diagrams, which could lead nowhere or round in circles', () => {
    const spoil = (part: Partial<Automaton>) => () => bindAutomaton({ ...never, ...part }, never.predicates);
    expect(spoil({ roots: [0] })).toThrow(InvalidArgumentError);
    expect(spoil({ roots: [0, 99] })).toThrow(InvalidArgumentError);
    expect(spoil({ roots: [0, -3] })).toThrow(InvalidArgumentError);
    expect(spoil({ nodes: [0, 0, 0] })).toThrow(InvalidArgumentError);
    expect(spoil({ nodes: [0, -1] })).toThrow(InvalidArgumentError);
    expect(spoil({ nodes: [7, -1, -1] })).toThrow(InvalidArgumentError);
  });
});
