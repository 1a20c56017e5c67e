import { type SqlDialect, sqlDialect } from '../../../languages/expression/index.js';
import { OWN_FIELDS, STEP_FIELDS } from '../../../observations/trace/index.js';
import type { StepTable } from './stepTable.js';

/** DuckDB's JSON type names for numbers. */
const NUMBER = `('DOUBLE', 'BIGINT', 'UBIGINT')`;

/** Whether the calls that answered before a step are such, if it lists any. */
const LISTS_CALLS = `(json_type(s, '/answered') IS NULL OR (json_type(s, '/answered') = 'ARRAY'
        AND coalesce(list_bool_and(list_transform(json_extract(s, '$.answered[*]'), lambda c: json_type(c) = 'OBJECT'
          AND coalesce(json_type(c, '/name') = 'VARCHAR' AND json_type(c, '/failed') = 'BOOLEAN', FALSE))), TRUE)))`;

/** The state of a step, with the `history` that the reader of JSON lines makes of the calls that answered up to it. */
const WITH_HISTORY = `CASE WHEN json_exists(content, '/state/history') OR NOT json_exists(content, '/answered') THEN json_extract(content, '/state')
      ELSE json_object('history', flatten(list_transform(list_slice(steps, 1, position + 1), lambda s: json_extract(s, '$.answered[*]')))) END`;

/** Whether a step is valid, by the criteria of the reader of JSON lines. */
const IS_STEP = `coalesce(json_type(s) = 'OBJECT' AND json_type(s, '/state') = 'OBJECT'
      AND (json_type(s, '/action') IS NULL OR (json_type(s, '/action/name') = 'VARCHAR'
        AND coalesce(json_type(s, '/action/arguments'), 'OBJECT') = 'OBJECT'))
      AND coalesce(json_type(s, '/time') IN ${NUMBER}, TRUE) AND coalesce(json_type(s, '/held'), 'BOOLEAN') = 'BOOLEAN' AND ${LISTS_CALLS}, FALSE)`;

/** The first of `keys` that is a near spelling of one of the `fields` that are not among them, as `misspeltField` finds it; NULL if there is none. */
function misspelt(
  keys: string,
  fields: Readonly<Record<string, { readonly spellings: string }>>,
  { text }: SqlDialect,
): string {
  const meant = Object.entries(fields).map(
    ([name, { spellings }]) =>
      `(NOT list_contains(${keys}, ${text(name)}) AND regexp_full_match(k, ${text(spellings)}, 'i'))`,
  );
  const own = Object.keys(fields).map(text).join(', ');
  return `list_filter(${keys}, lambda k: k NOT IN (${own}) AND (${meant.join(' OR ')}))[1]`;
}

/** The same of the first step that has one. */
function misspeltInStep(dialect: SqlDialect): string {
  const found = misspelt('json_keys(s)', STEP_FIELDS, dialect);
  return `list_filter(list_transform(steps, lambda s: CASE WHEN json_type(s) = 'OBJECT' THEN ${found} END), lambda f: f IS NOT NULL)[1]`;
}

/** Whether the trace gives reasons for fields that are not recorded, if it mentions any. */
const TELLS_REASONS = `coalesce(json_type(trace, '/notRecorded'), 'OBJECT') = 'OBJECT'
      AND coalesce(list_bool_and(list_transform(json_extract(trace, '$.notRecorded.*'), lambda r: json_type(r) = 'VARCHAR')), TRUE)`;

/** Whether the trace gives a valid number of held steps, which is that of its marked steps if any is, or none. */
const COUNTS_HELD = `coalesce(json_type(trace, '/heldSteps') IN ${NUMBER} AND held = floor(held) AND held BETWEEN 0 AND len(steps) AND (marked = 0 OR held = marked), json_type(trace, '/heldSteps') IS NULL)`;

/** Whether the trace says how many messages no step has, or nothing about it. */
const COUNTS_LEFT_OUT = `coalesce(json_type(trace, '/leftOutMessages') IN ${NUMBER} AND left_out = floor(left_out) AND left_out >= 0 AND isfinite(left_out), json_type(trace, '/leftOutMessages') IS NULL)`;

/** Traces as lines, numbered in the order of the files, with whether each is a trace. */
function lines(files: readonly string[], dialect: SqlDialect): string {
  const { text } = dialect;
  return `(SELECT line, filename, misspelt, misspelt_in_step, coalesce(held, marked) AS held, left_out, trace ->> '$.id' AS id, TRY_CAST(json_extract(trace, '/complete') AS BOOLEAN) AS complete, steps, coalesce(json_type(trace) = 'OBJECT' AND misspelt IS NULL AND misspelt_in_step IS NULL AND ${TELLS_REASONS} AND ${COUNTS_HELD} AND ${COUNTS_LEFT_OUT}
      AND json_type(trace, '/id') = 'VARCHAR'
      AND coalesce(json_type(trace, '/complete'), 'BOOLEAN') = 'BOOLEAN' AND json_type(trace, '/steps') = 'ARRAY' AND len(steps) > 0
      AND list_bool_and(list_transform(steps, lambda s: ${IS_STEP}))
      AND coalesce(list_bool_and(list_transform(times, lambda t: isfinite(t))), TRUE) AND list_sort(times) = times, FALSE) AS readable
    FROM (SELECT line, filename, trace, steps, ${misspelt('keys', OWN_FIELDS, dialect)} AS misspelt, ${misspeltInStep(dialect)} AS misspelt_in_step, TRY_CAST(json_extract(trace, '/heldSteps') AS DOUBLE) AS held, len(list_filter(steps, lambda s: coalesce(json_extract_string(s, '/held') = 'true', FALSE))) AS marked, TRY_CAST(json_extract(trace, '/leftOutMessages') AS DOUBLE) AS left_out, list_filter(list_transform(steps, lambda s: TRY_CAST(json_extract(s, '/time') AS DOUBLE)), lambda t: t IS NOT NULL) AS times
      FROM (SELECT row_number() OVER () AS line, filename, json AS trace, json_keys(json) AS keys, json_extract(json, '$.steps[*]') AS steps
        FROM read_ndjson_objects([${files.map(text).join(', ')}], filename = true, ignore_errors = true))))`;
}

/**
 * The steps of traces in JSON lines, for DuckDB, in the order of the files and lines. A line that is not a trace gives a row without a
 * step, or is skipped.
 */
export function jsonLinesSteps(files: readonly string[], skipInvalid: boolean): StepTable {
  const dialect = sqlDialect('duckdb');
  const time = "CAST(json_extract(content, '/time') AS DOUBLE)";
  return {
    dialect,
    from: `(SELECT line, id, complete, held, left_out, position, content, json_extract(content, '/state') AS state, ${WITH_HISTORY} AS with_history FROM (
      SELECT line, id, complete, held, left_out, steps, UNNEST(CASE WHEN readable THEN steps ELSE [CAST(NULL AS JSON)] END) AS content,
      UNNEST(CASE WHEN readable THEN range(len(steps)) ELSE [CAST(NULL AS BIGINT)] END) AS position
    FROM ${lines(files, dialect)}${skipInvalid ? ' WHERE readable' : ''}))`,
    trace: 'line',
    id: 'id',
    step: 'position',
    complete: 'complete',
    held: 'held',
    leftOutMessages: 'left_out',
    time,
    row: {
      field: (name) => ({
        kind: 'any',
        sql: dialect.json!.field(name === 'history' ? 'with_history' : 'state', name),
      }),
      time: { kind: 'number', sql: time, mayBeNaN: false },
      action: { kind: 'any', sql: "json_extract(content, '/action')" },
    },
  };
}

/** The first 100 lines that are not traces, with columns `filename`, `line` (among all), `misspelt` and `misspelt_in_step` (a misspelt field of the trace, and of a step, or NULL), and `total` (their number). */
export function unreadableLines(files: readonly string[]): string {
  return `SELECT filename, line, misspelt, misspelt_in_step, count(*) OVER () AS total FROM ${lines(files, sqlDialect('duckdb'))} WHERE NOT readable ORDER BY line LIMIT 100`;
}

/** Columns `name` and `in_state`: the fields of first steps without a time, and of their states, in the first thousand lines. */
export function namesWithoutTime(files: readonly string[]): string {
  const { text } = sqlDialect('duckdb');
  const names = (keys: string, inState: boolean): string =>
    `SELECT unnest(${keys}) AS name, ${inState} AS in_state FROM first_steps`;
  return `WITH first_steps AS (SELECT step
      FROM (SELECT json_extract(json, '$.steps[0]') AS step FROM read_ndjson_objects([${files.map(text).join(', ')}], ignore_errors = true) LIMIT 1000)
      WHERE json_type(step, '/time') IS NULL)
    SELECT DISTINCT * FROM (${names('json_keys(step)', false)} UNION ALL ${names("json_keys(step, '/state')", true)}) ORDER BY name`;
}
