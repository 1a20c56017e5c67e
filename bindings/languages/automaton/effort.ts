import { NotSupportedError } from '../../base/errors.js';
import { WorkBudget } from '../../base/workBudget.js';

/** States an automaton may have while it is made unless told otherwise: ten times what any rule of the road needs. */
const MAX_STATES = 100_000;

/** What a state takes to make where it is dear but worth it, in comparisons of two obligations. */
const STEPS_PER_STATE = 400;

/**
 * How much is done to make one automaton before it is refused. How large it would be often cannot be told from the formula, and states
 * differ a thousandfold in what they take, so comparisons of obligations and nodes asked for are counted: the same on every machine, a second's at most.
 */
export class Effort {
  readonly #budget: WorkBudget;
  #states = 1;
  #alternatives = 1;

  constructor(readonly maxStates = MAX_STATES) {
    const refuse = () =>
      new NotSupportedError(
        `the rule's automaton was given up at ${this.#states} states, some with ${this.#alternatives} alternatives: it takes more work than ` +
          `${maxStates} states should; ${advice}`,
      );
    this.#budget = new WorkBudget({ limit: STEPS_PER_STATE * maxStates, refuse });
  }

  /** @throws NotSupportedError where more has been spent than is allowed, with the size reached */
  spend(steps: number): void {
    this.#budget.charge(steps);
  }

  /** @throws NotSupportedError where `states` are more than are allowed */
  found(states: number): void {
    this.#states = states;
    if (states <= this.maxStates) return;
    throw new NotSupportedError(`the rule's automaton has more than ${this.maxStates} states: ${advice}`);
  }

  /** That a state has so many alternatives. */
  met(alternatives: number): void {
    if (alternatives > this.#alternatives) this.#alternatives = alternatives;
  }
}

const advice =
  'shorten its windows, sample less often, split it into smaller rules, or raise maxStates of buildAutomaton';
