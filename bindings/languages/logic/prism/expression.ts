import type { Place } from '../../expression/index.js';

/** Types of PRISM's language; an int is also a double. */
export type PrismType = 'bool' | 'int' | 'double';

/** Operators between two values. */
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '^'
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '&'
  | '|'
  | '=>'
  | '<=>';

/** The functions of the language. */
export type BuiltIn = 'min' | 'max' | 'floor' | 'ceil' | 'round' | 'pow' | 'mod' | 'log';

/**
 * PRISM's state expressions, over variables, constants and formulas by name. Numbers keep their text, so that a decimal can be
 * read exactly or as the nearest double. Labels in quotes, `"goal"`, are for properties only; they also name other properties.
 */
export type StateExpression =
  | { readonly kind: 'number'; readonly text: string; readonly place: Place }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly place: Place }
  | { readonly kind: 'name'; readonly name: string; readonly place: Place }
  | { readonly kind: 'label'; readonly name: string; readonly place: Place }
  | { readonly kind: 'not' | 'negate'; readonly operand: PrismExpression; readonly place: Place }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: PrismExpression;
      readonly right: PrismExpression;
      readonly place: Place;
    }
  | {
      readonly kind: 'conditional';
      readonly condition: PrismExpression;
      readonly whenTrue: PrismExpression;
      readonly whenFalse: PrismExpression;
      readonly place: Place;
    }
  | {
      readonly kind: 'call';
      readonly function: BuiltIn;
      readonly operands: readonly PrismExpression[];
      readonly place: Place;
    };

/** Steps at which a path formula is judged. Absent bounds are null; `=k` is both bounds at k, neither strict. */
export interface StepBound {
  readonly lower: PrismExpression | null;
  readonly lowerStrict: boolean;
  readonly upper: PrismExpression | null;
  readonly upperStrict: boolean;
}

/** Path formulas: state formulas under temporal and Boolean operators. */
export type TemporalExpression =
  | {
      readonly kind: 'temporal';
      readonly operator: 'X' | 'F' | 'G';
      readonly operand: PrismExpression;
      readonly bound: StepBound | null;
      readonly place: Place;
    }
  | {
      readonly kind: 'until';
      readonly operator: 'U' | 'W' | 'R';
      readonly left: PrismExpression;
      readonly right: PrismExpression;
      readonly bound: StepBound | null;
      readonly place: Place;
    };

/** How a value is compared with a threshold. */
export type ComparisonSymbol = '<' | '<=' | '>' | '>=';

/**
 * What an operator such as P asks for: a number (`=?`, where `comparison` is null) or whether it meets a threshold.
 * `Pmin=?` has one direction, `Pmaxmin=?` two: the scheduler's, then nature's.
 */
export interface Question {
  readonly directions: readonly ('min' | 'max')[];
  readonly comparison: ComparisonSymbol | null;
  readonly threshold: PrismExpression | null;
}

/** What an R operator adds up. */
export type RewardPath =
  /** `F target`, or any co-safe path formula: until it is satisfied. */
  | { readonly kind: 'reach'; readonly path: PrismExpression }
  /** `C<=k`, with `bound` k (strict for `C<k`); `C` where null. */
  | { readonly kind: 'cumulative'; readonly bound: PrismExpression | null; readonly strict: boolean }
  /** `I=k`. */
  | { readonly kind: 'instantaneous'; readonly time: PrismExpression }
  /** `S`: mean in the long run. */
  | { readonly kind: 'longRun' };

/** The operators of `filter(…)`. */
export const filterOperators = [
  'min',
  'max',
  'argmin',
  'argmax',
  'count',
  'sum',
  'avg',
  'first',
  'range',
  'forall',
  'exists',
  'print',
  'printall',
  'state',
] as const;

/** What a filter makes of the values of the states it chooses. */
export type FilterOperator = (typeof filterOperators)[number];

/** What properties have beside expressions over states: P, R, S, A, E, filters, labels, references, coalitions. */
export type PropertyOperator =
  | {
      readonly kind: 'probability';
      readonly question: Question;
      readonly path: PrismExpression;
      readonly place: Place;
    }
  | {
      readonly kind: 'reward';
      /** Name or number (from 1) of the reward structure; null is the first; `time` is T, one a step. */
      readonly structure:
        | { readonly name: string }
        | { readonly index: PrismExpression }
        | { readonly time: true }
        | null;
      readonly question: Question;
      readonly path: RewardPath;
      readonly place: Place;
    }
  | {
      readonly kind: 'steadyState';
      readonly question: Question;
      readonly operand: PrismExpression;
      readonly place: Place;
    }
  /** CTL's path quantifiers. */
  | {
      readonly kind: 'quantified';
      readonly quantifier: 'A' | 'E';
      readonly path: PrismExpression;
      readonly place: Place;
    }
  /** `<<players>>` and `[[players]]`; `*` is everybody. */
  | {
      readonly kind: 'coalition';
      readonly quantifier: '<<>>' | '[[]]';
      readonly players: '*' | readonly string[];
      readonly operand: PrismExpression;
      readonly place: Place;
    }
  | {
      readonly kind: 'filter';
      readonly operator: FilterOperator;
      readonly operand: PrismExpression;
      /** Null: all states. */
      readonly states: PrismExpression | null;
      readonly place: Place;
    }
  /** Several objectives at once: read, so that checkers can say that they do not support it. */
  | { readonly kind: 'multi'; readonly operands: readonly PrismExpression[]; readonly place: Place };

/** One tree for models and properties; in models only state expressions occur, without labels. */
export type PrismExpression = StateExpression | TemporalExpression | PropertyOperator;
