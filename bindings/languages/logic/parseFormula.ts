import { type Place, parseExpression } from '../expression/index.js';
import { beginsCount, countOperator, isWhole } from './countWords.js';
import type { Formula, Window } from './formula.js';
import { binaryOperator, isComparison, symbolOf, unaryOperator } from './operators.js';
import { parseProbabilityBound } from './parseProbabilityBound.js';
import { parseWindow, parseWindowAroundNow } from './parseWindow.js';
import { printFormula } from './printFormula.js';
import { keptForLater, spelledConnectives, spelledUnary, unaryOperators } from './reserved.js';
import type { Token } from './token.js';
import { TokenReader } from './tokenReader.js';
import { isOfPast } from './walk.js';

const connectives = { '|': 'or', '&': 'and', '<->': 'iff', '->': 'implies' } as const;
type Connective = keyof typeof connectives;

/** Connectives that share a precedence, loosest first. */
const levels: readonly Connective[] = ['->', '<->', '|', '&'];

const arithmetic: readonly (readonly string[])[] = [
  ['+', '-'],
  ['*', '/', '%'],
];

/**
 * A piece of source that may be a formula or the term of a comparison: `(speed)` is the start of both
 * `(speed) & doorOpen` and `(speed) > 3`.
 */
interface Operand {
  readonly place: Place;
  readonly end: number;
  readonly isTerm: boolean;
  /** Whether it is a connective of two formulas outside of brackets. */
  readonly bare?: boolean;
  /** @throws ParseError if it has no truth value. */
  readonly formula: () => Formula;
}

/**
 * Parses a rule or property into its syntax tree.
 *
 * Atoms are predicates (`doorOpen`, or `"any text"` in quotes), `true`, `false`, comparisons of arithmetic terms (`speed > 0.5`,
 * `light == 3`, `tool in ["mv", "rm"]`), fields and calls (`door.isOpen`), and any other expression between backticks. Precedence, from
 * tightest to loosest: comparisons; `!`; `&`; `|`; `<->`; `->`. The temporal operators are X WX F G, and Y WY O H for the past; U W R, and
 * S for the past. When one of them meets a connective, tools differ: PRISM reads `F a & b` as `F (a & b)` and `a & b U c` as `(a & b) U c`;
 * Spot, LTLf2DFA and most others read `(F a) & b` and `a & (b U c)`. Such formulas are refused, and the error shows both readings. So are
 * `a -> b -> c` and `a U b U c`. All other formulas are unambiguous: `a -> F b`, `G F a`, `F a U b` are `a -> (F b)`, `G (F a)`,
 * `(F a) U b`.
 *
 * LawBreaker's words are accepted too: always, eventually, next, once, historically and previous before a bracket apply to that bracket
 * only, as in LawBreaker's grammar (`always(a) and always(b)`); not, and, or, implies, iff, until, release, since and `&&`, `||`, `=>`,
 * `<=>` are synonyms of the symbols. The window of `eventually` and `always` may begin before now: `eventually[-1,2] a` is
 * `O[0,1] a | F[0,2] a`.
 *
 * `count(p) <= 3` compares the number of steps so far at which p held with a whole number, by < <= = >= >; p has no operator of the future.
 * Its window stands in brackets: `count[0,10](p) >= 2`. Where no bracket follows, `count` is a predicate or a field.
 *
 * Temporal operators except X, WX, Y, WY take a window: `<=k`, `<k`, `>=k`, `>k`, `=k`, `[a,b]`, in steps, or in time with `s` or `ms` (a
 * unit on one bound applies to both). `P=? [ path ]` and `P>=0.9 [ path ]` are probabilities.
 *
 * @param options.name The name of the source in error messages; default `formula`.
 * @throws ParseError with line, column and what was expected.
 */
export function parseFormula(source: string, options: { name?: string } = {}): Formula {
  return new Parser(source, options.name ?? 'formula', 'neither').parse();
}

/**
 * The binding of a temporal operator that meets a connective without parentheses: looser (`F (a & b)`), tighter (`(F a) & b`), or neither, which is an error.
 */
type Binding = 'looser' | 'tighter' | 'neither';

class Parser {
  readonly #reader: TokenReader;
  readonly #binding: Binding;

  constructor(source: string, name: string, binding: Binding) {
    this.#reader = new TokenReader(source, name);
    this.#binding = binding;
  }

  parse(): Formula {
    const result = this.#path().formula();
    if (this.#reader.token.kind !== 'end') {
      throw this.#reader.unexpected('an operator or the end of the formula');
    }
    return result;
  }

  // Formulas, loosest first ------------------------------------------------------------------------------------------

  #path(): Operand {
    return this.#binding === 'tighter' ? this.#connective(0) : this.#until(() => this.#connective(0));
  }

  /** left (U|W|R|S) right */
  #until(side: () => Operand): Operand {
    const first = side();
    const { token } = this.#reader;
    const operator = binaryOperator(token);
    if (operator === undefined) return first;
    const left = first.formula();
    this.#reader.advance();
    const window = parseWindow(this.#reader);
    const second = side();
    const right = second.formula();
    if (first.bare || second.bare) this.#refuseTwoReadings(token);
    if (binaryOperator(this.#reader.token) !== undefined) {
      throw this.#reader.error(
        `${operator} and ${this.#reader.found()} follow each other`,
        'parentheses around one of them',
      );
    }
    return this.#formulaOperand({ kind: 'binary', operator, left, right, window, place: first.place });
  }

  #connective(level: number): Operand {
    if (level === levels.length) {
      return this.#binding === 'tighter' ? this.#until(() => this.#unary()) : this.#unary();
    }
    let left = this.#connective(level + 1);
    const symbol = levels[level];
    while (symbolOf(this.#reader.token) === symbol) {
      const leftFormula = left.formula();
      this.#reader.advance();
      const right = this.#connective(level + 1).formula();
      const formula: Formula = { kind: connectives[symbol], left: leftFormula, right, place: left.place };
      left = { ...this.#formulaOperand(formula), bare: true };
      if (symbol === '->' && symbolOf(this.#reader.token) === '->') {
        throw this.#reader.error(
          'a -> b -> c is read from the left by some tools and from the right by others',
          'parentheses around one implication',
        );
      }
    }
    return left;
  }

  /** (!|X|F|G|…) operand */
  #unary(): Operand {
    const { token } = this.#reader;
    const { kind, text, place } = token;
    if (symbolOf(token) === '!') {
      this.#reader.advance();
      const operand = this.#reader.nested(() => this.#unary().formula());
      return this.#formulaOperand({ kind: 'not', operand, place });
    }
    const spelled = kind === 'identifier' ? spelledUnary.get(text) : undefined;
    const operator = spelled ?? unaryOperator(token);
    if (operator === undefined) return this.#comparison();
    this.#reader.advance();
    const window =
      text === 'eventually' || text === 'always'
        ? parseWindowAroundNow(this.#reader)
        : parseWindow(this.#reader);
    const called = spelled !== undefined && this.#reader.at('(');
    const operand = this.#reader.nested(() =>
      (this.#binding === 'looser' && !called ? this.#connective(0) : this.#unary()).formula(),
    );
    const followed = levels.some((symbol) => symbol === symbolOf(this.#reader.token));
    if (followed && !called) this.#refuseTwoReadings(token);
    return this.#formulaOperand(aroundNow({ kind: 'unary', operator, operand, window, place }));
  }

  /** @throws ParseError with both readings of the formula, or the error of another fault that it has in either reading. */
  #refuseTwoReadings(operator: Token): void {
    if (this.#binding !== 'neither') return;
    const { source, name } = this.#reader;
    const [looser, tighter] = (['looser', 'tighter'] as const).map((binding) =>
      printFormula(new Parser(source, name, binding).parse()),
    );
    throw this.#reader.errorAt(
      operator.place,
      `${operator.text} beside a connective, without parentheses, is read in two ways`,
      `${looser} as PRISM reads it, or ${tighter} as most other tools do`,
    );
  }

  // Terms -------------------------------------------------------------------------------------------------------------

  #comparison(): Operand {
    const left = this.#term(0);
    const operator = this.#reader.token;
    if (!isComparison(this.#reader.token)) return left;
    this.#requireTerm(left);
    this.#reader.advance();
    const right = this.#term(0);
    this.#requireTerm(right);
    if (isComparison(this.#reader.token)) {
      throw this.#reader.error('comparisons do not chain', 'a & b with one comparison on each side');
    }
    const sign = operator.text === '=' ? '==' : operator.text;
    const text =
      this.#reader.source.slice(left.place.offset, operator.place.offset) +
      sign +
      this.#reader.source.slice(operator.end, right.end);
    return this.#formulaOperand(this.#inline(text, left.place));
  }

  #term(level: number): Operand {
    if (level === arithmetic.length) return this.#signed();
    let left = this.#term(level + 1);
    while (this.#reader.at(...arithmetic[level])) {
      this.#requireTerm(left);
      this.#reader.advance();
      const right = this.#term(level + 1);
      this.#requireTerm(right);
      left = this.#termOperand(left.place, right.end);
    }
    return left;
  }

  #signed(): Operand {
    const { place } = this.#reader.token;
    if (!this.#reader.take('-')) return this.#primary();
    const operand = this.#reader.nested(() => this.#signed());
    this.#requireTerm(operand);
    return this.#termOperand(place, operand.end);
  }

  #primary(): Operand {
    const token = this.#reader.token;
    const { place, text, end } = token;
    switch (token.kind) {
      case 'number':
      case 'text':
        this.#reader.advance();
        return this.#termOperand(place, end);
      case 'label': {
        this.#reader.advance();
        const predicate: Formula = { kind: 'predicate', name: this.#unquote(token), place };
        return { place, end, isTerm: true, formula: () => predicate };
      }
      case 'inline': {
        this.#reader.advance();
        const formula = this.#inline(text, { ...place, column: place.column + 1 });
        return { place, end, isTerm: false, formula: () => formula };
      }
      case 'identifier':
        return this.#named();
      case 'symbol':
        if (text === '(') {
          this.#reader.advance();
          const inner = this.#reader.nested(() => this.#path());
          const close = this.#reader.expect(')');
          return { ...inner, place, end: close.end, bare: false };
        }
        if (text === '[') {
          this.#reader.skipBrackets();
          return this.#termOperand(place, this.#reader.end);
        }
    }
    throw this.#reader.unexpected('a predicate, a comparison, an operator such as G or !, or (');
  }

  /** A constant, a probability, a predicate, or a field or call of the expression language. */
  #named(): Operand {
    const { text, place, end } = this.#reader.token;
    if (text === 'true' || text === 'false') {
      this.#reader.advance();
      const constant: Formula = { kind: 'constant', value: text === 'true', place };
      return { place, end, isTerm: true, formula: () => constant };
    }
    if (text === 'P') return this.#probability();
    if (text === 'count' && beginsCount(this.#reader)) return this.#count();
    if (keptForLater.has(text)) {
      throw this.#reader.error(
        `${text} is an operator that is not supported yet`,
        `"${text}" in double quotes, if a predicate of that name is meant`,
      );
    }
    if (
      binaryOperator(this.#reader.token) ||
      spelledConnectives.has(text) ||
      spelledUnary.has(text) ||
      unaryOperators.has(text) ||
      text === 'in'
    ) {
      throw this.#reader.error(
        `unexpected operator ${text}`,
        `a predicate, a comparison or (; a predicate named ${text} is written "${text}"`,
      );
    }
    this.#reader.advance();
    let last = end;
    for (;;) {
      if (this.#reader.at('(', '[')) this.#reader.skipBrackets();
      else if (this.#reader.at('.') && this.#reader.ahead(1).kind === 'identifier') {
        this.#reader.advance();
        this.#reader.advance();
      } else break;
      last = this.#reader.end;
    }
    if (last === end) {
      const predicate: Formula = { kind: 'predicate', name: text, place };
      return { place, end, isTerm: true, formula: () => predicate };
    }
    return {
      place,
      end: last,
      isTerm: true,
      formula: () => this.#inline(this.#reader.source.slice(place.offset, last), place),
    };
  }

  /** `count(p) <= 3`, `count[0,10](p) >= 2`. Other uses of the word are those of a predicate or a field. */
  #count(): Operand {
    const { place } = this.#reader.token;
    this.#reader.advance();
    const window = parseWindow(this.#reader);
    this.#reader.expect('(');
    const operand = this.#reader.nested(() => this.#path().formula());
    this.#reader.expect(')');
    if (!isOfPast(operand)) {
      throw this.#reader.errorAt(
        place,
        `count looks back, and ${printFormula(operand)} reads what is still to come`,
        'a formula of predicates and operators of the past',
      );
    }
    const operator = countOperator(this.#reader.token);
    const number = this.#reader.ahead(1);
    if (operator === undefined || number.kind !== 'number' || !isWhole(number.text)) {
      throw this.#reader.errorAt(
        operator === undefined ? this.#reader.token.place : number.place,
        `count(${printFormula(operand)}) is a number`,
        'one of < <= = >= > after it and a whole number, such as count(p) <= 3',
      );
    }
    this.#reader.advance();
    this.#reader.advance();
    return this.#formulaOperand({
      kind: 'count',
      operator,
      times: Number(number.text),
      operand,
      window,
      place,
    });
  }

  #probability(): Operand {
    const { place } = this.#reader.token;
    this.#reader.advance();
    const bound = parseProbabilityBound(this.#reader);
    this.#reader.expect('[');
    const path = this.#reader.nested(() => this.#path().formula());
    const close = this.#reader.expect(']');
    const formula: Formula = { kind: 'probability', bound, path, place };
    return { place, end: close.end, isTerm: false, formula: () => formula };
  }

  // Pieces -----------------------------------------------------------------------------------------------------------

  #formulaOperand(formula: Formula): Operand {
    return { place: formula.place, end: this.#reader.end, isTerm: false, formula: () => formula };
  }

  #termOperand(place: Place, end: number): Operand {
    const formula = (): never => {
      throw this.#reader.errorAt(
        place,
        `${this.#reader.source.slice(place.offset, end)} is not a truth value`,
        'a comparison such as speed > 0.5',
      );
    };
    return { place, end, isTerm: true, formula };
  }

  #requireTerm(operand: Operand): void {
    if (operand.isTerm) return;
    throw this.#reader.errorAt(
      operand.place,
      'a truth value is compared or calculated with',
      'a field, a number or a text; other expressions go between backticks',
    );
  }

  /** Padding moves the expression to its place in the formula, so that its errors and nodes have the right place. */
  #inline(text: string, place: Place): Formula {
    const padding = '\n'.repeat(place.line - 1) + ' '.repeat(place.column - 1);
    const expression = parseExpression(padding + text, { name: this.#reader.name });
    return { kind: 'comparison', source: text.trim(), expression, place };
  }

  #unquote(token: Token): string {
    try {
      const text: unknown = JSON.parse(token.text);
      if (typeof text === 'string' && text !== '') return text;
    } catch {
      // Reported below.
    }
    throw this.#reader.errorAt(
      token.place,
      `${token.text} is not a name`,
      'a name in double quotes, with escapes as in JSON',
    );
  }
}

/** Converts `F[-a,b] p` to `O[0,a] p | F[0,b] p`, and `G[-a,b] p` to `H[0,a] p & G[0,b] p`; a window entirely in the past gives one operator. */
function aroundNow(formula: Formula & { kind: 'unary' }): Formula {
  const { operator, window, place } = formula;
  if (!window?.from.startsWith('-')) return formula;
  const { unit, to } = window;
  const from = window.from.slice(1);
  const some = operator === 'F';
  const past = (bounds: Window): Formula => ({ ...formula, operator: some ? 'O' : 'H', window: bounds });
  if (to?.startsWith('-')) return past({ from: to.slice(1), to: from, unit });
  return {
    kind: some ? 'or' : 'and',
    left: past({ from: '0', to: from, unit }),
    right: { ...formula, window: to === null ? null : { from: '0', to, unit } },
    place,
  };
}
