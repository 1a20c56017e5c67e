import { severity } from '../guard/index.js';
import { reactiveRulesOf } from './guardsOf.js';
import { wordsOf } from './messages.js';
import type { PendingVerdict } from './pendingVerdict.js';
import type { DecisionRecord } from './record.js';
import type { Refusal } from './refusals.js';
import type { SessionOptions } from './sessionOptions.js';
import type { ToolCall } from './toolCall.js';
import type { State } from './world.js';

const MAX_REFLECTIONS = 2;

/** The rules of a session that look only at the present, beside its guard. */
export class Reactions {
  readonly #rules: NonNullable<SessionOptions['rules']>;
  readonly mostReflections: number;
  /** Number of reflections that these rules have demanded since the last permitted call. */
  #reflections = 0;
  /** The same before the turn in which a call was judged last. */
  #beforeTurn = 0;

  constructor(options: Pick<SessionOptions, 'judges' | 'rules' | 'maxReflections'>) {
    this.#rules = reactiveRulesOf(options);
    this.mostReflections = options.maxReflections ?? MAX_REFLECTIONS;
  }

  /** Makes the decision more severe if a rule demands it. */
  decide(draft: PendingVerdict, call: ToolCall, state: State): void {
    if (this.#rules.length === 0) return;
    draft.reactive = [];
    for (const one of this.#rules) {
      let reaction: ReturnType<typeof one.decide>;
      try {
        reaction = one.decide(state, call);
      } catch (error) {
        draft.reactive.push(null);
        // A call that is stopped anyway must not be downgraded to a block; and later rules may still stop it.
        if (draft.decision !== 'stop') draft.fault(call, 'rule-failed', wordsOf(error));
        continue;
      }
      draft.reactive.push(reaction.values);
      const { strategy, rule, note } = reaction;
      if (strategy === null) continue;
      if (strategy.kind !== 'report') draft.forbidding.push({ name: rule, decision: strategy.kind });
      if (severity[strategy.kind] <= severity[draft.decision]) continue;
      if (strategy.kind === 'report') [draft.decision, draft.reason] = ['report', 'reactive-rule'];
      else draft.refuse('reactive-rule', strategy.kind);
      draft.rule = rule;
      draft.action = strategy.kind === 'replace' ? strategy.action : null;
      draft.explanation = `The rule "${rule}" applies to this action: ${strategy.kind}.${note === null ? '' : ` ${note}`}`;
      draft.message = draft.run === null ? draft.explanation : null;
    }
    this.#escalate(draft);
  }

  /** The rules that would do more than report on this call. @throws as the rules' predicates */
  refusals(call: ToolCall, state: State): Refusal[] {
    return this.#rules.flatMap((one) => {
      const { strategy, rule } = one.decide(state, call);
      return strategy === null || strategy.kind === 'report' ? [] : [{ name: rule, decision: strategy.kind }];
    });
  }

  /** Counts a decision made before the run was resumed. Rules do not decide on doing nothing. */
  resume(decision: DecisionRecord['decision'], { reason, observed }: DecisionRecord): void {
    if (observed?.idle === true) return;
    if (severity[decision] <= severity.report) this.#reflections = 0;
    if (observed?.sibling !== true || this.#reflections === 0) this.#beforeTurn = this.#reflections;
    if (reason === 'reactive-rule' && decision === 'reflect') this.#reflections = this.#beforeTurn + 1;
  }

  #escalate(draft: PendingVerdict): void {
    if (draft.lets) this.#reflections = 0;
    if (!draft.isSibling || this.#reflections === 0) this.#beforeTurn = this.#reflections;
    if (draft.reason !== 'reactive-rule' || draft.decision !== 'reflect') return;
    this.#reflections = this.#beforeTurn + 1;
    if (this.#reflections <= this.mostReflections) return;
    draft.decision = 'stop';
    draft.explanation += ` The agent was asked to reflect ${this.mostReflections} times.`;
    draft.message = draft.explanation;
  }
}
