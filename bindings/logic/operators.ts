import { spelledBinary, spelledConnectives, temporalLetters } from './reserved.js';
import type { Token } from './token.js';

const ONE_SPELLING: Readonly<Record<string, string>> = { '&&': '&', '||': '|', '=>': '->', '<=>': '<->' };
const COMPARISONS: readonly string[] = ['<', '<=', '>', '>=', '==', '=', '!='];

/** The token as a symbol, in its one spelling; undefined if it is none. */
export function symbolOf({ kind, text }: Token): string | undefined {
  if (kind === 'identifier') return spelledConnectives.get(text);
  return kind === 'symbol' ? (ONE_SPELLING[text] ?? text) : undefined;
}

export function isComparison({ kind, text }: Token): boolean {
  return kind === 'symbol' ? COMPARISONS.includes(text) : kind === 'identifier' && text === 'in';
}

export function temporalLetter({ kind, text }: Token): 'X' | 'F' | 'G' | undefined {
  return kind === 'identifier' && temporalLetters.has(text) ? (text as 'X' | 'F' | 'G') : undefined;
}

export function binaryOperator({ kind, text }: Token): 'U' | 'W' | 'R' | undefined {
  if (kind !== 'identifier') return undefined;
  return text === 'U' || text === 'W' || text === 'R' ? text : spelledBinary.get(text);
}
