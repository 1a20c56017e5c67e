import { NotSupportedError } from '../../base/errors.js';
import { WorkBudget } from '../../base/workBudget.js';

/** Default limit on the states of an automaton under construction: ten times the number that any rule of the road needs. */
const MAX_STATES = 100_000;

/** The cost of building an expensive but acceptable state, in comparisons of two obligations. */
const STEPS_PER_STATE = 400;

/**
 * Limits the work for one automaton before it is refused. The formula often does not show how large the automaton will be, and the cost of
 * states differs a thousandfold, so comparisons of obligations and requests for nodes are counted. The limit is the same on every machine
 * and amounts to at most about a second.
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

  /** @throws NotSupportedError, with the size reached, if more is spent than is allowed */
  spend(steps: number): void {
    this.#budget.charge(steps);
  }

  /** @throws NotSupportedError if `states` exceeds the limit */
  found(states: number): void {
    this.#states = states;
    if (states <= this.maxStates) return;
    throw new NotSupportedError(`the rule's automaton has more than ${this.maxStates} states: ${advice}`);
  }

  /** Records that a state has this many alternatives. */
  met(alternatives: number): void {
    if (alternatives > this.#alternatives) this.#alternatives = alternatives;
  }
}

const advice =
  'shorten its windows, sample less often, split it into smaller rules, or raise maxStates of buildAutomaton';
