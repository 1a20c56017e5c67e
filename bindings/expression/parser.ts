import { ParseError } from '../errors.js';
import { nearestName } from '../suggest.js';
import {
  children,
  type Expression,
  type ExpressionNode,
  type MacroName,
  type NodeOf,
  type Place,
} from './expression.js';
import { FUNCTION_NAMES, FUNCTIONS, type FunctionName } from './functions.js';
import { quote } from './quote.js';
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
/** Words that CEL keeps for itself; they may still be field names after a dot. */
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
 * `&& || !`, the conditional, `size`, `startsWith`, `endsWith`, `contains`, `matches`, `has`, and the macros `exists`,
 * `all`, `exists_one`, `filter`, `map`.
 *
 * @param options.name what messages call the source, e.g. `predicate "doorOpen"`; `expression` where omitted.
 * @throws ParseError with line, column and what was expected; also where the source is longer than 100,000 characters or
 * nested deeper than 250 levels.
 * @see https://github.com/google/cel-spec/blob/master/doc/langdef.md
 */
export function parseExpression(source: string, options: { readonly name?: string } = {}): Expression {
  const name = options.name ?? 'expression';
  const parser = new Parser(tokenize(source, name), name);
  return { name, root: parser.parse() };
}

class Parser {
  #position = 0;
  #depth = 0;
  readonly #tokens: readonly Token[];
  readonly #name: string;

  constructor(tokens: readonly Token[], name: string) {
    this.#tokens = tokens;
    this.#name = name;
  }

  parse(): ExpressionNode {
    const root = this.#conditional();
    if (this.#next.kind !== 'end') this.#unexpected('an operator or the end');
    this.#checkDepth(root);
    return root;
  }

  get #next(): Token {
    return this.#tokens[this.#position];
  }

  #peek(text: string): boolean {
    return this.#next.text === text && (this.#next.kind === 'symbol' || this.#next.kind === 'name');
  }

  #accept(text: string): boolean {
    if (!this.#peek(text)) return false;
    this.#position++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#accept(text)) this.#unexpected(`"${text}"`);
  }

  #unexpected(expected: string): never {
    const found = this.#next.kind === 'end' ? 'the end' : quote(this.#next.text);
    return this.#fail(this.#next.place, `found ${found}`, expected);
  }

  #fail(place: Place, found: string, expected: string): never {
    const { line, column } = place;
    throw new ParseError(`${found}, expected ${expected}`, { source: this.#name, line, column, expected });
  }

  /** Guards the parser's own recursion. */
  #nested<T>(parse: () => T): T {
    if (++this.#depth > maximumDepth) this.#tooDeep(this.#next.place);
    const result = parse();
    this.#depth--;
    return result;
  }

  #tooDeep(place: Place): never {
    return this.#fail(place, `found nesting deeper than ${maximumDepth} levels`, 'a flatter expression');
  }

  /** Left-associative chains grow trees without recursion of the parser; later passes do recurse over them. */
  #checkDepth(root: ExpressionNode): void {
    let level = [root];
    for (let depth = 1; level.length > 0; depth++) {
      if (depth > maximumDepth) this.#tooDeep(level[0].place);
      level = level.flatMap(children);
    }
  }

  #conditional(): ExpressionNode {
    return this.#nested(() => {
      const condition = this.#logical('||');
      const { place } = this.#next;
      if (!this.#accept('?')) return condition;
      const whenTrue = this.#logical('||');
      this.#expect(':');
      return { kind: 'conditional', condition, whenTrue, whenFalse: this.#conditional(), place };
    });
  }

  #logical(operator: '||' | '&&'): ExpressionNode {
    const operand = () => (operator === '||' ? this.#logical('&&') : this.#binary(1));
    const first = operand();
    const { place } = this.#next;
    if (!this.#peek(operator)) return first;
    const operands = [first];
    while (this.#accept(operator)) operands.push(operand());
    return { kind: 'logical', operator, operands, place };
  }

  #binary(minimum: number): ExpressionNode {
    let left = this.#unary();
    for (;;) {
      const { kind, text, place } = this.#next;
      const binds =
        (kind === 'symbol' || kind === 'name') && Object.hasOwn(precedence, text) ? precedence[text] : 0;
      if (binds < minimum) return left;
      this.#position++;
      const operator = text as NodeOf<'binary'>['operator'];
      left = { kind: 'binary', operator, left, right: this.#binary(binds + 1), place };
    }
  }

  #unary(): ExpressionNode {
    const { place } = this.#next;
    for (const operator of ['!', '-'] as const) {
      if (this.#accept(operator)) {
        return this.#nested(() => ({ kind: 'unary', operator, operand: this.#unary(), place }));
      }
    }
    return this.#member();
  }

  #member(): ExpressionNode {
    let object = this.#primary();
    for (;;) {
      const { place } = this.#next;
      if (this.#accept('[')) {
        object = { kind: 'index', object, index: this.#conditional(), place };
        this.#expect(']');
      } else if (this.#accept('.')) {
        const token = this.#next;
        if (token.kind !== 'name') this.#unexpected('a field name or a function');
        this.#position++;
        object = this.#accept('(')
          ? this.#method(object, token)
          : { kind: 'field', object, field: token.text, place: token.place };
      } else return object;
    }
  }

  #primary(): ExpressionNode {
    const { kind, text, value, place } = this.#next;
    if (kind === 'number' || kind === 'string') {
      this.#position++;
      return { kind: 'literal', value: value!, place };
    }
    if (kind === 'name') {
      const literal = literals.get(text);
      if (literal === undefined && reserved.has(text)) {
        this.#unexpected(`an expression ("${text}" is a reserved word of CEL)`);
      }
      this.#position++;
      if (literal !== undefined) return { kind: 'literal', value: literal, place };
      return this.#accept('(') ? this.#globalCall(text, place) : { kind: 'name', name: text, place };
    }
    if (this.#accept('(')) {
      const inner = this.#conditional();
      this.#expect(')');
      return inner;
    }
    if (this.#accept('['))
      return { kind: 'list', elements: this.#sequence(']', () => this.#conditional()), place };
    if (this.#accept('{')) {
      const entries = this.#sequence('}', () => {
        const key = this.#conditional();
        this.#expect(':');
        return { key, value: this.#conditional() };
      });
      return { kind: 'map', keys: entries.map((e) => e.key), values: entries.map((e) => e.value), place };
    }
    return this.#unexpected('an expression');
  }

  /** Elements up to the closing symbol, which is consumed; as in CEL, a trailing comma is accepted in literals only. */
  #sequence<T>(close: ']' | '}' | ')', element: () => T): T[] {
    const elements: T[] = [];
    while (!this.#accept(close)) {
      elements.push(element());
      if (this.#accept(',')) {
        if (close === ')' && this.#peek(close)) this.#unexpected('an argument');
      } else if (!this.#peek(close)) this.#unexpected(`"," or "${close}"`);
    }
    return elements;
  }

  #globalCall(name: string, place: Place): ExpressionNode {
    if (name === 'has') {
      const [argument, ...rest] = this.#sequence(')', () => this.#conditional());
      if (argument?.kind !== 'field' || rest.length > 0) {
        this.#fail(place, 'found has without a field', 'has(a.b), the field to look for last');
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
      const variable = this.#next;
      const isName = variable.kind === 'name' && !literals.has(variable.text) && !reserved.has(variable.text);
      if (!isName) this.#unexpected('the name of a variable');
      this.#position++;
      this.#expect(',');
      const body = this.#conditional();
      this.#expect(')');
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
      this.#fail(place, found, `${expected - receiver.length}`);
    }
    return { kind: 'call', function: name, arguments: given, place };
  }

  #unknownFunction(name: string, place: Place, known: readonly string[]): never {
    const nearest = nearestName(name, known);
    const expected = nearest === undefined ? `one of ${known.join(', ')}` : `${nearest}`;
    return this.#fail(place, `found the unknown function "${name}"`, expected);
  }
}
