import type { Formula } from './formula.js';
import type { Token } from './token.js';
import type { TokenReader } from './tokenReader.js';

type ProbabilityBound = Extract<Formula, { kind: 'probability' }>['bound'];

/** Reads the bound after `P`: null for `=?`, else a bound such as `<0.1`. */
export function parseProbabilityBound(reader: TokenReader): ProbabilityBound {
  const operator = reader.token.text;
  if (operator === '<' || operator === '<=' || operator === '>=' || operator === '>') {
    reader.advance();
    const number = reader.token;
    const text = reader.expectNumber('a probability between 0 and 1');
    refuseFraction(reader, number);
    const threshold = Number(text);
    if (threshold <= 1) return { operator, threshold, text };
    throw reader.errorAt(
      number.place,
      `the threshold ${text} is not a probability`,
      'a number between 0 and 1',
    );
  }
  if (operator !== '=')
    throw reader.error(`unexpected ${reader.found()} after P`, 'P=? or a bound such as P<0.1');
  reader.advance();
  reader.expect('?');
  return null;
}

function refuseFraction(reader: TokenReader, { place, text }: Token): void {
  if (!reader.at('/') || reader.ahead(1).kind !== 'number') return;
  const value = Number(text) / Number(reader.ahead(1).text);
  const near = value <= 1 ? `, ${value} or near it` : '';
  throw reader.errorAt(
    place,
    `the threshold ${text}/${reader.ahead(1).text} is a fraction`,
    `a decimal between 0 and 1${near}`,
  );
}
