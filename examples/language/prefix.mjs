const place = { offset: 0, line: 1, column: 1 };
const UNARY = ['F', 'G', 'X'];
const BINARY = ['U', 'W', 'R', 'M'];
const LOGICAL = { '&': 'and', '|': 'or', i: 'implies', '->': 'implies', e: 'iff', '<->': 'iff' };

/**
 * A formula in Spot's prefix form, such as `& F a G ! b`: operators stand before what they join. Null for what is none, as some recorded answers are.
 *
 * @param text tokens with spaces between them; every other token names a predicate
 */
export function parsePrefix(text) {
  const tokens = text.trim().split(/\s+/);
  const formula = read(tokens);
  return formula === null || tokens.length > 0 ? null : formula;
}

/** Takes one formula from the front of the tokens. */
function read(tokens) {
  const token = tokens.shift();
  if (token === '!') return joined([read(tokens)], ([operand]) => ({ kind: 'not', operand, place }));
  if (UNARY.includes(token))
    return joined([read(tokens)], ([operand]) => ({
      kind: 'unary',
      operator: token,
      operand,
      window: null,
      place,
    }));
  if (BINARY.includes(token))
    return joined([read(tokens), read(tokens)], ([left, right]) => binary(token, left, right));
  const kind = LOGICAL[token];
  if (kind !== undefined)
    return joined([read(tokens), read(tokens)], ([left, right]) => ({ kind, left, right, place }));
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(token ?? '') ? { kind: 'predicate', name: token, place } : null;
}

const joined = (parts, make) => (parts.includes(null) ? null : make(parts));

/** `a M b` is `b U (a & b)`. */
const binary = (operator, left, right) =>
  operator === 'M'
    ? binary('U', right, { kind: 'and', left, right, place })
    : { kind: 'binary', operator, left, right, window: null, place };
