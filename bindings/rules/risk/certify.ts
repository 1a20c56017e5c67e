import {
  confidenceRows,
  drawnRows,
  drawsForEveryTransition,
  type PapersCriteria,
  type PosteriorOptions,
  papersCriteria,
  secondCriterionEpsilon,
} from '../../estimation/pac/index.js';
import type { SolveOptions } from '../../solvers/kernel/index.js';
import type { Dtmc } from '../../solvers/model/index.js';
import { predictedRules, type Specification } from '../specification/index.js';
import {
  byUpperBound,
  type CertificateOf,
  type CertificateOfRule,
  type CertifiedRisk,
  certified,
  ruleTitle,
  START,
  type StateSupport,
  supports,
} from './certificate.js';
import { type NamedState, namedStates } from './fileNumbers.js';
import { aboutRule, openLearnt } from './learntChain.js';
import {
  openRule,
  type PosteriorInterval,
  ruleConfidence,
  rulePosterior,
  whyUnbounded,
} from './ruleCertificate.js';
import { solveRule } from './ruleRisk.js';
import { Planner, type PlanScope, type SamplingPlan } from './samplingPlan.js';
import { type StateEntry, stateEntries } from './stateEntries.js';

/** What to certify, at what confidence. */
export interface CertifyOptions extends Pick<SolveOptions, 'precision' | 'signal'> {
  /**
   * The probability that any bound, of any rule in any state at any number of looks, is wrong. Default: `confidence.delta` of the
   * specification, which defaults to 0.05.
   */
  readonly delta?: number;
  /** The error to be excluded: half the desired width of confidence intervals, and the papers' epsilon. Default 0.05. */
  readonly epsilon?: number;
  /** Whether to compute posterior intervals too, which are not guaranteed, and their options. Default false, because they take a thousand solves per rule. */
  readonly posterior?: boolean | Pick<PosteriorOptions, 'prior' | 'samples' | 'seed'>;
  /**
   * Whether to plan what to sample next, and where risks are to be known to within epsilon: `start`, before the first step; `states`, in
   * every state too. Default null: no plan.
   */
  readonly plan?: PlanScope | null;
}

/** Confidence bounds on the risk in one state, with the rule's automaton in one state. */
export interface CertifiedEntry extends StateEntry, CertifiedRisk {
  /** Why nothing bounds the risk here; null if there is a bound. */
  readonly unbounded: string | null;
  /** Null unless requested, and null if nothing bounds the risk. */
  readonly posterior: PosteriorInterval | null;
}

/** The certificate of one rule. */
export type RuleCertificate = CertificateOfRule<
  Pick<CertifiedEntry, 'risk' | 'confidenceLower' | 'confidenceUpper' | 'posterior'>,
  CertifiedEntry,
  /** Includes the smallest epsilon with which the second criterion is met; Infinity if a state was never left. */
  PapersCriteria & { readonly secondEpsilon: number }
>;

/** The conclusions that the data support, at confidence 1 - delta. */
export interface Certificate extends CertificateOf<RuleCertificate, SamplingPlan> {
  /** How often each state was left, and how often it would have to be. */
  readonly states: readonly StateSupport[];
}

/**
 * Computes confidence bounds on the agent's own risks from a learnt chain. With probability at least 1 - delta over the traces, the bounds
 * hold in every state for every rule at once, however often data are added and looked at. This assumes that traces are independent,
 * valuations form a Markov chain, and the order of the traces does not depend on their content. Nothing is assumed about transitions never
 * seen.
 *
 * @throws InvalidArgumentError for epsilon or delta out of range, or a model of another specification; InvalidDataError if the model's
 * counts are not draws, as after forgetting; NotConvergedError as the solver
 */
export function certify(
  specification: Specification,
  model: Dtmc,
  {
    delta = specification.confidence.delta,
    epsilon = 0.05,
    posterior = false,
    plan: scope = null,
    ...options
  }: CertifyOptions = {},
): Certificate {
  const view = openLearnt(specification, model);
  // Refuses models that cannot be certified before anything is solved.
  const rows = drawnRows(view);
  const confidence = confidenceRows(rows, delta);
  const named = namedStates(specification, view);
  const planner = new Planner(confidence, { scope, epsilon, ...options });
  const rules = predictedRules(specification).map((one) => {
    const risk = solveRule(one, specification, view, [], options);
    return aboutRule(one, specification, view, (): RuleCertificate => {
      const rule = openRule(risk, specification, rows, view);
      const bounds = ruleConfidence(rule, confidence, options);
      const asked = posterior === true ? {} : posterior;
      const sampled = asked && rulePosterior(rule, { ...options, ...asked, delta });
      const unboundedAt = whyUnbounded(rule, (row) => named[row]);
      const riskAt = certified(risk, bounds, epsilon);
      const entries = stateEntries(risk, view, named, (i) => {
        const unbounded = unboundedAt(i);
        return {
          ...riskAt(i),
          unbounded,
          posterior: (unbounded === null && sampled && sampled.entries[i]) || null,
        };
      }).sort(byUpperBound((entry) => entry));
      planner.add(rule, bounds, entries);
      const { met: _, riskOutside: __, ...start } = riskAt(START);
      return {
        ...ruleTitle(one, specification),
        start: { ...start, posterior: sampled ? sampled.start : null },
        entries,
        criteria: {
          ...papersCriteria(rule.problem, confidence, epsilon),
          secondEpsilon: secondCriterionEpsilon(rule.problem, confidence),
        },
      };
    });
  });
  const plan = planner.plan(specification, view, named);
  return {
    delta,
    epsilon,
    states: supports(confidence, named, rules),
    rules,
    drawsForEveryTransition: drawsForEveryTransition(rows.columns.length, epsilon, delta),
    plan: plan && withStates(plan, named),
  };
}

function withStates(
  { rows, ...plan }: NonNullable<ReturnType<Planner['plan']>>,
  named: readonly NamedState[],
): SamplingPlan {
  return { ...plan, states: rows.map(({ row, ...planned }) => ({ ...named[row], ...planned })) };
}
