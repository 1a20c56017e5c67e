import type { SqlDialect } from './dialect.js';
import { dividedByZeroToo } from './ieee.js';
import { quoted } from './quoted.js';

/** PostgreSQL 12 and later. It aborts a statement with an error if arithmetic overflows or underflows. */
export const postgresql: SqlDialect = {
  name: 'postgresql',
  double: 'double precision',
  varchar: 'text',
  identifier: (name) => quoted(name, '"'),
  // Backslashes are literal under standard_conforming_strings, the default.
  text: (value) => quoted(value, "'"),
  isNaN: (number) => `(${number} = 'NaN')`,
  isWhole: (number) => `trunc(${number}) = ${number}`,
  divide: (left, right) =>
    dividedByZeroToo(
      left,
      right,
      (name) => `CAST('${name}' AS double precision)`,
      (zero) => `CAST(${zero} AS text) = '-0'`,
    ),
  // PostgreSQL has no remainder of doubles. Beyond 2^63 the cast is an error.
  remainder: (left, right) =>
    `CAST(mod(CAST(${left} AS bigint), CAST(${right} AS bigint)) AS double precision)`,
  ordered: (value) => `(${value} COLLATE "C")`,
  member: (column, field) => `(${column}).${quoted(field, '"')}`,
  startsWith: (value, part) => `starts_with(${value}, ${part})`,
  endsWith: (value, part) => `(right(${value}, char_length(${part})) = ${part})`,
  contains: (value, part) => `(position(${part} IN ${value}) > 0)`,
  matches: undefined,
  json: undefined,
};
