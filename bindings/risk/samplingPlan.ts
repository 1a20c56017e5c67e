import { Abstraction } from '../abstraction/index.js';
import type { SolveOptions } from '../kernel/index.js';
import type { LearntView } from '../learning/index.js';
import type { Dtmc, Mdp } from '../model/index.js';
import {
  type ConfidenceRows,
  type ErrorGoal,
  Forecaster,
  type ForecastOptions,
  GrownRows,
  planRuns,
  type RowPlan,
  RunVisits,
} from '../pac/index.js';
import type { Specification } from '../specification/index.js';
import type { RuleCertificate } from './certify.js';
import { modelState, type NamedState, namedStates } from './fileNumbers.js';
import { aboutRule } from './learntChain.js';
import type { CertifiedRule } from './ruleCertificate.js';

/**
 * Where errors are to be small: before the first step, or there and in every state that a run can come to, with what the rule
 * remembers there.
 */
export type PlanScope = 'start' | 'states';

/** A state that a run may begin in. */
export interface FirstState extends NamedState {
  readonly valuation: Readonly<Record<string, boolean>>;
}

/** What more draws of one state are worth. */
export interface PlannedState extends NamedState, Omit<RowPlan, 'row'> {}

/**
 * Which states to visit next, and how many more runs it would take to know every risk to within epsilon, if all goes on as it did. Nothing in it is
 * guaranteed: what was never seen may come, and then it takes more.
 */
export interface SamplingPlan {
  readonly scope: PlanScope;
  readonly epsilon: number;
  /** Those that errors come from which are too large: the never left ones first, then by what one more draw gains. */
  readonly states: readonly PlannedState[];
  /** More runs as the agent begins them; Infinity where they never come to what matters. */
  readonly runsAsAgent: number;
  /** More runs if they are begun where they help most; as many as `runsAsAgent` where nothing does better. */
  readonly runsFavoured: number;
  /** How to begin those: in a state, or (null) as the agent does. Only states that runs were seen to begin in are asked for. */
  readonly begun: readonly { readonly first: FirstState | null; readonly runs: number }[];
}

/** A rule with its certificate. */
export interface PlannedRule {
  readonly rule: CertifiedRule;
  readonly risk: Parameters<typeof aboutRule>[0];
  readonly certificate: RuleCertificate;
}

/** A node of a rule's problem, and the error certified there. */
export interface Place {
  readonly node: number;
  readonly error: number;
}

/** Places whose error is too large that a plan looks at, of each rule: the worst. */
const MOST_PLACES = 16;

/** Half the width of the interval in which the risk of a rule is known to be. */
export function errorOf({
  confidenceLower,
  confidenceUpper,
}: {
  readonly confidenceLower: number;
  readonly confidenceUpper: number;
}): number {
  return (confidenceUpper - confidenceLower) / 2;
}

/** @throws NotConvergedError as the kernel */
export function samplingPlan(
  specification: Specification,
  view: LearntView,
  rules: readonly PlannedRule[],
  confidence: ConfidenceRows,
  {
    scope,
    epsilon,
    ...options
  }: { scope: PlanScope; epsilon: number } & Pick<SolveOptions, 'precision' | 'signal'>,
): SamplingPlan {
  const grown = new GrownRows(confidence);
  const goals = rules.flatMap(({ rule, risk, certificate }) =>
    aboutRule(risk, specification, view, () =>
      errorGoals(rule, grown, placesOf(rule, certificate, scope), epsilon, options),
    ),
  );
  const { rows, ...plan } = plannedRuns(specification, view, confidence, goals, { scope, epsilon });
  const named = namedStates(specification, view);
  return { ...plan, states: rows.map(({ row, ...planned }) => ({ ...named[row], ...planned })) };
}

/** Goals for the worst of the places whose error is too large. */
export function errorGoals(
  { problem, horizonSteps }: CertifiedRule,
  grown: GrownRows,
  places: readonly Place[],
  epsilon: number,
  options: Omit<ForecastOptions, 'horizonSteps'>,
): ErrorGoal[] {
  const open = places.filter(({ error }) => error > epsilon).sort((a, b) => b.error - a.error);
  if (open.length === 0) return [];
  using forecaster = new Forecaster(problem, grown, { ...options, horizonSteps });
  return open.slice(0, MOST_PLACES).map(({ node, error }) => {
    const forecast = forecaster.at(node);
    // Where the first order says less than is certified, as much less is asked of it.
    const right = Math.min(1, forecast.error(grown.at(0).rows.draws) / error);
    return { forecast, epsilon: epsilon * right };
  });
}

/** The plan for these goals, with what it says of rows left as it is. */
export function plannedRuns(
  specification: Specification,
  view: LearntView<Dtmc | Mdp>,
  confidence: ConfidenceRows,
  goals: readonly ErrorGoal[],
  aim: { readonly scope: PlanScope; readonly epsilon: number },
): Omit<SamplingPlan, 'states'> & { readonly rows: readonly RowPlan[] } {
  using visits = new RunVisits(confidence);
  const { rows, asAgent, favoured, begun } = planRuns(
    confidence.rows,
    visits,
    goals,
    firstStates(confidence),
  );
  const named = namedStates(specification, view);
  const abstraction = new Abstraction(specification.abstraction);
  const firstState = (state: number): FirstState => ({
    ...named[state],
    valuation: abstraction.decode(view.valuations, state * view.words),
  });
  return {
    ...aim,
    rows,
    runsAsAgent: asAgent,
    runsFavoured: favoured,
    begun: begun.map(({ beginning, runs }) => ({
      first: beginning === null ? null : firstState(beginning),
      runs,
    })),
  };
}

/** Nodes with the errors certified there. */
function placesOf(
  { problem, nodeOf, width }: CertifiedRule,
  { start, entries }: RuleCertificate,
  scope: PlanScope,
): Place[] {
  const places: Place[] = [{ node: problem.start, error: errorOf(start) }];
  if (scope === 'start') return places;
  for (const entry of entries) {
    places.push({
      node: nodeOf[modelState(entry.state) * width + entry.automatonState],
      error: errorOf(entry),
    });
  }
  return places;
}

/** States of the model that runs were seen to begin in. */
function firstStates({ rows: { rowStart, columns, counts } }: ConfidenceRows): number[] {
  return [...columns.subarray(0, rowStart[1])].filter((_, e) => counts[e] > 0);
}
