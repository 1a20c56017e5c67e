import type { TemporalBinary, TemporalUnary } from './formula.js';

const unary: Readonly<Record<TemporalUnary, true>> = {
  X: true,
  WX: true,
  F: true,
  G: true,
  Y: true,
  WY: true,
  O: true,
  H: true,
};
const binary: Readonly<Record<TemporalBinary, true>> = { U: true, W: true, R: true, S: true };

/** The temporal operators as they are written. */
export const unaryOperators: ReadonlySet<string> = new Set(Object.keys(unary));

export const binaryOperators: ReadonlySet<string> = new Set(Object.keys(binary));

/** Words that are synonyms of a symbol: the spelled connectives, and LawBreaker's spelled temporal operators. */
export const spelledConnectives: ReadonlyMap<string, string> = new Map([
  ['not', '!'],
  ['and', '&'],
  ['or', '|'],
  ['implies', '->'],
  ['iff', '<->'],
]);

export const spelledUnary: ReadonlyMap<string, TemporalUnary> = new Map([
  ['next', 'X'],
  ['eventually', 'F'],
  ['always', 'G'],
  ['previous', 'Y'],
  ['once', 'O'],
  ['historically', 'H'],
]);

export const spelledBinary: ReadonlyMap<string, TemporalBinary> = new Map([
  ['until', 'U'],
  ['release', 'R'],
  ['since', 'S'],
]);

/** Operators of related languages that are not supported yet; reserved so that rules written today keep their meaning. */
export const keptForLater: ReadonlySet<string> = new Set('A E Pmin Pmax filter'.split(' '));

const reserved: ReadonlySet<string> = new Set([
  ...unaryOperators,
  ...binaryOperators,
  ...['P', 'true', 'false', 'in'],
  ...spelledConnectives.keys(),
  ...spelledUnary.keys(),
  ...spelledBinary.keys(),
  ...keptForLater,
]);

/** Whether a predicate of this name can be written without quotes. */
export function isPlainName(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && !reserved.has(name);
}
