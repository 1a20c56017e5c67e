import type { SqlDialect } from './dialect.js';
import { dividedByZeroToo } from './ieee.js';
import { quoted } from './quoted.js';

/** Apache Spark SQL from version 3.3 on, with or without `spark.sql.ansi.enabled`. */
export const spark: SqlDialect = {
  name: 'spark',
  double: 'DOUBLE',
  varchar: 'STRING',
  identifier: (name) => quoted(name, '`'),
  // Backslashes are escape characters, and `${…}` would be substituted.
  text: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('$', '\\u0024')}'`,
  isNaN: (number) => `isnan(${number})`,
  isWhole: (number) => `rint(${number}) = ${number}`,
  divide: (left, right) =>
    dividedByZeroToo(
      left,
      right,
      (name) => `CAST('${name}' AS DOUBLE)`,
      (zero) => `CAST(${zero} AS STRING) = '-0.0'`,
    ),
  remainder: (left, right) => `(${left} % ${right})`,
  ordered: (value) => value,
  member: (column, field) => `${column}.${quoted(field, '`')}`,
  startsWith: (value, part) => `startswith(${value}, ${part})`,
  endsWith: (value, part) => `endswith(${value}, ${part})`,
  contains: (value, part) => `contains(${value}, ${part})`,
  matches: undefined,
  json: undefined,
};
