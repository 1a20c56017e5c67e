import { type Decision, type Fault, type Guard, type GuardStep, severity } from '../guard/index.js';
import type { PendingVerdict } from './pendingVerdict.js';

/** A rule against a call, or what is not known of it. */
export interface Refusal {
  /** Empty if no rule of its own is against the call, but what a guard does not know. */
  readonly name: string;
  /** What that is. */
  readonly fault?: Fault;
  /** The rules whose risk is not known for it. */
  readonly of?: readonly Refusal[];
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

/** What the guards have against the call on which they decided last: rules, and once for each guard, whatever its rules, what it does not know. */
export function refusedBy(guards: readonly Guard[]): Refusal[] {
  return guards.flatMap(({ rules }) => {
    const against = rules.filter(({ decision }) => severity[decision] > severity.report);
    const own = against.filter(({ decidesItself }) => decidesItself);
    return [
      ...own.map(({ name, decision, risk, decidedOn }) => ({ name, decision, risk, decidedOn })),
      ...unknownTo(against.filter(({ decidesItself }) => !decidesItself)),
    ];
  });
}

/** The most severe of the decisions of one guard's rules on what is not known. */
function unknownTo(rules: Guard['rules']): Refusal[] {
  if (rules.length === 0) return [];
  const { decision, fault } = rules.reduce((worst, one) =>
    severity[one.decision] > severity[worst.decision] ? one : worst,
  );
  const of = rules.map((rule) => ({ name: rule.name, decision: rule.decision, risk: rule.risk }));
  return [{ name: '', ...(fault !== null && { fault }), decision, of }];
}

/** Whether more speaks against a call than a person was told: another rule, a more severe decision, or a greater risk. */
export function isBeyond(shown: readonly Refusal[], now: readonly Refusal[]): boolean {
  // Who was told that a rule is sure to be broken was told more than that its risk is not known.
  return now.some((one) => !isShown(shown, one) && !one.of?.every((rule) => isShown(shown, rule)));
}

function isShown(shown: readonly Refusal[], { name, fault, decision, risk = 0 }: Refusal): boolean {
  return shown.some(
    (one) =>
      one.name === name &&
      one.fault === fault &&
      severity[one.decision] >= severity[decision] &&
      (one.risk ?? risk) >= risk,
  );
}
