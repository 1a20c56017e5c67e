import type { SolveOptions } from '../kernel/index.js';
import type { LearntView } from '../learning/index.js';
import type { Dtmc } from '../model/index.js';
import {
  type ConfidenceRows,
  confidenceRows,
  type DrawnRows,
  drawnRows,
  drawsForEveryTransition,
  type PapersCriteria,
  type PosteriorOptions,
  papersCriteria,
  secondCriterionEpsilon,
} from '../pac/index.js';
import type { Specification } from '../specification/index.js';
import { type NamedState, namedStates } from './fileNumbers.js';
import { aboutRule, openLearnt } from './learntChain.js';
import type { RiskBounds } from './riskTable.js';
import {
  type CertifiedRule,
  type EntryBounds,
  openRule,
  type PosteriorInterval,
  ruleConfidence,
  rulePosterior,
  whyUnbounded,
} from './ruleCertificate.js';
import { type RuleRisk, solveRule } from './ruleRisk.js';
import { type PlannedRule, type PlanScope, type SamplingPlan, samplingPlan } from './samplingPlan.js';
import { type StateEntry, stateEntries } from './stateEntries.js';

/** What is to be certified, and how surely. */
export interface CertifyOptions extends Pick<SolveOptions, 'precision' | 'signal'> {
  /**
   * The chance that some bound, of any rule in any state, however often it is looked at, is wrong. Default: `confidence.delta` of the
   * specification, 0.05 unless it says otherwise.
   */
  readonly delta?: number;
  /** The error that is to be excluded: half the width asked of confidence intervals, and the papers' epsilon. Default 0.05. */
  readonly epsilon?: number;
  /** Whether to give posterior intervals too, which are not guaranteed, and how they are made. Default false: a thousand solves a rule. */
  readonly posterior?: boolean | Pick<PosteriorOptions, 'prior' | 'samples' | 'seed'>;
  /**
   * Whether to plan what to sample next, and where risks are to be known to within epsilon: `start`, before the first step, or `states`, in every
   * state too. Default null: no plan.
   */
  readonly plan?: PlanScope | null;
}

/** How far the risk in one state, with the rule's automaton in one state, can be trusted. */
export interface CertifiedEntry extends StateEntry {
  /** The solver's bounds on the risk in the chain as learnt, smoothing included. */
  readonly risk: RiskBounds;
  readonly confidenceLower: number;
  readonly confidenceUpper: number;
  /** Whether the interval is at most 2 epsilon wide. */
  readonly met: boolean;
  /** Whether the risk as learnt lies outside of it, as smoothing can bring about. */
  readonly riskOutside: boolean;
  /** Why nothing bounds the risk here; null where something does. */
  readonly unbounded: string | null;
  /** Null unless asked for, and where nothing bounds the risk. */
  readonly posterior: PosteriorInterval | null;
}

/** The certificate of one rule. */
export interface RuleCertificate {
  readonly name: string;
  readonly formula: string;
  /** Risk is that of a violation within so many further steps; null is ever. */
  readonly horizonSteps: number | null;
  /** Before the first step. */
  readonly start: {
    readonly risk: RiskBounds;
    readonly confidenceLower: number;
    readonly confidenceUpper: number;
    readonly posterior: PosteriorInterval | null;
  };
  /** All that a run can come to with the rule undecided until then, the largest upper bound first. */
  readonly entries: readonly CertifiedEntry[];
  readonly criteria: PapersCriteria & {
    /** The smallest epsilon with which the second one is met; Infinity where a state was never left. */
    readonly secondEpsilon: number;
  };
}

/** How often one state was left, and how often it would have to be. */
export interface StateSupport extends NamedState {
  readonly draws: number;
  /** Successors seen. */
  readonly successors: number;
  /** How far, in total variation, the true distribution of its successors may be from what was seen. */
  readonly distance: number;
  /** The most that successors never seen can have together. */
  readonly unseen: number;
  /** Draws that the first paper's criterion asks for, of the rule that asks for most; 0 where no rule depends on them. */
  readonly needed: number;
}

/** What data support, at confidence 1 - delta. */
export interface Certificate {
  readonly delta: number;
  readonly epsilon: number;
  readonly states: readonly StateSupport[];
  readonly rules: readonly RuleCertificate[];
  /** Draws of every state that guarantee all transitions seen to within epsilon, if no others are possible. */
  readonly drawsForEveryTransition: number;
  /** Null unless asked for. */
  readonly plan: SamplingPlan | null;
}

/**
 * How far the risks of a learnt chain can be trusted: bounds that, with probability at least 1 - delta over the traces, hold in every state for every
 * rule at once, and however often data are added and looked at, if traces are independent, valuations a Markov chain, and
 * the order of the traces does not depend on what they do. Nothing is assumed of what was never seen.
 *
 * @throws InvalidArgumentError for epsilon or delta out of range, or a model of another specification; InvalidDataError where the model's
 * counts are no draws, as after forgetting; NotConvergedError as the solver
 */
export function certify(
  specification: Specification,
  model: Dtmc,
  {
    delta = specification.confidence.delta,
    epsilon = 0.05,
    posterior = false,
    plan = null,
    ...options
  }: CertifyOptions = {},
): Certificate {
  const view = openLearnt(specification, model);
  // What cannot be certified is refused before anything is solved.
  const rows = drawnRows(view);
  const confidence = confidenceRows(rows, delta);
  const named = namedStates(specification, view);
  const planned: PlannedRule[] = [];
  const certified = specification.rules.map((one) => {
    const risk = solveRule(one, specification, view, [], options);
    return aboutRule(one, specification, view, () => {
      const rule = openRule(risk, specification, rows, view);
      const bounds = ruleConfidence(rule, confidence, options);
      const sampled =
        posterior === false
          ? null
          : rulePosterior(rule, {
              ...options,
              ...(posterior === true ? {} : posterior),
              delta,
            });
      const certificate: RuleCertificate = {
        name: risk.rule.name,
        formula: risk.rule.formulaText,
        horizonSteps: risk.rule.horizonSteps,
        start: {
          risk: risk.start,
          confidenceLower: bounds.start.lower,
          confidenceUpper: bounds.start.upper,
          posterior: sampled?.start ?? null,
        },
        entries: tableOf(risk, rule, bounds, sampled?.entries, view, named, epsilon),
        criteria: {
          ...papersCriteria(rule.problem, confidence, epsilon),
          secondEpsilon: secondCriterionEpsilon(rule.problem, confidence),
        },
      };
      planned.push({ rule, risk: risk.rule, certificate });
      return certificate;
    });
  });
  return {
    delta,
    epsilon,
    states: supports(confidence, named, certified),
    rules: certified,
    drawsForEveryTransition: drawsForEveryTransition(rows.columns.length, epsilon, delta),
    plan:
      plan === null
        ? null
        : samplingPlan(specification, view, planned, confidence, { scope: plan, epsilon, ...options }),
  };
}

function tableOf(
  risk: RuleRisk,
  rule: CertifiedRule,
  bounds: EntryBounds,
  sampled: readonly PosteriorInterval[] | undefined,
  view: LearntView,
  named: readonly NamedState[],
  epsilon: number,
): CertifiedEntry[] {
  const unboundedAt = whyUnbounded(rule, (row) => named[row]);
  return stateEntries(risk, view, named, (i) => {
    const unbounded = unboundedAt(i);
    const [lower, upper] = [risk.lower[i], risk.upper[i]];
    const [confidenceLower, confidenceUpper] = [bounds.lower[i], bounds.upper[i]];
    return {
      risk: { lower, upper },
      confidenceLower,
      confidenceUpper,
      met: confidenceUpper - confidenceLower <= 2 * epsilon,
      riskOutside: lower > confidenceUpper || upper < confidenceLower,
      unbounded,
      posterior: unbounded === null ? (sampled?.[i] ?? null) : null,
    };
  }).sort((a, b) => b.confidenceUpper - a.confidenceUpper || b.confidenceLower - a.confidenceLower);
}

function supports(
  { rows, distance, unseen }: ConfidenceRows,
  named: readonly NamedState[],
  rules: readonly RuleCertificate[],
): StateSupport[] {
  return named.slice(0, -1).map((state, row) => ({
    ...state,
    draws: rows.draws[row],
    successors: successorsSeen(rows, row),
    distance: distance[row],
    unseen: unseen[row],
    needed: Math.max(0, ...rules.map(({ criteria }) => Math.ceil(criteria.first[row]))),
  }));
}

function successorsSeen({ rowStart, counts }: DrawnRows, row: number): number {
  return counts.subarray(rowStart[row], rowStart[row + 1]).filter((count) => count > 0).length;
}
