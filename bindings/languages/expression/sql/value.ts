import type { SqlDialect } from './dialect.js';

/**
 * A value in SQL, of a type known before the engine runs, or `any`: JSON. An evaluation that fails is NULL, whatever the type:
 * SQL's AND and OR then absorb failures as CEL's do, and all else passes them on.
 */
export type SqlValue =
  | { readonly kind: 'number'; readonly sql: string; readonly mayBeNaN: boolean }
  | { readonly kind: 'text' | 'boolean' | 'any'; readonly sql: string }
  /** The literal. */
  | { readonly kind: 'null' }
  /** A list in the source. */
  | { readonly kind: 'list'; readonly elements: readonly SqlValue[] }
  /** What has fields known before: a column of a composite type, `action`. `present` is never NULL. */
  | {
      readonly kind: 'map';
      readonly present: string;
      /** What a name stands for. */
      readonly field: (name: string) => SqlValue | undefined;
    }
  /** What always fails, such as the field that a table has no column for. */
  | { readonly kind: 'nothing' };

/** What the names in an expression stand for. */
export interface SqlRow {
  /** A field of the state; undefined where no state has it. */
  readonly field: (name: string) => SqlValue | undefined;
  readonly time?: SqlValue;
  readonly action?: SqlValue;
}

/** What always fails. */
export const nothing: SqlValue = { kind: 'nothing' };

/**
 * The types of columns that values are read from; `integer` is a number that is never NaN, `decimal` one of more digits than a double
 * has, whose nearest double is taken by way of its text.
 */
export type SqlScalar = 'number' | 'integer' | 'decimal' | 'text' | 'boolean';

/** A column, or what is calculated of some, as a value. */
export function scalar(sql: string, type: SqlScalar, { double, varchar }: SqlDialect): SqlValue {
  if (type === 'text' || type === 'boolean') return { kind: type, sql };
  const exact = type === 'decimal' ? `CAST(${sql} AS ${varchar})` : sql;
  return { kind: 'number', sql: `CAST(${exact} AS ${double})`, mayBeNaN: type === 'number' };
}

/** A value as a number, text or Boolean; NULL where it is none. */
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

  /** Whether there is a value, NaN being none; true or false. */
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
