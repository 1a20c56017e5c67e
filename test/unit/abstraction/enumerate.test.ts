import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';

function overFlags(count: number, state?: string): Abstraction {
  const predicates = Array.from({ length: count }, (_, i) => ({ name: `p${i}`, expression: `p${i}` }));
  return new Abstraction({ predicates, ...(state !== undefined && { constraints: { state } }) });
}

function allPairs(count: number, pair: (i: number, j: number) => string): string {
  const pairs: string[] = [];
  for (let i = 0; i < count; i++) for (let j = i + 1; j < count; j++) pairs.push(pair(i, j));
  return pairs.join(' && ');
}

describe('the valid states', () => {
  it('are those that trying all 2^k valuations finds, each once', () => {
    const { condition } = fc.letrec<{ condition: string }>((tie) => ({
      condition: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'true', 'false'),
        tie('condition').map((a) => `!(${a})`),
        fc
          .tuple(tie('condition'), fc.constantFrom('&&', '||', '==', '!='), tie('condition'))
          .map(([a, operator, b]) => `((${a}) ${operator} (${b}))`),
        fc
          .tuple(tie('condition'), tie('condition'), tie('condition'))
          .map(([a, b, c]) => `((${a}) ? (${b}) : (${c}))`),
      ),
    }));
    fc.assert(
      fc.property(condition, (state) => {
        const abstraction = overFlags(6, state);
        const tried = Array.from({ length: 64 }, (_, bits) => bits).filter((bits) =>
          abstraction.validState(Uint32Array.of(bits)),
        );
        expect([...abstraction.validStates().valuations].sort((a, b) => a - b)).toEqual(tried);
      }),
    );
  });

  it('are all valuations where nothing is forbidden, and the one of no predicates', () => {
    expect(overFlags(10).validStates().size).toBe(1024);
    expect(overFlags(0).validStates().size).toBe(1);
  });

  it('are found through the constraint: 40 predicates of which at most one holds', () => {
    const abstraction = overFlags(
      40,
      allPairs(40, (i, j) => `!(p${i} && p${j})`),
    );
    const states = abstraction.validStates();
    expect(states.size).toBe(41);
    const ones = Array.from(
      { length: states.size },
      (_, i) => Object.values(abstraction.decode(states.valuations, i * states.words)).filter(Boolean).length,
    );
    expect(ones.filter((count) => count === 1)).toHaveLength(40);
  });

  it('are found through the constraint: 40 predicates of which the last decide', () => {
    const chain = Array.from({ length: 39 }, (_, i) => `p${i} == p${i + 1}`).join(' && ');
    expect(overFlags(40, `${chain} && p39`).validStates().size).toBe(1);
  });

  it('are refused beyond the limit, with the count so far and what to do', () => {
    const many = () => overFlags(30).validStates({ limit: 1000 });
    expect(many).toThrow(InvalidArgumentError);
    expect(many).toThrow(/more than .*1,000 .*30 predicates.*constraints\.state/);
    expect(overFlags(3).validStates({ limit: 8 }).size).toBe(8);
  });
});
