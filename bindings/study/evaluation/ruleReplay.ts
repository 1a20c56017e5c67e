import type { Step } from '../../observations/trace/index.js';
import type { RuleStatus } from '../../runtime/guard/index.js';
import { type Alarm, type AlarmKind, AlarmList, isRiskUnknown } from './alarms.js';
import type { FollowedStep, Moment, Verdict } from './followTrace.js';
import { Peaks } from './tradeOff.js';

/** The findings of a guard on one rule in one trace. Steps count from 0. */
export interface RuleReplay {
  /**
   * `open` if it is unknown whether the trace keeps the rule: such a trace counts in no total except `open`, `alarms` and those of steps.
   * Null if the rule is not judged. For a PCTL rule: whether its bounded event occurred.
   */
  verdict: Verdict | null;
  /**
   * Why the verdict is open: the trace was `cut` (`complete: false`) before the rule was decided, or steps that are `unread`, or missing in
   * a gap in time, may have broken it.
   */
  whyOpen?: 'cut' | 'unread';
  /**
   * The first step whose prefix no continuation can repair; the number of steps if only the end of a complete trace breaks the rule; null
   * if nothing does. For a PCTL rule: the first step at which the bounded event has occurred, counted from any step of the trace; after a
   * complete trace the path continues in `end`, where every predicate is false.
   */
  violatedAt: number | null;
  /**
   * Present if a held step broke the rule: `violatedAt` is then the number of the step before it, which it repeats. Absent if a recorded step
   * broke the rule, or none did.
   */
  violatedWhileHeld?: true;
  /** Likewise for a step that is missing in a gap in time and that nothing held: whatever it was, it broke the rule, and `violatedAt` is the number of the step before it. */
  violatedWhileMissing?: true;
  /** The first step at which the rule decides other than `allow`, for any reason. */
  firstIntervention: number | null;
  /** The first intervention for each kind of reason. */
  first: Readonly<Record<AlarmKind, number | null>>;
  /** All alarms; steps between two alarms are allowed. */
  alarms: readonly Alarm[];
  /** Steps that could not be judged. `onUnknown` decides them; if it is `allow`, they are not alarms. */
  unknown: number;
  /** The first unknown step. */
  firstUnknown: number | null;
  /**
   * For a guard that decides on confidence bounds: which of the two upper bounds was the risk at the first intervention; null if there is
   * none.
   */
  decidedOn?: RuleStatus['decidedOn'] | null;
  /**
   * Why the rule is not judged on this trace, which then counts in no total except `notJudged`: one of its predicates reads a field that
   * the recording lacks. All other properties are then meaningless. Absent if the rule is judged.
   */
  notJudged?: string;
  /** The largest known risk before `violatedAt`; null if no risk was known. */
  maxRisk: number | null;
  /** On request: an explanation of the violation; null if there is none. PCTL rules, which have no verdict on a run, lack it. */
  whyViolated?: string | null;
  /** On request: an explanation of the rule's state at the first intervention. */
  whyIntervened?: string | null;
}

/** One rule along one trace. */
export class RuleRecord {
  readonly list = new AlarmList();
  /** The greatest known risks: of a risk that is not known, the least that it may be. */
  readonly peaks = new Peaks();
  /** The greatest risks that a guard compares: of a risk that is not known, the greatest that it may be. */
  readonly compared = new Peaks();
  /** The moment of the violation; for a violation by the trace's end, its last step. */
  violation: Moment | null = null;
  violatedAt: number | null = null;
  /** The first moments of a threshold met, and of a decision by `onUnknown`. */
  readonly moments: Record<AlarmKind, Moment | null> = { threshold: null, unknown: null, violated: null };
  #decidedOn: RuleStatus['decidedOn'] | null = null;
  #unknown = 0;
  #firstUnknown: number | null = null;

  get firstIntervention(): number | null {
    return this.list.alarms[0]?.from ?? null;
  }

  /**
   * Adds a step with the rule's decision; `decision` and `reason` are the guard's if this rule decided. `violation`: the moment of the
   * violation so far. If the step is a repetition, the previous decision stands, and nothing was read.
   *
   * @returns whether an alarm begins there
   */
  add(
    { index, position, repeated }: Pick<FollowedStep, 'index' | 'position' | 'repeated'>,
    { time = Number.NaN }: Step,
    status: RuleStatus,
    { decision, reason, kind }: Pick<RuleStatus, 'decision' | 'reason'> & { readonly kind: AlarmKind },
    violation: Moment | null,
  ): boolean {
    const { decidedOn, fault, risk } = status;
    const moment: Moment = { step: index, held: false, position, time };
    this.violation ??= violation;
    this.violatedAt ??= violation?.step ?? null;
    if (fault === null) {
      if (this.violation === null) {
        this.peaks.add(isRiskUnknown(status) ? knownPart(status) : risk, moment);
        this.compared.add(risk, moment);
      }
    } else if (!repeated) {
      this.#unknown++;
      this.#firstUnknown ??= index;
    }
    if (decision === 'allow') return false;
    this.#decidedOn ??= decidedOn;
    this.moments[kind] ??= moment;
    return this.list.add(index, decision, reason, kind);
  }

  /** Records that only the end of the trace, after `steps` steps, breaks the rule; the violation is at the last step that counts. */
  breakAtEnd(steps: number, last: Moment | null): void {
    this.violation = last ?? { step: 0, held: false, position: 0, time: Number.NaN };
    this.violatedAt = steps;
  }

  /**
   * @param verdict on the whole trace, and whether that is complete
   * @param onConfidence whether the guard decides on confidence bounds
   */
  result(verdict: Verdict, complete: boolean, onConfidence: boolean): RuleReplay {
    const { list, violatedAt, violation, firstIntervention } = this;
    return {
      verdict,
      ...(verdict === 'open' && { whyOpen: complete ? ('unread' as const) : ('cut' as const) }),
      violatedAt,
      ...(violation?.held &&
        (violation.unknown === true
          ? { violatedWhileMissing: true as const }
          : { violatedWhileHeld: true as const })),
      firstIntervention,
      first: list.first,
      alarms: list.alarms,
      unknown: this.#unknown,
      firstUnknown: this.#firstUnknown,
      ...(onConfidence && { decidedOn: this.#decidedOn }),
      maxRisk: this.peaks.largest,
    };
  }
}

/** What is known of a risk that is not: the least that it may be; NaN if that is nothing. */
function knownPart({ lower }: RuleStatus): number {
  return lower === 0 ? Number.NaN : lower;
}
