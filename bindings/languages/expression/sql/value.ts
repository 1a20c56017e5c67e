import type { SqlDialect } from './dialect.js';

/**
 * A value in SQL, of a statically known type, or `any`, which is JSON. A failed evaluation is NULL for every type: SQL's AND and OR then
 * absorb failures as CEL's do, and all other operations propagate them.
 */
export type SqlValue =
  | { readonly kind: 'number'; readonly sql: string; readonly mayBeNaN: boolean }
  | { readonly kind: 'text' | 'boolean' | 'any'; readonly sql: string }
  /** The literal null. */
  | { readonly kind: 'null' }
  /** A list literal in the source. */
  | { readonly kind: 'list'; readonly elements: readonly SqlValue[] }
  /** A value with statically known fields: a column of a composite type, or `action`. `present` is never NULL. */
  | {
      readonly kind: 'map';
      readonly present: string;
      /** The value of a field; undefined if there is no such field. */
      readonly field: (name: string) => SqlValue | undefined;
    }
  /** A value that always fails, such as a field for which the table has no column. */
  | { readonly kind: 'nothing' };

/** The values that the names in an expression denote. */
export interface SqlRow {
  /** A field of the state; undefined if no state has it. */
  readonly field: (name: string) => SqlValue | undefined;
  readonly time?: SqlValue;
  readonly action?: SqlValue;
}

/** The value that always fails. */
export const nothing: SqlValue = { kind: 'nothing' };

/**
 * The types of source columns. An `integer` is a number that is never NaN; a `decimal` has more digits than a double and is converted to
 * the nearest double through its text.
 */
export type SqlScalar = 'number' | 'integer' | 'decimal' | 'text' | 'boolean';

/** Creates a value from a column or from an SQL expression over columns. */
export function scalar(sql: string, type: SqlScalar, { double, varchar }: SqlDialect): SqlValue {
  if (type === 'text' || type === 'boolean') return { kind: type, sql };
  const exact = type === 'decimal' ? `CAST(${sql} AS ${varchar})` : sql;
  return { kind: 'number', sql: `CAST(${exact} AS ${double})`, mayBeNaN: type === 'number' };
}

/** Converts values to number, text or Boolean; NULL if a value has another type. */
export class Conversion {
  readonly #dialect: SqlDialect;

  constructor(dialect: SqlDialect) {
    this.#dialect = dialect;
  }

  number(value: SqlValue): { readonly sql: string; readonly mayBeNaN: boolean } {
    const { double, json } = this.#dialect;
    if (value.kind === 'number') return value;
    if (value.kind !== 'any') return { sql: `CAST(NULL AS ${double})`, mayBeNaN: false };
    const { isNumber, number } = json!;
    return { sql: `CASE WHEN ${isNumber(value.sql)} THEN ${number(value.sql)} END`, mayBeNaN: true };
  }

  text(value: SqlValue): string {
    const { varchar, json } = this.#dialect;
    if (value.kind === 'text') return value.sql;
    if (value.kind !== 'any') return `CAST(NULL AS ${varchar})`;
    return `CASE WHEN ${json!.isText(value.sql)} THEN ${json!.text(value.sql)} END`;
  }

  boolean(value: SqlValue): string {
    const { json } = this.#dialect;
    if (value.kind === 'boolean') return value.sql;
    if (value.kind !== 'any') return 'CAST(NULL AS BOOLEAN)';
    return `CASE WHEN ${json!.isBoolean(value.sql)} THEN ${json!.boolean(value.sql)} END`;
  }

  /** Whether there is a value; true or false. NaN does not count as one. */
  defined(value: SqlValue): string {
    switch (value.kind) {
      case 'number': {
        const there = `${value.sql} IS NOT NULL`;
        return value.mayBeNaN ? `(${there} AND NOT ${this.#dialect.isNaN(value.sql)})` : `(${there})`;
      }
      case 'text':
      case 'boolean':
      case 'any':
        return `(${value.sql} IS NOT NULL)`;
      case 'null':
        return 'TRUE';
      case 'list':
        return `(${['TRUE', ...value.elements.map((element) => this.defined(element))].join(' AND ')})`;
      case 'map':
        return `(${value.present})`;
      case 'nothing':
        return 'FALSE';
    }
  }
}
