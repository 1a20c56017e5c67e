import type { Bounds } from '../../base/bounds.js';
import { InvalidArgumentError } from '../../base/errors.js';
import type { LearntView } from '../../estimation/learning/index.js';
import {
  type Automaton,
  bindAutomaton,
  buildAutomaton,
  OPEN,
  SATISFIED,
  statesAfterWords,
  VIOLATED,
} from '../../languages/automaton/index.js';
import { STATELESS } from '../../runtime/guard/index.js';
import { stateRisk, violationRisk } from '../../solvers/checker/index.js';
import type { Accuracy, SolveOptions } from '../../solvers/kernel/index.js';
import { predictedRules, type RuleSpecification, type Specification } from '../specification/index.js';
import { durationInSteps } from './duration.js';
import { aboutRule } from './learntChain.js';

/** How the risk of a rule is solved. */
export interface RiskOptions extends SolveOptions {
  /** Further horizons, in steps: the risk of a violation within each is computed too. Default none. */
  readonly horizons?: readonly number[];
  /** Further horizons as durations, such as `3s`, if the specification has a sampling period. Default none. */
  readonly within?: readonly string[];
}

/** Bounds at `s * automaton.states + q`, state s of the model and q of the automaton; trivial at `start` and `end`. */
export type EntryBounds = Bounds<number[]>;

/** Certified risk of one rule, as a guard looks it up. */
export interface RuleRisk extends EntryBounds {
  readonly rule: RuleSpecification;
  readonly evaluation: 'trace' | 'state';
  /** For a `state` rule, the automaton without history. */
  readonly automaton: Automaton;
  /** For a `state` rule, the automaton of "the event that the rule bounds does not occur". */
  readonly monitor: Automaton | null;
  /**
   * For each entry, whether a run can enter it while the rule is still undecided. The bounds are trivial if no run can reach it, decided or
   * not.
   */
  readonly arrived: readonly boolean[];
  /** Before the first step. */
  readonly start: Bounds<number>;
  readonly horizons: ReadonlyMap<number, EntryBounds>;
  readonly accuracy: Accuracy;
  readonly method: string;
}

/**
 * Solves every rule but the exact ones on its own product.
 *
 * @throws InvalidArgumentError if a rule and its options do not fit together; NotSupportedError, NotConvergedError as the checker
 */
export function solveRules(
  specification: Specification,
  view: LearntView,
  options: RiskOptions = {},
): RuleRisk[] {
  const { horizons = [], within = [], ...rest } = options;
  const steps = [...horizons, ...within.map((duration) => durationInSteps(duration, specification))];
  return predictedRules(specification).map((rule) => solveRule(rule, specification, view, steps, rest));
}

/** @throws as `solveRules` */
export function solveRule(
  rule: RuleSpecification,
  specification: Specification,
  view: LearntView,
  horizons: readonly number[],
  options: SolveOptions,
): RuleRisk {
  return aboutRule(rule, specification, view, () =>
    rule.formula.kind === 'probability'
      ? solveStateRule(rule, view, specification, options)
      : solveTraceRule(rule, view, specification, horizons, options),
  );
}

function solveTraceRule(
  rule: RuleSpecification,
  chain: LearntView,
  { samplingPeriod }: Specification,
  horizons: readonly number[],
  options: SolveOptions,
): RuleRisk {
  const automaton = buildAutomaton(rule.formula, { samplingPeriod });
  const { atEnd, horizonSteps } = rule;
  const solution = violationRisk({ chain, automaton, atEnd, horizonSteps, horizons }, options);
  return {
    rule,
    evaluation: 'trace',
    automaton,
    monitor: null,
    ...clampToVerdict(solution, automaton),
    arrived: arrivals(chain, automaton),
    start: solution.start,
    horizons: new Map(
      [...solution.horizons].map(([steps, bounds]) => [steps, clampToVerdict(bounds, automaton)]),
    ),
    accuracy: solution.accuracy,
    method: solution.method,
  };
}

function solveStateRule(
  rule: RuleSpecification,
  { model, start, end }: LearntView,
  { samplingPeriod }: Specification,
  options: SolveOptions,
): RuleRisk {
  const { formula, horizonSteps } = rule;
  if (formula.kind !== 'probability' || formula.bound === null) {
    throw new InvalidArgumentError('it asks for a probability; a rule bounds one, as in P<0.1 [ F broken ]');
  }
  if (horizonSteps !== null) {
    throw new InvalidArgumentError(
      `horizonSteps does not go with P…[ ]; bound the operator in it, as in F<=${horizonSteps}`,
    );
  }
  const { lower, upper, accuracy, method } = stateRisk(model, formula, {
    ...options,
    ...(samplingPeriod !== null && { samplingPeriod }),
  });
  const boundsEvent = formula.bound.operator === '<' || formula.bound.operator === '<=';
  const { path, place } = formula;
  const monitored = boundsEvent ? ({ kind: 'not', operand: path, place } as const) : path;
  return {
    rule,
    evaluation: 'state',
    automaton: STATELESS,
    monitor: buildAutomaton(monitored, { samplingPeriod }),
    ...clampToVerdict({ lower, upper }, STATELESS),
    arrived: Array.from(lower, (_, s) => s !== start && s !== end),
    start: { lower: lower[start], upper: upper[start] },
    horizons: new Map(),
    accuracy,
    method,
  };
}

/** The automaton states that each state's valuation leads to, from the automaton's start and from every undecided state it can be in. */
export function arrivals(
  { states, start, end, words, valuations, predicates }: LearntView,
  automaton: Automaton,
): boolean[] {
  const stepper = bindAutomaton(automaton, predicates);
  const undecided = statesAfterWords(automaton).filter((q) => automaton.verdict[q] === OPEN);
  const arrived = Array.from({ length: states * automaton.states }, () => false);
  for (let s = start + 1; s < end; s++) {
    for (const q of [automaton.initial, ...undecided]) {
      arrived[s * automaton.states + stepper.step(q, valuations, s * words)] = true;
    }
  }
  return arrived;
}

/** Clamps bounds as a guard file demands: numbers in [0, 1]; bounds of unreachable entries are trivial, unless their verdict decides. */
export function clampToVerdict({ lower, upper }: Bounds, { states, verdict }: Automaton): EntryBounds {
  const at = (i: number, open: number): number => {
    const decided = verdict[i % states];
    if (decided === VIOLATED) return 1;
    return decided === SATISFIED ? 0 : Math.min(1, Math.max(0, open));
  };
  return {
    lower: Array.from(lower, (value, i) => at(i, Number.isNaN(value) ? 0 : value)),
    upper: Array.from(upper, (value, i) => at(i, Number.isNaN(value) ? 1 : value)),
  };
}

/** Name of an automaton's verdict. */
export function verdictName(verdict: number): 'open' | 'violated' | 'satisfied' {
  return verdict === OPEN ? 'open' : verdict === VIOLATED ? 'violated' : 'satisfied';
}
