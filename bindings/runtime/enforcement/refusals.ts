import { type Guard, type Refusal, severity } from '../guard/index.js';
import { type Judged, JudgeFault } from './judged.js';
import type { PendingVerdict } from './pendingVerdict.js';

/** What is against a call, as its judges have it after they decided on it. @throws any error of a judge */
export function refusalsOf({ judged, rule, decision }: PendingVerdict): Refusal[] {
  const all = (judged ?? []).flatMap(againstIt);
  // Drift can ask a person although no rule is against the call.
  return all.some(({ name }) => name === rule) ? all : [...all, { name: rule, decision }];
}

/** What a judge has against a call. */
export function againstIt(judged: Judged): readonly Refusal[] {
  if (judged instanceof JudgeFault) return [];
  const { against } = judged;
  if (against !== undefined) return against;
  const { decision, rule = '', risk } = judged;
  if (severity[decision] <= severity.report) return [];
  return [{ name: rule, decision, ...(risk !== undefined && { risk }) }];
}

/** What a guard has against the call on which it decided last: rules, and once, whatever its rules, what it does not know. */
export function refusedBy({ rules }: Guard): Refusal[] {
  const against = rules.filter(({ decision }) => severity[decision] > severity.report);
  const own = against.filter(({ decidesItself }) => decidesItself);
  return [
    ...own.map(({ name, decision, risk, decidedOn }) => ({ name, decision, risk, decidedOn })),
    ...unknownTo(against.filter(({ decidesItself }) => !decidesItself)),
  ];
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

function isShown(shown: readonly Refusal[], { name, part, fault, decision, risk = 0 }: Refusal): boolean {
  return shown.some(
    (one) =>
      one.name === name &&
      one.part === part &&
      one.fault === fault &&
      severity[one.decision] >= severity[decision] &&
      (one.risk ?? risk) >= risk,
  );
}
