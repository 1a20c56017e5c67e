import { InvalidArgumentError } from '../../base/errors.js';
import {
  type ColumnType,
  completeColumn,
  countingStatement,
  flatSteps,
  heldColumn,
  problemsStatement,
  type StepTable,
} from '../../estimation/learning/index.js';
import {
  freeNames,
  parseExpression,
  type SqlDialectName,
  sqlDialect,
} from '../../languages/expression/index.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import type { Specification } from '../../rules/specification/index.js';
import { duckDbSteps, withDuckDb } from '../node/index.js';
import type { Outcome } from './terminal.js';

/** Options of `foreguard learn` that determine the printed statement. */
export interface EmitSqlOptions {
  readonly emitSql: SqlDialectName;
  readonly traces?: readonly string[];
  readonly table?: string;
  /** `speed=number,red=boolean`. */
  readonly columns?: string;
  readonly skipInvalid?: boolean;
}

const TYPES = ['number', 'integer', 'decimal', 'text', 'boolean', 'json'] as const satisfies ColumnType[];

/** Prints the counting statement, for an external engine. */
export async function emitSql(options: EmitSqlOptions, specification: Specification): Promise<Outcome> {
  const { emitSql: dialect, skipInvalid = false } = options;
  const counting = { ...specification.learning, skipInvalid };
  const abstraction = new Abstraction(specification.abstraction);
  const table = await stepTable(options, specification);
  const statement = countingStatement(abstraction, table, counting);
  const problems = problemsStatement(abstraction, table, counting);
  return { text: statement, isCode: true, json: { dialect, statement, problems } };
}

async function stepTable(
  { emitSql: name, traces = [], table, columns, skipInvalid = false }: EmitSqlOptions,
  { abstraction }: Specification,
): Promise<StepTable> {
  if (traces.length > 0) {
    if (name === 'duckdb' && table === undefined && columns === undefined) {
      return withDuckDb({}, (query) => duckDbSteps(query, traces, { skipInvalid }));
    }
    throw new InvalidArgumentError(
      `--traces with --emit-sql ${name}: only DuckDB's own statement reads files, and asks them for their columns; name a table by --table, and its columns by --columns`,
    );
  }
  const types = columnTypes(columns);
  for (const { name: predicate, expression } of abstraction.predicates) {
    const unknown = freeNames(parseExpression(expression)).find((one) => !Object.hasOwn(types, one));
    if (unknown !== undefined) {
      throw new InvalidArgumentError(
        `predicate "${predicate}" reads ${unknown}, which --columns does not have; add ${unknown}=number, or another of ${TYPES.join(', ')}`,
      );
    }
  }
  const dialect = sqlDialect(name);
  const optional = (column: string): string | null => (Object.hasOwn(types, column) ? column : null);
  return flatSteps(
    {
      from: (table ?? 'steps').split('.').map(dialect.identifier).join('.'),
      columns: types,
      complete: completeColumn(Object.keys(types)),
      held: heldColumn(Object.keys(types)),
      time: optional('time'),
      action: optional('action'),
    },
    dialect,
  );
}

function columnTypes(text = ''): Record<string, ColumnType> {
  const pairs = text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, column, type] = /^(.+)=(\w+)$/.exec(pair) ?? [];
      const known = TYPES.find((one) => one === type);
      if (known !== undefined) return [column, known];
      throw new InvalidArgumentError(
        `--columns has "${pair}"; expected a column and its type, such as speed=number, the type one of ${TYPES.join(', ')}`,
      );
    }),
  );
}
