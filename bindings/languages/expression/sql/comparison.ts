import type { NodeOf } from '../expression.js';
import type { SqlDialect } from './dialect.js';
import type { Conversion, SqlValue } from './value.js';

type Order = '<' | '<=' | '>' | '>=';

/** Whether `Comparison.order` handles an operator. */
export function isOrder(operator: NodeOf<'binary'>['operator']): operator is Order {
  return operator === '<' || operator === '<=' || operator === '>' || operator === '>=';
}

/** Translates comparisons to SQL. Comparing NaN gives NULL. */
export class Comparison {
  readonly #dialect: SqlDialect;
  readonly #as: Conversion;

  constructor(dialect: SqlDialect, conversion: Conversion) {
    this.#dialect = dialect;
    this.#as = conversion;
  }

  /** `left < right` and the other order operators, on two numbers, two texts (by code points) or two Booleans (false before true). */
  order(operator: Order, left: SqlValue, right: SqlValue): string {
    const { json, ordered } = this.#dialect;
    const as = this.#as;
    const numbers = (): string => this.#numbers(operator, left, right);
    const texts = (): string => `(${ordered(as.text(left))} ${operator} ${ordered(as.text(right))})`;
    const booleans = (): string => `(${as.boolean(left)} ${operator} ${as.boolean(right)})`;
    const kind = left.kind === 'any' ? right.kind : left.kind;
    if (kind === 'number') return numbers();
    if (kind === 'text') return texts();
    if (kind === 'boolean') return booleans();
    if (left.kind !== 'any' || right.kind !== 'any' || json === undefined) return 'CAST(NULL AS BOOLEAN)';
    const { isNumber, isText, isBoolean } = json;
    return `(CASE WHEN ${isNumber(left.sql)} THEN ${numbers()} WHEN ${isText(left.sql)} THEN ${texts()} WHEN ${isBoolean(left.sql)} THEN ${booleans()} END)`;
  }

  /**
   * `left == right`: NULL for values of different types, except null, which is unequal to all others. Undefined if two lists or maps would have to be compared.
   */
  equal(left: SqlValue, right: SqlValue): string | undefined {
    if (left.kind === 'any') return this.#anyEqual(left.sql, right);
    if (right.kind === 'any') return this.#anyEqual(right.sql, left);
    if (left.kind === right.kind) {
      switch (left.kind) {
        case 'number':
          return this.#numbers('=', left, right);
        case 'text':
        case 'boolean':
          return `(${left.sql} = ${(right as typeof left).sql})`;
        case 'null':
          return 'TRUE';
        case 'nothing':
          return 'CAST(NULL AS BOOLEAN)';
        default:
          return undefined;
      }
    }
    if (left.kind !== 'null' && right.kind !== 'null') return 'CAST(NULL AS BOOLEAN)';
    return `(CASE WHEN ${this.#as.defined(left)} AND ${this.#as.defined(right)} THEN FALSE END)`;
  }

  #anyEqual(any: string, other: SqlValue): string | undefined {
    const { isNumber, isText, isBoolean, isNull, isList, isMap, error } = this.#dialect.json!;
    const as = this.#as;
    const value: SqlValue = { kind: 'any', sql: any };
    const unequal = `WHEN ${isNull(any)} AND ${as.defined(other)} THEN FALSE END)`;
    switch (other.kind) {
      case 'number':
        return `(CASE WHEN ${isNumber(any)} THEN ${this.#numbers('=', value, other)} ${unequal}`;
      case 'text':
        return `(CASE WHEN ${isText(any)} THEN ${as.text(value)} = ${other.sql} ${unequal}`;
      case 'boolean':
        return `(CASE WHEN ${isBoolean(any)} THEN ${as.boolean(value)} = ${other.sql} ${unequal}`;
      case 'null':
        return `(${isNull(any)})`;
      case 'nothing':
        return 'CAST(NULL AS BOOLEAN)';
      case 'any': {
        const both = (is: (sql: string) => string): string => `${is(any)} AND ${is(other.sql)}`;
        const contents = error(
          'two lists, or two maps, are compared, which the translation to SQL does not do',
        );
        return (
          `(CASE WHEN ${any} IS NULL OR ${other.sql} IS NULL THEN NULL ` +
          `WHEN ${both(isNumber)} THEN ${this.#numbers('=', value, other)} ` +
          `WHEN ${both(isText)} THEN ${as.text(value)} = ${as.text(other)} ` +
          `WHEN ${both(isBoolean)} THEN ${as.boolean(value)} = ${as.boolean(other)} ` +
          `WHEN ${both(isNull)} THEN TRUE ` +
          `WHEN ${both(isList)} OR ${both(isMap)} THEN ${contents} WHEN ${isNull(any)} OR ${isNull(other.sql)} THEN FALSE END)`
        );
      }
      default:
        return undefined;
    }
  }

  #numbers(operator: Order | '=', left: SqlValue, right: SqlValue): string {
    const [a, b] = [this.#as.number(left), this.#as.number(right)];
    const comparison = `${a.sql} ${operator} ${b.sql}`;
    const nans = [a, b].filter(({ mayBeNaN }) => mayBeNaN).map(({ sql }) => this.#dialect.isNaN(sql));
    return nans.length === 0
      ? `(${comparison})`
      : `(CASE WHEN ${nans.join(' OR ')} THEN NULL ELSE ${comparison} END)`;
  }
}
