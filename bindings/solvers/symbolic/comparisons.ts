import type { ExpressionNode } from '../../languages/expression/index.js';
import { ANY_TEXT, sequenceOf, type Term } from '../smt/index.js';
import { type Context, Untranslated } from './context.js';
import { comparison, isNumber } from './numbers.js';
import { anyCaseOf, beforeLower, isPlain } from './texts.js';
import { type Content, type Element, NO_VALUE, truth, type Value, where } from './value.js';

/** `==`, with no value of two kinds, but that null goes with any. */
export function equality(context: Context, a: Content, b: Content, node: ExpressionNode): Value {
  const { terms } = context;
  if (a.kind === 'null' || b.kind === 'null') {
    // NaN goes with none.
    const isComparable = terms.and(...[a, b].map((one) => terms.not(isNotANumber(context, one))));
    return where(terms, isComparable, truth(terms, terms.bool(a.kind === b.kind)));
  }
  if (isNumber(a) && isNumber(b)) {
    const { holds, isComparable } = comparison(context, '==', a, b, node);
    return where(terms, isComparable, truth(terms, holds));
  }
  return a.kind === b.kind ? truth(terms, same(context, a, b, node)) : NO_VALUE;
}

function isNotANumber({ terms }: Context, one: Content): Term {
  return one.kind === 'double' ? terms.of('fp.isNaN', one.term) : terms.false;
}

/** Equality within lists: values of two kinds are unequal, and NaN equals nothing. */
function same(context: Context, a: Content, b: Content, node: ExpressionNode): Term {
  const { terms } = context;
  if (isNumber(a) && isNumber(b)) return comparison(context, '==', a, b, node).holds;
  if (a.kind === 'text' && b.kind === 'text') return isSameText(context, a.term, b.term);
  if (a.kind === 'boolean' && b.kind === 'boolean') return terms.equal(a.term, b.term);
  if (a.kind === 'list' && b.kind === 'list') return isSameList(context, a, b, node);
  if (a.kind === 'map' && b.kind === 'map') throw new Untranslated(node, 'maps are not compared');
  return terms.bool(a.kind === b.kind);
}

function isSameText(context: Context, a: Term, b: Term): Term {
  const { terms } = context;
  for (const [one, other] of [
    [a, b],
    [b, a],
  ]) {
    const source = beforeLower(context, one);
    if (source === null || other.kind !== 'constant') continue;
    const set = anyCaseOf(other.value as string);
    return set === null ? terms.false : terms.isIn(source, set);
  }
  return terms.equal(a, b);
}

type List = Extract<Content, { kind: 'list' }>;

function isSameList(context: Context, a: List, b: List, node: ExpressionNode): Term {
  const { terms } = context;
  if (!a.isDense || !b.isDense) throw new Untranslated(node, 'a filtered list is not compared');
  const longest = Math.max(a.elements.length, b.elements.length);
  const at = (list: List, i: number): Element => list.elements[i] ?? { when: terms.false, value: [] };
  return terms.and(
    ...Array.from({ length: longest }, (_, i) => {
      const [one, other] = [at(a, i), at(b, i)];
      return terms.and(
        terms.equal(one.when, other.when),
        terms.implies(one.when, isSameValue(context, one.value, other.value, node)),
      );
    }),
  );
}

function isSameValue(context: Context, a: Value, b: Value, node: ExpressionNode): Term {
  const { terms } = context;
  return terms.or(
    ...a.flatMap((one) => b.map((other) => terms.and(one.when, other.when, same(context, one, other, node)))),
  );
}

/** `value in list`, `key in map`. */
export function isAmong(context: Context, value: Content, container: Content, node: ExpressionNode): Value {
  const { terms } = context;
  const isComparable = terms.not(isNotANumber(context, value));
  if (container.kind === 'list') {
    const one: Value = [{ ...value, when: terms.true }];
    const isOne = container.elements.map((element) =>
      terms.and(element.when, isSameValue(context, element.value, one, node)),
    );
    return where(terms, isComparable, truth(terms, terms.or(...isOne)));
  }
  if (container.kind !== 'map') return NO_VALUE;
  if (value.kind === 'text') {
    const isKey = [...container.entries.keys()].map((key) =>
      isSameText(context, value.term, terms.text(key)),
    );
    return truth(terms, terms.or(...isKey));
  }
  const isScalar = isNumber(value) || value.kind === 'boolean';
  return isScalar ? where(terms, isComparable, truth(terms, terms.false)) : NO_VALUE;
}

/** `<` and `<=`: of two numbers, two texts or two truth values. */
export function order(
  context: Context,
  operator: '<' | '<=',
  a: Content,
  b: Content,
  node: ExpressionNode,
): Value {
  const { terms } = context;
  if (isNumber(a) && isNumber(b)) {
    const { holds, isComparable } = comparison(context, operator, a, b, node);
    return where(terms, isComparable, truth(terms, holds));
  }
  if (a.kind === 'boolean' && b.kind === 'boolean') {
    const [no, yes] = [terms.not(a.term), b.term];
    return truth(terms, operator === '<' ? terms.and(no, yes) : terms.or(no, yes));
  }
  if (a.kind !== 'text' || b.kind !== 'text') return NO_VALUE;
  const isLess = textOrder(context, a.term, b.term);
  return truth(terms, operator === '<' ? isLess : terms.or(isLess, terms.equal(a.term, b.term)));
}

/** Texts are ordered by code points; of texts with characters of two code units, which code units order otherwise, this is left open. */
function textOrder(context: Context, a: Term, b: Term): Term {
  const { terms } = context;
  if (a === b) return terms.false;
  return context.once('order', [a, b], () => {
    const isLess = context.fresh('Bool', 'isLess', a, b);
    const arePlain = terms.and(isPlain(context, a), isPlain(context, b));
    context.define(
      terms.implies(arePlain, terms.equal(isLess, terms.of('str.<', a, b))),
      terms.not(terms.and(isLess, terms.equal(a, b))),
    );
    return isLess;
  });
}

/** `startsWith`, `endsWith` and `contains`, of a text that may be one in lower case. */
export function hasPart(
  context: Context,
  where: 'startsWith' | 'endsWith' | 'contains',
  text: Term,
  part: Term,
): Term {
  const { terms } = context;
  const source = part.kind === 'constant' ? beforeLower(context, text) : null;
  if (source !== null && part.kind === 'constant') {
    const set = anyCaseOf(part.value as string);
    if (set === null) return terms.false;
    const before = where === 'startsWith' ? [] : [ANY_TEXT];
    const after = where === 'endsWith' ? [] : [ANY_TEXT];
    return terms.isIn(source, sequenceOf(...before, set, ...after));
  }
  if (where === 'contains') return terms.of('str.contains', text, part);
  return terms.of(where === 'startsWith' ? 'str.prefixof' : 'str.suffixof', part, text);
}
