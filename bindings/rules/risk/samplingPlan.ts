import type { LearntView } from '../../estimation/learning/index.js';
import {
  type ConfidenceRows,
  type DrawnRows,
  type ErrorGoal,
  type FollowedPolicy,
  Forecaster,
  GrownRows,
  planRuns,
  type RowPlan,
  RunVisits,
} from '../../estimation/pac/index.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import type { SolveOptions } from '../../solvers/kernel/index.js';
import type { Specification } from '../specification/index.js';
import { modelState, type NamedState } from './fileNumbers.js';
import type { CertifiedBounds, CertifiedRule } from './ruleCertificate.js';
import type { StateEntry } from './stateEntries.js';

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

/** Places whose error is too large that a plan looks at, of each rule: the worst. */
const MAX_PLACES = 16;

/** What is to be known, and how well. */
interface Aim extends Pick<SolveOptions, 'precision' | 'signal'> {
  /** Null: no plan is made. */
  readonly scope: PlanScope | null;
  readonly epsilon: number;
}

/** Plans what to draw next, of a chain or a decision process. */
export class Planner {
  readonly #confidence: ConfidenceRows;
  readonly #aim: Aim;
  readonly #grown: GrownRows;
  readonly #goals: ErrorGoal[] = [];

  constructor(confidence: ConfidenceRows, aim: Aim) {
    this.#confidence = confidence;
    this.#aim = aim;
    this.#grown = new GrownRows(confidence);
  }

  /**
   * Takes in the places of a rule whose error, half the width of the bounds, is too large: the worst of them.
   *
   * @param entries where a run can come to.
   * @param policy of a decision process: the one whose risk is meant.
   * @throws NotConvergedError as the kernel
   */
  add(
    { problem, nodeOf, width, horizonSteps }: CertifiedRule,
    { lower, upper, start }: CertifiedBounds,
    entries: readonly Pick<StateEntry, 'state' | 'automatonState'>[],
    policy?: () => FollowedPolicy,
  ): void {
    const { scope, epsilon, ...options } = this.#aim;
    if (scope === null) return;
    const places = [{ node: problem.start, error: (start.upper - start.lower) / 2 }];
    for (const { state, automatonState } of scope === 'start' ? [] : entries) {
      const entry = modelState(state) * width + automatonState;
      places.push({ node: nodeOf[entry], error: (upper[entry] - lower[entry]) / 2 });
    }
    const open = places.filter(({ error }) => error > epsilon).sort((a, b) => b.error - a.error);
    if (open.length === 0) return;
    const followed = policy && { policy: policy() };
    using forecaster = new Forecaster(problem, this.#grown, { ...options, ...followed, horizonSteps });
    for (const { node, error } of open.slice(0, MAX_PLACES)) {
      const forecast = forecaster.at(node);
      // Where the first order says less than is certified, as much less is asked of it.
      const right = Math.min(1, forecast.error(this.#grown.at(0).rows.draws) / error);
      this.#goals.push({ forecast, epsilon: epsilon * right });
    }
  }

  /** The plan, with what it says of rows left as it is; null where none is made. @throws NotConvergedError as the kernel */
  plan(
    specification: Specification,
    view: LearntView,
    named: readonly NamedState[],
  ): (Omit<SamplingPlan, 'states'> & { readonly rows: readonly RowPlan[] }) | null {
    const { scope, epsilon } = this.#aim;
    if (scope === null) return null;
    const { rows: drawn } = this.#confidence;
    using visits = new RunVisits(this.#confidence);
    const { rows, asAgent, favoured, begun } = planRuns(drawn, visits, this.#goals, firstStates(drawn));
    const abstraction = new Abstraction(specification.abstraction);
    const firstState = (state: number): FirstState => ({
      ...named[state],
      valuation: abstraction.decode(view.valuations, state * view.words),
    });
    return {
      scope,
      epsilon,
      rows,
      runsAsAgent: asAgent,
      runsFavoured: favoured,
      begun: begun.map(({ beginning, runs }) => ({
        first: beginning === null ? null : firstState(beginning),
        runs,
      })),
    };
  }
}

/** States of the model that runs were seen to begin in. */
function firstStates({ rowStart, columns, counts }: DrawnRows): number[] {
  return [...columns.subarray(0, rowStart[1])].filter((_, e) => counts[e] > 0);
}
