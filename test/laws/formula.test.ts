import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ForeguardError } from '../../bindings/base/errors.js';
import { type Formula, parseFormula, printFormula } from '../../bindings/languages/logic/index.js';
import { booleanFormula, countFormula, stepWindow } from './formulas.js';

const place = { line: 1, column: 1, offset: 0 };

/** Formulas of every shape, temporal operators and probabilities nested anywhere. */
const anyFormula: fc.Arbitrary<Formula> = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    booleanFormula,
    countFormula,
    fc
      .constantFrom('F', 'all done', 'count', 'p"q', 'implies')
      .map((name): Formula => ({ kind: 'predicate', name, place })),
    fc
      .constantFrom('speed > 0.5', 'count <= 3', 'x.y <= -3', 'size(a) == 2', 'U < 3', '"red" in colours')
      .map((source) => parseFormula(`\`${source}\``)),
    tie('formula').map((operand): Formula => ({ kind: 'not', operand, place })),
    fc
      .tuple(fc.constantFrom('and', 'or', 'implies', 'iff'), tie('formula'), tie('formula'))
      .map(([kind, left, right]): Formula => ({ kind, left, right, place })),
    fc
      .tuple(fc.constantFrom('X', 'WX', 'F', 'G', 'Y', 'WY', 'O', 'H'), tie('formula'), stepWindow)
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
    tie('formula').map((path): Formula => ({ kind: 'probability', bound: null, path, place })),
    tie('formula').map(
      (path): Formula => ({
        kind: 'probability',
        bound: { operator: '>=', threshold: 0.95, text: '0.95' },
        path,
        place,
      }),
    ),
  ),
})).formula;

/** The tree without places and without the trees of inline expressions, whose source stands for them. */
const shape = (formula: Formula): unknown =>
  JSON.parse(
    JSON.stringify(formula, (key, value) => (key === 'place' || key === 'expression' ? undefined : value)),
  );

describe('the text of a formula', () => {
  it('is read back to the same tree', () => {
    fc.assert(
      fc.property(anyFormula, (formula) => {
        const text = printFormula(formula);
        expect(shape(parseFormula(text)), text).toEqual(shape(formula));
      }),
      { numRuns: 3000 },
    );
  });

  it('gives a tree or an error of ours, however it is mutilated', () => {
    const piece = fc.constantFrom(
      ...'a b ( ) [ ] & -> ! G F U P =? <= 3 10s count , . `x` "l" > + in always'.split(' '),
    );
    let parsed = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          parseFormula(pieces.join(' '));
          parsed++;
        } catch (error) {
          expect(error).toBeInstanceOf(ForeguardError);
        }
      }),
      { numRuns: 5000 },
    );
    expect(parsed).toBeGreaterThan(25);
  });
});
