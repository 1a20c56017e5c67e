/** The unary temporal operators. */
export const temporalLetters: ReadonlySet<string> = new Set(['X', 'F', 'G']);

/** Words that stand for a symbol: the spelled connectives, and LawBreaker's spelled temporal operators. */
export const spelledConnectives: ReadonlyMap<string, string> = new Map([
  ['not', '!'],
  ['and', '&'],
  ['or', '|'],
  ['implies', '->'],
  ['iff', '<->'],
]);

export const spelledUnary: ReadonlyMap<string, 'X' | 'F' | 'G'> = new Map([
  ['next', 'X'],
  ['eventually', 'F'],
  ['always', 'G'],
]);

export const spelledBinary: ReadonlyMap<string, 'U' | 'R'> = new Map([
  ['until', 'U'],
  ['release', 'R'],
]);

/** Operators of the same family of languages that are not read yet; kept so that rules written today keep their meaning. */
export const keptForLater: ReadonlySet<string> = new Set('A E S Y O H WX WY Pmin Pmax filter'.split(' '));

const reserved: ReadonlySet<string> = new Set([
  ...temporalLetters,
  ...['U', 'W', 'R', 'P', 'true', 'false', 'in'],
  ...spelledConnectives.keys(),
  ...spelledUnary.keys(),
  ...spelledBinary.keys(),
  ...keptForLater,
]);

/** Whether a predicate of this name can be written without quotes. */
export function isPlainName(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && !reserved.has(name);
}
