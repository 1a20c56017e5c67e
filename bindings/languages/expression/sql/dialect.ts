import { duckdb } from './duckdb.js';
import type { JsonFunctions } from './json.js';
import { postgresql } from './postgresql.js';
import { spark } from './spark.js';

/** Engines whose SQL is written. */
export type SqlDialectName = 'duckdb' | 'postgresql' | 'spark';

/** The dialects there are. */
export const SQL_DIALECTS: readonly SqlDialectName[] = ['duckdb', 'postgresql', 'spark'];

/** Where engines differ, each function on texts (`FUNCTIONS`) among them. Arguments and results are SQL; numbers are doubles, and NULL in gives NULL. */
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
  /** As IEEE 754 has it: x / 0 is infinite or NaN. */
  readonly divide: (left: string, right: string) => string;
  /** Of two integral numbers, the second not 0, with the sign of the first. */
  readonly remainder: (left: string, right: string) => string;
  /** A text as it is ordered: by code points. */
  readonly ordered: (text: string) => string;
  /** A field of a column that has fields. */
  readonly member: (column: string, field: string) => string;
  /** Whether a text begins with a part, ends with it, has it. */
  readonly startsWith: (...texts: string[]) => string;
  /** See `startsWith`. */
  readonly endsWith: (...texts: string[]) => string;
  /** See `startsWith`. */
  readonly contains: (...texts: string[]) => string;
  /** Whether some part of the text matches the pattern, in RE2's syntax; undefined where the engine has another syntax. */
  readonly matches: ((text: string, pattern: string) => string) | undefined;
  /** @internal Values whose type is known at run time only; undefined where they are not translated. */
  readonly json: JsonFunctions | undefined;
}

/** The dialect of a name. */
export function sqlDialect(name: SqlDialectName): SqlDialect {
  return { duckdb, postgresql, spark }[name];
}
