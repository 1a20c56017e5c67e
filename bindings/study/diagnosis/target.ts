import { bindAutomaton, buildAutomaton, OPEN, violatedAtEnd } from '../../languages/automaton/index.js';
import type { RuleSpecification, Specification } from '../../rules/specification/index.js';
import type { AbstractRuns } from './abstractRuns.js';

/** The outcome to be predicted at each step, runs one after the other. */
export interface Target {
  /** Uint32Array(runs + 1): where the steps of each run begin. */
  readonly runStart: Uint32Array;
  /** The group of each run. */
  readonly groups: readonly number[];
  /** Int32Array(steps): the context known so far, as a number; -1 if nothing is to be predicted. */
  readonly context: Int32Array;
  /** Int32Array(steps): the outcome; -1 if unknown. */
  readonly outcome: Int32Array;
  /** Number of possible outcomes, if known. */
  readonly outcomes: number | null;
  /** Whether all steps of a run have one outcome, so that a run counts once, whatever its length. */
  readonly ofRun: boolean;
}

/** The target "next valuation, or the end (0)", given the current valuation. */
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

/** The target "the run will break the rule (1) or not (0)", given the valuation and the rule's automaton, while the rule is undecided. */
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
