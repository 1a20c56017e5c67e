import type { NodeOf } from '../../languages/expression/index.js';
import { type Regex, readPattern, regexOfGlob } from '../../languages/regular/index.js';
import type { Term } from '../smt/index.js';
import { hasPart } from './comparisons.js';
import { type Context, Untranslated } from './context.js';
import { arithmetic, isNumber, numberValue, wholeValue } from './numbers.js';
import { beforeLowering, patternOf } from './patterns.js';
import { addressOf, beforeLower, codePointsOf, hostOf, isPlain, loweredText, trimmed } from './texts.js';
import { always, type Content, mapped, mappedBoth, NO_VALUE, truth, type Value, where } from './value.js';

/** Longest text that an operation gives, in code units: no bound is known, and sizes stay within what doubles count. */
const LONGEST = 2 ** 40;

/** The value of a function. @throws Untranslated for functions that have no terms */
export function callOf(context: Context, node: NodeOf<'call'>, values: readonly Value[]): Value {
  const { terms } = context;
  const [first, second] = values;
  const ofText = (of: (text: Term) => Value) =>
    mapped(terms, first, (content) => (content.kind === 'text' ? of(content.term) : NO_VALUE));
  const text = (term: Term): Value => always(terms, { kind: 'text', term });
  const ofTwoTexts = (of: (text: Term, part: Term) => Value) =>
    mappedBoth(terms, first, second, (a, b) =>
      a.kind === 'text' && b.kind === 'text' ? of(a.term, b.term) : NO_VALUE,
    );
  switch (node.function) {
    case 'size':
      return mapped(terms, first, (content) => size(context, content));
    case 'sum':
      return mapped(terms, first, (content) => sum(context, content, node));
    case 'startsWith':
    case 'endsWith':
    case 'contains': {
      const name = node.function;
      return ofTwoTexts((one, part) => truth(terms, hasPart(context, name, one, part)));
    }
    case 'matches':
      return ofTwoTexts((one, pattern) =>
        truth(terms, matches(context, node, one, pattern, 'part', readPattern)),
      );
    case 'glob':
      return ofTwoTexts((one, pattern) =>
        truth(terms, matches(context, node, one, pattern, 'whole', regexOfGlob)),
      );
    case 'trim':
      return ofText((one) => text(trimmed(context, one)));
    case 'lowerAscii':
      return ofText((one) => text(loweredText(context, one)));
    case 'domainOf':
    case 'localPart':
      return ofText((one) => {
        const { isOne, local, domain } = addressOf(context, one);
        return where(terms, isOne, text(node.function === 'domainOf' ? domain : local));
      });
    case 'hostOf':
      return ofText((one) => {
        const { isOne, host } = hostOf(context, one);
        return where(terms, isOne, text(host));
      });
    default:
      throw new Untranslated(node, `${node.function} has no terms`);
  }
}

function size(context: Context, content: Content): Value {
  const { terms } = context;
  if (content.kind === 'text') return wholeValue(context, codePointsOf(context, content.term), 0, LONGEST);
  if (content.kind === 'map') return numberValue(context, content.entries.size);
  if (content.kind !== 'list') return NO_VALUE;
  const [zero, one] = [terms.int(0), terms.int(1)];
  const ones = content.elements.map(({ when }) => terms.if(when, one, zero));
  if (ones.length === 0) return numberValue(context, 0);
  const total = ones.length === 1 ? ones[0] : terms.of('+', ...ones);
  return wholeValue(context, total, 0, ones.length);
}

/** The sum of a list, from its first element on, as doubles are rounded in this order. */
function sum(context: Context, content: Content, node: NodeOf<'call'>): Value {
  const { terms } = context;
  if (content.kind !== 'list') return NO_VALUE;
  return content.elements.reduce(
    (total, { when, value }) => [
      ...where(terms, terms.not(when), total),
      ...where(
        terms,
        when,
        mappedBoth(terms, total, value, (a, b) =>
          isNumber(b) ? arithmetic(context, '+', a, b, node) : NO_VALUE,
        ),
      ),
    ],
    numberValue(context, 0),
  );
}

function matches(
  context: Context,
  node: NodeOf<'call'>,
  text: Term,
  pattern: Term,
  extent: 'part' | 'whole',
  read: (pattern: string) => Regex,
): Term {
  const { terms } = context;
  if (pattern.kind !== 'constant' || node.arguments[1].kind !== 'literal')
    throw new Untranslated(node, 'the pattern is not known');
  const regex = read(pattern.value as string);
  const source = beforeLower(context, text);
  const whole = source ?? text;
  const { set, isExact } = patternOf(source === null ? regex : beforeLowering(regex), extent);
  const isIn = terms.isIn(whole, set);
  if (isExact) return isIn;
  return context.once(`${node.function} ${pattern.value}`, [whole, terms.bool(source === null)], () => {
    const holds = context.fresh('Bool', 'matches', whole);
    context.define(
      terms.implies(holds, isIn),
      terms.implies(terms.and(isIn, isPlain(context, whole)), holds),
    );
    return holds;
  });
}
