import { severity } from '../guard/index.js';
import type { DecisionRecord } from './record.js';
import { IDLE } from './toolCall.js';

/**
 * Whether a recorded decision let its call run, or another in its place. Doing nothing runs nothing; its replacement does.
 * @param shadow whether the deciding session was in shadow mode, and recorded `report` in place of its decision
 */
export function startsCall(record: DecisionRecord, shadow: boolean): boolean {
  return isLet(record, shadow) && (!isIdle(record) || record.decision === 'replace');
}

/** Whether a recorded decision let its call pass, or another in its place. @param shadow as for `startsCall` */
export function isLet({ decision, wouldDecide }: DecisionRecord, shadow: boolean): boolean {
  const decided = shadow ? wouldDecide : decision;
  return shadow || severity[decided] <= severity.report || decided === 'replace';
}

/** Whether the decision is on doing nothing. */
export function isIdle({ observed, call }: DecisionRecord): boolean {
  return typeof observed?.idle === 'boolean' ? observed.idle : call.id === IDLE.id && call.name === IDLE.name;
}

/** Whether another call of the agent's turn was refused before. */
export function isSibling({ sibling, observed, beside = [] }: DecisionRecord): boolean {
  return (
    sibling === true || observed?.sibling === true || beside.some((one) => one.observed?.sibling === true)
  );
}
