import {
  type Decision,
  type Fault,
  type Level,
  meetsThreshold,
  type Reason,
  type RuleStatus,
} from '../../runtime/guard/index.js';

/**
 * The kind of reason for a guard's intervention:
 * - `threshold`: a known risk met a threshold, or an action was over budget;
 * - `unknown`: the step could not be judged, and `onUnknown` decided it; or the risk is not known, and only the greatest that it may be met a threshold;
 * - `violated`: the rule is broken.
 */
export type AlarmKind = 'threshold' | 'unknown' | 'violated';

/** Consecutive steps at which a rule made the same decision, other than `allow`, for the same reason. Steps count from 0. */
export interface Alarm {
  readonly from: number;
  readonly to: number;
  readonly kind: AlarmKind;
  readonly reason: Reason;
  readonly decision: Decision;
}

/** All kinds, in the order of reporting. */
export const ALARM_KINDS = ['threshold', 'unknown', 'violated'] as const satisfies readonly AlarmKind[];

const FAULTS: Readonly<Record<Fault, true>> = {
  'predicate-failed': true,
  'forbidden-state': true,
  'forbidden-transition': true,
  'unknown-state': true,
  'irregular-time': true,
  'untried-action': true,
};

/** Whether nothing, or no more than bounds, is known of a risk: it rests on what steps may have been that nobody read, or the data have no entry for it. */
export function isRiskUnknown({
  inDoubt,
  lower,
  upper,
}: Pick<RuleStatus, 'inDoubt' | 'lower' | 'upper'>): boolean {
  return inDoubt || (lower === 0 && upper === 1);
}

/** The kind of an alarm of a rule with these levels. */
export function kindOf(status: RuleStatus, levels: readonly Level[]): AlarmKind {
  const { cause, lower } = status;
  if (cause === 'violated' || cause === 'after-violation') return 'violated';
  if (cause in FAULTS) return 'unknown';
  const isKnown =
    !isRiskUnknown(status) || (lower > 0 && levels.some(({ threshold }) => meetsThreshold(threshold, lower)));
  return cause === 'at-threshold' && !isKnown ? 'unknown' : 'threshold';
}

/** The alarms of one rule along one trace. */
export class AlarmList {
  readonly alarms: Alarm[] = [];
  /** The first step of each kind, or null. */
  readonly first: Record<AlarmKind, number | null> = { threshold: null, unknown: null, violated: null };

  /** Adds a step at which the rule did not allow. @returns whether an alarm begins there */
  add(step: number, decision: Decision, reason: Reason, kind: AlarmKind): boolean {
    this.first[kind] ??= step;
    const last = this.alarms.at(-1);
    if (last?.to === step - 1 && last.reason === reason && last.decision === decision && last.kind === kind) {
      this.alarms[this.alarms.length - 1] = { ...last, to: step };
      return false;
    }
    this.alarms.push({ from: step, to: step, kind, reason, decision });
    return true;
  }
}
