import type { Expression, Place } from '../expression/index.js';

/** The window of a temporal operator. A bound is a number of steps or, with a unit, a duration; text keeps the exact decimal. */
export interface Window {
  /** Decimal text, e.g. `0` or `0.5`. */
  readonly from: string;
  /** Decimal text; null means unbounded. */
  readonly to: string | null;
  /** `steps` if no unit was written. */
  readonly unit: 'steps' | 's' | 'ms';
  /** Whether a window in time that is unbounded on one side was written as `[0s,b]` or `[a,inf]`, and is to be printed so. */
  readonly interval?: true;
}

/** X and Y, strong at the trace's ends; WX and WY, weak there; F, G and their mirror images in the past, O (once) and H (historically). */
export type TemporalUnary = 'X' | 'WX' | 'F' | 'G' | 'Y' | 'WY' | 'O' | 'H';

/** Until, weak until, release, and since, the mirror image of until. */
export type TemporalBinary = 'U' | 'W' | 'R' | 'S';

/** The comparison of a probability with a threshold. */
export type ComparisonOperator = '<' | '<=' | '>=' | '>';

/** The comparison of a count with a whole number. */
export type CountOperator = '<' | '<=' | '=' | '>=' | '>';

/**
 * One syntax tree for all rule languages: propositional connectives over named predicates and inline comparisons,
 * temporal operators with optional windows, and PCTL's probability operator. Each consumer of the tree decides which fragment it accepts.
 */
export type Formula =
  | { readonly kind: 'constant'; readonly value: boolean; readonly place: Place }
  | { readonly kind: 'predicate'; readonly name: string; readonly place: Place }
  | {
      readonly kind: 'comparison';
      readonly source: string;
      readonly expression: Expression;
      readonly place: Place;
    }
  | { readonly kind: 'not'; readonly operand: Formula; readonly place: Place }
  | {
      readonly kind: 'and' | 'or' | 'implies' | 'iff';
      readonly left: Formula;
      readonly right: Formula;
      readonly place: Place;
    }
  | {
      readonly kind: 'unary';
      readonly operator: TemporalUnary;
      readonly operand: Formula;
      readonly window: Window | null;
      readonly place: Place;
    }
  | {
      readonly kind: 'binary';
      readonly operator: TemporalBinary;
      readonly left: Formula;
      readonly right: Formula;
      readonly window: Window | null;
      readonly place: Place;
    }
  | {
      /** `count(operand) operator times`: at how many steps up to this one, or in the window before it, the operand held. It has no operator of the future. */
      readonly kind: 'count';
      readonly operator: CountOperator;
      /** A whole number from 0 up. */
      readonly times: number;
      readonly operand: Formula;
      readonly window: Window | null;
      readonly place: Place;
    }
  | {
      readonly kind: 'probability';
      /** Null means the query `P=?`. */
      readonly bound: {
        readonly operator: ComparisonOperator;
        readonly threshold: number;
        readonly text: string;
      } | null;
      readonly path: Formula;
      readonly place: Place;
    };
