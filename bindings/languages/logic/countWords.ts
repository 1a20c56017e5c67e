import type { CountOperator } from './formula.js';
import type { Token } from './token.js';
import type { TokenReader } from './tokenReader.js';

const OPERATORS: readonly CountOperator[] = ['<', '<=', '=', '>=', '>'];

/**
 * Whether the word `count`, which has been reached, begins a count: before `(`, or before a window, which has a comma. So predicates and
 * fields of that name keep their meaning.
 *
 * @throws ParseError if a window stands there without brackets
 */
export function beginsCount(reader: TokenReader): boolean {
  const [next, bound, after, last] = [1, 2, 3, 4].map((distance) => reader.ahead(distance));
  if (next.kind !== 'symbol') return false;
  if (next.text === '(') return true;
  if (bound.kind !== 'number') return false;
  const hasUnit = after.kind === 'identifier' && (after.text === 's' || after.text === 'ms');
  const { kind, text } = hasUnit ? last : after;
  if (next.text === '[') return kind === 'symbol' && text === ',';
  if (countOperator(next) === undefined || kind !== 'symbol' || text !== '(') return false;
  throw reader.errorAt(next.place, 'the window of count stands in brackets', 'count[0,10](p) >= 2');
}

/** The comparison after a count; undefined if the token is none. */
export function countOperator({ kind, text }: Token): CountOperator | undefined {
  const sign = text === '==' ? '=' : text;
  return kind === 'symbol' ? OPERATORS.find((operator) => operator === sign) : undefined;
}

/** Whether a text is a whole number that can be counted to. */
export function isWhole(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) <= 0x7ffffffe;
}
