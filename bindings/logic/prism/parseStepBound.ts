import type { PrismExpression, StepBound } from './expression.js';
import { parseOperand, readExpression } from './parseExpression.js';
import type { PrismReader } from './reader.js';

/**
 * The bound behind a temporal operator, if there is one: `<=k`, `<k`, `>=k`, `>k`, `=k` or `[a,b]`. k is a number, a constant or
 * an expression in brackets: what follows belongs to the operand.
 */
export function parseStepBound(reader: PrismReader): StepBound | null {
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
  if (!reader.take('[')) return null;
  const lower = readExpression(reader, false);
  reader.expect(',');
  const upper = readExpression(reader, false);
  reader.expect(']');
  return { ...open, lower, upper };
}

function bound(reader: PrismReader): PrismExpression {
  return parseOperand(reader, false);
}
