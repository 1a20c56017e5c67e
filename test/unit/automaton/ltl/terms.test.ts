import { describe, expect, test } from 'vitest';
import { type LtlFormula, LtlTerms } from '../../../../bindings/languages/automaton/index.js';
import { and, atom, F, G, no, not, or, U, within, X, yes } from '../../../oracle/ltlShorthand.js';

const [a, b] = [atom(0), atom(1)];
const R = (left: LtlFormula, right: LtlFormula): LtlFormula => ({ kind: 'release', left, right });

describe('formulas that are equivalent have one number', () => {
  test.each<[string, LtlFormula, LtlFormula]>([
    ['!!a and a', not(not(a)), a],
    ['a & b and b & a', and(a, b), and(b, a)],
    ['a & !a and false', and(a, not(a)), no],
    ['a | (a & b) and a', or(a, and(a, b)), a],
    ['!F a and G !a', not(F(a)), G(not(a))],
    ['!(a U b) and !a R !b', not(U(a, b)), R(not(a), not(b))],
    ['F F a and F a', F(F(a)), F(a)],
    ['F (a U b) and F b', F(U(a, b)), F(b)],
    ['G (a R b) and G b', G(R(a, b)), G(b)],
    ['a U true and true', U(a, yes), yes],
    ['X GF a and GF a', X(G(F(a))), G(F(a))],
    ['b U GF a and GF a', U(b, G(F(a))), G(F(a))],
    ['G (F a & F b) and GF a & GF b', G(and(F(a), F(b))), and(G(F(a)), G(F(b)))],
    ['X true and true', X(yes), yes],
    ['F[0,0] a and a', within('finally', 0, 0, a), a],
    ['F[2,2] a and X X a', within('finally', 2, 2, a), X(X(a))],
    ['F[3,2] a and false', within('finally', 3, 2, a), no],
    ['G[3,2] a and true', within('globally', 3, 2, a), yes],
  ])('%s', (_, left, right) => {
    const terms = new LtlTerms();
    expect(terms.of(left)).toBe(terms.of(right));
  });
});

test('where reading ahead counts, X true is not true', () => {
  const terms = new LtlTerms({ readsAhead: true });
  expect(terms.of(X(yes))).not.toBe(terms.of(yes));
  expect(terms.of(not(X(yes)))).toBe(terms.of(no));
});

describe('what a prefix can show is told from the syntax', () => {
  test.each<[string, LtlFormula, boolean, boolean]>([
    ['a', a, true, true],
    ['F a', F(a), true, false],
    ['!F a', not(F(a)), false, true],
    ['G a', G(a), false, true],
    ['G[0,9] a', within('globally', 0, 9, a), true, true],
    ['F[2,∞] a', within('finally', 2, null, a), true, false],
    ['a U G b', U(a, G(b)), false, false],
    ['GF a', G(F(a)), false, false],
    ['F X (a & F b)', F(X(and(a, F(b)))), true, false],
  ])('%s', (_, formula, cosafe, safe) => {
    const terms = new LtlTerms();
    expect(terms.traitsOf(terms.of(formula))).toMatchObject({ cosafe, safe });
  });
});
