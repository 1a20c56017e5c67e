import type { SqlDialect } from './dialect.js';
import type { JsonFunctions } from './json.js';
import { quoted } from './quoted.js';

const text = (value: string): string => quoted(value, "'");

/** The JSON pointer to a field (RFC 6901). Unlike a path, it allows any characters in names. */
const pointer = (name: string): string => text(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);

const json: JsonFunctions = {
  isNumber: (value) => `json_type(${value}) IN ('DOUBLE', 'BIGINT', 'UBIGINT')`,
  isText: (value) => `json_type(${value}) = 'VARCHAR'`,
  isBoolean: (value) => `json_type(${value}) = 'BOOLEAN'`,
  isNull: (value) => `json_type(${value}) = 'NULL'`,
  isList: (value) => `json_type(${value}) = 'ARRAY'`,
  isMap: (value) => `json_type(${value}) = 'OBJECT'`,
  number: (value) => `CAST(${value} AS DOUBLE)`,
  text: (value) => `(${value} ->> '$')`,
  boolean: (value) => `CAST(${value} AS BOOLEAN)`,
  of: (value) => `to_json(${value})`,
  null: `CAST('null' AS JSON)`,
  field: (map, name) => `json_extract(${map}, ${pointer(name)})`,
  entry: (map, name) => `json_extract(${map}, '/' || replace(replace(${name}, '~', '~0'), '/', '~1'))`,
  element: (list, index) => `json_extract(${list}, CAST(${index} AS BIGINT))`,
  length: (list) => `json_array_length(${list})`,
  fields: (map) => `len(list_distinct(json_keys(${map})))`,
  elements: (list) => `json_extract(${list}, '$[*]')`,
  keys: (map) => `list_transform(list_distinct(json_keys(${map})), lambda k: to_json(k))`,
  transform: (list, variable, body) => `list_transform(${list}, lambda ${variable}: ${body})`,
  filter: (list, variable, body) => `list_filter(${list}, lambda ${variable}: ${body})`,
  least: (list) => `list_min(${list})`,
  greatest: (list) => `list_max(${list})`,
  sum: (list) => `list_sum(${list})`,
  error: (message) => `error(${text(message)})`,
};

/** DuckDB, from version 1.3 on (`lambda`), with `ieee_floating_point_ops`, its default. */
export const duckdb: SqlDialect = {
  name: 'duckdb',
  double: 'DOUBLE',
  varchar: 'VARCHAR',
  identifier: (name) => quoted(name, '"'),
  text,
  isNaN: (number) => `isnan(${number})`,
  isWhole: (number) => `trunc(${number}) = ${number}`,
  divide: (left, right) => `(${left} / ${right})`,
  remainder: (left, right) => `(${left} % ${right})`,
  ordered: (value) => value,
  member: (column, field) => `struct_extract(${column}, ${text(field)})`,
  startsWith: (value, part) => `starts_with(${value}, ${part})`,
  endsWith: (value, part) => `ends_with(${value}, ${part})`,
  contains: (value, part) => `contains(${value}, ${part})`,
  matches: (value, pattern) => `regexp_matches(${value}, ${pattern})`,
  json,
};
