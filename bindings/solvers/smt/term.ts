import type { RegLan } from './regLan.js';

/**
 * The sorts of terms: truth values, whole numbers without bound, doubles (`FloatingPoint` 11 53), and texts, which are sequences of UTF-16 code units.
 */
export type Sort = 'Bool' | 'Int' | 'Float' | 'Text';

/** A value of a sort: whole numbers are bigints, doubles numbers. */
export type TermValue = boolean | bigint | number | string;

/** The operators, under the names that SMT-LIB gives them. Those on doubles round to nearest, ties to even. */
export type Operator =
  | 'not'
  | 'and'
  | 'or'
  | '='
  | 'ite'
  | '+'
  | '-'
  | '*'
  | 'mod'
  | '<'
  | '<='
  | 'fp.add'
  | 'fp.sub'
  | 'fp.mul'
  | 'fp.div'
  | 'fp.neg'
  | 'fp.lt'
  | 'fp.leq'
  | 'fp.eq'
  | 'fp.isNaN'
  | 'fp.isInfinite'
  | 'fp.isNegative'
  | 'fp.roundToIntegral'
  | 'str.++'
  | 'str.len'
  | 'str.prefixof'
  | 'str.suffixof'
  | 'str.contains'
  | 'str.<'
  | 'str.in_re';

/** A term. Terms are kept once each by `Terms`, so that equal terms are the same object. */
export type Term = { readonly id: number; readonly sort: Sort } & (
  | { readonly kind: 'constant'; readonly value: TermValue }
  | { readonly kind: 'variable'; readonly name: string }
  | {
      readonly kind: 'apply';
      readonly operator: Operator;
      readonly arguments: readonly Term[];
      /** The second argument of `str.in_re`. */
      readonly set?: RegLan;
    }
);
