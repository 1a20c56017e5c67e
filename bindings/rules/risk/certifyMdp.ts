import { agentChain, type LearntMdpView, readLearntMdp } from '../../estimation/learning/index.js';
import {
  agentPolicy,
  agentRows,
  confidenceRows,
  drawnDecisions,
  drawsForEveryTransition,
  extremePolicy,
  type FollowedPolicy,
  intervalBounds,
  type PapersCriteria,
  papersCriteria,
  policyAmplification,
  type RowPlan,
} from '../../estimation/pac/index.js';
import type { Direction } from '../../solvers/kernel/index.js';
import type { Mdp } from '../../solvers/model/index.js';
import type { Specification } from '../specification/index.js';
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
import type { CertifyOptions } from './certify.js';
import { decisionRisk, decisionRows } from './decisionRisk.js';
import { type NamedState, namedStates } from './fileNumbers.js';
import { aboutRule, openLearnt } from './learntChain.js';
import {
  type CertifiedBounds,
  entriesOf,
  narrower,
  openRule,
  ruleConfidence,
  whyUnbounded,
} from './ruleCertificate.js';
import { solveRules } from './ruleRisk.js';
import { Planner, type SamplingPlan } from './samplingPlan.js';
import { type StateEntry, stateEntries } from './stateEntries.js';

/** The risk under all policies that choose among the observed actions. */
export interface CertifiedChoice {
  /** Under the policy that minimises the risk. */
  readonly least: CertifiedRisk;
  /** Under the policy that maximises the risk. */
  readonly greatest: CertifiedRisk;
  /** Under the agent's own policy: each action is taken as often as the agent took it. */
  readonly asAgent: CertifiedRisk;
}

/** Confidence bounds on the risks in one state, with the rule's automaton in one state. */
export interface CertifiedDecision extends StateEntry, CertifiedChoice {
  /** Why nothing bounds the risks here; null if there is a bound. */
  readonly unbounded: string | null;
}

/** The certificate of one rule of a decision process. `amplification` is the largest over policies; Infinity if a policy may run for ever. */
export type MdpRuleCertificate = CertificateOfRule<CertifiedChoice, CertifiedDecision, PapersCriteria>;

/** How often one action was taken in one state, and how often it would have to be. */
export interface ActionSupport extends StateSupport {
  /** Null: no action, or no choice. */
  readonly action: string | null;
  /** The action's share of all times that the state was left. */
  readonly policy: number;
}

/** The value of taking one action once more in one state. */
export interface PlannedDecision extends NamedState, Omit<RowPlan, 'row'> {
  /** Null: no action, or no choice. */
  readonly action: string | null;
}

/**
 * Which actions to take next in which states, and how many more runs it would take to know the minimal risk, the maximal risk and the
 * agent's own risk of every rule to within epsilon, if the agent keeps its policy. Errors of the minimal and maximal risk are those of the
 * policies that their far bounds currently rest on.
 */
export interface MdpSamplingPlan extends Omit<SamplingPlan, 'states'> {
  /** The actions that cause errors that are too large: those never taken first, then by the gain of taking one once more. */
  readonly actions: readonly PlannedDecision[];
}

/** The conclusions that the data of a decision process support, at confidence 1 - delta. */
export interface MdpCertificate extends CertificateOf<MdpRuleCertificate, MdpSamplingPlan> {
  /** The model's rows in order, without the row of `end`. */
  readonly actions: readonly ActionSupport[];
}

/**
 * Computes confidence bounds on risks from a learnt decision process: the minimal and the maximal risk over all history-dependent policies
 * that choose among the actions observed in each state, and the risk of the policy that takes each action as often as the agent did. With
 * probability at least 1 - delta over the traces all bounds hold at once, however often data are added and looked at, and however the agent
 * chose its actions (from memory too), if the outcome of an action depends on the state alone.
 *
 * There are no data on actions never taken in a state, and policies that take them are not covered.
 *
 * @throws as `certify`
 */
export function certifyMdp(
  specification: Specification,
  model: Mdp,
  {
    delta = specification.confidence.delta,
    epsilon = 0.05,
    plan: scope = null,
    ...options
  }: Omit<CertifyOptions, 'posterior'> = {},
): MdpCertificate {
  const decisions = readLearntMdp(model);
  const confidence = confidenceRows(drawnDecisions(decisions), delta);
  const mixed = agentRows(confidence);
  const { rows } = confidence;
  const learnt = decisionRows(decisions);
  const view = openLearnt(specification, agentChain(model));
  const risks = solveRules(specification, view, options);
  const states = namedStates(specification, view);
  const named = Array.from(decisions.stateOf, (s) => states[s]);
  const planner = new Planner(confidence, { scope, epsilon, ...options });
  const rules = risks.map((risk) =>
    aboutRule(risk.rule, specification, view, (): MdpRuleCertificate => {
      const opened = openRule(risk, specification, rows, view);
      const { problem, horizonSteps, negated } = opened;
      const learntProblem = openRule(risk, specification, learnt.rows, view).problem;
      const agents = openRule(risk, specification, mixed.rows, view);
      /** The minimal or maximal risk; for a negated event it is the complement of the other. */
      const over = (direction: Direction): OverPolicies => {
        const scheduler = negated ? (direction === 'min' ? 'max' : 'min') : direction;
        const solution = decisionRisk(learntProblem, learnt, scheduler, horizonSteps, options);
        const solve = { ...options, horizonSteps, scheduler } as const;
        const bounds = narrower(
          intervalBounds(problem, confidence, solve),
          policyAmplification(problem, confidence, solve),
        );
        return {
          learnt: entriesOf(opened, solution),
          bounds: entriesOf(opened, bounds),
          policy: () => extremePolicy(problem, confidence, bounds, scheduler),
        };
      };
      const least = over('min');
      const greatest = over('max');
      const asAgent: OverPolicies = {
        learnt: risk,
        bounds: ruleConfidence(agents, mixed, options),
        policy: () => agentPolicy(problem, agents.problem, mixed),
      };
      const [leastAt, greatestAt, asAgentAt] = [least, greatest, asAgent].map((one) =>
        certified(one.learnt, one.bounds, epsilon),
      );
      const choiceAt = (i: number): CertifiedChoice => ({
        least: leastAt(i),
        greatest: greatestAt(i),
        asAgent: asAgentAt(i),
      });
      const unboundedAt = whyUnbounded(opened, (row) => named[row]);
      const entries: CertifiedDecision[] = stateEntries(risk, view, states, (i) => ({
        ...choiceAt(i),
        unbounded: unboundedAt(i),
      }));
      for (const { bounds, policy } of [least, greatest, asAgent])
        planner.add(opened, bounds, entries, policy);
      return {
        ...ruleTitle(risk.rule, specification),
        start: choiceAt(START),
        entries: entries.sort(byUpperBound((entry) => entry.asAgent)),
        criteria: papersCriteria(problem, confidence, epsilon),
      };
    }),
  );
  const { actions, policy } = decisions;
  const plan = planner.plan(specification, view, states);
  return {
    delta,
    epsilon,
    actions: supports(confidence, named, rules).map((support, row) => ({
      ...support,
      action: actions[row],
      policy: policy[row],
    })),
    rules,
    drawsForEveryTransition: drawsForEveryTransition(rows.columns.length, epsilon, delta),
    plan: plan && withActions(plan, actions, named),
  };
}

/** A risk over policies: its value in the learnt model, its bounds, and the policy that its far bound rests on. */
interface OverPolicies {
  readonly learnt: Parameters<typeof certified>[0];
  readonly bounds: CertifiedBounds;
  readonly policy: () => FollowedPolicy;
}

function withActions(
  { rows, ...plan }: NonNullable<ReturnType<Planner['plan']>>,
  actions: LearntMdpView['actions'],
  named: readonly NamedState[],
): MdpSamplingPlan {
  return {
    ...plan,
    actions: rows.map(({ row, ...planned }) => ({ ...named[row], action: actions[row], ...planned })),
  };
}
