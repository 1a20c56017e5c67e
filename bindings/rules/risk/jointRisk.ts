import { InvalidArgumentError } from '../../base/errors.js';
import type { LearntView } from '../../estimation/learning/index.js';
import {
  type Automaton,
  buildAutomaton,
  OPEN,
  SATISFIED,
  VIOLATED,
} from '../../languages/automaton/index.js';
import { type JointRiskSolution, jointViolationRisk, type ProductRule } from '../../solvers/checker/index.js';
import type { Accuracy } from '../../solvers/kernel/index.js';
import type { Dtmc } from '../../solvers/model/index.js';
import { predictedRules, type RuleSpecification, type Specification } from '../specification/index.js';
import { durationInSteps } from './duration.js';
import { modelState, type NamedState, namedStates } from './fileNumbers.js';
import { aboutRule, openLearnt, requireTraceRule, ruleNamed } from './learntChain.js';
import type { RiskBounds } from './riskTable.js';
import type { RiskOptions } from './ruleRisk.js';

/** Which rules are combined, and how far their product is built. */
export interface JointRuleOptions extends RiskOptions {
  /** Names of rules on traces. Default: all rules of the specification. */
  readonly rules?: readonly string[];
  /**
   * `words` (default): from every state with every memory that the automata can have, as in a guard's tables; `start`: only what runs of
   * the chain reach, which may be far less.
   */
  readonly from?: 'words' | 'start';
  /** Refuse products with more states. Default: the memory limit. */
  readonly maxStates?: number;
}

/** The joint risk in one chain state, with each rule's automaton in one state. */
export interface JointRiskEntry extends RiskBounds, NamedState {
  /** How often the state was left in the data; a guard treats 0 as unknown, whatever the bounds. */
  readonly draws: number;
  readonly automatonStates: readonly number[];
  /** Bounds within further horizons, by number of steps; absent if none was requested. */
  readonly horizons?: Readonly<Record<string, RiskBounds>>;
}

/** The risk that any of several rules is violated. */
export class JointRisk {
  /** Names of the rules, in the order of automaton states here and in entries. */
  readonly rules: readonly string[];
  readonly automata: readonly Automaton[];
  readonly accuracy: Accuracy;
  readonly method: string;
  /** Before the first step. */
  readonly start: RiskBounds;
  /** Before the first step, within further horizons. */
  readonly startWithin: Readonly<Record<string, RiskBounds>>;
  /** Number of states of the product. */
  readonly states: number;
  readonly transitions: number;
  readonly #solution: JointRiskSolution;
  readonly #chain: LearntView;
  readonly #named: readonly NamedState[];

  /** @internal Use `jointRisk`. */
  constructor(
    rules: readonly string[],
    automata: readonly Automaton[],
    solution: JointRiskSolution,
    chain: LearntView,
    named: readonly NamedState[],
  ) {
    this.rules = rules;
    this.automata = automata;
    this.accuracy = solution.accuracy;
    this.method = solution.method;
    this.start = solution.start;
    this.startWithin = Object.fromEntries([...solution.horizons].map(([steps, { start }]) => [steps, start]));
    this.states = solution.nodes;
    this.transitions = solution.transitions;
    this.#solution = solution;
    this.#chain = chain;
    this.#named = named;
  }

  /**
   * The risk in a chain state with each automaton in a state: 1 if a rule is violated, 0 if all are satisfied, 0 to 1 if the product has no
   * such state.
   *
   * @param state from 0 in order of discovery
   */
  at(state: number, automatonStates: readonly number[]): RiskBounds {
    if (automatonStates.length !== this.automata.length) {
      throw new InvalidArgumentError(
        `${automatonStates.length} automaton states: there is one for each of ${this.rules.join(', ')}`,
      );
    }
    const verdicts = automatonStates.map((q, i) => this.automata[i].verdict[q]);
    if (verdicts.includes(VIOLATED)) return { lower: 1, upper: 1 };
    if (verdicts.every((verdict) => verdict === SATISFIED)) return { lower: 0, upper: 0 };
    const entry = this.#solution.find(modelState(state), automatonStates);
    if (entry < 0) return { lower: 0, upper: 1 };
    return { lower: this.#solution.lower[entry], upper: this.#solution.upper[entry] };
  }

  /** The undecided states with the largest upper bounds, in descending order. */
  worst(limit = 100): JointRiskEntry[] {
    const { nodes, chainState, automatonState, lower, upper, horizons } = this.#solution;
    const open = new Uint32Array(nodes)
      .map((_, node) => node)
      .filter((node) => {
        const verdicts = this.automata.map(({ verdict }, i) => verdict[automatonState[i][node]]);
        return (
          chainState[node] !== this.#chain.end && verdicts.includes(OPEN) && !verdicts.includes(VIOLATED)
        );
      });
    return Array.from(
      open.sort((a, b) => upper[b] - upper[a] || lower[b] - lower[a] || a - b).subarray(0, limit),
      (node) => ({
        ...this.#named[chainState[node]],
        draws: this.#chain.draws[chainState[node]],
        automatonStates: automatonState.map((own) => own[node]),
        lower: lower[node],
        upper: upper[node],
        ...(horizons.size > 0 && {
          horizons: Object.fromEntries(
            [...horizons].map(([steps, bounds]) => [
              steps,
              { lower: bounds.lower[node], upper: bounds.upper[node] },
            ]),
          ),
        }),
      }),
    );
  }
}

/**
 * Bounds the risk that any of several rules is violated, in every state of the product of a learnt chain and all their automata. A rule's
 * `horizonSteps` is ignored: its violation counts at any time.
 *
 * @param options also options of the solver (default precision 1e-6, absolute).
 * @throws InvalidArgumentError for an unknown or repeated rule; NotSupportedError for a PCTL rule; KernelError if the product is too large,
 * with the states found and the memory needed; else as `riskTable`
 */
export function jointRisk(
  specification: Specification,
  model: Dtmc,
  options: JointRuleOptions = {},
): JointRisk {
  const { rules: names, horizons = [], within = [], ...rest } = options;
  const chosen = (names ?? predictedRules(specification).map(({ name }) => name)).map((name) =>
    ruleNamed(specification, name),
  );
  const twice = chosen.find((rule, i) => chosen.indexOf(rule) < i);
  if (twice !== undefined) throw new InvalidArgumentError(`rule "${twice.name}" is named twice`);
  const chain = openLearnt(specification, model);
  const productRule = (rule: RuleSpecification): ProductRule => {
    requireTraceRule(rule, 'a joint risk');
    const { samplingPeriod } = specification;
    return { automaton: buildAutomaton(rule.formula, { samplingPeriod }), atEnd: rule.atEnd };
  };
  const rules = chosen.map((rule) => aboutRule(rule, specification, chain, () => productRule(rule)));
  const steps = [...horizons, ...within.map((duration) => durationInSteps(duration, specification))];
  const name = chosen.map((rule) => rule.name).join(', ');
  const solution = aboutRule({ name }, specification, chain, () =>
    jointViolationRisk({ chain, rules, horizons: steps }, rest),
  );
  return new JointRisk(
    chosen.map((rule) => rule.name),
    rules.map(({ automaton }) => automaton),
    solution,
    chain,
    namedStates(specification, chain),
  );
}
