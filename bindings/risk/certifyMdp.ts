import type { Direction } from '../kernel/index.js';
import { agentChain, type LearntMdpView, readLearntMdp } from '../learning/index.js';
import type { Mdp } from '../model/index.js';
import {
  agentPolicy,
  agentRows,
  type ConfidenceRows,
  confidenceRows,
  drawnDecisions,
  drawsForEveryTransition,
  type ErrorGoal,
  extremePolicy,
  type FollowedPolicy,
  GrownRows,
  intervalBounds,
  type PapersCriteria,
  papersCriteria,
  policyAmplification,
  type RowPlan,
} from '../pac/index.js';
import type { Specification } from '../specification/index.js';
import type { CertifyOptions } from './certify.js';
import { decisionRisk, decisionRows } from './decisionRisk.js';
import { modelState, type NamedState, namedStates } from './fileNumbers.js';
import { aboutRule, openLearnt } from './learntChain.js';
import type { RiskBounds } from './riskTable.js';
import {
  type CertifiedRule,
  type EntryBounds,
  entriesOf,
  narrower,
  openRule,
  ruleConfidence,
  whyUnbounded,
} from './ruleCertificate.js';
import { solveRules } from './ruleRisk.js';
import { errorGoals, type Place, type PlanScope, plannedRuns, type SamplingPlan } from './samplingPlan.js';
import { type StateEntry, stateEntries } from './stateEntries.js';

/** One of the risks of a decision process, and how far it can be trusted. */
export interface CertifiedRisk {
  /** The solver's bounds on it in the process as learnt, smoothing included. */
  readonly risk: RiskBounds;
  readonly confidenceLower: number;
  readonly confidenceUpper: number;
  /** Whether the interval is at most 2 epsilon wide. */
  readonly met: boolean;
  /** Whether the risk as learnt lies outside of it, as smoothing can bring about. */
  readonly riskOutside: boolean;
}

/** The risk under all policies that choose among the actions seen. */
export interface CertifiedChoice {
  /** Under the policy that violates the rule least. */
  readonly least: CertifiedRisk;
  /** Under the one that violates it most. */
  readonly greatest: CertifiedRisk;
  /** If each action is taken as often as the agent took it. */
  readonly asAgent: CertifiedRisk;
}

/** How far the risks in one state, with the rule's automaton in one state, can be trusted. */
export interface CertifiedDecision extends StateEntry, CertifiedChoice {
  /** Why nothing bounds the risks here; null where something does. */
  readonly unbounded: string | null;
}

/** The certificate of one rule of a decision process. */
export interface MdpRuleCertificate {
  readonly name: string;
  readonly formula: string;
  /** Risk is that of a violation within so many further steps; null is ever. */
  readonly horizonSteps: number | null;
  /** Before the first step. */
  readonly start: CertifiedChoice;
  /** All that a run can come to with the rule undecided until then, the agent's largest upper bound first. */
  readonly entries: readonly CertifiedDecision[];
  /** The papers' criteria with rows of states and actions; `amplification` is the largest over policies, Infinity where one may go on for ever. */
  readonly criteria: PapersCriteria;
}

/** How often one action was taken in one state, and how often it would have to be. */
export interface ActionSupport extends NamedState {
  /** Null: none, or nothing was chosen. */
  readonly action: string | null;
  readonly draws: number;
  /** Of all times that the state was left. */
  readonly policy: number;
  /** Successors seen. */
  readonly successors: number;
  /** How far, in total variation, the true distribution of its successors may be from what was seen. */
  readonly distance: number;
  /** The most that successors never seen can have together. */
  readonly unseen: number;
  /** Draws that the first paper's criterion asks for, of the rule that asks for most; 0 where no rule depends on them. */
  readonly needed: number;
}

/** What taking one action once more in one state is worth. */
export interface PlannedDecision extends NamedState, Omit<RowPlan, 'row'> {
  /** Null: none, or nothing was chosen. */
  readonly action: string | null;
}

/**
 * Which actions to take next in which states, and how many more runs it would take to know the least, the greatest and the agent's own risk of every
 * rule to within epsilon, if the agent goes on to act as it did. Errors of the least and the greatest risk are those of the policies that their far bounds rest on now.
 */
export interface MdpSamplingPlan extends Omit<SamplingPlan, 'states'> {
  /** Those that errors come from which are too large: the never taken ones first, then by what taking one once more gains. */
  readonly actions: readonly PlannedDecision[];
}

/** What data support of a decision process, at confidence 1 - delta. */
export interface MdpCertificate {
  readonly delta: number;
  readonly epsilon: number;
  /** The model's rows in their order, without that of `end`. */
  readonly actions: readonly ActionSupport[];
  readonly rules: readonly MdpRuleCertificate[];
  /** Draws of every state and action that guarantee all transitions seen to within epsilon, if no others are possible. */
  readonly drawsForEveryTransition: number;
  /** Null unless asked for. */
  readonly plan: MdpSamplingPlan | null;
}

/**
 * How far the risks of a learnt decision process can be trusted: bounds on the least and the greatest risk over all policies that choose among the
 * actions seen in each state, remembering what they like, and on the risk of the policy that takes each action as often as the agent did. With
 * probability at least 1 - delta over the traces all of them hold at once, however often data are added and looked at, and however the agent chose its
 * actions, by what it remembered too, if what an action leads to depends on the state alone.
 *
 * Actions that were never taken in a state say nothing, and policies that take them are not among those bounded.
 *
 * @throws as `certify`
 */
export function certifyMdp(
  specification: Specification,
  model: Mdp,
  {
    delta = specification.confidence.delta,
    epsilon = 0.05,
    plan = null,
    ...options
  }: Omit<CertifyOptions, 'posterior'> = {},
): MdpCertificate {
  const decisions = readLearntMdp(model);
  const agent = agentChain(model);
  const confidence = confidenceRows(drawnDecisions(decisions), delta);
  const mixed = agentRows(confidence);
  const { rows } = confidence;
  const learnt = decisionRows(decisions);
  const view = openLearnt(specification, agent);
  const risks = solveRules(specification, view, options);
  const states = namedStates(specification, view);
  const named = statesOfRows(decisions).map((s) => states[s]);
  const grown = new GrownRows(confidence);
  const goals: ErrorGoal[] = [];
  const rules = risks.map((risk) =>
    aboutRule(risk.rule, specification, view, (): MdpRuleCertificate => {
      const { rule, automaton, lower, upper, start } = risk;
      const opened = openRule(risk, specification, rows, view);
      const { problem, horizonSteps, negated } = opened;
      const learntProblem = openRule(risk, specification, learnt.rows, view).problem;
      const unboundedAt = whyUnbounded(opened, (row) => named[row]);
      /** The least or greatest risk; of an event that is negated it is the other's complement. */
      const over = (direction: Direction): [risk: EntryBounds, bounds: EntryBounds, far: Far] => {
        const scheduler = negated ? (direction === 'min' ? 'max' : 'min') : direction;
        const solution = decisionRisk(learntProblem, learnt.values, scheduler, horizonSteps, options);
        const solve = { ...options, horizonSteps, scheduler } as const;
        const bounds = narrower(
          intervalBounds(problem, confidence, solve),
          policyAmplification(problem, confidence, solve),
        );
        return [
          entriesOf(opened, solution),
          entriesOf(opened, bounds),
          () => extremePolicy(problem, confidence, bounds, scheduler),
        ];
      };
      const least = over('min');
      const greatest = over('max');
      const agents = openRule(risk, specification, mixed.rows, view);
      const asAgent = [
        { lower, upper, start },
        ruleConfidence(agents, mixed, options),
        () => agentPolicy(problem, agents.problem, mixed),
      ] as const;
      const choiceAt = (i: number): CertifiedChoice => ({
        least: certified(at(least[0], i), at(least[1], i), epsilon),
        greatest: certified(at(greatest[0], i), at(greatest[1], i), epsilon),
        asAgent: certified(at(asAgent[0], i), at(asAgent[1], i), epsilon),
      });
      const entries: CertifiedDecision[] = stateEntries(risk, view, states, (i) => ({
        ...choiceAt(i),
        unbounded: unboundedAt(i),
      }));
      if (plan !== null) {
        for (const [, bounds, policy] of [least, greatest, asAgent]) {
          const places = placesOf(opened, bounds, entries, automaton.states, plan);
          if (places.some(({ error }) => error > epsilon)) {
            goals.push(...errorGoals(opened, grown, places, epsilon, { ...options, policy: policy() }));
          }
        }
      }
      return {
        name: rule.name,
        formula: rule.formulaText,
        horizonSteps: rule.horizonSteps,
        start: choiceAt(START),
        entries: entries.sort(
          ({ asAgent: a }, { asAgent: b }) =>
            b.confidenceUpper - a.confidenceUpper || b.confidenceLower - a.confidenceLower,
        ),
        criteria: papersCriteria(problem, confidence, epsilon),
      };
    }),
  );
  return {
    delta,
    epsilon,
    actions: supports(decisions, confidence, named, rules),
    rules,
    drawsForEveryTransition: drawsForEveryTransition(rows.columns.length, epsilon, delta),
    plan:
      plan === null
        ? null
        : withActions(
            plannedRuns(specification, view, confidence, goals, { scope: plan, epsilon }),
            decisions,
            named,
          ),
  };
}

function withActions(
  { rows, ...plan }: ReturnType<typeof plannedRuns>,
  { actions }: LearntMdpView,
  named: readonly NamedState[],
): MdpSamplingPlan {
  return {
    ...plan,
    actions: rows.map(({ row, ...planned }) => ({
      ...named[row],
      action: actions[row],
      ...planned,
    })),
  };
}

/** The policy that a far bound rests on. */
type Far = () => FollowedPolicy;

/** Where a risk is to be known, and how well it is. */
function placesOf(
  { problem, nodeOf }: CertifiedRule,
  { lower, upper, start }: Entries,
  entries: readonly CertifiedDecision[],
  width: number,
  scope: PlanScope,
): Place[] {
  const places = [{ node: problem.start, error: (start.upper - start.lower) / 2 }];
  if (scope === 'start') return places;
  for (const { state, automatonState } of entries) {
    const entry = modelState(state) * width + automatonState;
    places.push({ node: nodeOf[entry], error: (upper[entry] - lower[entry]) / 2 });
  }
  return places;
}

/** In place of an entry: before the first step. */
const START = -1;

/** Bounds by entries, and before the first step. */
interface Entries {
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
  readonly start: RiskBounds;
}

function at({ lower, upper, start }: Entries, entry: number): RiskBounds {
  return entry === START ? start : { lower: lower[entry], upper: upper[entry] };
}

function certified(risk: RiskBounds, { lower, upper }: RiskBounds, epsilon: number): CertifiedRisk {
  return {
    risk,
    confidenceLower: lower,
    confidenceUpper: upper,
    met: upper - lower <= 2 * epsilon,
    riskOutside: risk.lower > upper || risk.upper < lower,
  };
}

/** Per row the model's state. */
function statesOfRows({ model }: LearntMdpView): number[] {
  const stateOf: number[] = Array.from({ length: model.rowStart.length - 1 });
  for (let s = 0; s < model.states; s++) stateOf.fill(s, model.rowGroupStart[s], model.rowGroupStart[s + 1]);
  return stateOf;
}

function supports(
  { actions, policy }: LearntMdpView,
  { rows, distance, unseen }: ConfidenceRows,
  named: readonly NamedState[],
  rules: readonly MdpRuleCertificate[],
): ActionSupport[] {
  return Array.from({ length: named.length - 1 }, (_, row) => ({
    ...named[row],
    action: actions[row],
    draws: rows.draws[row],
    policy: policy[row],
    successors: rows.counts.subarray(rows.rowStart[row], rows.rowStart[row + 1]).filter((n) => n > 0).length,
    distance: distance[row],
    unseen: unseen[row],
    needed: Math.max(0, ...rules.map(({ criteria }) => Math.ceil(criteria.first[row]))),
  }));
}
