import type { Judgement } from '../guard/index.js';
import { faultInWords } from './messages.js';
import type { DecisionRecord } from './record.js';
import type { Verdict } from './verdict.js';

const NO_CALL: DecisionRecord['call'] = { id: '', name: '' };

/** The verdict that stops a run because an observation between calls demands it. */
export function stoppedBetween(found: Judgement): Verdict {
  const { reason = 'judged', rule = '', step = null, explanation = `The rule "${rule}" is broken.` } = found;
  return stopped({ reason, rule, step, explanation, message: `The run is stopped. ${explanation}` });
}

/** The verdict of a run that was stopped before it was resumed, by the decision of this record or between calls. */
export function stoppedBefore({ call, number, rule = '' }: Partial<DecisionRecord> = {}): Verdict {
  const explanation = faultInWords('run-over', 'it was stopped before');
  return stopped({ reason: 'run-over', rule, step: null, explanation, message: explanation }, call, number);
}

function stopped(
  why: Pick<Verdict, 'reason' | 'rule' | 'step' | 'explanation' | 'message'>,
  { id, name }: DecisionRecord['call'] = NO_CALL,
  number = -1,
): Verdict {
  return {
    ...why,
    call: { id, name, arguments: {} },
    number,
    decision: 'stop',
    wouldDecide: 'stop',
    run: null,
    ends: true,
    inspection: null,
  };
}
