/** The positions at which an operator is judged, relative to its own; `to` null means unbounded, and `to < from` an empty window. */
export interface LtlWindow {
  readonly from: number;
  readonly to: number | null;
}

/**
 * Linear temporal logic over atoms 0, 1, 2, … With a window [l, u]: `a U b` requires b at some position j of the window and a at all
 * positions before j; `a R b` requires b at every position of the window, except those after a position with a, so it is `!(!a U !b)`;
 * `a W b` is `!((a & !b) U (!a & !b))`. An absent window is [0, ∞).
 */
export type LtlFormula =
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'atom'; readonly atom: number }
  | { readonly kind: 'not' | 'next'; readonly operand: LtlFormula }
  | { readonly kind: 'and' | 'or'; readonly left: LtlFormula; readonly right: LtlFormula }
  | { readonly kind: 'finally' | 'globally'; readonly operand: LtlFormula; readonly window?: LtlWindow }
  | {
      readonly kind: 'until' | 'weakUntil' | 'release';
      readonly left: LtlFormula;
      readonly right: LtlFormula;
      readonly window?: LtlWindow;
    };
