import { NotSupportedError } from '../../../base/errors.js';
import type { Expression, ExpressionNode, NodeOf } from '../expression.js';
import { FUNCTIONS, isTextFunction } from '../functions.js';
import { printExpression } from '../print.js';
import { quote } from '../quote.js';
import { compilePattern } from '../regex.js';
import { Collections } from './collections.js';
import { Comparison, isOrder } from './comparison.js';
import type { SqlDialect } from './dialect.js';
import { Conversion, nothing, type SqlRow, type SqlValue } from './value.js';

/** Macro variables in scope. */
type Scope = ReadonlyMap<string, SqlValue>;

/** Longest SQL. Conversions repeat operands whose type is unknown, so nested ones could exceed the limit of any engine. */
const longest = 100_000;

/**
 * Translates an expression that must be Boolean to SQL that is true or false if the expression is, and NULL if its evaluation fails:
 * because of an absent field, a value of the wrong type, or a comparison of NaN.
 *
 * @throws NotSupportedError at the first part that the dialect cannot express
 */
export function translateCondition(expression: Expression, row: SqlRow, dialect: SqlDialect): string {
  const translator = new Translator(expression.name, row, dialect);
  return translator.condition(expression.root, new Map());
}

class Translator {
  readonly #name: string;
  readonly #row: SqlRow;
  readonly #dialect: SqlDialect;
  readonly #as: Conversion;
  readonly #comparison: Comparison;
  readonly #collections: Collections;
  #variables = 0;

  constructor(name: string, row: SqlRow, dialect: SqlDialect) {
    this.#name = name;
    this.#row = row;
    this.#dialect = dialect;
    this.#as = new Conversion(dialect);
    this.#comparison = new Comparison(dialect, this.#as);
    this.#collections = new Collections(dialect, this.#as, this.#comparison);
  }

  /** Translates a node that must be Boolean. */
  condition(node: ExpressionNode, scope: Scope): string {
    return this.#as.boolean(this.#value(node, scope));
  }

  #value(node: ExpressionNode, scope: Scope): SqlValue {
    const value = this.#valueOf(node, scope);
    if ('sql' in value && value.sql.length > longest) this.#refuse(node, 'it becomes too long');
    return value;
  }

  #valueOf(node: ExpressionNode, scope: Scope): SqlValue {
    switch (node.kind) {
      case 'literal':
        return this.#literal(node);
      case 'name':
        return this.#nameValue(node, scope);
      case 'field':
        return this.#field(this.#value(node.object, scope), node.field);
      case 'has':
        return this.#has(node, scope);
      case 'index':
        return this.#index(node, scope);
      case 'list':
        return { kind: 'list', elements: node.elements.map((element) => this.#value(element, scope)) };
      case 'map':
        return this.#refuse(node, 'maps are not written in SQL');
      case 'unary':
        return this.#unary(node, scope);
      case 'binary':
        return this.#binary(node, scope);
      case 'logical': {
        const operands = node.operands.map((operand) => this.condition(operand, scope));
        return boolean(`(${operands.join(node.operator === '&&' ? ' AND ' : ' OR ')})`);
      }
      case 'conditional':
        return this.#conditional(node, scope);
      case 'call':
        return this.#call(node, scope);
      case 'macro':
        return this.#macro(node, scope);
    }
  }

  #refuse(node: ExpressionNode, why: string): never {
    const { line, column } = node.place;
    throw new NotSupportedError(
      `${this.#name}:${line}:${column}: ${quote(printExpression({ name: '', root: node }))} cannot be translated to SQL of ${this.#dialect.name}: ${why}`,
    );
  }

  #literal(node: NodeOf<'literal'>): SqlValue {
    const { value } = node;
    switch (typeof value) {
      case 'number':
        return { kind: 'number', sql: `CAST('${value}' AS ${this.#dialect.double})`, mayBeNaN: false };
      case 'string':
        if (value.includes('\0')) this.#refuse(node, 'texts of SQL have no U+0000');
        return { kind: 'text', sql: this.#dialect.text(value) };
      case 'boolean':
        return boolean(value ? 'TRUE' : 'FALSE');
      default:
        return { kind: 'null' };
    }
  }

  #nameValue({ name }: NodeOf<'name'>, scope: Scope): SqlValue {
    const bound = scope.get(name);
    if (bound !== undefined) return bound;
    const { time = nothing, action = nothing, field } = this.#row;
    if (name === 'time') return time;
    return name === 'action' ? action : (field(name) ?? nothing);
  }

  #field(object: SqlValue, field: string): SqlValue {
    if (object.kind === 'map') return object.field(field) ?? nothing;
    return object.kind === 'any'
      ? { kind: 'any', sql: this.#dialect.json!.field(object.sql, field) }
      : nothing;
  }

  #has({ object, field }: NodeOf<'has'>, scope: Scope): SqlValue {
    const map = this.#value(object, scope);
    const ofAction = object.kind === 'name' && object.name === 'action' && !scope.has('action');
    // A step may lack an action, and `has` must be able to test this.
    const otherwise = ofAction ? 'ELSE FALSE END' : 'END';
    if (map.kind === 'map') {
      const found = this.#as.defined(presence(map.field(field) ?? nothing));
      return boolean(`(CASE WHEN ${map.present} THEN ${found} ${otherwise})`);
    }
    if (map.kind !== 'any') return boolean(ofAction ? 'FALSE' : 'CAST(NULL AS BOOLEAN)');
    const json = this.#dialect.json!;
    return boolean(
      `(CASE WHEN ${json.isMap(map.sql)} THEN ${json.field(map.sql, field)} IS NOT NULL WHEN ${map.sql} IS NOT NULL THEN NULL ${otherwise})`,
    );
  }

  #index(node: NodeOf<'index'>, scope: Scope): SqlValue {
    const container = this.#value(node.object, scope);
    const { index } = node;
    if (container.kind === 'list') this.#refuse(node, 'lists of the source have no places in SQL');
    if (container.kind === 'map') {
      if (index.kind === 'literal' && typeof index.value === 'string') {
        return container.field(index.value) ?? nothing;
      }
      return this.#refuse(node, 'which column is meant is not known before');
    }
    if (container.kind !== 'any') return nothing;
    return this.#collections.index(container.sql, this.#value(index, scope));
  }

  #unary({ operator, operand }: NodeOf<'unary'>, scope: Scope): SqlValue {
    if (operator === '!') return boolean(`(NOT ${this.condition(operand, scope)})`);
    const { sql, mayBeNaN } = this.#as.number(this.#value(operand, scope));
    return { kind: 'number', sql: `(- ${sql})`, mayBeNaN };
  }

  #binary(node: NodeOf<'binary'>, scope: Scope): SqlValue {
    const { operator } = node;
    const left = this.#value(node.left, scope);
    const right = this.#value(node.right, scope);
    if (operator === 'in') return boolean(this.#in(node, left, right));
    if (operator === '==' || operator === '!=') {
      const equal =
        this.#comparison.equal(left, right) ?? this.#refuse(node, 'lists and maps are not compared');
      return boolean(operator === '==' ? equal : `(NOT ${equal})`);
    }
    if (isOrder(operator)) return boolean(this.#comparison.order(operator, left, right));
    if (operator === '+') return this.#sum(node, left, right);
    const a = this.#as.number(left).sql;
    const b = this.#as.number(right).sql;
    if (operator === '%') {
      const remainder = `${this.#dialect.remainder(a, b)} + CAST('0' AS ${this.#dialect.double})`;
      const fits = `${this.#collections.isIntegral(a)} AND ${this.#collections.isIntegral(b)} AND ${b} <> 0`;
      return { kind: 'number', sql: `(CASE WHEN ${fits} THEN ${remainder} END)`, mayBeNaN: false };
    }
    const sql = operator === '/' ? this.#dialect.divide(a, b) : `(${a} ${operator} ${b})`;
    return { kind: 'number', sql, mayBeNaN: true };
  }

  #sum(node: NodeOf<'binary'>, left: SqlValue, right: SqlValue): SqlValue {
    const numbers = (): string => `(${this.#as.number(left).sql} + ${this.#as.number(right).sql})`;
    const texts = (): string => `(${this.#as.text(left)} || ${this.#as.text(right)})`;
    const kinds = [left.kind, right.kind];
    if (kinds.includes('list')) this.#refuse(node, 'lists are not joined');
    if (kinds.includes('number')) return { kind: 'number', sql: numbers(), mayBeNaN: true };
    if (kinds.includes('text')) return { kind: 'text', sql: texts() };
    if (left.kind !== 'any' || right.kind !== 'any') return nothing;
    const { isNumber, isText, isList, of, error } = this.#dialect.json!;
    const both = (is: (sql: string) => string): string => `${is(left.sql)} AND ${is(right.sql)}`;
    const joined = error('two lists are joined, which the translation to SQL does not do');
    return {
      kind: 'any',
      sql: `(CASE WHEN ${both(isNumber)} THEN ${of(numbers())} WHEN ${both(isText)} THEN ${of(texts())} WHEN ${both(isList)} THEN ${joined} END)`,
    };
  }

  #in(node: NodeOf<'binary'>, element: SqlValue, container: SqlValue): string {
    const equal = (other: SqlValue): string =>
      this.#comparison.equal(element, other) ?? this.#refuse(node, 'lists and maps are not compared');
    const isThere = this.#as.defined(element);
    if (container.kind === 'list') {
      // A NaN element equals nothing; a failing element makes the list fail.
      const failed = container.elements.map((one) => `NOT ${this.#as.defined(presence(one))}`);
      const found = container.elements.map((one) => `coalesce(${equal(one)}, FALSE)`);
      return `(CASE WHEN ${[`NOT ${isThere}`, ...failed].join(' OR ')} THEN NULL ELSE ${['FALSE', ...found].join(' OR ')} END)`;
    }
    if (container.kind === 'map') {
      const { left } = node;
      if (left.kind !== 'literal') return this.#refuse(node, 'which column is meant is not known before');
      if (typeof left.value !== 'string')
        return left.value === null
          ? 'CAST(NULL AS BOOLEAN)'
          : `(CASE WHEN ${container.present} THEN FALSE END)`;
      const found = this.#as.defined(presence(container.field(left.value) ?? nothing));
      return `(CASE WHEN ${container.present} THEN ${found} END)`;
    }
    if (container.kind !== 'any') return 'CAST(NULL AS BOOLEAN)';
    return (
      this.#collections.in(element, container.sql, this.#variable()) ??
      this.#refuse(node, 'lists and maps are not compared')
    );
  }

  #conditional(node: NodeOf<'conditional'>, scope: Scope): SqlValue {
    const holds = this.condition(node.condition, scope);
    const [a, b] = [this.#value(node.whenTrue, scope), this.#value(node.whenFalse, scope)];
    const choose = (whenTrue: string, whenFalse: string): string =>
      `(CASE WHEN ${holds} THEN ${whenTrue} WHEN NOT ${holds} THEN ${whenFalse} END)`;
    const kind = a.kind === 'nothing' ? b.kind : a.kind;
    if (b.kind === kind || b.kind === 'nothing') {
      if (kind === 'number') {
        const [x, y] = [this.#as.number(a), this.#as.number(b)];
        return { kind, sql: choose(x.sql, y.sql), mayBeNaN: x.mayBeNaN || y.mayBeNaN };
      }
      if (kind === 'text') return { kind, sql: choose(this.#as.text(a), this.#as.text(b)) };
      if (kind === 'boolean') return boolean(choose(this.#as.boolean(a), this.#as.boolean(b)));
      if (kind === 'nothing') return nothing;
    }
    if (this.#dialect.json === undefined) this.#refuse(node, 'it chooses between values of different types');
    return { kind: 'any', sql: choose(this.#any(node.whenTrue, a), this.#any(node.whenFalse, b)) };
  }

  /** Converts a value to JSON. */
  #any(node: ExpressionNode, value: SqlValue): string {
    const json = this.#dialect.json!;
    switch (value.kind) {
      case 'any':
        return value.sql;
      case 'null':
        return json.null;
      case 'nothing':
        return 'NULL';
      case 'list':
      case 'map':
        return this.#refuse(node, 'lists and maps are not written in SQL');
      default:
        return json.of(value.sql);
    }
  }

  #call(node: NodeOf<'call'>, scope: Scope): SqlValue {
    if (isTextFunction(node.function)) this.#refuse(node, 'SQL has no function that reads texts alike');
    if (node.function === 'sum') this.#refuse(node, 'SQL adds up the rows of a table, not a list of JSON');
    const values = node.arguments.map((argument) => this.#value(argument, scope));
    if (node.function === 'size') {
      const [first] = values;
      if (first.kind === 'text' || first.kind === 'any') return this.#collections.size(first.sql, first.kind);
      if (first.kind !== 'list' && first.kind !== 'map') return nothing;
      return this.#refuse(node, 'only texts and JSON have a size');
    }
    const texts = values.map((value) => this.#as.text(value));
    if (node.function !== 'matches') {
      const sql = this.#dialect[node.function](...texts);
      const { returns } = FUNCTIONS[node.function];
      if (returns === 'number') return { kind: 'number', sql, mayBeNaN: false };
      return { kind: returns === 'string' ? 'text' : 'boolean', sql };
    }
    const [a, b] = texts;
    const pattern = node.arguments[1];
    const { matches } = this.#dialect;
    if (matches === undefined) this.#refuse(node, 'its regular expressions are not those of RE2');
    if (pattern.kind !== 'literal' || typeof pattern.value !== 'string') {
      return this.#refuse(node, 'a pattern from data may be invalid, which would end the statement');
    }
    const valid = compilePattern(pattern.value);
    if (typeof valid === 'string') this.#refuse(node, valid);
    return boolean(matches(a, b));
  }

  /** A new, unique name. */
  #variable(): string {
    return `foreguard_${this.#variables++}`;
  }

  #macro(node: NodeOf<'macro'>, scope: Scope): SqlValue {
    const list = this.#value(node.list, scope);
    if (list.kind === 'list' || list.kind === 'map') this.#refuse(node, 'it runs over lists of JSON only');
    if (list.kind !== 'any') return nothing;
    const variable = this.#variable();
    const inner = new Map(scope).set(node.variable, { kind: 'any', sql: variable });
    const body =
      node.macro === 'map'
        ? this.#any(node.body, this.#value(node.body, inner))
        : this.condition(node.body, inner);
    return this.#collections.macro(node.macro, list.sql, variable, body);
  }
}

function boolean(sql: string): SqlValue {
  return { kind: 'boolean', sql };
}

/** The value, treated as present even if it is NaN. */
function presence(value: SqlValue): SqlValue {
  return value.kind === 'number' ? { ...value, mayBeNaN: false } : value;
}
