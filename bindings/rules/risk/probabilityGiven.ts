import type { Bounds } from '../../base/bounds.js';
import { OPEN, SATISFIED, VIOLATED } from '../../languages/automaton/index.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import type { Step } from '../../observations/trace/index.js';
import { createGuard, type Guard, Monitor } from '../../runtime/guard/index.js';
import type { Dtmc } from '../../solvers/model/index.js';
import type { Specification } from '../specification/index.js';
import { guardFileOf } from './compileGuard.js';
import { complement } from './complement.js';
import { modelState } from './fileNumbers.js';
import { openLearnt, ruleNamed } from './learntChain.js';
import type { RiskBounds } from './riskTable.js';
import { type RiskOptions, type RuleRisk, solveRules } from './ruleRisk.js';

/** The conditional probability of a rule, given the prefix of a run. */
export interface ConditionalProbability extends RiskBounds {
  /** Chain state of the last step that counts, from 0 in order of discovery; -1 where it is none of them, or there is no step. */
  readonly state: number;
  /** State of the rule's automaton after the prefix; -1 where it may be in several, as steps are missing. */
  readonly automatonState: number;
  /** How often the chain state was left in the data; a guard treats 0 as unknown, whatever the bounds. */
  readonly draws: number;
}

/**
 * Bounds on P[ψ | π]: the probability that a run which began with the prefix π satisfies a rule ψ, 1 − the risk that a guard finds after π; of a
 * rule with `horizonSteps`, that it is not violated within so many further steps. The chain is Markov, and the automaton carries all else of the history that the rule can see.
 *
 * Under a sampling period the times of steps count as for a guard: `resample` says what becomes of steps that are missing or come before their time, and under `error` nothing is
 * known of what is missing. Where the rule may have been broken there the lower bound is 0 from then on; a guard, which has decided on it, asks at later steps only what is to come.
 *
 * @param rule the name of a rule; of a PCTL rule the probability is that its bad event does not come from the last state on.
 * @param prefix the steps so far; without any it is the probability before the first step.
 * @returns bounds 0 and 1 where the last step is a fault to a guard, as a state that is not among the chain's or a time that is not a sampling period later, and the rule is undecided
 * @throws EvaluationError where a predicate cannot be read in some step; else as `riskTable`
 */
export function probabilityGiven(
  specification: Specification,
  model: Dtmc,
  rule: string,
  prefix: readonly Step[],
  options: RiskOptions = {},
): ConditionalProbability {
  const alone: Specification = {
    ...specification,
    rules: [ruleNamed(specification, rule)],
    decideOn: 'upper',
  };
  const view = openLearnt(alone, model);
  const rules = solveRules(alone, view, options);
  const [solved] = rules;
  if (prefix.length === 0) {
    const automatonState = solved.automaton.initial;
    return { ...complement(solved.start), state: -1, automatonState, draws: 0 };
  }
  const guard = createGuard(guardFileOf(alone, view, null, rules, options));
  const monitor = follow(prefix, guard, solved, new Abstraction(specification.abstraction));
  const { state } = guard.observation;
  const isJudged = guard.rules[0].fault === null;
  return {
    ...complement(riskAfter(solved, monitor, isJudged ? modelState(state) : null)),
    ...{ state, automatonState: monitor.state, draws: state < 0 ? 0 : view.draws[modelState(state)] },
  };
}

/** Takes a guard along the prefix, and a monitor that reads the same steps and, unlike the guard, never lets go of a doubt. */
function follow(
  prefix: readonly Step[],
  guard: Guard,
  { evaluation, automaton }: RuleRisk,
  abstraction: Abstraction,
): Monitor {
  const { observation, counters } = guard;
  const monitor = new Monitor(automaton, abstraction.predicates);
  const valuation = new Uint32Array(abstraction.words);
  let before = valuation;
  for (const step of prefix) {
    // To a guard a predicate that cannot be read is a fault, which it decides on.
    abstraction.encode(step.state, step, valuation, 0);
    const { heldSteps, earlyObservations } = counters;
    guard.step(step.state, step);
    if (evaluation === 'state' || counters.earlyObservations > earlyObservations) continue;
    for (let held = heldSteps; held < counters.heldSteps; held++) monitor.advance(before);
    const { lost } = observation;
    if (typeof lost === 'string') monitor.loseTrack(lost === 'anywhere');
    else for (let i = 0; i < lost; i++) monitor.advanceUnread();
    before = valuation.slice();
    monitor.advance(before);
  }
  return monitor;
}

/** The widest bounds over the states that the automaton may be in. @param state of the model; null: nothing is known of it */
function riskAfter(
  { automaton, lower, upper, arrived }: RuleRisk,
  monitor: Monitor,
  state: number | null,
): Bounds<number> {
  if (monitor.violated) return { lower: 1, upper: 1 };
  const widest = { lower: 1, upper: Number(monitor.mayBeViolated) };
  Array.from(automaton.verdict).forEach((verdict, q) => {
    if (!monitor.has(q)) return;
    const entry = (state ?? 0) * automaton.states + q;
    const isSolved = state !== null && verdict === OPEN && arrived[entry];
    widest.lower = Math.min(widest.lower, isSolved ? lower[entry] : Number(verdict === VIOLATED));
    widest.upper = Math.max(widest.upper, isSolved ? upper[entry] : Number(verdict !== SATISFIED));
  });
  return widest;
}
