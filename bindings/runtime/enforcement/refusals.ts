import { type Decision, type Guard, type GuardStep, severity } from '../guard/index.js';
import type { PendingVerdict } from './pendingVerdict.js';

/** A rule against a call. */
export interface Refusal {
  readonly name: string;
  readonly decision: Decision;
  /** The risk, if it is a rule of the guard. */
  readonly risk?: number;
  readonly decidedOn?: GuardStep['decidedOn'];
}

/** The rules against a call. The guard's rules are taken as they stand after its decision on the call. */
export function refusalsOf(
  { counts, rule, decision, forbidding }: PendingVerdict,
  guards: readonly Guard[],
): Refusal[] {
  const own = counts === null ? [] : refusedBy(guards);
  const all = [...own, ...forbidding];
  // Drift can ask a person although no rule is against the call.
  return all.some(({ name }) => name === rule) ? all : [...all, { name: rule, decision }];
}

/** The guards' rules against the call on which they decided last. */
export function refusedBy(guards: readonly Guard[]): Refusal[] {
  return guards
    .flatMap(({ rules }) => rules)
    .filter(({ decision }) => severity[decision] > severity.report)
    .map(({ name, decision, risk, decidedOn }) => ({ name, decision, risk, decidedOn }));
}

/** Whether more speaks against a call than a person was told: another rule, a more severe decision, or a greater risk. */
export function isBeyond(shown: readonly Refusal[], now: readonly Refusal[]): boolean {
  return now.some(
    ({ name, decision, risk = 0 }) =>
      !shown.some(
        (one) =>
          one.name === name && severity[one.decision] >= severity[decision] && (one.risk ?? risk) >= risk,
      ),
  );
}
