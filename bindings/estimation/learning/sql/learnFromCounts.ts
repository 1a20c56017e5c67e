import { InvalidArgumentError, InvalidDataError } from '../../../base/errors.js';
import { sqlDialect } from '../../../languages/expression/index.js';
import type { Abstraction } from '../../../observations/abstraction/index.js';
import { withMessages, withOnTime, withUntimed } from '../../../observations/trace/index.js';
import { nothingCounted } from '../contradictionMessage.js';
import { Counter } from '../counter.js';
import { type LearntChain, learntModel } from '../learntChain.js';
import type { LearnOptions } from '../options.js';
import { Tally } from '../tally.js';
import { START_OR_END } from '../transitionTable.js';
import { type ProblemRow, Problems } from './problems.js';
import { type Outside, ValuationCode } from './valuation.js';

/** A row that `countingStatement` returned. Numbers may be bigints or texts. */
export interface CountRow {
  readonly source_state: unknown;
  readonly target_state: unknown;
  readonly draws: unknown;
  readonly first_draw: unknown;
  readonly discovery: unknown;
  /** With a sampling period: steps without a time; gaps between two times, and their total length in seconds. */
  readonly untimed?: unknown;
  readonly gaps?: unknown;
  readonly gap_seconds?: unknown;
  /** If the table records it: held steps of the traces begun. */
  readonly held?: unknown;
  /** Where the table tells it: messages that no step of the traces begun has. */
  readonly left_out_messages?: unknown;
}

/**
 * Builds the chain from counts made in SQL. It is bit for bit the chain that `learn` gives for the same traces.
 *
 * @param rows of `countingStatement`, in any order
 * @param options the options that the statement was written with, and the others of `learn`
 * @param problems runs `problemsStatement`; called only if there may be problems to report. Default: the traces left out are not recorded,
 * and such a chain cannot be certified.
 * @throws InvalidDataError if there is no trace to count, a trace is invalid and not skipped, a trace contradicts a constraint under
 * `onContradiction: error`, or steps have no order
 * @throws EvaluationError if a predicate fails, naming trace, step and predicate
 * @throws InvalidArgumentError if the rows are not those of the statement, and as `learn`
 */
export async function learnFromCounts(
  abstraction: Abstraction,
  rows: readonly CountRow[],
  options: LearnOptions = {},
  problems?: () => Promise<readonly ProblemRow[]>,
): Promise<LearntChain> {
  // The counter checks the options and fills in defaults.
  const { settings } = new Counter(abstraction, options);
  // Codes are the same in all dialects.
  const code = new ValuationCode(abstraction.predicates.length, sqlDialect('duckdb'));
  const atFault = rows.some((row) => row.source_state === null || row.target_state === null);
  const counted = atFault ? undefined : new Counted(abstraction, code, rows);
  const leavesOut = settings.skipInvalid || settings.onContradiction === 'dropTrace';
  const tells = atFault || leavesOut || counted?.contradicts === true;
  const { skipped, dropped, contradictions } = new Problems(
    abstraction,
    code,
    settings,
    tells ? ((await problems?.()) ?? []) : [],
  );
  if (counted === undefined || (counted.contradicts && settings.onContradiction === 'error')) {
    throw new InvalidDataError(
      'steps are at fault, or contradict a constraint; run the statement of problemsStatement to see which',
    );
  }
  const { tally, traces, steps, censored, held, leftOut, untimed, onTime } = counted;
  if (traces === 0) throw new InvalidDataError(nothingCounted({ empty: 0, skipped, dropped }));
  return learntModel(
    { tally, settings, traces, steps, ...(leavesOut && problems === undefined && { leftOut: null }) },
    {
      traces,
      steps,
      censored,
      empty: 0,
      resampled: {
        steps,
        held,
        missing: 0,
        leftOut,
        ...withMessages(leftOut),
        ...withUntimed(untimed),
        ...withOnTime(onTime),
      },
      skipped,
      dropped,
      contradictions,
    },
  );
}

/** The content of the rows. */
class Counted {
  readonly tally: Tally;
  traces = 0;
  steps = 0;
  censored = 0;
  /** Steps that were not recorded. */
  held = 0;
  /** Messages of the recording that no step has. */
  leftOut = 0;
  /** Steps without a time, where there is a sampling period. */
  untimed = 0;
  /** Gaps between times, where there is a sampling period: all are regular. */
  readonly onTime = { gaps: 0, seconds: 0 };
  /** Whether a transition was seen that the constraints forbid. */
  contradicts = false;

  constructor(abstraction: Abstraction, code: ValuationCode, rows: readonly CountRow[]) {
    this.tally = new Tally(abstraction);
    const { table, transitions, draws, forbidden } = this.tally;
    const { words } = abstraction;
    const valuation = new Uint32Array(words);
    const discovered = rows
      .filter(
        ({ discovery, source_state }) =>
          discovery !== null && code.read(source_state, valuation) === 'valuation',
      )
      .sort((a, b) => integer(a.discovery, 'discovery') - integer(b.discovery, 'discovery'));
    for (const { source_state } of discovered) {
      code.read(source_state, valuation);
      this.tally.insertState(valuation, 0);
    }
    const { valuations } = table;
    const rowOf = (state: unknown, outside: Outside): number => {
      const what = code.read(state, valuation);
      if (what === outside) return START_OR_END;
      const row = what === 'valuation' ? table.find(valuation) + 1 : 0;
      if (row > 0) return row;
      throw new InvalidArgumentError(
        `state ${state} has no row of its own; expected all rows of countingStatement`,
      );
    };
    for (const row of rows) {
      const from = rowOf(row.source_state, 'start');
      const count = integer(row.draws, 'draws');
      const offset = (from - 1) * words;
      if (from === START_OR_END) this.traces += count;
      else this.steps += count;
      this.untimed += Number(row.untimed ?? 0);
      this.onTime.gaps += Number(row.gaps ?? 0);
      this.onTime.seconds += Number(row.gap_seconds ?? 0);
      this.held += Number(row.held ?? 0);
      this.leftOut += Number(row.left_out_messages ?? 0);
      if (code.read(row.target_state, valuation) === 'cut') {
        this.censored += count;
        continue;
      }
      const to = rowOf(row.target_state, 'end');
      const allowed =
        from === START_OR_END ||
        (to === START_OR_END
          ? abstraction.validEnd(valuations, offset)
          : abstraction.validTransition(valuations, offset, valuations, (to - 1) * words));
      const entry = transitions.insert(from, to);
      transitions.counts[entry] = count;
      transitions.firstDraws[entry] = integer(row.first_draw, 'first_draw');
      transitions.forbidden[entry] = allowed || to === START_OR_END ? 0 : 1;
      draws[from] += count;
      if (!allowed) this.contradicts = true;
    }
    if (forbidden.includes(true)) this.contradicts = true;
  }
}

function integer(value: unknown, column: string): number {
  const number = Number(value);
  if (value !== null && Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError(
    `${column} is ${value}; expected a whole number from 1 to 2^53, as countingStatement gives`,
  );
}
