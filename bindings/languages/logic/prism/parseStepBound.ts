import { NotSupportedError } from '../../../base/errors.js';
import type { PrismExpression, StepBound } from './expression.js';
import { isBuiltIn, prismKeywords, readExpression } from './parseExpression.js';
import type { PrismReader } from './reader.js';

/**
 * Reads the bound after a temporal operator, if there is one: `<=k`, `<k`, `>=k`, `>k`, `=k` or `[a,b]`. As in PRISM, k is the longest
 * expression that can be read, except that a name before a bracket is a constant followed by the operand: `F<=T (x=1)`.
 */
export function parseStepBound(reader: PrismReader): StepBound | null {
  const bound = readStepBound(reader);
  if (bound !== null) refuseUnit(reader);
  return bound;
}

const UNITS = /^(?:ms|s|sec|secs|seconds?|min|minutes?|h|hours?)$/;

/** Refuses a unit of time, as rules have it in windows: a name that another operand follows. */
function refuseUnit(reader: PrismReader, isInside = false): void {
  const { kind, text } = reader.ahead(1);
  const isOperand =
    kind === 'identifier' ||
    kind === 'quoted' ||
    text === '!' ||
    (text === '(' && !isBuiltIn(reader.token.text));
  const follows = isInside ? /^[,\]]$/.test(text) : isOperand;
  if (reader.token.kind !== 'identifier' || !UNITS.test(reader.token.text) || !follows) return;
  throw reader.error(
    `the bound has the unit '${reader.token.text}', and properties count steps, not time`,
    'a number of steps, such as F<=10 or F[0,10]',
  );
}

function readStepBound(reader: PrismReader): StepBound | null {
  const open = { lower: null, lowerStrict: false, upper: null, upperStrict: false };
  if (reader.at('<=', '<')) {
    const strict = reader.advance().text === '<';
    return { ...open, upper: bound(reader), upperStrict: strict };
  }
  if (reader.at('>=', '>')) {
    const strict = reader.advance().text === '>';
    return { ...open, lower: bound(reader), lowerStrict: strict };
  }
  if (reader.take('=')) {
    const exactly = bound(reader);
    return { ...open, lower: exactly, upper: exactly };
  }
  if (reader.at('^', '{')) {
    const { line, column } = reader.token.place;
    throw new NotSupportedError(
      `${reader.name}:${line}:${column}: bounds on rewards, as in F^{rew{"cost"}<=k}, are not supported; add a variable that counts to the model, or bound steps`,
    );
  }
  if (!reader.take('[')) return null;
  const lower = readExpression(reader, false);
  refuseUnit(reader, true);
  reader.expect(',');
  const upper = readExpression(reader, false);
  refuseUnit(reader, true);
  reader.expect(']');
  return { ...open, lower, upper };
}

function bound(reader: PrismReader): PrismExpression {
  const { kind, text } = reader.ahead(1);
  const isConstant = reader.token.kind === 'identifier' && kind === 'symbol' && text === '(';
  if (!isConstant || isBuiltIn(reader.token.text) || prismKeywords.has(reader.token.text)) {
    return readExpression(reader, false);
  }
  const { text: name, place } = reader.advance();
  return { kind: 'name', name, place };
}
