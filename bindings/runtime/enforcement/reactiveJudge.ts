import { InvalidArgumentError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import type { ReactiveDecision, ReactiveRules } from '../agentspec/index.js';
import type { Judge, Judgement, RunJudge } from '../guard/index.js';
import { hashInputs } from './inputs.js';

const judges = new WeakMap<ReactiveRules, Judge>();

/** Rules that look only at the present as a judge: always the same one. They have nothing against doing nothing. */
export function reactiveJudge(rules: ReactiveRules): Judge {
  const known = judges.get(rules);
  if (known !== undefined) return known;
  const { strategies, definition = null } = rules;
  const run: RunJudge = {
    propose(call, { state }) {
      if (call === null) return { decision: 'allow', reason: 'no-rule', read: { action: null, values: {} } };
      return judgementOf(rules.decide(state, call), call.name);
    },
    decideAgain(read) {
      const { action, values } = isObject(read) ? read : {};
      if (action === null) return { decision: 'allow', reason: 'no-rule', read };
      if (typeof action === 'string' && isObject(values))
        return judgementOf(rules.decideOn(values as Readonly<Record<string, boolean>>, action), action);
      throw new InvalidArgumentError('the record has no reading of rules: it lacks action and values');
    },
    permits(tool, { state }) {
      const { strategy } = rules.decide(state, { name: tool, arguments: {} });
      return strategy === null || strategy.kind === 'report';
    },
  };
  let hash: string | undefined;
  const judge: Judge = {
    name: 'rules',
    get hash() {
      hash ??= hashInputs({ strategies, definition }, { maxLength: Number.POSITIVE_INFINITY }) ?? '';
      return hash;
    },
    decisions: strategies,
    begin: () => run,
  };
  judges.set(rules, judge);
  return judge;
}

function judgementOf({ strategy, rule, note, values }: ReactiveDecision, action: string): Judgement {
  const read = { action, values };
  if (strategy === null)
    return { decision: 'allow', reason: 'no-rule', explanation: 'No rule applies to this action.', read };
  const explanation = `The rule "${rule}" applies to this action: ${strategy.kind}.${note === null ? '' : ` ${note}`}`;
  return {
    decision: strategy.kind,
    reason: 'reactive-rule',
    rule,
    action: strategy.kind === 'replace' ? strategy.action : null,
    explanation,
    message: explanation,
    escalate: ['stop'],
    // What these rules say is all that they would do.
    wouldDecide: 'allow',
    read,
  };
}
