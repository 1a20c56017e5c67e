import type { BinaryOperator, BuiltIn, PrismExpression } from './expression.js';
import { parsePropertyOperator } from './parsePropertyOperator.js';
import { parseStepBound } from './parseStepBound.js';
import { PrismReader } from './reader.js';

const builtIns: readonly string[] = [
  'min',
  'max',
  'floor',
  'ceil',
  'round',
  'pow',
  'mod',
  'log',
] satisfies BuiltIn[];

/** Whether a word is a function if a bracket follows. */
export function isBuiltIn(word: string): boolean {
  return builtIns.includes(word);
}

/** Reserved words: no variable, constant, formula or module may have such a name. */
export const prismKeywords: ReadonlySet<string> = new Set(
  `A bool clock const ctmc C double dtmc E endinit endinvariant endmodule endobservables endrewards endsystem false formula
  filter func F global G init invariant I int label max mdp min module X nondeterministic observable observables of Pmax Pmin
  P pomdp popta probabilistic prob pta rate rewards Rmax Rmin R S stochastic system true U W`.split(/\s+/),
);

/** Precedence of binary operators, from the loosest; all but `^` are left-associative. */
export const operatorLevels: Readonly<Record<string, number>> = {
  '=>': 0,
  '<=>': 1,
  '|': 2,
  '&': 3,
  '=': 4,
  '!=': 4,
  '<': 5,
  '<=': 5,
  '>': 5,
  '>=': 5,
  '+': 6,
  '-': 6,
  '*': 7,
  '/': 7,
};

/** The precedence level of `!`: it takes operands of at least this level, and may occur wherever they may. */
const NEGATION = 4;

/** Longest chain of operands; keeps walks over the tree within the call stack. */
const MAX_OPERANDS = 2000;

/**
 * Parses one expression of PRISM's language. With `properties`, it also accepts operators such as P, R and filter, path formulas, and
 * quoted labels. Precedence is PRISM's: U W R bind loosest, then X F G, `? :`, `=>`, `<=>`, `|`, `&`, `!`, `=`, `<`, `+`, `*`, `^`, unary
 * minus.
 *
 * @param source The text of a single expression
 * @param options `name` is the name of the text in messages
 * @throws ParseError with line, column, the line itself and a caret
 * @source PRISM manual, "Expressions" and "Property Specification"
 */
export function parsePrismExpression(
  source: string,
  { name = 'expression', properties = false }: { name?: string; properties?: boolean } = {},
): PrismExpression {
  const reader = new PrismReader(source, name);
  const expression = readExpression(reader, properties);
  if (reader.token.kind !== 'end') throw reader.unexpected('an operator or the end');
  return expression;
}

/** Reads the longest expression that starts at the current token. */
export function readExpression(reader: PrismReader, properties: boolean): PrismExpression {
  const left = prefixed(reader, properties);
  if (!properties || !reader.atWord('U', 'W', 'R') || atReward(reader)) return left;
  const { text, place } = reader.advance();
  const operator = text as 'U' | 'W' | 'R';
  const bound = parseStepBound(reader);
  return { kind: 'until', operator, left, right: prefixed(reader, properties), bound, place };
}

/** Whether an R is the reward operator of the next property in a file, and not release: `R{`, `R=?`, `R min` or `R<5 [`. */
function atReward(reader: PrismReader): boolean {
  const { text } = reader.ahead(1);
  if (!reader.atWord('R')) return false;
  if (['{', '=?', 'min', 'max'].includes(text)) return true;
  return ['<', '<=', '>', '>='].includes(text) && isSymbol(reader, 3, '[');
}

/** Reads a prefix operator. X, F and G extend as far to the right as possible, and may occur wherever an operand may. */
function prefixed(reader: PrismReader, properties: boolean): PrismExpression {
  return reader.nested(() =>
    atTemporal(reader, properties) ? temporal(reader) : conditional(reader, properties),
  );
}

function atTemporal(reader: PrismReader, properties: boolean): boolean {
  return properties && reader.atWord('X', 'F', 'G');
}

function temporal(reader: PrismReader): PrismExpression {
  const { text, place } = reader.advance();
  const operator = text as 'X' | 'F' | 'G';
  const bound = operator === 'X' ? null : parseStepBound(reader);
  return { kind: 'temporal', operator, operand: prefixed(reader, true), bound, place };
}

function conditional(reader: PrismReader, properties: boolean): PrismExpression {
  const condition = binary(reader, properties, 0);
  if (!reader.at('?')) return condition;
  const { place } = reader.advance();
  const whenTrue = binary(reader, properties, 0);
  reader.expect(':');
  const whenFalse = reader.nested(() => conditional(reader, properties));
  return { kind: 'conditional', condition, whenTrue, whenFalse, place };
}

/** Reads operators that bind at least as tightly as `level`, with their operands. */
function binary(reader: PrismReader, properties: boolean, level: number): PrismExpression {
  let left = operandOf(reader, properties, level);
  for (let operands = 1; ; operands++) {
    const { kind, text, place } = reader.token;
    const found = kind === 'symbol' ? operatorLevels[text] : undefined;
    if (found === undefined || found < level) return left;
    if (operands === MAX_OPERANDS) {
      throw reader.error(`more than ${MAX_OPERANDS} operands follow each other`, 'a shorter expression');
    }
    reader.advance();
    const right = binary(reader, properties, found + 1);
    left = { kind: 'binary', operator: text as BinaryOperator, left, right, place };
  }
}

function operandOf(reader: PrismReader, properties: boolean, level: number): PrismExpression {
  if (level > NEGATION) return power(reader, properties);
  if (atTemporal(reader, properties)) return reader.nested(() => temporal(reader));
  if (!reader.at('!')) return power(reader, properties);
  const { place } = reader.advance();
  return { kind: 'not', operand: reader.nested(() => binary(reader, properties, NEGATION)), place };
}

/** Reads a power; `^` is right-associative. */
function power(reader: PrismReader, properties: boolean): PrismExpression {
  const left = unaryMinus(reader, properties);
  if (!reader.at('^')) return left;
  const { place } = reader.advance();
  const right = reader.nested(() => power(reader, properties));
  return { kind: 'binary', operator: '^', left, right, place };
}

function unaryMinus(reader: PrismReader, properties: boolean): PrismExpression {
  if (!reader.at('-')) return parseOperand(reader, properties);
  const { place } = reader.advance();
  return { kind: 'negate', operand: reader.nested(() => unaryMinus(reader, properties)), place };
}

/** Reads a literal, a name, a call, a property operator, or an expression in brackets. */
export function parseOperand(reader: PrismReader, properties: boolean): PrismExpression {
  const { kind, text, place } = reader.token;
  if (properties) {
    const operator = parsePropertyOperator(reader);
    if (operator !== undefined) return operator;
  }
  if (kind === 'number') {
    reader.advance();
    return { kind: 'number', text, place };
  }
  if (kind === 'quoted') {
    if (!properties) throw reader.unexpected('an expression over variables; labels belong to properties');
    reader.advance();
    return { kind: 'label', name: text, place };
  }
  if (reader.take('(')) {
    const inner = reader.nested(() => readExpression(reader, properties));
    reader.expect(')');
    return inner;
  }
  if (reader.takeWord('true') || reader.takeWord('false')) {
    return { kind: 'boolean', value: text === 'true', place };
  }
  if (kind === 'identifier' && builtIns.includes(text) && isSymbol(reader, 1, '(')) {
    reader.advance();
    reader.advance();
    return call(reader, properties, text as BuiltIn);
  }
  // The language's older way of writing calls: func(max, a, b).
  if (reader.atWord('func') && isSymbol(reader, 1, '(')) {
    reader.advance();
    reader.advance();
    const named = reader.expectIdentifier('the name of a function');
    if (!builtIns.includes(named.text)) {
      throw reader.errorAt(named.place, `unknown function ${named.text}`, builtIns.join(', '));
    }
    reader.expect(',');
    return call(reader, properties, named.text as BuiltIn);
  }
  if (kind === 'identifier' && !prismKeywords.has(text)) {
    if (isSymbol(reader, 1, '(')) {
      const counts =
        text === 'count'
          ? 'properties do not count steps, rules of a specification do; a model can count in a variable; '
          : '';
      throw reader.error(`${counts}unknown function ${text}`, builtIns.join(', '));
    }
    reader.advance();
    return { kind: 'name', name: text, place };
  }
  throw reader.unexpected('an expression');
}

function isSymbol(reader: PrismReader, distance: number, symbol: string): boolean {
  const { kind, text } = reader.ahead(distance);
  return kind === 'symbol' && text === symbol;
}

/** The smallest and largest number of operands of each function. */
const arity: Readonly<Record<BuiltIn, readonly [number, number]>> = {
  min: [1, Number.POSITIVE_INFINITY],
  max: [1, Number.POSITIVE_INFINITY],
  floor: [1, 1],
  ceil: [1, 1],
  round: [1, 1],
  pow: [2, 2],
  mod: [2, 2],
  log: [2, 2],
};

function call(reader: PrismReader, properties: boolean, name: BuiltIn): PrismExpression {
  const { place } = reader.token;
  const operands = [reader.nested(() => readExpression(reader, properties))];
  while (reader.take(',')) operands.push(reader.nested(() => readExpression(reader, properties)));
  reader.expect(')', "',' or ')'");
  const [least, most] = arity[name];
  if (operands.length < least || operands.length > most) {
    const expected = most === least ? `${least}` : `at least ${least}`;
    throw reader.errorAt(place, `${name} is given ${operands.length} operands`, expected);
  }
  return { kind: 'call', function: name, operands, place };
}
