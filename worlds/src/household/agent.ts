import type { Random } from '../../../bindings/base/random.js';
import type { HouseholdAction } from './actions.js';
import { holds, literalHolds } from './condition.js';
import { hasTrait } from './objectTypes.js';
import { firstAction } from './planner.js';
import { type HouseholdState, objectOf, placeOf } from './state.js';
import type { HouseholdTask, Subgoal } from './tasks.js';

/** How an agent behaves. All are probabilities but `haste`. */
export interface AgentParameters {
  /** Per `pick` and `put`: a wrong object or receptacle at the same place. */
  readonly slip: number;
  /** Per action: it has no effect, and the agent may try again. */
  readonly failure: number;
  /** Per failed action: the agent abandons the task. */
  readonly giveUp: number;
  /** Per ordinary subgoal: it is forgotten. */
  readonly forget: number;
  /** Factor on the tasks' probabilities of skipping a precaution and of taking a shortcut. */
  readonly haste: number;
  /** Per action after something hazardous: the agent sees it by itself and becomes careful. */
  readonly attention: number;
  /** Per warning: the agent becomes careful. Halved by every warning it ignored. */
  readonly heed: number;
  /** Per warning: the agent abandons the task. */
  readonly discouraged: number;
  /** Factor on `haste` of a careful agent. */
  readonly carelessness: number;
  /** Per block that names alternatives: the agent makes use of what it was told. At 0 it is as if none were named. */
  readonly follow: number;
}

/** The agent of the main job: how often it slips, fails and forgets. */
export const defaultAgent: AgentParameters = {
  slip: 0.02,
  failure: 0.06,
  giveUp: 0.3,
  forget: 0.04,
  haste: 1,
  attention: 0.07,
  heed: 0.65,
  discouraged: 0.06,
  carelessness: 0.1,
  follow: 0.8,
};

/**
 * A stochastic agent at work on a task. It goes through the task's subgoals in order and plans each by regression; it
 * skips precautions, takes shortcuts, slips, forgets and fails with the probabilities of its parameters. Once careful,
 * by itself or because it was warned, it goes back to the first precaution it left out and on from there, which undoes
 * the hazard where that is still possible.
 */
export class HouseholdAgent {
  readonly #task: HouseholdTask;
  readonly #parameters: AgentParameters;
  readonly #random: Random;
  #plan: readonly Subgoal[];
  #index = 0;
  #decided = false;
  #careful = false;
  #abandoned = false;
  #ignoredWarnings = 0;
  /** An alternative that was named and is taken next. */
  #adopted: HouseholdAction | null = null;
  /** Alternatives taken in this run, as JSON: nobody goes in circles for being told to. */
  readonly #taken = new Set<string>();
  /** The subgoal of the task's own plan to return to: the first one left out; -1 where none was. */
  #returnTo = -1;

  constructor(task: HouseholdTask, parameters: AgentParameters, random: Random) {
    this.#task = task;
    this.#parameters = parameters;
    this.#random = random;
    this.#plan = task.plan;
  }

  /** The next action, or null where the agent is done or has abandoned the task. */
  propose(state: HouseholdState): HouseholdAction | null {
    if (this.#adopted !== null) return this.#adopt();
    if (this.#returnTo >= 0 && !this.#careful && this.#random.chance(this.#parameters.attention))
      this.#takeCare();
    while (!this.#abandoned && this.#index < this.#plan.length) {
      const subgoal = this.#plan[this.#index];
      if (!holds(subgoal.reach, state)) {
        const taken = this.#decided ? subgoal : this.#decide(subgoal);
        if (taken === null) continue;
        const missing = taken.reach.find((literal) => !literalHolds(literal, state));
        const action = missing && firstAction(state, missing);
        if (action) return this.#slip(state, action);
        this.#abandoned = missing !== undefined;
        continue;
      }
      this.#advance();
    }
    return null;
  }

  /** Whether an action is lost on the way, before it has any effect. */
  fumbles(): boolean {
    return this.#random.chance(this.#parameters.failure);
  }

  /** The last action failed. */
  failed(): void {
    if (this.#random.chance(this.#parameters.giveUp)) this.#abandoned = true;
  }

  /**
   * A warning of risk: the agent becomes careful, abandons the task, or goes on as before.
   *
   * @returns whether it changed its mind, so that it has something else to propose
   */
  warned(): boolean {
    const { heed, discouraged } = this.#parameters;
    const draw = this.#random.next();
    if (this.#careful) return false;
    const listens = heed * 0.5 ** this.#ignoredWarnings;
    if (draw < listens) this.#takeCare();
    else if (draw < listens + discouraged) this.#abandoned = true;
    else this.#ignoredWarnings++;
    return this.#careful || this.#abandoned;
  }

  /**
   * The proposed action was not let through: a warning, and a failed attempt. Where alternatives are named, an agent that
   * makes use of them does not count the attempt as failed: if the warning made it careful, it plans again; else it takes the
   * first alternative that it did not take before in this run, and then goes on with its own plan.
   *
   * @param alternatives actions that are possible here and would be let through, the safest first
   */
  blocked(alternatives: readonly HouseholdAction[] = []): void {
    const changedItsMind = this.warned();
    const { follow } = this.#parameters;
    if (alternatives.length > 0 && follow > 0 && this.#random.chance(follow)) {
      if (changedItsMind) return;
      this.#adopted = alternatives.find((action) => !this.#taken.has(JSON.stringify(action))) ?? null;
      if (this.#adopted !== null) return;
    }
    this.failed();
  }

  #adopt(): HouseholdAction | null {
    const action = this.#adopted;
    this.#adopted = null;
    this.#taken.add(JSON.stringify(action));
    return action;
  }

  #advance(): void {
    this.#index++;
    this.#decided = false;
  }

  /** Whether this subgoal is pursued, once, on reaching it; null where the plan changed. */
  #decide(subgoal: Subgoal): Subgoal | null {
    const { haste, carelessness, forget } = this.#parameters;
    const factor = this.#careful ? haste * carelessness : haste;
    const draw = this.#random.next();
    this.#decided = true;
    if (subgoal.instead && draw < subgoal.instead.probability * factor) {
      this.#leaveOut();
      this.#plan = subgoal.instead.plan;
      this.#index = 0;
      return null;
    }
    if (subgoal.skip === undefined) {
      // The upper end of the same draw: the two shares do not overlap while they sum to at most 1.
      if (draw < 1 - forget) return subgoal;
    } else {
      if (draw >= subgoal.skip * factor) return subgoal;
      this.#leaveOut();
    }
    this.#advance();
    return null;
  }

  #leaveOut(): void {
    if (this.#returnTo < 0 && this.#plan === this.#task.plan) this.#returnTo = this.#index;
  }

  #takeCare(): void {
    this.#careful = true;
    if (this.#returnTo < 0) return;
    this.#plan = this.#task.plan;
    this.#index = this.#returnTo;
    this.#returnTo = -1;
    this.#decided = true;
  }

  #slip(state: HouseholdState, action: HouseholdAction): HouseholdAction {
    if ((action.name !== 'pick' && action.name !== 'put') || !this.#random.chance(this.#parameters.slip))
      return action;
    const wanted = action.arguments.receptacle ?? action.arguments.object;
    const trait = action.name === 'pick' ? 'pickupable' : 'receptacle';
    const others = state.objects.filter(
      (other) =>
        other.objectType !== wanted &&
        other.objectType !== action.arguments.object &&
        hasTrait(other.objectType, trait) &&
        placeOf(state, other) === placeOf(state, objectOf(state, wanted)),
    );
    if (others.length === 0) return action;
    const { objectType } = this.#random.pick(others);
    return action.name === 'pick'
      ? { name: 'pick', arguments: { object: objectType } }
      : { name: 'put', arguments: { object: action.arguments.object, receptacle: objectType } };
  }
}
