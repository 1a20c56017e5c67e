import type { Place } from '../expression/index.js';
import { TypeParser } from './parseTypes.js';
import { translatePattern } from './pattern.js';
import type { BinaryOperator, Written, WrittenType } from './syntax.js';

/** How strong binary operators bind; all stand to the left. */
const PRECEDENCE: Readonly<Record<string, number>> = {
  '??': 1,
  '||': 2,
  '&&': 3,
  '|': 4,
  '^': 5,
  '&': 6,
  ...{ '==': 7, '!=': 7, '===': 7, '!==': 7 },
  ...{ '<': 8, '<=': 8, '>': 8, '>=': 8, in: 8, instanceof: 8, as: 8, satisfies: 8 },
  ...{ '<<': 9, '>>': 9, '>>>': 9 },
  ...{ '+': 10, '-': 10 },
  ...{ '*': 11, '/': 11, '%': 11 },
  '**': 12,
};

/** What to write in place of operators that are not of the language. */
const REFUSED: Readonly<Record<string, string>> = {
  '==': '===',
  '!=': '!==',
  '|': '||',
  '&': '&&',
  '^': '!== between truth values',
  '/': 'a multiplication: a > b * c in place of a / b > c',
  '%': 'comparisons, + - and *',
  '**': 'a multiplication',
  '<<': 'a multiplication',
  '>>': 'comparisons, + - and *',
  '>>>': 'comparisons, + - and *',
  in: 'list.includes(x)',
  instanceof: 'a comparison of values: the types of inputs are known',
  as: 'the value alone: the types of inputs are known',
  satisfies: 'the value alone: the types of inputs are known',
};
const ASSIGNMENTS = [
  '=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '**=',
  '&&=',
  '||=',
  '??=',
  '&=',
  '|=',
  '^=',
  '<<=',
  '>>=',
  '>>>=',
];
const PREFIXES: Readonly<Record<string, string>> = {
  typeof: 'a comparison of values: the types of inputs are known',
  void: 'a value',
  delete: 'a value',
  await: 'inputs, which are there before the function runs',
  new: 'inputs, texts, numbers and lists of them',
  '+': 'the number itself',
  '~': 'comparisons, + - and *',
  '++': 'a const of another name',
  '--': 'a const of another name',
};

/** Most operands of one chain of `&&` or `||`. */
const MOST_OPERANDS = 1000;

/** Reads expressions. TypeScript outside of the language is recorded as a problem, and reading goes on after it. */
export abstract class ExpressionParser extends TypeParser {
  /** Nodes that stand in parentheses. */
  readonly #enclosed = new WeakSet<Written>();

  expression(): Written {
    return this.deeper(() => {
      const condition = this.#binary(1);
      const { place } = this.token;
      if (this.at(...ASSIGNMENTS)) {
        this.problems.add(place, 'an assignment', 'a const of another name');
        this.advance();
        this.expression();
        return { kind: 'wrong', place };
      }
      if (!this.take('?')) return condition;
      const whenTrue = this.expression();
      this.expectSymbol(':');
      return { kind: 'conditional', condition, whenTrue, whenFalse: this.expression(), place };
    });
  }

  #binary(minimum: number): Written {
    let left = this.#unary();
    for (let length = 0; ; this.requireShort(length)) {
      const { kind, text, place } = this.token;
      const isOperator = (kind === 'symbol' || kind === 'name') && Object.hasOwn(PRECEDENCE, text);
      if (!isOperator || PRECEDENCE[text] < minimum) return left;
      if (text === 'as' && this.token.afterLine) return left;
      this.advance();
      if (text === 'as' || text === 'satisfies') {
        if (!this.takeWord('const')) this.type();
      } else {
        const right = this.#binary(PRECEDENCE[text] + 1);
        if (text === '&&' || text === '||') {
          this.#requireUnmixed(text, left, right, place);
          left = joined(text, left, right, place);
          if (left.kind === 'logical' && left.operands.length > MOST_OPERANDS) this.tooDeep(place);
          continue;
        }
        if (text === '??') this.#requireUnmixed(text, left, right, place);
        if (!Object.hasOwn(REFUSED, text)) {
          left = { kind: 'binary', operator: text as BinaryOperator, left, right, place };
          length++;
          continue;
        }
      }
      this.problems.add(place, `"${text}"`, REFUSED[text]);
      left = { kind: 'wrong', place };
      length++;
    }
  }

  /** As in TypeScript, `??` and `&&` or `||` stand together in parentheses alone. */
  #requireUnmixed(operator: string, left: Written, right: Written, place: Place): void {
    const mixes = (part: Written) =>
      !this.#enclosed.has(part) &&
      (operator === '??' ? part.kind === 'logical' : part.kind === 'binary' && part.operator === '??');
    if (mixes(left) || mixes(right))
      this.problems.add(
        place,
        `"${operator}" beside another logical operator`,
        'parentheses around one of them',
      );
  }

  #unary(): Written {
    const { kind, text, place } = this.token;
    if (kind === 'symbol' && (text === '!' || text === '-')) {
      this.advance();
      return this.deeper(() => ({ kind: 'unary', operator: text, operand: this.#unary(), place }));
    }
    if ((kind === 'symbol' || kind === 'name') && Object.hasOwn(PREFIXES, text)) {
      this.problems.add(place, `"${text}"`, PREFIXES[text]);
      this.advance();
      this.deeper(() => this.#unary());
      return { kind: 'wrong', place };
    }
    return this.#members(this.#primary());
  }

  #members(first: Written): Written {
    let object = first;
    for (let length = 0; ; this.requireShort(++length)) {
      const { place, afterLine } = this.token;
      if (this.at('.', '?.')) object = this.#member(object);
      else if (this.take('[')) {
        this.problems.add(place, 'an element by its index', 'every, some, includes or filter(…).length');
        this.expression();
        this.expectSymbol(']');
        object = { kind: 'wrong', place };
      } else if (this.at('(')) {
        const given = this.#sequence('(', ')');
        if (object.kind === 'name')
          object = { kind: 'call', name: object.name, arguments: given, place: object.place };
        else {
          if (object.kind !== 'wrong') this.problems.add(place, 'a call of a value', 'a named function');
          object = { kind: 'wrong', place };
        }
      } else if (this.at('!') && !afterLine) {
        this.problems.add(place, 'a "!" after a value', 'a comparison with null before it: x !== null && …');
        this.advance();
        object = { kind: 'wrong', place };
      } else if (this.at('++', '--') && !afterLine) {
        this.problems.add(place, 'an assignment', 'a const of another name');
        this.advance();
        object = { kind: 'wrong', place };
      } else return object;
    }
  }

  #member(object: Written): Written {
    const { place, text } = this.advance();
    if (text === '?.')
      this.problems.add(place, '"?."', 'a comparison with null before it: x !== null && x.…');
    const member = this.token;
    if (text === '?.' && this.at('(', '[')) return object;
    if (member.kind !== 'name') throw this.unexpected('a field or a method');
    this.advance();
    if (text === '?.') {
      if (this.at('(')) this.#sequence('(', ')');
      return { kind: 'wrong', place };
    }
    if (!this.at('(')) return { kind: 'field', object, field: member.text, place: member.place };
    const given = this.#sequence('(', ')');
    return {
      kind: 'method',
      object,
      method: member.text,
      methodPlace: member.place,
      arguments: given,
      place: object.place,
    };
  }

  #sequence(open: string, close: string): Written[] {
    this.expectSymbol(open);
    const found: Written[] = [];
    while (!this.take(close)) {
      if (this.at('...')) {
        this.problems.add(this.token.place, '"..."', 'the elements themselves');
        this.advance();
      }
      found.push(this.expression());
      if (!this.take(',') && !this.at(close)) throw this.unexpected(`"," or "${close}"`);
    }
    return found;
  }

  #primary(): Written {
    const { kind, text, value, place } = this.token;
    switch (kind) {
      case 'number':
      case 'string':
        this.advance();
        return { kind: 'literal', value: value!, place };
      case 'wrong':
        this.advance();
        return { kind: 'wrong', place };
      case 'pattern': {
        this.advance();
        const pattern = translatePattern(text, place, this.problems);
        return pattern === null ? { kind: 'wrong', place } : { kind: 'pattern', pattern, place };
      }
      case 'name':
        return this.#word();
    }
    if (this.at('(')) {
      const behind = this.ahead(this.closingAhead() + 1);
      if (behind.kind === 'symbol' && behind.text === '=>') return this.#arrow();
      this.advance();
      const inner = this.expression();
      this.expectSymbol(')');
      this.#enclosed.add(inner);
      return inner;
    }
    if (this.at('[')) return { kind: 'list', elements: this.#sequence('[', ']'), place };
    if (this.at('{')) {
      this.problems.add(place, 'an object', 'texts, numbers, truth values or lists of them');
      this.skipBrackets();
      return { kind: 'wrong', place };
    }
    throw this.unexpected('an expression');
  }

  #word(): Written {
    const { text, place } = this.token;
    const next = this.ahead(1);
    if (next.kind === 'symbol' && next.text === '=>' && !this.isReserved(text)) return this.#arrow();
    if (text === 'true' || text === 'false' || text === 'null') {
      this.advance();
      return { kind: 'literal', value: text === 'null' ? null : text === 'true', place };
    }
    if (this.isReserved(text)) throw this.unexpected(`an expression ("${text}" is a word of TypeScript)`);
    this.advance();
    return { kind: 'name', name: text, place };
  }

  /** `r => …`, with one parameter. */
  #arrow(): Written {
    const { place } = this.token;
    let type: WrittenType | null = null;
    const isEnclosed = this.take('(');
    const { text: parameter } = this.newName('one name, as in r => …');
    if (isEnclosed) {
      if (this.take(':')) type = this.type();
      if (!this.at(')')) throw this.unexpected('one parameter: r => …');
      this.advance();
    }
    if (this.token.afterLine) throw this.unexpected('"=>" on the same line');
    this.expectSymbol('=>');
    if (!this.take('{')) return { kind: 'arrow', parameter, type, body: this.expression(), place };
    if (!this.takeWord('return') || this.token.afterLine) throw this.unexpected('an expression: r => …');
    const body = this.expression();
    this.take(';');
    this.expectSymbol('}');
    return { kind: 'arrow', parameter, type, body, place };
  }
}

/** A chain of one operator is one node. */
function joined(operator: '&&' | '||', left: Written, right: Written, place: Place): Written {
  const parts = (part: Written): readonly Written[] =>
    part.kind === 'logical' && part.operator === operator ? part.operands : [part];
  return { kind: 'logical', operator, operands: [...parts(left), ...parts(right)], place };
}
