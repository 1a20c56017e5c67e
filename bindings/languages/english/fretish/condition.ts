import { parseExpression } from '../../expression/index.js';
import type { Formula } from '../../logic/index.js';
import { and, constant, type Endpoints, iff, implies, not, or, predicate } from '../core/index.js';
import type { FretishCursor } from './cursor.js';
import { counting, countingPredicate, ofTwo, predicateOfTwo } from './temporal.js';

const relations: Readonly<Record<string, string>> = {
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '=': '==',
  '==': '==',
  '!=': '!=',
};
const A_CONDITION = 'a condition such as p, !p, p & q or x > 3';

/** A Boolean or numeric expression: which of the two is known only from what follows, as in `(a) & b` and `(a) > 3`. */
interface Operand {
  /** Text of the expression language; null if it is a formula only. */
  readonly term: string | null;
  readonly formula: () => Formula;
  /** Whether a sign of arithmetic stands outside of brackets. */
  readonly compound?: boolean;
}

/**
 * Reads Boolean expressions of FRETish: `! ~`, then `&`, then `|` and `xor`, then `-> => <-> <=>`, then `if p then q` and `at the next occurrence of p, q`.
 * A comparison that the expression language cannot say becomes a predicate that has the comparison as its name.
 */
export class ConditionReader {
  readonly #cursor: FretishCursor;
  readonly #ends: Endpoints;

  constructor(cursor: FretishCursor, ends: Endpoints) {
    this.#cursor = cursor;
    this.#ends = ends;
  }

  read(): Formula {
    return this.#cursor.nested(() => this.#implication().formula());
  }

  #implication(): Operand {
    const left = this.#disjunction();
    const cursor = this.#cursor;
    if (!cursor.at('->', '=>', '<->', '<=>')) return left;
    const condition = left.formula();
    const join = cursor.advance().text.startsWith('<') ? iff : implies;
    const conclusion = cursor.nested(() => this.#implication().formula());
    return formulaOnly(join(condition, conclusion));
  }

  #disjunction(): Operand {
    let left = this.#conjunction();
    const cursor = this.#cursor;
    while (cursor.at('|') || cursor.sees('xor')) {
      const exclusive = cursor.advance().text !== '|';
      const [a, b] = [left.formula(), this.#conjunction().formula()];
      left = formulaOnly(exclusive ? not(iff(a, b)) : or(a, b));
    }
    return left;
  }

  #conjunction(): Operand {
    let left = this.#negation();
    while (this.#cursor.take('&')) {
      const a = left.formula();
      left = formulaOnly(and(a, this.#negation().formula()));
    }
    return left;
  }

  #negation(): Operand {
    const cursor = this.#cursor;
    if (!cursor.take('!') && !cursor.take('~')) return this.#comparison();
    return formulaOnly(not(cursor.nested(() => this.#negation().formula())));
  }

  #comparison(): Operand {
    const cursor = this.#cursor;
    const left = this.#sum();
    if (!cursor.at(...Object.keys(relations))) return left;
    if (left.term === null)
      throw cursor.errorAt(cursor.token.place, 'a comparison of a condition', 'a number or a name before it');
    const relation = relations[cursor.advance().text];
    const right = this.#sum();
    if (right.term === null)
      throw cursor.errorAt(cursor.token.place, 'a comparison with a condition', 'a number or a name');
    return formulaOnly(comparison(`${left.term} ${relation} ${right.term}`));
  }

  #sum(): Operand {
    return this.#arithmetic(['+', '-'], () => this.#product());
  }

  #product(): Operand {
    return this.#arithmetic(['*', '/', 'mod'], () => this.#sign());
  }

  #arithmetic(operators: readonly string[], side: () => Operand): Operand {
    const cursor = this.#cursor;
    let left = side();
    while (cursor.at(...operators) || (operators.includes('mod') && cursor.sees('mod'))) {
      const { text } = cursor.advance();
      const right = side();
      left = this.#term(`${left.term} ${text.length === 3 ? '%' : text} ${right.term}`, left, right);
    }
    return left;
  }

  #sign(): Operand {
    const cursor = this.#cursor;
    if (cursor.take('-')) {
      const operand = cursor.nested(() => this.#sign());
      return this.#term(`-${operand.term}`, operand);
    }
    const base = this.#primary();
    if (!cursor.take('^')) return base;
    const exponent = cursor.nested(() => this.#sign());
    return this.#term(`${base.term} ^ ${exponent.term}`, base, exponent);
  }

  #term(term: string, ...operands: readonly Operand[]): Operand {
    const cursor = this.#cursor;
    const { place } = cursor.last;
    if (operands.some((operand) => operand.term === null)) {
      throw cursor.errorAt(place, 'arithmetic with a condition', 'numbers or names');
    }
    return {
      term,
      compound: true,
      formula: () => {
        throw cursor.unexpected(`a comparison of ${term} such as ${term} > 0`);
      },
    };
  }

  #primary(): Operand {
    const cursor = this.#cursor;
    const { kind, text } = cursor.token;
    if (cursor.take('(')) {
      const inner = cursor.nested(() => this.#implication());
      cursor.expect(')', ') or an operator');
      return inner.compound ? { ...inner, term: `(${inner.term})` } : inner;
    }
    if (kind === 'number') {
      cursor.advance();
      return {
        term: text,
        formula: () => {
          throw cursor.unexpected(`a comparison of ${text} such as ${text} < x`);
        },
      };
    }
    if (kind === 'text') return named(cursor.name(A_CONDITION));
    if (kind !== 'word' || cursor.sees('then') || cursor.sees('shall') || cursor.sees('satisfy')) {
      throw cursor.unexpected(A_CONDITION);
    }
    if (cursor.takeWord('if') !== undefined) {
      const condition = this.read();
      cursor.expectWord('then');
      return formulaOnly(implies(condition, this.read()));
    }
    if (cursor.sees('at', 'the')) return formulaOnly(this.#occurrence());
    const truth = cursor.takeWord('true', 'false');
    if (truth !== undefined) return { term: truth, formula: () => constant(truth === 'true') };
    cursor.advance();
    return cursor.at('(') ? this.#call(text) : named(text);
  }

  #occurrence(): Formula {
    const cursor = this.#cursor;
    cursor.advance();
    cursor.advance();
    const direction = cursor.expectWord('previous', 'next');
    cursor.expectWord('occurrence');
    cursor.expectWord('of');
    const event = this.read();
    cursor.expect(',', 'a comma and the condition that holds there');
    return predicateOfTwo(direction === 'next' ? 'nextocc' : 'prevocc', event, this.read(), this.#ends);
  }

  #call(name: string): Operand {
    const cursor = this.#cursor;
    const { place } = cursor.last;
    const operands: Operand[] = [];
    cursor.expect('(', '(');
    if (!cursor.at(')')) {
      do operands.push(cursor.nested(() => this.#implication()));
      while (cursor.take(','));
    }
    cursor.expect(')', 'a comma or )');
    const lower = name.toLowerCase();
    if (counting.has(lower)) {
      const numbers = operands.slice(0, -1).map(({ term }) => term ?? '');
      if (numbers.length < 1 || numbers.length > 2 || numbers.some((number) => !/^[0-9]+$/.test(number))) {
        throw cursor.errorAt(
          place,
          `${name} has other arguments`,
          `${name}(3, p): a whole number of steps and a condition`,
        );
      }
      const [from, to] = numbers.length === 1 ? [0, Number(numbers[0])] : numbers.map(Number);
      if (from > to)
        throw cursor.errorAt(place, `${name} from ${from} to ${to} steps`, 'the smaller number first');
      return formulaOnly(
        countingPredicate(lower, from, to, (operands.at(-1) as Operand).formula(), this.#ends),
      );
    }
    if (ofTwo.has(lower)) {
      if (operands.length !== 2)
        throw cursor.errorAt(place, `${name} has ${operands.length} arguments`, `${name}(p, q)`);
      return formulaOnly(predicateOfTwo(lower, operands[0].formula(), operands[1].formula(), this.#ends));
    }
    if (operands.some(({ term }) => term === null)) {
      throw cursor.errorAt(place, `${name} is given a condition`, 'names and numbers as arguments');
    }
    const term = `${name}(${operands.map((operand) => operand.term).join(', ')})`;
    return { term, formula: () => predicate(term) };
  }
}

function formulaOnly(formula: Formula): Operand {
  return { term: null, formula: () => formula };
}

function named(name: string): Operand {
  return { term: name, formula: () => predicate(name) };
}

function comparison(source: string): Formula {
  try {
    return {
      kind: 'comparison',
      source,
      expression: parseExpression(source),
      place: { offset: 0, line: 1, column: 1 },
    };
  } catch {
    return predicate(source);
  }
}
