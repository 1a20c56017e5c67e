import fc from 'fast-check';
import type { Formula, Window } from '../../bindings/languages/logic/index.js';

const place = { line: 1, column: 1, offset: 0 };

export const predicates = ['a', 'b', 'c'] as const;

/** Boolean combinations of the predicates a, b, c. */
export const booleanFormula: fc.Arbitrary<Formula> = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom(...predicates).map((name): Formula => ({ kind: 'predicate', name, place })),
    fc.boolean().map((value): Formula => ({ kind: 'constant', value, place })),
    tie('formula').map((operand): Formula => ({ kind: 'not', operand, place })),
    fc
      .tuple(fc.constantFrom('and', 'or', 'implies', 'iff'), tie('formula'), tie('formula'))
      .map(([kind, left, right]): Formula => ({ kind, left, right, place })),
  ),
})).formula;

/** No window, or one in steps with bounds up to 5. */
export const stepWindow: fc.Arbitrary<Window | null> = fc.option(
  fc.tuple(fc.nat(3), fc.option(fc.nat(2))).map(([from, width]) => ({
    from: `${from}`,
    to: width === null ? null : `${from + width}`,
    unit: 'steps',
  })),
);

/** One temporal operator over Boolean formulas. */
export const temporalFormula: fc.Arbitrary<Formula> = fc.oneof(
  booleanFormula.map((operand): Formula => ({ kind: 'unary', operator: 'X', operand, window: null, place })),
  fc
    .tuple(fc.constantFrom('F', 'G'), booleanFormula, stepWindow)
    .map(([operator, operand, window]): Formula => ({ kind: 'unary', operator, operand, window, place })),
  fc.tuple(fc.constantFrom('U', 'W', 'R'), booleanFormula, booleanFormula, stepWindow).map(
    ([operator, left, right, window]): Formula => ({
      kind: 'binary',
      operator,
      left,
      right,
      window,
      place,
    }),
  ),
);

/** `G (p -> F<=k q)`, or without a deadline. */
export const responseFormula: fc.Arbitrary<Formula> = fc
  .tuple(booleanFormula, booleanFormula, fc.option(fc.nat(4)))
  .map(([left, answer, deadline]): Formula => {
    const window: Window | null = deadline === null ? null : { from: '0', to: `${deadline}`, unit: 'steps' };
    const right: Formula = { kind: 'unary', operator: 'F', operand: answer, window, place };
    const operand: Formula = { kind: 'implies', left, right, place };
    return { kind: 'unary', operator: 'G', operand, window: null, place };
  });

/** All that `buildAutomaton` accepts. */
export const ruleFormula: fc.Arbitrary<Formula> = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: temporalFormula },
      { weight: 2, arbitrary: responseFormula },
      booleanFormula,
    ),
    fc.boolean(),
  )
  .map(([formula, negate]): Formula => (negate ? { kind: 'not', operand: formula, place } : formula));

/** Formulas of the past: no operator looks ahead. */
const pastFormula: fc.Arbitrary<Formula> = fc.letrec<{ formula: Formula; count: Formula }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    booleanFormula,
    tie('formula').map((operand): Formula => ({ kind: 'not', operand, place })),
    fc
      .tuple(fc.constantFrom('Y', 'WY'), tie('formula'))
      .map(([operator, operand]): Formula => ({ kind: 'unary', operator, operand, window: null, place })),
    fc
      .tuple(fc.constantFrom('O', 'H'), tie('formula'), stepWindow)
      .map(([operator, operand, window]): Formula => ({ kind: 'unary', operator, operand, window, place })),
    fc
      .tuple(tie('formula'), tie('formula'), stepWindow)
      .map(
        ([left, right, window]): Formula => ({ kind: 'binary', operator: 'S', left, right, window, place }),
      ),
    tie('count'),
  ),
  count: countOf(tie('formula')),
})).formula;

function countOf(operand: fc.Arbitrary<Formula>): fc.Arbitrary<Formula> {
  return fc.tuple(fc.constantFrom('<', '<=', '=', '>=', '>'), fc.nat(4), operand, stepWindow).map(
    ([operator, times, counted, window]): Formula => ({
      kind: 'count',
      operator,
      times,
      operand: counted,
      window,
      place,
    }),
  );
}

/** A count over a formula of the past, compared with a small number, with a window or without. */
export const countFormula: fc.Arbitrary<Formula> = countOf(pastFormula);

const nestedOf = (...leaves: readonly fc.Arbitrary<Formula>[]): fc.Arbitrary<Formula> =>
  fc.letrec<{ formula: Formula }>((tie) => ({
    formula: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      ...leaves,
      tie('formula').map((operand): Formula => ({ kind: 'not', operand, place })),
      fc
        .tuple(fc.constantFrom('and', 'or', 'implies', 'iff'), tie('formula'), tie('formula'))
        .map(([kind, left, right]): Formula => ({ kind, left, right, place })),
      fc
        .tuple(fc.constantFrom('X', 'WX', 'Y', 'WY'), tie('formula'))
        .map(([operator, operand]): Formula => ({ kind: 'unary', operator, operand, window: null, place })),
      fc
        .tuple(fc.constantFrom('F', 'G', 'O', 'H'), tie('formula'), stepWindow)
        .map(([operator, operand, window]): Formula => ({ kind: 'unary', operator, operand, window, place })),
      fc.tuple(fc.constantFrom('U', 'W', 'R', 'S'), tie('formula'), tie('formula'), stepWindow).map(
        ([operator, left, right, window]): Formula => ({
          kind: 'binary',
          operator,
          left,
          right,
          window,
          place,
        }),
      ),
    ),
  })).formula;

/** Rules in which operators of future and past, with windows or without, and counts stand in each other. */
export const nestedFormula: fc.Arbitrary<Formula> = nestedOf(booleanFormula, countFormula);

/** The same without counts. */
export const uncountedFormula: fc.Arbitrary<Formula> = nestedOf(booleanFormula);

const next = ['X', 'WX', 'Y', 'WY'] as const;
const unary = ['F', 'G', 'O', 'H'] as const;
const binary = ['U', 'W', 'R', 'S'] as const;

/** All temporal operators of rules. */
export const operators = [...next, ...unary, ...binary] as const;

const isIn = <T>(among: readonly T[], operator: unknown): operator is T => among.includes(operator as T);

/** One operator over Boolean formulas, with a window or without where it may have one. */
export function operatorFormula(operator: (typeof operators)[number]): fc.Arbitrary<Formula> {
  const window = isIn(next, operator) ? fc.constant(null) : stepWindow;
  return fc
    .tuple(booleanFormula, booleanFormula, window)
    .map(
      ([left, right, window]): Formula =>
        isIn(binary, operator)
          ? { kind: 'binary', operator, left, right, window, place }
          : { kind: 'unary', operator, operand: left, window, place },
    );
}
