import type { TemporalBinary, TemporalUnary } from './formula.js';

/** The temporal operators as they are written. */
export const unaryOperators: ReadonlySet<string> = new Set<TemporalUnary>([
  'X',
  'WX',
  'F',
  'G',
  'Y',
  'WY',
  'O',
  'H',
]);

export const binaryOperators: ReadonlySet<string> = new Set<TemporalBinary>(['U', 'W', 'R', 'S']);

/** Words that stand for a symbol: the spelled connectives, and LawBreaker's spelled temporal operators. */
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

/** Operators of the same family of languages that are not read yet; kept so that rules written today keep their meaning. */
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
