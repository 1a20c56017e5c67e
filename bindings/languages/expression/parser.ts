import { ParseError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { TokenCursor } from '../../base/tokenCursor.js';
import {
  children,
  type Expression,
  type ExpressionNode,
  type MacroName,
  type NodeOf,
  type Place,
} from './expression.js';
import { FUNCTION_NAMES, FUNCTIONS, type FunctionName, isTextFunction } from './functions.js';
import { quote } from './quote.js';
import { provideTextOperations } from './textOperations.js';
import { TEXT_OPERATIONS } from './texts/index.js';
import { type Token, tokenize } from './token.js';

/** Deepest syntax tree accepted; a chain of `&&` or `||` counts as one level. */
export const maximumDepth = 250;

/** Precedence of binary operators; all are left-associative. `&&`, `||` and `?:` bind weaker. */
const precedence: Readonly<Record<string, number>> = {
  '==': 1,
  '!=': 1,
  '<': 1,
  '<=': 1,
  '>': 1,
  '>=': 1,
  in: 1,
  '+': 2,
  '-': 2,
  '*': 3,
  '/': 3,
  '%': 3,
};
const macros: readonly MacroName[] = ['exists', 'all', 'exists_one', 'filter', 'map'];
/** Words that CEL reserves; they may still be field names after a dot. */
const reserved = new Set(
  'in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const literals = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Parses an expression of the CEL subset: literals, lists, maps, fields, indexing, arithmetic, comparisons, `in`,
 * `&& || !`, the conditional, `has`, the functions of `FUNCTIONS`, and the macros `exists`,
 * `all`, `exists_one`, `filter`, `map`.
 *
 * @param options.name the name of the source in messages, e.g. `predicate "doorOpen"`; default `expression`.
 * @throws ParseError with line, column and what was expected; also if the source is longer than 100,000 characters or
 * nested deeper than 250 levels.
 * @see https://github.com/google/cel-spec/blob/master/doc/langdef.md
 */
export function parseExpression(source: string, options: { readonly name?: string } = {}): Expression {
  const name = options.name ?? 'expression';
  return { name, root: new Parser(source, name).parse() };
}

class Parser extends TokenCursor<Token> {
  readonly #name: string;

  constructor(source: string, name: string) {
    super(tokenize(source, name), maximumDepth);
    this.#name = name;
  }

  parse(): ExpressionNode {
    const root = this.#conditional();
    if (this.token.kind !== 'end') throw this.unexpected('an operator or the end');
    this.#checkDepth(root);
    return root;
  }

  override expect(symbol: string): Token {
    return super.expect(symbol, `"${symbol}"`);
  }

  unexpected(expected: string): ParseError {
    const found = this.token.kind === 'end' ? 'the end' : quote(this.token.text);
    return this.error(`found ${found}`, expected);
  }

  errorAt({ line, column }: Place, found: string, expected: string): ParseError {
    return new ParseError(`${found}, expected ${expected}`, { source: this.#name, line, column, expected });
  }

  protected tooDeep(place: Place): ParseError {
    return this.errorAt(place, `found nesting deeper than ${maximumDepth} levels`, 'a flatter expression');
  }

  /** The parser builds left-associative chains without recursion, but later passes recurse over the tree, so its depth is checked. */
  #checkDepth(root: ExpressionNode): void {
    let level = [root];
    for (let depth = 1; level.length > 0; depth++) {
      if (depth > maximumDepth) throw this.tooDeep(level[0].place);
      level = level.flatMap(children);
    }
  }

  #conditional(): ExpressionNode {
    return this.nested(() => {
      const condition = this.#logical('||');
      const { place } = this.token;
      if (!this.take('?')) return condition;
      const whenTrue = this.#logical('||');
      this.expect(':');
      return { kind: 'conditional', condition, whenTrue, whenFalse: this.#conditional(), place };
    });
  }

  #logical(operator: '||' | '&&'): ExpressionNode {
    const operand = () => (operator === '||' ? this.#logical('&&') : this.#binary(1));
    const first = operand();
    const { place } = this.token;
    if (!this.at(operator)) return first;
    const operands = [first];
    while (this.take(operator)) operands.push(operand());
    return { kind: 'logical', operator, operands, place };
  }

  #binary(minimum: number): ExpressionNode {
    let left = this.#unary();
    for (;;) {
      const { kind, text, place } = this.token;
      const binds =
        (kind === 'symbol' || kind === 'name') && Object.hasOwn(precedence, text) ? precedence[text] : 0;
      if (binds < minimum) return left;
      this.advance();
      const operator = text as NodeOf<'binary'>['operator'];
      left = { kind: 'binary', operator, left, right: this.#binary(binds + 1), place };
    }
  }

  #unary(): ExpressionNode {
    const { place } = this.token;
    for (const operator of ['!', '-'] as const) {
      if (this.take(operator)) {
        return this.nested(() => ({ kind: 'unary', operator, operand: this.#unary(), place }));
      }
    }
    return this.#member();
  }

  #member(): ExpressionNode {
    let object = this.#primary();
    for (;;) {
      const { place } = this.token;
      if (this.take('[')) {
        object = { kind: 'index', object, index: this.#conditional(), place };
        this.expect(']');
      } else if (this.take('.')) {
        const token = this.token;
        if (token.kind !== 'name') throw this.unexpected('a field name or a function');
        this.advance();
        object = this.take('(')
          ? this.#method(object, token)
          : { kind: 'field', object, field: token.text, place: token.place };
      } else return object;
    }
  }

  #primary(): ExpressionNode {
    const { kind, text, value, place } = this.token;
    if (kind === 'number' || kind === 'string') {
      this.advance();
      return { kind: 'literal', value: value!, place };
    }
    if (kind === 'name') {
      const literal = literals.get(text);
      if (literal === undefined && reserved.has(text)) {
        throw this.unexpected(`an expression ("${text}" is a reserved word of CEL)`);
      }
      this.advance();
      if (literal !== undefined) return { kind: 'literal', value: literal, place };
      return this.take('(') ? this.#globalCall(text, place) : { kind: 'name', name: text, place };
    }
    if (this.take('(')) {
      const inner = this.#conditional();
      this.expect(')');
      return inner;
    }
    if (this.take('['))
      return { kind: 'list', elements: this.#sequence(']', () => this.#conditional()), place };
    if (this.take('{')) {
      const entries = this.#sequence('}', () => {
        const key = this.#conditional();
        this.expect(':');
        return { key, value: this.#conditional() };
      });
      return { kind: 'map', keys: entries.map((e) => e.key), values: entries.map((e) => e.value), place };
    }
    throw this.unexpected('an expression');
  }

  /** Reads elements up to the closing symbol, which is consumed; as in CEL, a trailing comma is accepted in literals only. */
  #sequence<T>(close: ']' | '}' | ')', element: () => T): T[] {
    const elements: T[] = [];
    while (!this.take(close)) {
      elements.push(element());
      if (this.take(',')) {
        if (close === ')' && this.at(close)) throw this.unexpected('an argument');
      } else if (!this.at(close)) throw this.unexpected(`"," or "${close}"`);
    }
    return elements;
  }

  #globalCall(name: string, place: Place): ExpressionNode {
    if (name === 'has') {
      const [argument, ...rest] = this.#sequence(')', () => this.#conditional());
      if (argument?.kind !== 'field' || rest.length > 0) {
        throw this.errorAt(place, 'found has without a field', 'has(a.b), the field to look for last');
      }
      return { kind: 'has', object: argument.object, field: argument.field, place };
    }
    const known = FUNCTION_NAMES.filter((one) => FUNCTIONS[one].written !== 'method');
    const found = known.find((one) => one === name);
    return found === undefined
      ? this.#unknownFunction(name, place, [...known, 'has'])
      : this.#call(found, [], place);
  }

  #method(receiver: ExpressionNode, { text: name, place }: Token): ExpressionNode {
    const macro = macros.find((known) => known === name);
    if (macro !== undefined) {
      const variable = this.token;
      const isName = variable.kind === 'name' && !literals.has(variable.text) && !reserved.has(variable.text);
      if (!isName) throw this.unexpected('the name of a variable');
      this.advance();
      this.expect(',');
      const body = this.#conditional();
      this.expect(')');
      return { kind: 'macro', macro, list: receiver, variable: variable.text, body, place };
    }
    const found = FUNCTION_NAMES.find((one) => one === name);
    return found === undefined
      ? this.#unknownFunction(name, place, [...FUNCTION_NAMES, ...macros])
      : this.#call(found, [receiver], place);
  }

  #call(name: FunctionName, receiver: readonly ExpressionNode[], place: Place): ExpressionNode {
    const given = [...receiver, ...this.#sequence(')', () => this.#conditional())];
    const expected = FUNCTIONS[name].arguments.length;
    if (given.length !== expected) {
      const found = `found ${given.length - receiver.length} arguments of ${name}`;
      throw this.errorAt(place, found, `${expected - receiver.length}`);
    }
    if (isTextFunction(name)) provideTextOperations(TEXT_OPERATIONS);
    return { kind: 'call', function: name, arguments: given, place };
  }

  #unknownFunction(name: string, place: Place, known: readonly string[]): never {
    const nearest = nearestName(name, known);
    const expected = nearest === undefined ? `one of ${known.join(', ')}` : `${nearest}`;
    throw this.errorAt(place, `found the unknown function "${name}"`, expected);
  }
}
