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
 * Where errors are to be small: before the first step, or there and in every state that a run can reach, with every memory of the rule
 * there.
 */
export type PlanScope = 'start' | 'states';

/** A state that a run may begin in. */
export interface FirstState extends NamedState {
  readonly valuation: Readonly<Record<string, boolean>>;
}

/** The value of more draws of one state. */
export interface PlannedState extends NamedState, Omit<RowPlan, 'row'> {}

/**
 * Which states to visit next, and how many more runs it would take to know every risk to within epsilon, if the agent continues as before.
 * The plan guarantees nothing: new successors may appear, and then more runs are needed.
 */
export interface SamplingPlan {
  readonly scope: PlanScope;
  readonly epsilon: number;
  /** The states that cause errors that are too large: those never left first, then by the gain of one more draw. */
  readonly states: readonly PlannedState[];
  /** More runs as the agent begins them; Infinity if they never reach the relevant states. */
  readonly runsAsAgent: number;
  /** More runs if they are begun where they help most; equal to `runsAsAgent` if nothing does better. */
  readonly runsFavoured: number;
  /** How to begin those runs: in a state, or (null) as the agent does. Only states that runs were seen to begin in are requested. */
  readonly begun: readonly { readonly first: FirstState | null; readonly runs: number }[];
}

/** Maximal number of places with too large an error that a plan considers, for each rule: the worst. */
const MAX_PLACES = 16;

/** What is to be known, and how precisely. */
interface Aim extends Pick<SolveOptions, 'precision' | 'signal'> {
  /** Null: no plan is made. */
  readonly scope: PlanScope | null;
  readonly epsilon: number;
}

/** Plans what to draw next, for a chain or a decision process. */
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
   * Adds the worst places of a rule whose error, half the width of the bounds, is too large.
   *
   * @param entries entries that a run can reach.
   * @param policy for a decision process, the policy whose risk is meant.
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
      // If the first-order forecast is smaller than the certified error, the goal is scaled down accordingly.
      const right = Math.min(1, forecast.error(this.#grown.at(0).rows.draws) / error);
      this.#goals.push({ forecast, epsilon: epsilon * right });
    }
  }

  /** Returns the plan, with what it says about rows unchanged; null if none is made. @throws NotConvergedError as the kernel */
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
