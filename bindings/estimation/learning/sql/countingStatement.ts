import type { Abstraction } from '../../../observations/abstraction/index.js';
import { GAP_ROUNDING } from '../../../observations/trace/index.js';
import type { LearnOptions } from '../options.js';
import { Moves } from './moves.js';
import type { StepTable } from './stepTable.js';

/** The learning options that determine what is counted. */
export type CountingOptions = Pick<LearnOptions, 'onContradiction' | 'period' | 'skipInvalid'>;

/** An additional sum beside the draws: a column, what each draw adds to it (NULL adds nothing), and the aggregate. */
interface Sum {
  readonly name: string;
  readonly value: string;
  readonly sum: 'COUNT' | 'SUM';
}

// Infinite gaps and NaN are left out, as `RegularGaps` does. NaN is greater than all numbers.
const GAP = `CASE WHEN part = 0 AND abs(next_seconds - seconds) <= ${Number.MAX_VALUE} THEN next_seconds - seconds + ${GAP_ROUNDING} - ${GAP_ROUNDING} END`;
const TIMES: readonly Sum[] = [
  { name: 'untimed', value: 'CASE WHEN part = 0 AND seconds IS NULL THEN 1 END', sum: 'COUNT' },
  { name: 'gaps', value: GAP, sum: 'COUNT' },
  { name: 'gap_seconds', value: GAP, sum: 'SUM' },
];
const HELD: readonly Sum[] = [{ name: 'held', value: 'CASE WHEN part = 1 THEN held_steps END', sum: 'SUM' }];
const LEFT_OUT: readonly Sum[] = [
  { name: 'left_out_messages', value: 'CASE WHEN part = 1 THEN messages_left_out END', sum: 'SUM' },
];

/**
 * Writes counting as one SQL statement. It counts what the streaming counter counts on the same traces, in the order of the table's traces.
 *
 * Its rows are the transitions seen: `source_state` and `target_state` are codes of valuations (predicate i is bit i), -1 start, -2 end and -3
 * where a trace was cut (texts beyond 62 predicates); NULL where steps are at fault. `draws` says how often, `first_draw` at which draw of the
 * source first, and `discovery` orders the sources by when they were first seen. With a sampling period `untimed` says how many of the draws' steps
 * have no time, `gaps` after how many the next time is known, and `gap_seconds` how long these gaps are in all, each rounded to 2^-24 s; where the table
 * tells it, `held` says how many steps of the traces begun are held, and `left_out_messages` how many messages no step of them has. `learnFromCounts`
 * makes a chain of them.
 *
 * @throws NotSupportedError if an expression cannot be translated, naming the part; for `resample: hold` and `skip`
 */
export function countingStatement(
  abstraction: Abstraction,
  table: StepTable,
  options: CountingOptions = {},
): string {
  const { onContradiction = 'error', period = null, skipInvalid = false } = options;
  const dropsTraces = onContradiction === 'dropTrace';
  const moves = new Moves(abstraction, table, period);
  const { code } = moves;
  const leftOut = [
    ...(skipInvalid ? [`SELECT trace_key FROM moves WHERE ${moves.isFault}`] : []),
    ...(dropsTraces ? [`SELECT trace_key FROM moves WHERE ${moves.isContradiction}`] : []),
  ];
  const left =
    leftOut.length === 0
      ? ''
      : `
    AND NOT EXISTS (SELECT 1 FROM left_out WHERE left_out.trace_key = moves.trace_key)`;
  const sums = [
    ...(period === null ? [] : TIMES),
    ...(table.held === undefined ? [] : HELD),
    ...(table.leftOutMessages === undefined ? [] : LEFT_OUT),
  ];
  const names = sums.map(({ name }) => `, ${name}`).join('');
  return `WITH ${moves.sql}${leftOut.length === 0 ? '' : `,\nleft_out AS (\n  ${leftOut.join('\n  UNION\n  ')}\n)`},
drawn AS (
  SELECT trace_key, step_key,
    CASE WHEN part = 1 AND valuation IS NOT NULL THEN ${code.outside('start')} ELSE valuation END AS source_state,
    CASE WHEN part = 1 THEN valuation
      WHEN ${moves.isOutOfOrder} OR ${moves.isIrregular} THEN ${code.null}
      WHEN next_step IS NOT NULL THEN next_valuation
      WHEN is_complete THEN ${code.outside('end')}
      ELSE ${code.outside('cut')} END AS target_state${sums.map(({ name, value }) => `,\n    ${value} AS ${name}`).join('')}
  FROM moves CROSS JOIN (SELECT 0 AS part UNION ALL SELECT 1 AS part) AS parts
  WHERE (part = 0 OR is_first)${left}
),
numbered AS (
  SELECT trace_key, step_key, source_state, target_state${names}, ROW_NUMBER() OVER (
    PARTITION BY source_state, CASE WHEN target_state = ${code.outside('cut')} THEN 1 ELSE 0 END
    ORDER BY trace_key, step_key) AS draw
  FROM drawn
),
counted AS (
  SELECT source_state, target_state, COUNT(*) AS draws, MIN(draw) AS first_draw,
    MIN(CASE WHEN draw = 1 THEN trace_key END) AS first_trace,
    MIN(CASE WHEN draw = 1 THEN step_key END) AS first_step${sums.map(({ name, sum }) => `,\n    ${sum}(${name}) AS ${name}`).join('')}
  FROM numbered GROUP BY source_state, target_state
)
SELECT source_state, target_state, draws, first_draw,
  CASE WHEN first_trace IS NOT NULL THEN ROW_NUMBER() OVER (
    ORDER BY CASE WHEN first_trace IS NULL THEN 1 ELSE 0 END, first_trace, first_step) END AS discovery${names}
FROM counted`;
}
