import {
  type FilterOperator,
  filterOperators,
  type PrismExpression,
  type PropertyOperator,
  type Question,
  type RewardPath,
} from './expression.js';
import { readExpression } from './parseExpression.js';
import type { PrismReader } from './reader.js';

/** P, R, T and S, with optional directions directly after the letter. */
const questionWord = /^(?<letter>[PRTS])(?<directions>(?:min|max){0,2})$/;

const comparisons = ['<', '<=', '>', '>='] as const;

/** The symbols that may follow the letter. `=` is included to give a clear error, since PRISM has no P=0.5. */
const questionSymbols: readonly string[] = ['=?', '=', ...comparisons];

const filterAliases: Readonly<Record<string, FilterOperator>> = {
  '+': 'sum',
  '&': 'forall',
  '|': 'exists',
};

/** Reads a property operator if one begins at the current token; otherwise returns undefined without reading anything. */
export function parsePropertyOperator(reader: PrismReader): PrismExpression | undefined {
  const { kind, text, place } = reader.token;
  if (reader.at('<<') || (reader.at('[') && reader.ahead(1).text === '[')) return coalition(reader);
  if (kind !== 'identifier') return undefined;
  const next = reader.ahead(1);
  if ((text === 'A' || text === 'E') && next.kind === 'symbol' && next.text === '[') {
    reader.advance();
    return { kind: 'quantified', quantifier: text, path: bracketed(reader), place };
  }
  if (text === 'filter' && next.kind === 'symbol' && next.text === '(') return filter(reader);
  if (text === 'multi' && next.kind === 'symbol' && next.text === '(') {
    return multi(reader);
  }
  const word = questionWord.exec(text)?.groups;
  if (word === undefined) return undefined;
  switch (word.letter) {
    case 'R':
      return isQuestion(next) || (next.kind === 'symbol' && next.text === '{')
        ? reward(reader, word.directions)
        : undefined;
    case 'T': {
      if (!isQuestion(next)) return undefined;
      reader.advance();
      const asked = question(reader, word.directions);
      return inBrackets(reader, asked, rewardPath, (path) => ({
        kind: 'reward',
        structure: { time: true },
        question: asked,
        path,
        place,
      }));
    }
    default: {
      if (!isQuestion(next)) return undefined;
      reader.advance();
      const asked = question(reader, word.directions);
      return inBrackets(
        reader,
        asked,
        () => readExpression(reader, true),
        (inner) =>
          word.letter === 'P'
            ? { kind: 'probability', question: asked, path: inner, place }
            : { kind: 'steadyState', question: asked, operand: inner, place },
      );
    }
  }
}

function isQuestion({ text, kind }: PrismReader['token']): boolean {
  return kind === 'symbol' && questionSymbols.includes(text);
}

function bracketed(reader: PrismReader): PrismExpression {
  reader.expect('[');
  const inner = reader.nested(() => readExpression(reader, true));
  reader.expect(']', "an operator or ']'");
  return inner;
}

/**
 * Reads the content of the brackets of P, R, T and S. Filters may be written there in the older syntax: `P=? [ F a {b}{max} ]` is
 * `filter(max, P=? [ F a ], b)`. Without min or max, a query requires exactly one such state, and a threshold applies to all of them.
 */
function inBrackets<T>(
  reader: PrismReader,
  { comparison }: Question,
  read: (reader: PrismReader) => T,
  make: (inner: T) => PropertyOperator,
): PrismExpression {
  reader.expect('[');
  const operator = make(reader.nested(() => read(reader)));
  let filtered: PrismExpression = operator;
  if (reader.take('{')) {
    const states = reader.nested(() => readExpression(reader, true));
    reader.expect('}');
    const asked = new Set<string>();
    while (reader.take('{')) {
      if (!reader.atWord('min', 'max')) throw reader.unexpected("'min' or 'max'");
      asked.add(reader.advance().text);
      reader.expect('}');
    }
    const [only = 'state'] = asked;
    const wanted = asked.size === 2 ? 'range' : (only as FilterOperator);
    const { place } = operator;
    filtered = {
      kind: 'filter',
      operator: comparison === null ? wanted : 'forall',
      operand: operator,
      states,
      place,
    };
  }
  reader.expect(']', "an operator or ']'");
  return filtered;
}

function question(reader: PrismReader, directions: string): Question {
  const asked = (directions.match(/min|max/g) ?? []) as ('min' | 'max')[];
  if (reader.take('=?')) return { directions: asked, comparison: null, threshold: null };
  if (reader.take('=') && reader.take('?')) return { directions: asked, comparison: null, threshold: null };
  const symbol = comparisons.find((candidate) => reader.at(candidate));
  if (symbol === undefined) throw reader.unexpected("'=?' or a threshold such as '<0.1'");
  reader.advance();
  return { directions: asked, comparison: symbol, threshold: readExpression(reader, false) };
}

function reward(reader: PrismReader, directions: string): PrismExpression {
  const { place } = reader.advance();
  let structure: { name: string } | { index: PrismExpression } | null = null;
  if (reader.take('{')) {
    if (reader.token.kind === 'quoted') structure = { name: reader.advance().text };
    else structure = { index: readExpression(reader, false) };
    reader.expect('}');
  }
  let asked = directions;
  const after = /^(?:min|max){1,2}$/.exec(reader.token.text);
  if (reader.token.kind === 'identifier' && after !== null && asked === '') {
    asked = reader.advance().text;
  }
  const given = question(reader, asked);
  return inBrackets(reader, given, rewardPath, (path) => ({
    kind: 'reward',
    structure,
    question: given,
    path,
    place,
  }));
}

function rewardPath(reader: PrismReader): RewardPath {
  const { text: next, kind } = reader.ahead(1);
  const symbol = kind === 'symbol' ? next : '';
  if (reader.atWord('C') && ['<=', '<', ']', '{'].includes(symbol)) {
    reader.advance();
    if (reader.at(']', '{')) return { kind: 'cumulative', bound: null, strict: false };
    const strict = reader.advance().text === '<';
    return { kind: 'cumulative', bound: readExpression(reader, false), strict };
  }
  if (reader.atWord('I') && symbol === '=') {
    reader.advance();
    reader.advance();
    return { kind: 'instantaneous', time: readExpression(reader, false) };
  }
  if (reader.atWord('S') && [']', '{'].includes(symbol)) {
    reader.advance();
    return { kind: 'longRun' };
  }
  return { kind: 'reach', path: readExpression(reader, true) };
}

function filter(reader: PrismReader): PrismExpression {
  const { place } = reader.advance();
  reader.expect('(');
  const { text, place: operatorPlace } = reader.token;
  const operator = filterAliases[text] ?? filterOperators.find((candidate) => candidate === text);
  if (operator === undefined) {
    throw reader.errorAt(
      operatorPlace,
      `unknown filter '${text}'`,
      [...filterOperators, ...Object.keys(filterAliases)].join(', '),
    );
  }
  reader.advance();
  reader.expect(',');
  const operand = reader.nested(() => readExpression(reader, true));
  const states = reader.take(',') ? reader.nested(() => readExpression(reader, true)) : null;
  reader.expect(')', "',' or ')'");
  return { kind: 'filter', operator, operand, states, place };
}

function coalition(reader: PrismReader): PrismExpression {
  const exists = reader.at('<<');
  const { place } = reader.advance();
  if (!exists) reader.advance();
  const closing = exists ? '>>' : ']';
  const players: string[] = [];
  let everybody = false;
  if (reader.take('*')) everybody = true;
  else {
    while (!reader.at(closing)) {
      const { kind, text } = reader.advance();
      if (kind !== 'identifier' && kind !== 'number' && kind !== 'quoted') {
        throw reader.errorAt(place, 'a coalition lists players by name or number', "'*' or names");
      }
      players.push(text);
      if (!reader.take(',')) break;
    }
  }
  reader.expect(closing);
  if (!exists) reader.expect(']');
  const operand = readExpression(reader, true);
  return {
    kind: 'coalition',
    quantifier: exists ? '<<>>' : '[[]]',
    players: everybody ? '*' : players,
    operand,
    place,
  };
}

function multi(reader: PrismReader): PrismExpression {
  const { place } = reader.advance();
  reader.expect('(');
  const operands = [reader.nested(() => readExpression(reader, true))];
  while (reader.take(',')) operands.push(reader.nested(() => readExpression(reader, true)));
  reader.expect(')', "',' or ')'");
  return { kind: 'multi', operands, place };
}
