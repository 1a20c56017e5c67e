import type { MacroName } from '../expression.js';
import type { Comparison } from './comparison.js';
import type { SqlDialect } from './dialect.js';
import type { JsonFunctions } from './json.js';
import { type Conversion, nothing, type SqlValue } from './value.js';

/** Translates operations on JSON lists and maps to SQL. */
export class Collections {
  readonly #dialect: SqlDialect;
  readonly #as: Conversion;
  readonly #comparison: Comparison;

  constructor(dialect: SqlDialect, conversion: Conversion, comparison: Comparison) {
    this.#dialect = dialect;
    this.#as = conversion;
    this.#comparison = comparison;
  }

  get #json(): JsonFunctions {
    return this.#dialect.json!;
  }

  /** Whether a number is an integer. */
  isIntegral(number: string): string {
    // All these engines order NaN above every other number.
    const finite = `abs(${number}) <= CAST('${Number.MAX_VALUE}' AS ${this.#dialect.double})`;
    return `${finite} AND ${this.#dialect.isWhole(number)}`;
  }

  /** `container[key]`. */
  index(container: string, key: SqlValue): SqlValue {
    const { isList, isMap, element, entry } = this.#json;
    const inList = (): string => {
      const at = this.#as.number(key).sql;
      const fits = `${isList(container)} AND ${this.isIntegral(at)} AND ${at} BETWEEN 0 AND 2147483647`;
      return `CASE WHEN ${fits} THEN ${element(container, at)} END`;
    };
    const inMap = (): string =>
      `CASE WHEN ${isMap(container)} THEN ${entry(container, this.#as.text(key))} END`;
    if (key.kind === 'number') return { kind: 'any', sql: `(${inList()})` };
    if (key.kind === 'text') return { kind: 'any', sql: `(${inMap()})` };
    if (key.kind !== 'any') return nothing;
    return { kind: 'any', sql: `(CASE WHEN ${isList(container)} THEN ${inList()} ELSE ${inMap()} END)` };
  }

  /** `element in container`; undefined if lists or maps would have to be compared. */
  in(element: SqlValue, container: string, variable: string): string | undefined {
    const { isList, isMap, isText, isNumber, isBoolean, elements, transform, greatest, entry } = this.#json;
    const equal = this.#comparison.equal(element, { kind: 'any', sql: variable });
    if (equal === undefined) return undefined;
    const equals = transform(elements(container), variable, `CAST(${equal} AS INTEGER)`);
    const isKey = `${entry(container, this.#as.text(element))} IS NOT NULL`;
    const ofMap =
      element.kind === 'any'
        ? `CASE WHEN ${isText(element.sql)} THEN ${isKey} WHEN ${isNumber(element.sql)} OR ${isBoolean(element.sql)} THEN FALSE END`
        : element.kind === 'text'
          ? isKey
          : element.kind === 'number' || element.kind === 'boolean'
            ? 'FALSE'
            : 'NULL';
    const isThere = this.#as.defined(element);
    return `(CASE WHEN NOT ${isThere} THEN NULL WHEN ${isList(container)} THEN coalesce(${greatest(equals)}, 0) = 1 WHEN ${isMap(container)} THEN ${ofMap} END)`;
  }

  /** `size` of a text or of a JSON value. */
  size(sql: string, kind: 'text' | 'any'): SqlValue {
    const count = (): string => {
      const { isText, isList, isMap, length, fields } = this.#json;
      const ofText = `char_length(${this.#as.text({ kind, sql })})`;
      return `CASE WHEN ${isText(sql)} THEN ${ofText} WHEN ${isList(sql)} THEN ${length(sql)} WHEN ${isMap(sql)} THEN ${fields(sql)} END`;
    };
    const size = kind === 'text' ? `char_length(${sql})` : count();
    return { kind: 'number', sql: `CAST(${size} AS ${this.#dialect.double})`, mayBeNaN: false };
  }

  /**
   * A macro over a list, or over a map's keys.
   * @param body the body for the element in `variable`: JSON for `map`, else a condition.
   */
  macro(macro: MacroName, list: string, variable: string, body: string): SqlValue {
    const { isList, isMap, elements, keys, transform, filter, least, greatest, sum, of } = this.#json;
    const all = `CASE WHEN ${isList(list)} THEN ${elements(list)} WHEN ${isMap(list)} THEN ${keys(list)} END`;
    const each = (value: string): string => transform(all, variable, value);
    const isThere = `(${isList(list)} OR ${isMap(list)})`;
    // The first failure is the result.
    const unless = (result: string): string => {
      const failed = greatest(each(`CAST(${body} IS NULL AS INTEGER)`));
      return `(CASE WHEN ${isThere} AND coalesce(${failed}, 0) = 0 THEN ${result} END)`;
    };
    // A failure counts only if no element decides, so it is ordered between true and false.
    const truths = each(`coalesce(2 * CAST(${body} AS INTEGER), 1)`);
    const decided = (result: string, whenEmpty: number): string =>
      `(CASE WHEN ${isThere} THEN CASE coalesce(${result}, ${whenEmpty}) WHEN 2 THEN TRUE WHEN 0 THEN FALSE END END)`;
    switch (macro) {
      case 'exists':
        return { kind: 'boolean', sql: decided(greatest(truths), 0) };
      case 'all':
        return { kind: 'boolean', sql: decided(least(truths), 2) };
      case 'exists_one':
        return { kind: 'boolean', sql: unless(`coalesce(${sum(truths)}, 0) = 2`) };
      case 'filter':
        return { kind: 'any', sql: unless(of(filter(all, variable, body))) };
      case 'map':
        return { kind: 'any', sql: unless(of(each(body))) };
    }
  }
}
