import { duckdb } from './duckdb.js';
import type { JsonFunctions } from './json.js';
import { postgresql } from './postgresql.js';
import { spark } from './spark.js';

/** The engines for which SQL can be written. */
export type SqlDialectName = 'duckdb' | 'postgresql' | 'spark';

/** All supported dialects. */
export const SQL_DIALECTS: readonly SqlDialectName[] = ['duckdb', 'postgresql', 'spark'];

/**
 * The constructs in which engines differ, including each function on texts (`FUNCTIONS`). Arguments and results are SQL; numbers are
 * doubles, and a NULL argument gives NULL.
 */
export interface SqlDialect {
  readonly name: SqlDialectName;
  /** The type of doubles. */
  readonly double: string;
  /** The type of texts. */
  readonly varchar: string;
  /** A name in quotes. */
  readonly identifier: (name: string) => string;
  /** A text literal without U+0000. */
  readonly text: (value: string) => string;
  /** Whether a number is NaN. */
  readonly isNaN: (number: string) => string;
  /** Whether a finite number has no fraction. */
  readonly isWhole: (number: string) => string;
  /** Division by IEEE 754: x / 0 is infinite or NaN. */
  readonly divide: (left: string, right: string) => string;
  /** The remainder of two integral numbers, the second not 0, with the sign of the first. */
  readonly remainder: (left: string, right: string) => string;
  /** A text such that it is ordered by code points. */
  readonly ordered: (text: string) => string;
  /** A field of a composite column. */
  readonly member: (column: string, field: string) => string;
  /** Whether a text begins with, ends with, or contains a part. */
  readonly startsWith: (...texts: string[]) => string;
  /** See `startsWith`. */
  readonly endsWith: (...texts: string[]) => string;
  /** See `startsWith`. */
  readonly contains: (...texts: string[]) => string;
  /** Whether some part of the text matches the pattern, in RE2's syntax; undefined if the engine has another syntax. */
  readonly matches: ((text: string, pattern: string) => string) | undefined;
  /** @internal Functions for values whose type is known at run time only; undefined if such values are not translated. */
  readonly json: JsonFunctions | undefined;
}

/** Returns the dialect with this name. */
export function sqlDialect(name: SqlDialectName): SqlDialect {
  return { duckdb, postgresql, spark }[name];
}
