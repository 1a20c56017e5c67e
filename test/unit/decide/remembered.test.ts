import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExpression } from '../../../bindings/languages/expression/index.js';
import { Decider } from '../../../bindings/solvers/decide/index.js';
import { Memory, shapeOf } from '../../../bindings/solvers/decide/remembered.js';
import { Steps } from '../../../bindings/solvers/decide/steps.js';

const nodeOf = (source: string) => parseExpression(source).root;

describe('answers that are remembered', () => {
  it('are found once, and cost the same steps each time', () => {
    const memory = new Memory<number>();
    const steps = new Steps(25);
    let found = 0;
    const ask = () =>
      memory.answer('a', steps, (take) => {
        take(10);
        return { answer: ++found, isKept: true };
      });
    expect([ask(), ask(), found]).toEqual([1, 1, 1]);
    expect(ask).toThrow('more than 25 steps');
  });

  it('are not those that are not to be kept, nor of questions that failed', () => {
    const memory = new Memory<number>();
    let found = 0;
    const ask = (isKept: boolean) => memory.answer('a', new Steps(), () => ({ answer: ++found, isKept }));
    const fails = () => {
      throw new Error('not found');
    };
    expect(() => memory.answer('a', new Steps(), fails)).toThrow('not found');
    expect([ask(false), ask(true), ask(true)]).toEqual([1, 2, 2]);
    for (let i = 0; i < 64; i++) memory.answer(`b${i}`, new Steps(), () => ({ answer: 0, isKept: true }));
    expect(ask(true)).toBe(3);
  });

  it('are of the same expressions, whatever their variable is called', () => {
    const shape = (source: string, name: string) => shapeOf([nodeOf(source)], name);
    expect(shape('x == "x"', 'x')).toBe(shape('y == "x"', 'y'));
    expect(shape('x == "x"', 'x')).not.toBe(shape('x == "y"', 'x'));
    expect(shape('x.startsWith("a")', 'x')).not.toBe(shape('x.endsWith("a")', 'x'));
    expect(shape('[1].all(x, x == 1)', 'x')).not.toBe(shape('[1].all(x, y == 1)', 'y'));
    expect(shape('[1].all(x, y == 1)', 'x')).not.toBe(shape('[1].all(y, y == 1)', 'x'));
  });

  it('are the answers to the same question under another name, in any order of questions', () => {
    const parts = [
      '@ == "a"',
      '@ != "b"',
      '@.startsWith("a")',
      'size(@) < 3',
      'domainOf(@) == "b.example"',
      '@.endsWith("e")',
    ];
    const claim = fc.tuple(fc.subarray(parts, { minLength: 1 }), fc.constantFrom('x', 'y', 'z'));
    const ask = ([chosen, name]: readonly [readonly string[], string]) => {
      const of = { name: '', root: nodeOf(chosen.map((part) => part.replaceAll('@', name)).join(' && ')) };
      const input = { [name]: { type: { kind: 'text', most: 50 } } } as const;
      const answer = new Decider(input).find({ kind: 'is', values: ['true'], of });
      return answer.kind === 'some' ? [answer.kind, answer.input[name]] : [answer.kind];
    };
    fc.assert(
      fc.property(claim, fc.array(claim, { maxLength: 4 }), ([chosen], others) => {
        const first = ask([chosen, 'x']);
        for (const other of others) ask(other);
        expect(ask([chosen, 'another'])).toEqual(first);
        expect(ask([chosen, 'x'])).toEqual(first);
      }),
      { numRuns: 60 },
    );
  });
});
