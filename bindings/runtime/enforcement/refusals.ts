import { type Decision, type Guard, type GuardStep, severity } from '../guard/index.js';
import type { PendingVerdict } from './pendingVerdict.js';

/** A rule that would not let a call run. */
export interface Refusal {
  readonly name: string;
  readonly decision: Decision;
  /** Where it is a rule of the guard. */
  readonly risk?: number;
  readonly decidedOn?: GuardStep['decidedOn'];
}

/** The rules that would not let a call run. The guard's are as they stand after its decision on the call. */
export function refusalsOf(
  { proposal, rule, decision, forbidding }: PendingVerdict,
  guard: Guard,
): Refusal[] {
  const own = proposal === null ? [] : refusedBy(guard);
  const all = [...own, ...forbidding];
  // Drift asks without a rule's being against it.
  return all.some(({ name }) => name === rule) ? all : [...all, { name: rule, decision }];
}

/** The guard's rules that would not let the call run which it decided on last. */
export function refusedBy({ rules }: Guard): Refusal[] {
  return rules
    .filter(({ decision }) => severity[decision] > severity.report)
    .map(({ name, decision, risk, decidedOn }) => ({ name, decision, risk, decidedOn }));
}

/** Whether something is against a call that a person was not told of: another rule, a graver decision, or a greater risk. */
export function isBeyond(shown: readonly Refusal[], now: readonly Refusal[]): boolean {
  return now.some(
    ({ name, decision, risk = 0 }) =>
      !shown.some(
        (one) =>
          one.name === name && severity[one.decision] >= severity[decision] && (one.risk ?? risk) >= risk,
      ),
  );
}
