import fc from 'fast-check';
import type { LtlFormula, LtlWindow } from '../../bindings/languages/automaton/index.js';

export const ATOMS = 3;

const window: fc.Arbitrary<LtlWindow> = fc.record({
  from: fc.nat(2),
  to: fc.oneof(fc.nat(4), fc.constant(null)),
});

function ltl(windows: fc.Arbitrary<LtlWindow>): fc.Arbitrary<LtlFormula> {
  const { formula } = fc.letrec<{ formula: LtlFormula }>((tie) => {
    const operand = tie('formula');
    const sides = { left: operand, right: operand };
    return {
      formula: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.record({ kind: fc.constant('atom' as const), atom: fc.nat(ATOMS - 1) }),
        fc.record({ kind: fc.constant('boolean' as const), value: fc.boolean() }),
        fc.record({ kind: fc.constantFrom('not' as const, 'next' as const), operand }),
        fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), ...sides }),
        fc.record({ kind: fc.constantFrom('finally' as const, 'globally' as const), operand }),
        fc.record({ kind: fc.constantFrom('finally' as const, 'globally' as const), operand }),
        fc.record({
          kind: fc.constantFrom('until' as const, 'weakUntil' as const, 'release' as const),
          ...sides,
        }),
        fc.record({
          kind: fc.constantFrom('finally' as const, 'globally' as const),
          operand,
          window: windows,
        }),
        fc.record({
          kind: fc.constantFrom('until' as const, 'weakUntil' as const, 'release' as const),
          ...sides,
          window: windows,
        }),
      ),
    };
  });
  return formula;
}

/** Formulas over atoms 0 to 2, with windows of few positions. */
export const arbitraryLtl = ltl(window);

/** How many operators that may look at any number of positions; windows aside, these make automata large. */
export function unboundedOperators(formula: LtlFormula): number {
  switch (formula.kind) {
    case 'boolean':
    case 'atom':
      return 0;
    case 'not':
    case 'next':
      return unboundedOperators(formula.operand);
    case 'and':
    case 'or':
      return unboundedOperators(formula.left) + unboundedOperators(formula.right);
    case 'finally':
    case 'globally':
      return Number((formula.window?.to ?? null) === null) + unboundedOperators(formula.operand);
    default:
      return (
        Number((formula.window?.to ?? null) === null) +
        unboundedOperators(formula.left) +
        unboundedOperators(formula.right)
      );
  }
}
