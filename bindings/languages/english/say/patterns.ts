import type { Formula } from '../../logic/index.js';
import { and, binary, constant, iff, implies, lastStep, not, or, steps, unary } from '../core/index.js';

/**
 * A shape of formula that people have a sentence for. In the sentence `{0}` is the first part as a clause, `{0 if}` the same before a comma, `{0 never}` and
 * `{0 always}` the part with that word, and `{k}` the number.
 */
export interface Pattern {
  readonly parts: number;
  /** Whether it has a number `k`: 1 to 3, or the numbers of the formula that is to be said. */
  readonly numbers: 'none' | 'few' | 'given';
  readonly formula: (parts: readonly Formula[], k: number) => Formula;
  readonly sentence: string;
}

const X = (p: Formula): Formula => unary('X', p);
const WX = (p: Formula): Formula => unary('WX', p);
const F = (p: Formula): Formula => unary('F', p);
const G = (p: Formula): Formula => unary('G', p);
const U = (p: Formula, q: Formula): Formula => binary('U', p, q);
const W = (p: Formula, q: Formula): Formula => binary('W', p, q);
const within = (k: number, p: Formula): Formula => unary('F', p, steps(0, k));
const begins = (p: Formula): Formula => and(p, unary('WY', not(p)));
const whenever = (p: Formula, q: Formula): Formula => G(implies(p, q));
const count = (operator: '<=' | '>=' | '=', times: number, operand: Formula): Formula => ({
  kind: 'count',
  operator,
  times,
  operand,
  window: null,
  place: operand.place,
});
/** At least k separate stretches. */
const stretches = (k: number, p: Formula): Formula =>
  k === 1 ? F(p) : F(and(p, F(and(not(p), stretches(k - 1, p)))));
/** A scope that q opens is not closed by r at once. */
const pending = (q: Formula, r: Formula): Formula => and(q, not(r));

/** If p holds here, s comes before r. */
const answered = (p: Formula, s: Formula, r: Formula): Formula => implies(p, U(not(r), and(s, not(r))));

type Parts = readonly Formula[];

function plain(parts: number, sentence: string, formula: (parts: Parts) => Formula): Pattern {
  return { parts, numbers: 'none', formula, sentence };
}

function numbered(
  numbers: 'few' | 'given',
  parts: number,
  sentence: string,
  formula: (parts: Parts, k: number) => Formula,
): Pattern {
  return { parts, numbers, formula, sentence };
}

/**
 * The patterns; of two that fit, the earlier one is said.
 *
 * @source Dwyer, Avrunin and Corbett, "Patterns in property specifications for finite-state verification" (ICSE 1999); Menghi et al., "Specification patterns
 * for robotic missions" (2019); conditions and deadlines as in FRET. Prohibitions are weak and demands strong at the end of the run.
 */
export const PATTERNS: readonly Pattern[] = [
  plain(0, 'every run is right', () => constant(true)),
  plain(0, 'no run is right', () => constant(false)),

  plain(1, '{0 never}', ([p]) => G(not(p))),
  plain(1, '{0 always}', ([p]) => G(p)),
  plain(1, 'eventually, {0}', ([p]) => F(p)),
  plain(1, 'at the last step, {0}', ([p]) => F(and(lastStep(), p))),
  plain(1, 'once {0}, this stays so', ([p]) => whenever(p, G(p))),
  plain(1, 'it never happens at two steps in a row that {0}', ([p]) => whenever(p, WX(not(p)))),
  numbered('few', 1, '{0} during at most {k} stretches', ([p], k) => not(stretches(k + 1, p))),
  numbered('few', 1, '{0} during at least {k} stretches', ([p], k) => stretches(k, p)),
  numbered('few', 1, '{0} during exactly {k} stretches', ([p], k) =>
    and(stretches(k, p), not(stretches(k + 1, p))),
  ),
  numbered('given', 1, '{0} at no more than {k} steps of the run', ([p], k) => G(count('<=', k, p))),
  numbered('given', 1, '{0} at no fewer than {k} steps of the run', ([p], k) => F(count('>=', k, p))),
  numbered('given', 1, '{0} at exactly {k} steps of the run', ([p], k) =>
    and(F(count('>=', k, p)), G(count('<=', k, p))),
  ),

  plain(2, '{0 never} before {1}', ([p, s]) => W(not(p), s)),
  plain(2, '{0 never} before {1}, and that must come', ([p, s]) => U(not(p), s)),
  plain(2, '{0 never} before or just when {1}', ([p, s]) => W(not(p), and(s, not(p)))),
  plain(2, '{0} until {1}, if that ever comes', ([p, s]) => W(p, s)),
  plain(2, '{0} until {1}, which must come', ([p, s]) => U(p, s)),
  plain(2, 'whenever {0 if}, {1}', ([p, s]) => whenever(p, s)),
  plain(2, 'whenever {0 if}, eventually {1}', ([p, s]) => whenever(p, F(s))),
  plain(2, 'it never happens at the same step that {0} and that {1}', ([p, s]) => G(not(and(p, s)))),
  plain(2, 'at every step, {0} or {1}', ([p, s]) => G(or(p, s))),
  plain(2, 'at every step, {0} if and only if {1}', ([p, s]) => G(iff(p, s))),
  plain(2, 'whenever {0 if}, {1} at the next step, which must come', ([p, s]) => whenever(p, X(s))),
  plain(2, 'whenever {0 if}, {1} at the next step, if it comes', ([p, s]) => whenever(p, WX(s))),
  plain(2, 'whenever {0 if}, eventually {1} at a later step', ([p, s]) => whenever(p, X(F(s)))),
  plain(2, 'each time that {0 if} anew, {1}', ([p, s]) => whenever(begins(p), s)),
  plain(2, 'each time that {0 if} anew, eventually {1}', ([p, s]) => whenever(begins(p), F(s))),
  plain(2, 'from the first step on at which {0}, {1 never}', ([q, p]) => whenever(q, G(not(p)))),
  plain(2, 'from the first step on at which {0}, {1 always}', ([q, p]) => whenever(q, G(p))),
  plain(2, 'from the first step on at which {0}, eventually {1}', ([q, p]) => W(not(q), and(q, F(p)))),
  plain(2, 'if eventually {0}, {1 never} before that', ([r, p]) => implies(F(r), U(not(p), r))),
  plain(2, 'if eventually {0}, {1 always} before that', ([r, p]) => implies(F(r), U(p, r))),
  plain(2, 'if eventually {0}, then eventually {1}', ([p, s]) => implies(F(p), F(s))),
  plain(2, 'eventually {0}, and at that step or later {1}', ([p, s]) => F(and(p, F(s)))),
  plain(2, 'eventually {0}, and at a later step {1}', ([p, s]) => F(and(p, X(F(s))))),
  plain(2, 'eventually {0} and eventually {1}', ([p, s]) => and(F(p), F(s))),
  plain(2, 'eventually {0} or eventually {1}', ([p, s]) => or(F(p), F(s))),
  numbered('given', 2, 'whenever {0 if}, {1} within {k} steps', ([p, s], k) => whenever(p, within(k, s))),
  numbered('given', 2, 'whenever {0 if}, {1} within {k} steps unless the run ends before', ([p, s], k) =>
    whenever(p, or(within(k, s), within(k - 1, lastStep()))),
  ),
  numbered('given', 2, 'each time that {0 if} anew, {1} within {k} steps', ([p, s], k) =>
    whenever(begins(p), within(k, s)),
  ),
  numbered(
    'given',
    2,
    'each time that {0 if} anew, {1} within {k} steps unless the run ends before',
    ([p, s], k) => whenever(begins(p), or(within(k, s), within(k - 1, lastStep()))),
  ),
  numbered('given', 2, 'whenever {0 if}, {1} then and for {k} more steps', ([p, s], k) =>
    whenever(p, unary('G', s, steps(0, k))),
  ),

  plain(3, 'whenever {0 if}, {1} until {2}, if that ever comes', ([p, s, t]) => whenever(p, W(s, t))),
  plain(3, 'whenever {0 if}, {1} until {2}, which must come', ([p, s, t]) => whenever(p, U(s, t))),
  plain(3, 'between when {0} and when {1}, {2 never}', ([q, r, p]) =>
    whenever(and(pending(q, r), F(r)), U(not(p), r)),
  ),
  plain(3, 'between when {0} and when {1}, {2 always}', ([q, r, p]) =>
    whenever(and(pending(q, r), F(r)), U(p, r)),
  ),
  plain(3, 'between when {0} and when {1}, eventually {2}', ([q, r, p]) =>
    whenever(pending(q, r), W(not(r), and(p, not(r)))),
  ),
  plain(3, 'from when {0} until {1}, {2 never}', ([q, r, p]) => whenever(pending(q, r), W(not(p), r))),
  plain(3, 'from when {0} until {1}, {2 always}', ([q, r, p]) => whenever(pending(q, r), W(p, r))),
  plain(3, 'from when {0} on and before {1}, eventually {2}', ([q, r, p]) =>
    whenever(pending(q, r), U(not(r), and(p, not(r)))),
  ),
  plain(3, 'from the first step on at which {0}, {1 never} before {2}', ([q, p, s]) =>
    W(not(q), and(q, W(not(p), s))),
  ),
  plain(3, 'from the first step on at which {0}, whenever {1 if}, eventually {2}', ([q, p, s]) =>
    whenever(q, whenever(p, F(s))),
  ),
  plain(3, 'from the first step on at which {0}, whenever {1 if}, {2}', ([q, p, s]) =>
    whenever(q, whenever(p, s)),
  ),
  plain(3, 'if eventually {0}, {1 never} before {2} or that', ([r, p, s]) =>
    implies(F(r), U(not(p), or(s, r))),
  ),
  plain(3, 'if eventually {0}, whenever {1 if} before that, {2} from then on and before that', ([r, p, s]) =>
    implies(F(r), U(answered(p, s, r), r)),
  ),
  plain(3, 'whenever {0 if}, eventually {1}, and at a later step {2}', ([p, s, t]) =>
    whenever(p, F(and(s, X(F(t))))),
  ),
  plain(3, 'eventually {0}, at a later step {1}, and at a step after that {2}', ([p, s, t]) =>
    F(and(p, X(F(and(s, X(F(t))))))),
  ),
  plain(3, 'eventually {0}, eventually {1} and eventually {2}', ([p, s, t]) => and(F(p), and(F(s), F(t)))),

  plain(4, 'between when {0} and when {1}, {2 never} before {3}', ([q, r, p, s]) =>
    whenever(and(pending(q, r), F(r)), U(not(p), or(s, r))),
  ),
  plain(4, 'from when {0} until {1}, {2 never} before {3}', ([q, r, p, s]) =>
    whenever(pending(q, r), W(not(p), or(s, r))),
  ),
  plain(
    4,
    'between when {0} and when {1}, whenever {2 if}, {3} from then on and before {1}',
    ([q, r, p, s]) => whenever(and(pending(q, r), F(r)), U(answered(p, s, r), r)),
  ),
  plain(4, 'from when {0} until {1}, whenever {2 if}, {3} from then on and before {1}', ([q, r, p, s]) =>
    whenever(pending(q, r), W(answered(p, s, r), r)),
  ),
];
