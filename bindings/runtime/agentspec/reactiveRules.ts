import type { Fields } from '../../languages/expression/index.js';
import type { Strategy } from '../guard/index.js';

/** An action that an agent proposes, before it runs. */
export interface ProposedAction {
  readonly name: string;
  readonly arguments?: Fields;
}

/** What reactive rules say of a proposed action. */
export interface ReactiveDecision {
  /** Id of the rule that decided; empty where none applies. */
  readonly rule: string;
  /** Null where no rule applies, or one that enforces nothing. */
  readonly strategy: Strategy | null;
  /** What the rule says to whom it asks, as in `user_inspection("…")`; null where it says nothing. */
  readonly note: string | null;
  /** What each predicate that was read said, by its name and arguments as in `trafficlight_color(2)`. All that the decision depends on, beside the action's name. */
  readonly values: Readonly<Record<string, boolean>>;
}

/**
 * Rules that look at the present only, such as those of AgentSpec: no probability, no history. Of the rules that apply the most severe decides,
 * of equals the first.
 */
export interface ReactiveRules {
  /** All that these rules may ever decide. */
  readonly strategies: readonly Strategy[];
  /** @throws EvaluationError where a predicate throws, or gives no Boolean */
  decide(state: Fields, action: ProposedAction): ReactiveDecision;
  /**
   * The same decision from recorded values; calls no predicate.
   *
   * @throws InvalidArgumentError where a value is missing that the decision depends on
   */
  decideOn(values: Readonly<Record<string, boolean>>, action: string): ReactiveDecision;
}
