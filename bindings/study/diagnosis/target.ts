import { bindAutomaton, buildAutomaton, OPEN, violatedAtEnd } from '../../languages/automaton/index.js';
import type { RuleSpecification, Specification } from '../../rules/specification/index.js';
import type { AbstractRuns } from './abstractRuns.js';

/** What is to be foreseen at each step, runs one after the other. */
export interface Target {
  /** Uint32Array(runs + 1): where the steps of each run begin. */
  readonly runStart: Uint32Array;
  /** Per run its group. */
  readonly groups: readonly number[];
  /** Int32Array(steps): what is known so far, as a number; -1 where nothing is to be foreseen. */
  readonly context: Int32Array;
  /** Int32Array(steps): what comes of it; -1 where that is not known. */
  readonly outcome: Int32Array;
  /** Outcomes that are possible, where that is known. */
  readonly outcomes: number | null;
  /** Whether all steps of a run have one outcome, so that a run counts once, however long. */
  readonly ofRun: boolean;
}

/** The next valuation, or the end (0), given the one at hand. */
export function nextValuation({ runs }: AbstractRuns): Target {
  const runStart = startsOf(runs.map(({ rows }) => rows.length));
  const context = new Int32Array(runStart[runs.length]);
  const outcome = new Int32Array(context.length);
  runs.forEach(({ rows, complete }, r) => {
    rows.forEach((row, i) => {
      context[runStart[r] + i] = row;
      outcome[runStart[r] + i] = i + 1 < rows.length ? rows[i + 1] : complete ? 0 : -1;
    });
  });
  return { runStart, groups: runs.map(({ group }) => group), context, outcome, outcomes: null, ofRun: false };
}

/** Whether the run will break a rule (1) or not (0), given the valuation and the rule's automaton, while that is undecided. */
export function eventualViolation(
  { runs, counter }: AbstractRuns,
  { formula, atEnd }: RuleSpecification,
  { samplingPeriod }: Pick<Specification, 'samplingPeriod'>,
): Target {
  const { abstraction, table } = counter.tally;
  const automaton = buildAutomaton(formula, { samplingPeriod });
  const stepper = bindAutomaton(automaton, abstraction.predicates);
  const { valuations } = table;
  const runStart = startsOf(runs.map(({ rows }) => rows.length));
  const context = new Int32Array(runStart[runs.length]).fill(-1);
  const outcome = new Int32Array(context.length).fill(-1);
  runs.forEach(({ rows, complete }, r) => {
    let q = automaton.initial;
    let i = 0;
    for (; i < rows.length; i++) {
      q = stepper.step(q, valuations, (rows[i] - 1) * abstraction.words);
      if (automaton.verdict[q] !== OPEN) break;
      context[runStart[r] + i] = rows[i] * automaton.states + q;
    }
    const open = automaton.verdict[q] === OPEN;
    if (open && !complete) return;
    outcome.fill(violatedAtEnd(automaton, q, atEnd) ? 1 : 0, runStart[r], runStart[r] + i);
  });
  return { runStart, groups: runs.map(({ group }) => group), context, outcome, outcomes: 2, ofRun: true };
}

function startsOf(lengths: readonly number[]): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  lengths.forEach((length, i) => {
    starts[i + 1] = starts[i] + length;
  });
  return starts;
}
