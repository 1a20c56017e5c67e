import type { TemporalBinary, TemporalUnary } from './formula.js';
import { binaryOperators, spelledBinary, spelledConnectives, unaryOperators } from './reserved.js';
import type { Token } from './token.js';

const ONE_SPELLING: Readonly<Record<string, string>> = { '&&': '&', '||': '|', '=>': '->', '<=>': '<->' };
const COMPARISONS: readonly string[] = ['<', '<=', '>', '>=', '==', '=', '!='];

/** The symbol of a token, in its standard spelling; undefined if the token is not a symbol. */
export function symbolOf({ kind, text }: Token): string | undefined {
  if (kind === 'identifier') return spelledConnectives.get(text);
  return kind === 'symbol' ? (ONE_SPELLING[text] ?? text) : undefined;
}

export function isComparison({ kind, text }: Token): boolean {
  return kind === 'symbol' ? COMPARISONS.includes(text) : kind === 'identifier' && text === 'in';
}

export function unaryOperator({ kind, text }: Token): TemporalUnary | undefined {
  return kind === 'identifier' && unaryOperators.has(text) ? (text as TemporalUnary) : undefined;
}

export function binaryOperator({ kind, text }: Token): TemporalBinary | undefined {
  if (kind !== 'identifier') return undefined;
  return binaryOperators.has(text) ? (text as TemporalBinary) : spelledBinary.get(text);
}
