import type { Bounds } from '../../base/bounds.js';
import { SATISFIED, VIOLATED } from '../../languages/automaton/index.js';
import { type Formula, printFormula } from '../../languages/logic/index.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import type { Step } from '../../observations/trace/index.js';
import { Monitor, StepClock } from '../../runtime/guard/index.js';
import type { Dtmc } from '../../solvers/model/index.js';
import type { RuleSpecification, Specification } from '../specification/index.js';
import { complement } from './complement.js';
import { fileState } from './fileNumbers.js';
import { openLearnt, ruleNamed, stateFinder } from './learntChain.js';
import type { RiskBounds } from './riskTable.js';
import { type RiskOptions, type RuleRisk, solveRules } from './ruleRisk.js';

/** The conditional probability of a rule, given the prefix of a run. */
export interface ConditionalProbability extends RiskBounds {
  /** Chain state of the last step that counts, from 0 in order of discovery; -1 if it is none of them, or there is no step. */
  readonly state: number;
  /** State of the rule's automaton after the prefix; -1 if it may be in several, because steps are missing. */
  readonly automatonState: number;
  /** How often the chain state was left in the data; a guard treats 0 as unknown, whatever the bounds. */
  readonly draws: number;
}

/**
 * Bounds P[ψ | π]: the probability that a run which began with the prefix π satisfies a rule ψ, 1 − the risk in the chain state and
 * automaton state after π. For a rule with `horizonSteps` it is the probability that the rule is not violated within that many further
 * steps. The chain is Markov, and the automaton carries everything else of the history that the rule depends on.
 *
 * With a sampling period, the times of the steps count as they do for a guard. `resample: hold` repeats the step before a missing one,
 * and `skip` does not count missing steps; both leave out steps that come before their time. Under `error` nothing is known of missing
 * steps: the bounds hold for all values that they may have had. If some of these values violate the rule, the lower bound is 0 at all later
 * steps; a guard treats that doubt as risk 1 at the next step only. A step that comes too early counts as one or as none, whichever is worse. Steps without a time
 * count as on time.
 *
 * @param rule the name of a rule; for a PCTL rule the probability is that its bad event does not occur from the last state on.
 * @param prefix the steps so far, times in seconds. If empty, the result is the probability before the first step.
 * @returns bounds 0 and 1 if the rule is undecided and the last state is not in the chain or its time is irregular: not a sampling period
 * after the step before (`error`), more than 100 periods from when it was due, no number, or from a clock that stands still
 * @throws EvaluationError if a predicate cannot be read in a step that counts; else as `riskTable`
 */
export function probabilityGiven(
  specification: Specification,
  model: Dtmc,
  rule: string,
  prefix: readonly Step[],
  options: RiskOptions = {},
): ConditionalProbability {
  return givenPrefixes(specification, model, rule, options)(prefix);
}

/**
 * Bounds the probability that a run satisfies a formula, as `probabilityGiven` does for a rule: of a formula that the specification does not have.
 *
 * @param formula on runs, over the predicates that were learnt
 * @returns a function of the steps so far
 * @throws InvalidArgumentError, NotSupportedError as `riskTable` does for a rule with this formula
 */
export function formulaProbability(
  specification: Specification,
  model: Dtmc,
  formula: Formula,
  options: RiskOptions = {},
): (prefix: readonly Step[]) => ConditionalProbability {
  const report = { kind: 'report' } as const;
  const rule: RuleSpecification = {
    name: 'the formula',
    formula,
    formulaText: printFormula(formula),
    english: null,
    provenance: 'formula',
    levels: [{ threshold: { compare: 'risk>=', value: 1 }, strategy: report }],
    escalate: [],
    maxReflections: 0,
    atEnd: 'strong',
    afterViolation: report,
    onFailure: report,
    horizonSteps: null,
    exact: false,
    shadow: false,
    message: null,
    namesStrategy: true,
  };
  return givenPrefixes({ ...specification, rules: [rule] }, model, rule.name, options);
}

/** As `probabilityGiven`, for one prefix after another: the rule is solved once. */
export function givenPrefixes(
  specification: Specification,
  model: Dtmc,
  rule: string,
  options: RiskOptions = {},
): (prefix: readonly Step[]) => ConditionalProbability {
  const rules = [ruleNamed(specification, rule)];
  const view = openLearnt(specification, model);
  const [solved] = solveRules({ ...specification, rules }, view, options);
  const { automaton, start } = solved;
  const abstraction = new Abstraction(specification.abstraction);
  const find = stateFinder(view);
  return (prefix) => {
    if (prefix.length === 0)
      return { ...complement(start), state: -1, automatonState: automaton.initial, draws: 0 };
    const monitor = new Monitor(automaton, abstraction.predicates);
    const clock = new StepClock(specification);
    const state = find(follow(prefix, abstraction, clock, monitor));
    const isKnown = state !== view.start && !clock.irregular;
    return {
      ...complement(riskAfter(solved, monitor, isKnown ? state : null)),
      state: fileState(state),
      automatonState: monitor.mayBeViolated ? -1 : monitor.state,
      draws: view.draws[state],
    };
  };
}

/**
 * The monitor reads the steps that the clock counts, and those missing between them. It is told of no decision, so it never lets go of a
 * doubt.
 *
 * @returns the valuation of the last step that counts
 */
function follow(
  prefix: readonly Step[],
  abstraction: Abstraction,
  clock: StepClock,
  monitor: Monitor,
): Uint32Array {
  const valuation = new Uint32Array(abstraction.words);
  let before: Step | null = null;
  for (const step of prefix) {
    const due = clock.isTimed ? clock.due(step) : 1;
    if (due === 0) continue;
    for (let held = 1; held < due && before !== null; held++) {
      // A held step has the time when it was due.
      abstraction.encode(before.state, { ...before, time: clock.dueOf(held)[0] }, valuation, 0);
      monitor.advance(valuation);
    }
    before = step;
    const { lost } = clock;
    // Steps without a time were taken for on time since the last that has one, and were not: what they showed is not certain.
    if (lost === 'anywhere') monitor.restore();
    if (typeof lost === 'number') for (let i = 0; i < lost; i++) monitor.advanceUnread();
    else if (lost !== 'early') monitor.loseTrack(lost === 'anywhere');
    abstraction.encode(step.state, step, valuation, 0);
    if (lost === 'early') monitor.advanceEarly(valuation, null);
    else monitor.advance(valuation);
    if (clock.time !== null) monitor.save();
  }
  return valuation;
}

/** The widest bounds over the states that the automaton may be in. @param state of the model; null: nothing is known of it */
function riskAfter(
  { automaton, lower, upper }: RuleRisk,
  monitor: Monitor,
  state: number | null,
): Bounds<number> {
  const widest = { lower: 1, upper: Number(monitor.mayBeViolated) };
  for (let q = 0; q < automaton.states; q++) {
    if (!monitor.has(q)) continue;
    const verdict = automaton.verdict[q];
    const entry = state === null ? -1 : state * automaton.states + q;
    widest.lower = Math.min(widest.lower, entry < 0 ? Number(verdict === VIOLATED) : lower[entry]);
    widest.upper = Math.max(widest.upper, entry < 0 ? Number(verdict !== SATISFIED) : upper[entry]);
  }
  return widest;
}
