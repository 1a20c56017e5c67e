import { InvalidArgumentError } from '../../../base/errors.js';
import {
  type SqlDialect,
  type SqlRow,
  type SqlScalar,
  type SqlValue,
  sqlNothing,
  sqlScalar,
} from '../../../languages/expression/index.js';
import { misspeltField, misspeltStepField } from '../../../observations/trace/index.js';

/** A table of steps, one per row, as SQL expressions in one dialect. */
export interface StepTable {
  readonly dialect: SqlDialect;
  /** The FROM clause. */
  readonly from: string;
  /** Orders the traces; NULL if a row belongs to none. */
  readonly trace: string;
  /** The trace's id as a text, for messages. */
  readonly id: string;
  /** Orders the steps of a trace; NULL if a row is not a step. */
  readonly step: string;
  /** On the last step: whether the trace is complete; NULL is true. */
  readonly complete: string;
  /** The number of held steps of the trace, on each of its rows; NULL is 0. Absent: no step is held. */
  readonly held?: string;
  /** How many messages of the recording no step of the trace has, on each of its rows; NULL is none. Absent: none is told. */
  readonly leftOutMessages?: string;
  /** The step's time in seconds, NULL where it has none. */
  readonly time: string;
  /** The meaning of names in predicates. */
  readonly row: SqlRow;
}

/** The type of a column: that of its values, or those of its fields if it is composite. */
export type ColumnType = SqlScalar | 'json' | { readonly [field: string]: ColumnType };

/** A table whose columns are the fields of the state, beside columns that place each step in its trace. */
export interface FlatTable {
  /** The FROM clause: a table, or a subquery in parentheses. */
  readonly from: string;
  /** All columns that predicates may read, by name. NULL is a missing field. */
  readonly columns: { readonly [column: string]: ColumnType };
  /** Columns of the trace's id (traces are ordered by it) and of the step's number. Default `trace` and `step`. */
  readonly trace?: string;
  readonly step?: string;
  /** A Boolean column; its value in the last step counts. Default: all traces are complete. */
  readonly complete?: string | null;
  /** A Boolean column: the step was held, not recorded. Default: no step is held. */
  readonly held?: string | null;
  /** Columns of the step's time in seconds and of its action's name. Default: steps have none. */
  readonly time?: string | null;
  readonly action?: string | null;
}

/**
 * Finds by its name the column that says whether a trace is complete; null if there is none.
 *
 * @throws InvalidArgumentError for a near spelling: as a field of the state, it would leave cut traces complete
 */
export function completeColumn(columns: readonly string[]): string | null {
  if (columns.includes('complete')) return 'complete';
  const misspelt = misspeltField(columns, ['complete']);
  if (misspelt === undefined) return null;
  throw new InvalidArgumentError(
    `there is a column "${misspelt.found}" and none "complete"; did you mean complete, true or false? Rename it; if it is a field of the state, add a column complete beside it`,
  );
}

/**
 * Finds by its name the column that says whether a step was held; null if there is none.
 *
 * @throws InvalidArgumentError for a near spelling: as a field of the state, it would make held steps pass for recorded ones
 */
export function heldColumn(columns: readonly string[]): string | null {
  if (columns.includes('held')) return 'held';
  for (const found of columns) {
    if (misspeltStepField({ [found]: null })?.meant !== 'held') continue;
    throw new InvalidArgumentError(
      `there is a column "${found}" and none "held"; did you mean held, true or false? Rename it; if it is a field of the state, add a column held beside it`,
    );
  }
  return null;
}

/**
 * The steps of a flat table. Trace ids that are texts are ordered by code points.
 *
 * `traceIsText` says whether the trace's column holds texts. Default: its type in `columns`, else false.
 *
 * @throws InvalidArgumentError if a column is JSON and the dialect has no functions for it
 */
export function flatSteps(table: FlatTable, dialect: SqlDialect): StepTable {
  const { trace = 'trace', step = 'step', complete = null, held = null, time = null, action = null } = table;
  const { columns } = table;
  const own = new Set([trace, step, complete, held, time, action]);
  const seconds = time === null ? sqlNothing : sqlScalar(dialect.identifier(time), 'number', dialect);
  const key = dialect.identifier(trace);
  return {
    dialect,
    from: table.from,
    trace: columns[trace] === 'text' ? dialect.ordered(key) : key,
    id: `CAST(${key} AS ${dialect.varchar})`,
    step: dialect.identifier(step),
    complete: complete === null ? 'TRUE' : dialect.identifier(complete),
    ...(held !== null && {
      held: `SUM(CASE WHEN ${dialect.identifier(held)} THEN 1 ELSE 0 END) OVER (PARTITION BY ${key})`,
    }),
    time: seconds.kind === 'number' ? seconds.sql : `CAST(NULL AS ${dialect.double})`,
    row: {
      field: (name) =>
        Object.hasOwn(columns, name) && !own.has(name)
          ? columnValue(dialect.identifier(name), columns[name], name, dialect)
          : undefined,
      time: seconds,
      action: action === null ? sqlNothing : actionValue(dialect.identifier(action)),
    },
  };
}

function columnValue(sql: string, type: ColumnType, name: string, dialect: SqlDialect): SqlValue {
  if (type === 'json') {
    if (dialect.json === undefined) {
      throw new InvalidArgumentError(
        `column "${name}" is of type json, which ${dialect.name} has no functions for here; make columns of its fields`,
      );
    }
    return { kind: 'any', sql: dialect.json.of(sql) };
  }
  if (typeof type === 'string') return sqlScalar(sql, type, dialect);
  return {
    kind: 'map',
    present: `${sql} IS NOT NULL`,
    field: (field) =>
      Object.hasOwn(type, field)
        ? columnValue(dialect.member(sql, field), type[field], `${name}.${field}`, dialect)
        : undefined,
  };
}

/** An action of which the table only has the name. */
function actionValue(name: string): SqlValue {
  return {
    kind: 'map',
    present: `${name} IS NOT NULL`,
    field: (field) => (field === 'name' ? { kind: 'text', sql: name } : undefined),
  };
}
