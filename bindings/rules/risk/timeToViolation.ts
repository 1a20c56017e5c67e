import { buildAutomaton, OPEN } from '../../languages/automaton/index.js';
import { type ViolationTime, violationTime } from '../../solvers/checker/index.js';
import type { SolveOptions } from '../../solvers/kernel/index.js';
import type { Dtmc } from '../../solvers/model/index.js';
import type { Specification } from '../specification/index.js';
import { durationInSteps } from './duration.js';
import { type NamedState, namedStates } from './fileNumbers.js';
import { aboutRule, openLearnt, requireTraceRule, ruleNamed } from './learntChain.js';
import type { RiskBounds } from './riskTable.js';
import { arrivals } from './ruleRisk.js';

/** How far ahead the time to a violation is computed. */
export interface TimeOptions extends SolveOptions {
  /** A number of further steps, or a duration such as `3s`, converted by `durationInSteps`. Default 100. */
  readonly horizon?: number | string;
  /** Fractions of all violations, above 0 and at most 1. Default 0.1, 0.5, 0.9. */
  readonly quantiles?: readonly number[];
}

/** The time until a rule is violated, in steps from here: bounds on a random number that is infinite if the rule is never violated. */
export interface RuleTime {
  /** Bounds on the probability that the rule is ever violated. */
  readonly risk: RiskBounds;
  /** Bounds on the mean number of steps, given a violation; null at risk 0; the upper bound is Infinity if a state without data may come first. */
  readonly expectedSteps: RiskBounds | null;
  /** At index k, bounds on the probability of a violation within k steps, from 0 to the horizon. */
  readonly within: { readonly lower: readonly number[]; readonly upper: readonly number[] };
  /**
   * Bounds on the number of steps by which this fraction of all violations has occurred; the upper bound is Infinity beyond the horizon;
   * null at risk 0.
   */
  readonly quantiles: readonly { readonly part: number; readonly steps: RiskBounds | null }[];
}

/** The time to violation in one chain state, with the rule's automaton in one state. */
export interface RuleTimeEntry extends RuleTime, NamedState {
  readonly draws: number;
  readonly automatonState: number;
}

/** The time until a rule is violated, from every state. */
export interface RuleTimes {
  readonly name: string;
  readonly formula: string;
  readonly horizonSteps: number;
  /**
   * Seconds per step; null if steps have no fixed duration: without a sampling period, and under `resample: skip`, where a step stands for
   * one or more periods.
   */
  readonly samplingPeriodSeconds: number | null;
  /** Counted from the first step. */
  readonly start: RuleTime;
  /** All entries that a run can reach with the rule undecided, by descending upper bound of the risk. */
  readonly entries: readonly RuleTimeEntry[];
}

/**
 * Computes when a rule is violated, if it is: bounds on the mean number of further steps given a violation, on the probability of a
 * violation within each number of steps up to a horizon, and on quantiles. The move to `end` counts as a step.
 *
 * @param rule the name of a rule on traces
 * @param options also options of the solver (default precision 1e-6, relative)
 * @throws InvalidArgumentError for an unknown rule; NotSupportedError for a PCTL rule; KernelError if the distribution over the horizon
 * does not fit in memory; else as `riskTable`
 */
export function timeToViolation(
  specification: Specification,
  model: Dtmc,
  rule: string,
  options: TimeOptions = {},
): RuleTimes {
  const { horizon = 100, quantiles = [0.1, 0.5, 0.9], ...solveOptions } = options;
  const horizonSteps = typeof horizon === 'number' ? horizon : durationInSteps(horizon, specification);
  const wanted = ruleNamed(specification, rule);
  requireTraceRule(wanted, 'the time to a violation');
  const { name, formula, formulaText, atEnd } = wanted;
  const chain = openLearnt(specification, model);
  const { samplingPeriod, samplingPeriodSeconds, resample } = specification;
  const automaton = buildAutomaton(formula, { samplingPeriod });
  const { start, at } = aboutRule(wanted, specification, chain, () =>
    violationTime({ chain, automaton, atEnd, horizonSteps }, solveOptions),
  );
  const described = (time: ViolationTime): RuleTime => ({
    risk: time.risk,
    expectedSteps: time.expected,
    within: { lower: Array.from(time.within.lower), upper: Array.from(time.within.upper) },
    quantiles: quantiles.map((part) => ({ part, steps: time.quantile(part) })),
  });
  const named = namedStates(specification, chain);
  const width = automaton.states;
  const entries = arrivals(chain, automaton).flatMap((isArrived, entry): RuleTimeEntry[] => {
    const [state, automatonState] = [Math.floor(entry / width), entry % width];
    if (!isArrived || automaton.verdict[automatonState] !== OPEN) return [];
    return [
      {
        ...named[state],
        draws: chain.draws[state],
        automatonState,
        ...described(at(entry)),
      },
    ];
  });
  entries.sort((a, b) => b.risk.upper - a.risk.upper || b.risk.lower - a.risk.lower);
  return {
    name,
    formula: formulaText,
    horizonSteps,
    samplingPeriodSeconds: resample === 'skip' ? null : samplingPeriodSeconds,
    start: described(start),
    entries,
  };
}
