import { describe, expect, it } from 'vitest';
import { NotSupportedError } from '../../../bindings/base/errors.js';
import { buildAutomaton, VIOLATED } from '../../../bindings/languages/automaton/index.js';
import { parseFormula } from '../../../bindings/languages/logic/index.js';

const statesOf = (text: string): number => buildAutomaton(parseFormula(text)).states;

describe('the automaton of a count', () => {
  it('is a chain: k + 2 states for at most k', () => {
    for (const k of [1, 2, 3, 10, 100, 1000]) {
      const { states, verdict } = buildAutomaton(parseFormula(`G count(a) <= ${k}`));
      expect(states).toBe(k + 2);
      expect(Array.from(verdict).filter((v) => v === VIOLATED)).toHaveLength(1);
    }
  });

  it('is that of the rule written out', () => {
    for (const [count, written] of [
      ['G count(a) <= 3', 'G !(a & (Y O (a & (Y O (a & (Y O a))))))'],
      ['G count(a) = 0', 'G !a'],
      ['F count(a) >= 2', 'F (a & (Y O a))'],
      ['G (b -> count(a) > 0)', 'G (b -> O a)'],
      ['G (b -> count(a) < 1)', 'G (b -> H !a)'],
      ['G count[0,2](a) <= 1', 'G !(a & (O[1,2] a))'],
      ['G (b -> count[1,3](a) >= 1)', 'G (b -> O[1,3] a)'],
      ['G (b -> count[0,2](a) >= 3)', 'G (b -> ((Y Y true) & (H<=2 a)))'],
      ['G (b -> count[0,2](a) < 9)', 'G (b -> (a | true))'],
      ['G (b -> count(a & (Y b)) = 1)', 'G (b -> ((O (a & (Y b))) & !(O (a & (Y b) & (Y O (a & (Y b)))))))'],
    ]) {
      // The second may read predicates in another order, and then has other diagrams.
      const [one, other] = [count, written].map((text) =>
        buildAutomaton(parseFormula(`${text.startsWith('G (b') ? '(b | true) & ' : ''}(${text})`)),
      );
      expect(one, count).toEqual(other);
    }
  });

  it('remembers of a window of b steps which of them counted, at most k', () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
    for (const [b, k] of [
      [5, 1],
      [5, 2],
      [10, 3],
      [30, 2],
    ]) {
      let kept = 0;
      for (let j = 0; j <= k; j++) kept += choose(b, j);
      const states = statesOf(`G count[0,${b}](a) <= ${k}`);
      expect(states, `${k} in ${b}`).toBeLessThanOrEqual(kept + 1);
      // Where the last step of the window is left to come, what counts there may make no difference.
      expect(states, `${k} in ${b}`).toBeGreaterThan(kept / 2);
      if (k === 1) expect(states).toBe(b + 2);
    }
  });

  it('is refused with the number where it would be too large', () => {
    expect(() => statesOf('G count(a) <= 100000')).toThrow(
      'counts to 100001, and so many states its automaton would have; at most 100000 are made',
    );
    expect(() => statesOf('G count[0,100](a) <= 50')).toThrow(NotSupportedError);
    expect(() => statesOf('G count[0,200000](a) <= 1')).toThrow('reaches 200000 steps');
  });
});
