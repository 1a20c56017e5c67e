import { bindAutomaton, SATISFIED, VIOLATED } from '../../languages/automaton/index.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import type { Step } from '../../observations/trace/index.js';
import type { Dtmc } from '../../solvers/model/index.js';
import type { Specification } from '../specification/index.js';
import { complement } from './complement.js';
import { fileState } from './fileNumbers.js';
import { openLearnt, ruleNamed, stateFinder } from './learntChain.js';
import type { RiskBounds } from './riskTable.js';
import { type RiskOptions, solveRules } from './ruleRisk.js';

/** The conditional probability of a rule, given the prefix of a run. */
export interface ConditionalProbability extends RiskBounds {
  /** Chain state of the last step, from 0 in order of discovery; -1 if it is none of them, or there is no step. */
  readonly state: number;
  /** State of the rule's automaton after the prefix. */
  readonly automatonState: number;
  /** How often the chain state was left in the data; a guard treats 0 as unknown, whatever the bounds. */
  readonly draws: number;
}

/**
 * Bounds P[ψ | π]: the probability that a run which began with the prefix π satisfies a rule ψ, 1 − the risk in the chain state and
 * automaton state after π. For a rule with `horizonSteps` it is the probability that the rule is not violated within that many further
 * steps. The chain is Markov, and the automaton carries everything else of the history that the rule depends on.
 *
 * @param rule the name of a rule; for a PCTL rule the probability is that its bad event does not occur from the last state on.
 * @param prefix the steps so far, a sampling period apart: their times are not read. If empty, the result is the probability before the first step.
 * @returns bounds 0 and 1 if the last state is not in the chain and the rule is undecided
 * @throws EvaluationError if a predicate cannot be read in some step; else as `riskTable`
 */
export function probabilityGiven(
  specification: Specification,
  model: Dtmc,
  rule: string,
  prefix: readonly Step[],
  options: RiskOptions = {},
): ConditionalProbability {
  const rules = [ruleNamed(specification, rule)];
  const view = openLearnt(specification, model);
  const [solved] = solveRules({ ...specification, rules }, view, options);
  const { evaluation, automaton, lower, upper, start } = solved;
  const abstraction = new Abstraction(specification.abstraction);
  const valuation = new Uint32Array(view.words);
  const stepper = bindAutomaton(automaton, abstraction.predicates);
  let automatonState = automaton.initial;
  for (const step of prefix) {
    abstraction.encode(step.state, step, valuation, 0);
    if (evaluation === 'trace') automatonState = stepper.step(automatonState, valuation, 0);
  }
  if (prefix.length === 0) return { ...complement(start), state: -1, automatonState, draws: 0 };
  const state = stateFinder(view)(valuation);
  const verdict = automaton.verdict[automatonState];
  const entry = state * automaton.states + automatonState;
  const risk =
    state !== view.start
      ? { lower: lower[entry], upper: upper[entry] }
      : { lower: Number(verdict === VIOLATED), upper: Number(verdict !== SATISFIED) };
  return { ...complement(risk), state: fileState(state), automatonState, draws: view.draws[state] };
}
