import type { ExpressionNode } from '../../languages/expression/index.js';
import type { Term } from '../smt/index.js';
import { type Context, NeedsDoubles, Untranslated } from './context.js';
import { always, type Content, NO_VALUE, type Value, where } from './value.js';

type Whole = Extract<Content, { kind: 'whole' }>;

/** Widest range of a whole number that is written as a choice of doubles. */
const MOST_CHOICES = 64;

/** A number that is known, as in the expression. */
export function numberValue(context: Context, value: number): Value {
  const { terms } = context;
  if (Number.isSafeInteger(value) && !Object.is(value, -0))
    return always(terms, { kind: 'whole', term: terms.int(value), least: value, most: value });
  return always(terms, { kind: 'double', term: terms.float(value) });
}

/** A whole number within bounds. @throws NeedsDoubles if doubles may round it */
export function wholeValue(context: Context, term: Term, least: number, most: number): Value {
  if (!Number.isSafeInteger(least) || !Number.isSafeInteger(most)) throw new NeedsDoubles();
  return always(context.terms, { kind: 'whole', term, least, most });
}

/** The operators on two numbers: none of them gives a value of other kinds. */
export function arithmetic(
  context: Context,
  operator: '+' | '-' | '*' | '/' | '%',
  left: Content,
  right: Content,
  node: ExpressionNode,
): Value {
  if (!isNumber(left) || !isNumber(right)) return NO_VALUE;
  if (left.kind === 'whole' && right.kind === 'whole' && !context.areDoubles)
    return onWhole(context, operator, left, right);
  // A division tells the zeros apart, which whole numbers do not have.
  if (operator === '/' && !context.areDoubles) throw new NeedsDoubles();
  if (operator === '%') throw new Untranslated(node, 'the remainder of doubles is not translated');
  const [a, b] = [asDouble(context, left, node), asDouble(context, right, node)];
  const names = { '+': 'fp.add', '-': 'fp.sub', '*': 'fp.mul', '/': 'fp.div' } as const;
  return always(context.terms, { kind: 'double', term: context.terms.of(names[operator], a, b) });
}

function onWhole(context: Context, operator: '+' | '-' | '*' | '/' | '%', a: Whole, b: Whole): Value {
  const { terms } = context;
  switch (operator) {
    case '+':
      return wholeValue(context, terms.of('+', a.term, b.term), a.least + b.least, a.most + b.most);
    case '-':
      return wholeValue(context, terms.of('-', a.term, b.term), a.least - b.most, a.most - b.least);
    case '*': {
      const corners = [a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most];
      return wholeValue(context, terms.of('*', a.term, b.term), Math.min(...corners), Math.max(...corners));
    }
    case '/':
      throw new NeedsDoubles();
    case '%':
      return remainder(context, a, b);
  }
}

/** As in JavaScript: with the sign of the first; none of a division by zero. */
function remainder(context: Context, a: Whole, b: Whole): Value {
  const { terms } = context;
  const zero = terms.int(0);
  if (b.least === 0 && b.most === 0) return NO_VALUE;
  const minus = (term: Term) => terms.of('-', zero, term);
  const divisor = terms.if(terms.equal(b.term, zero), terms.int(1), b.term);
  const size = terms.if(terms.of('<', a.term, zero), minus(a.term), a.term);
  const rest = terms.of('mod', size, divisor);
  const most = Math.max(Math.abs(b.least), Math.abs(b.most));
  const term = terms.if(terms.of('<', a.term, zero), minus(rest), rest);
  return where(terms, terms.not(terms.equal(b.term, zero)), wholeValue(context, term, -most, most));
}

/** `-x`. A zero loses its sign as whole number, which only a division sees. */
export function negative(context: Context, of: Content, node: ExpressionNode): Value {
  const { terms } = context;
  if (!isNumber(of)) return NO_VALUE;
  if (of.kind === 'double' || context.areDoubles)
    return always(terms, { kind: 'double', term: terms.of('fp.neg', asDouble(context, of, node)) });
  return wholeValue(context, terms.of('-', terms.int(0), of.term), 0 - of.most, 0 - of.least);
}

export function isNumber(content: Content): content is Whole | Extract<Content, { kind: 'double' }> {
  return content.kind === 'whole' || content.kind === 'double';
}

/** How two numbers compare, and whether they can be compared: NaN cannot. */
export function comparison(
  context: Context,
  operator: '==' | '<' | '<=',
  left: Content,
  right: Content,
  node: ExpressionNode,
): { readonly holds: Term; readonly isComparable: Term } {
  const { terms } = context;
  if (left.kind === 'whole' && right.kind === 'whole') {
    const holds =
      operator === '==' ? terms.equal(left.term, right.term) : terms.of(operator, left.term, right.term);
    return { holds, isComparable: terms.true };
  }
  const [a, b] = [asDouble(context, left, node), asDouble(context, right, node)];
  const names = { '==': 'fp.eq', '<': 'fp.lt', '<=': 'fp.leq' } as const;
  const isNone = terms.or(terms.of('fp.isNaN', a), terms.of('fp.isNaN', b));
  return { holds: terms.of(names[operator], a, b), isComparable: terms.not(isNone) };
}

/**
 * A number as double.
 *
 * @throws NeedsDoubles for a whole number that may have many values; Untranslated if it is a size, which is always whole
 */
function asDouble({ terms, areDoubles }: Context, content: Content, node: ExpressionNode): Term {
  if (content.kind === 'double') return content.term;
  if (content.kind !== 'whole') throw new TypeError(`${content.kind} is no number`);
  const { term, least, most } = content;
  if (term.kind === 'constant') return terms.float(Number(term.value));
  if (most - least >= MOST_CHOICES && !areDoubles) throw new NeedsDoubles();
  if (most - least >= MOST_CHOICES)
    throw new Untranslated(node, 'it calculates with a size and with doubles');
  let double = terms.float(most);
  for (let value = most - 1; value >= least; value--)
    double = terms.if(terms.equal(term, terms.int(value)), terms.float(value), double);
  return double;
}
