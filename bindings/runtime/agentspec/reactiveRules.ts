import type { Fields } from '../../languages/expression/index.js';
import type { Strategy } from '../guard/index.js';

/** An action that an agent proposes, before it runs. */
export interface ProposedAction {
  readonly name: string;
  readonly arguments?: Fields;
}

/** The decision of reactive rules on a proposed action. */
export interface ReactiveDecision {
  /** Id of the rule that decided; empty if none applies. */
  readonly rule: string;
  /** Null if no rule applies, or the deciding rule enforces nothing. */
  readonly strategy: Strategy | null;
  /** The rule's message to the person or agent it asks, as in `user_inspection("…")`; null if there is none. */
  readonly note: string | null;
  /**
   * The value of each predicate that was read, keyed by name and arguments as in `trafficlight_color(2)`. The decision depends only on these and the action's
   * name.
   */
  readonly values: Readonly<Record<string, boolean>>;
}

/**
 * Rules that look only at the present, such as those of AgentSpec: no probability, no history. The most severe applicable rule decides, the first among equals.
 */
export interface ReactiveRules {
  /** All strategies that these rules may ever choose. */
  readonly strategies: readonly Strategy[];
  /** The rules and what their words are bound to, as plain data, for the hash in logs; functions are not in it. Default: `strategies` alone. */
  readonly definition?: unknown;
  /** @throws EvaluationError if a predicate throws, or does not return a Boolean */
  decide(state: Fields, action: ProposedAction): ReactiveDecision;
  /**
   * Makes the same decision from recorded values; calls no predicate.
   *
   * @throws InvalidArgumentError if a value that the decision depends on is missing
   */
  decideOn(values: Readonly<Record<string, boolean>>, action: string): ReactiveDecision;
}
