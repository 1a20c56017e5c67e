import type { Abstraction } from '../../../observations/abstraction/index.js';
import { MAX_REPORTED } from '../contradictions.js';
import type { CountingOptions } from './countingStatement.js';
import { Moves } from './moves.js';
import type { StepTable } from './stepTable.js';

/** The possible problems of a step, by the statement's number. */
export const PROBLEM_KINDS = ['order', 'time', 'predicate', 'state', 'transition', 'end'] as const;

/**
 * Writes one SQL statement for the problems that keep traces from being counted, and for the contradictions of constraints. It is run if
 * `countingStatement` returned rows of NULL or forbidden transitions, or left traces out.
 *
 * Its rows are places: `kind` (an index into `PROBLEM_KINDS`), `trace_id`, `step` (from 0 in the trace), `predicate` that failed (its
 * index), and the codes of the valuations at the step and before it; `of_kind` and `traces` are the total numbers of problems of that kind
 * and of traces with such problems. An invalid trace is listed once, without its contradictions. The first 100 faults and the first 100
 * contradictions have `place` up to 100. `listed` numbers the rows in the order of listing, `met` in the order in which a counter that
 * reads trace by trace meets them.
 */
export function problemsStatement(
  abstraction: Abstraction,
  table: StepTable,
  options: CountingOptions = {},
): string {
  const moves = new Moves(abstraction, table, options.period ?? null);
  const { forbidden, code } = moves;
  const select = (
    kind: (typeof PROBLEM_KINDS)[number],
    condition: string,
    at: 'here' | 'next',
    predicate = 'NULL',
  ): string => `SELECT trace_key, trace_id, ${at === 'here' ? 'position' : 'position + 1'} AS step, ${PROBLEM_KINDS.indexOf(kind)} AS kind, CAST(${predicate} AS INTEGER) AS predicate,
    ${at === 'here' ? `valuation AS state_there, ${code.null} AS state_before` : 'next_valuation AS state_there, valuation AS state_before'} FROM placed WHERE ${condition}`;
  return `WITH ${moves.sql},
placed AS (
  SELECT moves.*, ROW_NUMBER() OVER (PARTITION BY trace_key ORDER BY step_key) - 1 AS position FROM moves
),
problems AS (
  ${[
    select('order', moves.isOutOfOrder, 'here'),
    select('time', moves.isIrregular, 'next'),
    select('predicate', 'failed_predicate >= 0', 'here', 'failed_predicate'),
    select('state', forbidden.state, 'here'),
    select('transition', forbidden.transition, 'next'),
    select('end', forbidden.end, 'here'),
  ].join('\n  UNION ALL\n  ')}
),
classed AS (
  SELECT problems.*, CASE WHEN kind = 0 THEN 0 WHEN kind <= 2 THEN 1 ELSE 2 END AS class,
    MIN(CASE WHEN kind IN (1, 2) THEN 1 END) OVER (PARTITION BY trace_key) AS at_fault,
    ROW_NUMBER() OVER (PARTITION BY trace_key, CASE WHEN kind = 0 THEN 0 WHEN kind <= 2 THEN 1 ELSE 2 END ORDER BY kind, step) AS in_trace
  FROM problems
),
told AS (
  SELECT classed.*, COUNT(*) OVER (PARTITION BY kind) AS of_kind,
    SUM(CASE WHEN in_trace = 1 THEN 1 ELSE 0 END) OVER (PARTITION BY class) AS traces,
    ROW_NUMBER() OVER (PARTITION BY class ORDER BY trace_key, step, kind) AS place,
    ROW_NUMBER() OVER (PARTITION BY kind ORDER BY trace_key, step) AS place_of_kind,
    ROW_NUMBER() OVER (ORDER BY class, trace_key, step, kind) AS listed,
    ROW_NUMBER() OVER (ORDER BY trace_key, class, step, kind) AS met
  FROM classed WHERE class = 0 OR (class = 1 AND in_trace = 1) OR (class = 2 AND at_fault IS NULL)
)
SELECT kind, trace_id, step, predicate, state_there, state_before, of_kind, traces, place, listed, met
FROM told WHERE place <= ${MAX_REPORTED} OR place_of_kind = 1
ORDER BY listed`;
}
