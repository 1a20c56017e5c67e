import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distinguish, equivalent } from '../../../bindings/languages/automaton/compare/index.js';
import { type Formula, parseFormula, printFormula } from '../../../bindings/languages/logic/index.js';
import { voteByEquivalence } from '../../../bindings/rules/translate/index.js';
import { example } from './example.js';

const { parsePrefix } = await example('language/prefix.mjs');
const { recordedVotes, voteOutcome } = await example('language/votes.mjs');
const { decided, MOST_OR_ASK, POLICIES } = await example('language/votePolicies.mjs');

/** A formula in prefix form, and the same in infix. */
const { both } = fc.letrec<{ both: [string, string] }>((tie) => {
  const two = (prefix: string, infix: string) =>
    fc
      .tuple(tie('both'), tie('both'))
      .map(([[a, b], [c, d]]): [string, string] => [`${prefix} ${a} ${c}`, `((${b}) ${infix} (${d}))`]);
  const one = (sign: string) =>
    tie('both').map(([a, b]): [string, string] => [`${sign} ${a}`, `(${sign} (${b}))`]);
  return {
    both: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('a', 'b', 'c').map((name): [string, string] => [name, name]),
      ...['!', 'F', 'G', 'X'].map(one),
      ...['&', '|', 'U', 'W', 'R'].map((sign) => two(sign, sign)),
      two('i', '->'),
      two('e', '<->'),
    ),
  };
});

describe("formulas in Spot's prefix form", () => {
  it('are those of their infix form', () => {
    fc.assert(
      fc.property(both, ([prefix, infix]) => {
        expect(printFormula(parsePrefix(prefix))).toBe(printFormula(parseFormula(infix)));
      }),
    );
  });

  it.each(['', '&', '& a', 'F & a b c', 'future_avoidance_3 Symbols: b, a', 'U a', 'G ( a )', 'a, b'])(
    'are none of "%s"',
    (text) => expect(parsePrefix(text)).toBeNull(),
  );

  it('say M by U', () => {
    expect(equivalent(parsePrefix('M a b'), parseFormula('b U (a & b)'))).toBe(true);
  });
});

describe('a vote on recorded answers', () => {
  const tools = { voteByEquivalence, equivalent, distinguish };
  const known = parseFormula('F a');
  const vote = (...texts: (string | null)[]) =>
    voteOutcome(tools, {
      known,
      answers: Object.fromEntries(
        texts.map((text, i) => [`system ${i}`, text === null ? null : parseFormula(text)]),
      ),
    });

  it('takes what more than half of all systems say, whether right or wrong, and else nothing', () => {
    expect(vote('F a', 'true U a', 'G a')).toMatchObject({
      outcome: 'right',
      unanimous: false,
      firstTwo: true,
    });
    expect(vote('F a', 'F a', '!(G !a)')).toMatchObject({ outcome: 'right', unanimous: true, steps: null });
    expect(vote('G a', 'G a', 'F a')).toMatchObject({ outcome: 'wrong', isTruthAmong: true });
    expect(vote('G a', 'a', 'F a')).toMatchObject({ outcome: 'asked', firstTwo: false, isTruthAmong: true });
    expect(vote('G a', 'a', null)).toMatchObject({ outcome: 'asked beside' });
    // One of three is no majority, even if the others gave no formula.
    expect(vote('F a', null, null)).toMatchObject({
      outcome: 'asked',
      alone: { 'system 0': 'right', 'system 1': 'none', 'system 2': 'none' },
    });
    expect(vote(null, null, null)).toMatchObject({ outcome: 'asked beside', unanimous: false });
  });

  it('is counted by what is taken without a question, and what a question finds', () => {
    const outcomes = [
      vote('F a', 'F a', 'F a'),
      vote('F a', 'F a', 'G a'),
      vote('G a', 'G a', 'F a'),
      vote('G a', 'F a', null),
      vote('G a', 'a', 'F a'),
    ];
    const [nothing, , all] = POLICIES;
    expect(decided(nothing, outcomes)).toEqual({ right: 2, wrong: 1, left: 2, end: 2 });
    expect(decided(MOST_OR_ASK, outcomes)).toEqual({ right: 2, wrong: 1, left: 2, end: 3 });
    expect(decided(all, outcomes)).toEqual({ right: 1, wrong: 0, left: 4, end: 4 });
  });
});

describe('recorded answers', () => {
  it('are formulas, or null where they are none; what was noted as right is the known formula', () => {
    const url = new URL('data/language/', import.meta.url);
    const [lifted, experts] = recordedVotes((name: string) => new URL(`${name}.json`, url), false);
    const texts = (answers: Record<string, Formula | null>) =>
      Object.values(answers).map((formula) => formula && printFormula(formula));
    expect(lifted.cases.map(({ answers }: { answers: Record<string, Formula> }) => texts(answers))).toEqual([
      ['F a', null, '(F a) & (F b)'],
    ]);
    expect(experts.cases.map(({ answers }: { answers: Record<string, Formula> }) => texts(answers))).toEqual([
      ['G !(a & b)', '!(a & b)', '!a'],
    ]);
  });
});
