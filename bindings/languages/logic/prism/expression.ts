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
 * PRISM's state expressions, over named variables, constants and formulas. Numbers keep their text, so that a decimal can be read exactly
 * or as the nearest double. Quoted labels such as `"goal"` occur in properties only; they also refer to other properties.
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

/** The steps at which a path formula is judged. Absent bounds are null; `=k` is both bounds at k, neither strict. */
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

/** The comparison of a value with a threshold. */
export type ComparisonSymbol = '<' | '<=' | '>' | '>=';

/**
 * The question of an operator such as P: for a value (`=?`; `comparison` is then null) or for whether the value meets a threshold. `Pmin=?`
 * has one direction, `Pmaxmin=?` two: the scheduler's, then nature's.
 */
export interface Question {
  readonly directions: readonly ('min' | 'max')[];
  readonly comparison: ComparisonSymbol | null;
  readonly threshold: PrismExpression | null;
}

/** The reward that an R operator accumulates. */
export type RewardPath =
  /** `F target`, or any co-safe path formula: the reward until it is satisfied. */
  | { readonly kind: 'reach'; readonly path: PrismExpression }
  /** `C<=k`, with `bound` k (strict for `C<k`); null for `C`. */
  | { readonly kind: 'cumulative'; readonly bound: PrismExpression | null; readonly strict: boolean }
  /** `I=k`. */
  | { readonly kind: 'instantaneous'; readonly time: PrismExpression }
  /** `S`: the long-run mean. */
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

/** The operation that a filter applies to the values of the states it selects. */
export type FilterOperator = (typeof filterOperators)[number];

/** The operators that properties have in addition to state expressions: P, R, S, A, E, filters, labels, references, coalitions. */
export type PropertyOperator =
  | {
      readonly kind: 'probability';
      readonly question: Question;
      readonly path: PrismExpression;
      readonly place: Place;
    }
  | {
      readonly kind: 'reward';
      /** Name or number (from 1) of the reward structure; null means the first; `time` stands for T, a reward of one per step. */
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
  /** `<<players>>` and `[[players]]`; `*` means all players. */
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
      /** Null means all states. */
      readonly states: PrismExpression | null;
      readonly place: Place;
    }
  /** Multi-objective properties: parsed so that checkers can report them as unsupported. */
  | { readonly kind: 'multi'; readonly operands: readonly PrismExpression[]; readonly place: Place };

/** A syntax tree for models and properties; models contain only state expressions without labels. */
export type PrismExpression = StateExpression | TemporalExpression | PropertyOperator;
