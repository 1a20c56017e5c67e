import type { Term, Terms } from '../smt/index.js';

/** One of the elements that a list may have: where `when` is false it is none. */
export interface Element {
  readonly when: Term;
  readonly value: Value;
}

/** What a value is, by its kind. */
export type Content =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly term: Term }
  | { readonly kind: 'double'; readonly term: Term }
  | { readonly kind: 'text'; readonly term: Term }
  /** A whole number as `Int`, and bounds on it, within ±(2^53 - 1). */
  | { readonly kind: 'whole'; readonly term: Term; readonly least: number; readonly most: number }
  /** `isDense`: no element stands behind one that there is not. */
  | { readonly kind: 'list'; readonly elements: readonly Element[]; readonly isDense: boolean }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, Value> };

export type Kind = Content['kind'];

/**
 * The value of an expression as terms, as the closures compute it: `when` of at most one case is true, and where none is, the expression has no value. One
 * expression may be null for some inputs and a text for others.
 */
export type Value = readonly (Content & { readonly when: Term })[];

/** A value of one kind. */
export function always(terms: Terms, content: Content): Value {
  return [{ ...content, when: terms.true }];
}

/** A truth value. */
export function truth(terms: Terms, term: Term): Value {
  return always(terms, { kind: 'boolean', term });
}

/** No value. */
export const NO_VALUE: Value = [];

/** The value where a condition holds. */
export function where(terms: Terms, condition: Term, value: Value): Value {
  if (condition === terms.true) return value;
  return value
    .map((one) => ({ ...one, when: terms.and(condition, one.when) }))
    .filter(({ when }) => when !== terms.false);
}

/** Values of which at most one is there, as one; those of the same kind in one case. */
export function merged(terms: Terms, values: readonly Value[]): Value {
  const cases: (Content & { readonly when: Term })[] = [];
  for (const one of values.flat()) {
    const i = cases.findIndex(({ kind }) => kind === one.kind);
    const joined = i < 0 ? undefined : both(terms, cases[i], one);
    if (joined === undefined) cases.push(one);
    else cases[i] = joined;
  }
  return cases;
}

function both(terms: Terms, a: Value[number], b: Value[number]): Value[number] | undefined {
  const when = terms.or(a.when, b.when);
  if (a.kind === 'null') return { kind: 'null', when };
  if ('term' in a && 'term' in b) {
    const term = terms.if(a.when, a.term, b.term);
    if (a.kind !== 'whole' || b.kind !== 'whole') return { ...a, when, term };
    return { ...a, when, term, least: Math.min(a.least, b.least), most: Math.max(a.most, b.most) };
  }
  return undefined;
}

/** The value of a function of one value. */
export function mapped(terms: Terms, value: Value, of: (content: Content) => Value): Value {
  return merged(
    terms,
    value.map((one) => where(terms, one.when, of(one))),
  );
}

/** The value of a function of two values. */
export function mappedBoth(
  terms: Terms,
  left: Value,
  right: Value,
  of: (a: Content, b: Content) => Value,
): Value {
  return mapped(terms, left, (a) => mapped(terms, right, (b) => of(a, b)));
}

/** Whether the value is the truth value. */
export function isTruth(terms: Terms, value: Value, truth: boolean): Term {
  return terms.or(
    ...value.map((one) =>
      one.kind === 'boolean' ? terms.and(one.when, truth ? one.term : terms.not(one.term)) : terms.false,
    ),
  );
}

/** A condition of three values: true, false, and none where neither holds. */
export function threeValued(terms: Terms, isTrue: Term, isFalse: Term): Value {
  const when = terms.or(isTrue, isFalse);
  return when === terms.false ? NO_VALUE : [{ kind: 'boolean', when, term: isTrue }];
}

/** Whether the expression has a value. */
export function hasValue(terms: Terms, value: Value): Term {
  return terms.or(...value.map(({ when }) => when));
}
