import { NotSupportedError } from '../../../base/errors.js';
import {
  parseExpression,
  type SqlDialect,
  type SqlRow,
  translateCondition,
} from '../../../languages/expression/index.js';
import type { Abstraction } from '../../../observations/abstraction/index.js';
import type { SamplingPeriod } from '../../../observations/trace/index.js';
import type { StepTable } from './stepTable.js';
import { ValuationCode } from './valuation.js';

/**
 * The table `moves`, which the statements share: each step of the traces with its valuation (NULL if a predicate fails, or the row is not a
 * step), its successor, and its problem, if any.
 */
export class Moves {
  /** The common table expressions up to and including `moves`, for use after WITH. */
  readonly sql: string;
  readonly code: ValuationCode;
  /** Conditions on a row of `moves`, none of them NULL. */
  readonly isOutOfOrder: string;
  readonly isIrregular: string;
  readonly isFault: string;
  readonly forbidden: Readonly<Record<'state' | 'transition' | 'end', string>>;
  readonly isContradiction: string;

  /**
   * @param period null: any gap between times
   * @throws NotSupportedError if an expression cannot be translated; for `resample: hold` and `skip`
   */
  constructor(abstraction: Abstraction, table: StepTable, period: SamplingPeriod | null) {
    const { dialect } = table;
    if (period !== null && (period.resample ?? 'error') !== 'error') {
      throw new NotSupportedError(
        `resample: ${period.resample} is not done in SQL, as what becomes of a step depends on all before it; learn without an engine, or resample the traces before`,
      );
    }
    const { predicates, constraints = {} } = abstraction.definition;
    const conditions = predicates.map(({ name, expression }) =>
      translateCondition(parseExpression(expression, { name: `predicate "${name}"` }), table.row, dialect),
    );
    const columns = conditions.map((_, i) => `p${i}`);
    this.code = new ValuationCode(predicates.length, dialect);
    const { code } = this;
    const ofPredicates =
      (valuation: string): SqlRow['field'] =>
      (name) => ({
        kind: 'boolean',
        sql: code.holds(
          valuation,
          predicates.findIndex((one) => one.name === name),
        ),
      });
    const constraint = (kind: 'state' | 'transition' | 'end', row: SqlRow): string => {
      const source = constraints[kind];
      if (source === undefined) return 'FALSE';
      const expression = parseExpression(source, { name: `constraints.${kind}` });
      return `NOT ${translateCondition(expression, row, dialect)}`;
    };
    const both: SqlRow = {
      field: (side) => ({
        kind: 'map',
        present: 'TRUE',
        field: ofPredicates(side === 'from' ? 'valuation' : 'next_valuation'),
      }),
    };
    const here: SqlRow = { field: ofPredicates('valuation') };
    const when = (condition: string, holds: string): string =>
      holds === 'FALSE' ? 'FALSE' : `coalesce(${condition} AND ${holds}, FALSE)`;
    this.forbidden = {
      state: when('TRUE', constraint('state', here)),
      transition: when('next_step IS NOT NULL', constraint('transition', both)),
      end: when('next_step IS NULL AND is_complete', constraint('end', here)),
    };
    this.isContradiction = `(${Object.values(this.forbidden).join(' OR ')})`;
    // The time of a step without one would have to be deduced from steps other than its neighbours.
    const untimed =
      period === null ? '' : ' OR (next_step IS NOT NULL AND (seconds IS NULL) <> (next_seconds IS NULL))';
    this.isOutOfOrder = `(trace_key IS NULL OR step_key IS NULL OR coalesce(next_step = step_key, FALSE)${untimed})`;
    this.isIrregular = period === null ? 'FALSE' : irregular(period, dialect);
    this.isFault = `(valuation IS NULL OR ${this.isOutOfOrder} OR ${this.isIrregular})`;

    const failed = columns.map((column, i) => `WHEN ${column} IS NULL THEN ${i} `).join('');
    const timed = period !== null;
    const told = [
      ...(table.held === undefined ? [] : [{ sql: table.held, name: 'held_steps' }]),
      ...(table.leftOutMessages === undefined
        ? []
        : [{ sql: table.leftOutMessages, name: 'messages_left_out' }]),
    ];
    const held = told.map(({ name }) => `, ${name}`).join('');
    this.sql = `steps AS (
  SELECT ${table.trace} AS trace_key, ${table.step} AS step_key, ${table.id} AS trace_id,
    coalesce(${table.complete}, TRUE) AS is_complete${timed ? `, ${table.time} AS seconds` : ''}${told.map(({ sql, name }) => `, ${sql} AS ${name}`).join('')}${conditions
      .map((condition, i) => `,\n    ${condition} AS p${i}`)
      .join('')}
  FROM ${table.from} AS step_table
),
coded AS (
  SELECT trace_key, step_key, trace_id, is_complete${timed ? ', seconds' : ''}${held},
    CASE ${failed}WHEN trace_key IS NULL OR step_key IS NULL THEN -1 END AS failed_predicate,
    CASE WHEN ${['trace_key', 'step_key', ...columns].map((column) => `${column} IS NULL`).join(' OR ')} THEN NULL
      ELSE ${code.of(columns)} END AS valuation
  FROM steps
),
moves AS (
  SELECT trace_key, step_key, trace_id, is_complete, failed_predicate, valuation,
    LEAD(valuation) OVER in_trace AS next_valuation, LEAD(step_key) OVER in_trace AS next_step,
    LAG(step_key) OVER in_trace IS NULL AS is_first${timed ? ', seconds, LEAD(seconds) OVER in_trace AS next_seconds' : ''}${held}
  FROM coded WINDOW in_trace AS (PARTITION BY trace_key ORDER BY step_key)
)`;
  }
}

/** Whether the next step does not follow a sampling period after this one, with the arithmetic of `GapCheck`. */
function irregular({ seconds, tolerance }: SamplingPeriod, dialect: SqlDialect): string {
  const number = (value: number): string => `CAST('${value}' AS ${dialect.double})`;
  const gap = `abs(next_seconds - seconds - ${number(seconds)})`;
  const rounding = `${number(2 * Number.EPSILON)} * greatest(abs(next_seconds), abs(seconds))`;
  return `coalesce(CASE WHEN ${dialect.isNaN('seconds')} THEN FALSE WHEN ${dialect.isNaN('next_seconds')} THEN TRUE ELSE NOT ${gap} <= ${number(seconds * tolerance)} + ${rounding} END, FALSE)`;
}
