import type { Step } from '../../observations/trace/index.js';
import type { RuleStatus } from '../../runtime/guard/index.js';
import { type Alarm, type AlarmKind, AlarmList, kindOf } from './alarms.js';
import type { FollowedStep, Moment, Verdict } from './followTrace.js';
import { Peaks } from './tradeOff.js';

/** What a guard finds about one rule in one trace. Steps count from 0. */
export interface RuleReplay {
  /**
   * `open` where it is not known whether the trace keeps the rule: such a trace counts in no total but `open`, `alarms` and those of steps. Null where the rule is
   * not judged. Of a PCTL rule: whether what it bounds happened.
   */
  verdict: Verdict | null;
  /** Why the verdict is open: the trace was `cut` (`complete: false`) before the rule was decided, or steps that are `unread`, or missing in a gap in time, may have broken it. */
  whyOpen?: 'cut' | 'unread';
  /**
   * The first step whose prefix no continuation can repair; the number of steps where only the end of a complete trace breaks
   * the rule; null if nothing does. Of a PCTL rule: the first step at which what the rule bounds has happened, counted from any
   * step of the trace; after a complete trace the path goes on in `end`, where every predicate is false.
   */
  violatedAt: number | null;
  /** A step that was held, or missing and of which nothing is known, broke the rule: `violatedAt` is the number of the step before it, which a held one repeats. Absent where a recorded step did, or none. */
  violatedWhileHeld?: true;
  /** The first step at which the rule decides other than `allow`, for whatever reason. */
  firstIntervention: number | null;
  /** The same for each kind of reason. */
  first: Readonly<Record<AlarmKind, number | null>>;
  /** All of these steps; those between two alarms are allowed. */
  alarms: readonly Alarm[];
  /** Steps that could not be judged. `onUnknown` decides them; where that is `allow` they are no alarm. */
  unknown: number;
  /** The first of them. */
  firstUnknown: number | null;
  /**
   * Of a guard that decides on confidence bounds: which of the two upper bounds the risk was at the first intervention; null where there is
   * none.
   */
  decidedOn?: RuleStatus['decidedOn'] | null;
  /**
   * Why the rule is not judged on this trace, which then counts in none of its totals but `notJudged`: a predicate of it reads a field that
   * the recording does not tell. Nothing else here says anything then. Absent where it is judged.
   */
  notJudged?: string;
  /** The largest risk that was known, before `violatedAt`; null where none was. */
  maxRisk: number | null;
  /** On request: in words, what broke the rule; null where nothing did. PCTL rules, which have no verdict on a run, lack it. */
  whyViolated?: string | null;
  /** On request: in words, how the rule stood at the first intervention. */
  whyIntervened?: string | null;
}

/** One rule along one trace. */
export class RuleRecord {
  readonly list = new AlarmList();
  readonly peaks = new Peaks();
  /** Where the rule was broken; the end of a trace is its last step. */
  violation: Moment | null = null;
  violatedAt: number | null = null;
  /** Where the threshold was met first, and where a step was decided by `onUnknown` first. */
  readonly moments: Record<AlarmKind, Moment | null> = { threshold: null, unknown: null, violated: null };
  #decidedOn: RuleStatus['decidedOn'] | null = null;
  #unknown = 0;
  #firstUnknown: number | null = null;

  get firstIntervention(): number | null {
    return this.list.alarms[0]?.from ?? null;
  }

  /**
   * Takes in a step that the rule has decided on; `decision` and `reason` are the guard's where it decided by this rule. `violation`: where the rule is broken by now.
   * Where the step is a repetition the decision before stands, and nothing was read.
   *
   * @returns whether an alarm begins there
   */
  add(
    { index, position, repeated }: Pick<FollowedStep, 'index' | 'position' | 'repeated'>,
    { time = Number.NaN }: Step,
    status: RuleStatus,
    { decision, reason }: Pick<RuleStatus, 'decision' | 'reason'>,
    violation: Moment | null,
  ): boolean {
    const { cause, decidedOn, fault, risk } = status;
    const moment: Moment = { step: index, held: false, position, time };
    this.violation ??= violation;
    this.violatedAt ??= violation?.step ?? null;
    if (fault === null) {
      if (this.violation === null) this.peaks.add(risk, moment);
    } else if (!repeated) {
      this.#unknown++;
      this.#firstUnknown ??= index;
    }
    if (decision === 'allow') return false;
    this.#decidedOn ??= decidedOn;
    this.moments[kindOf(cause)] ??= moment;
    return this.list.add(index, decision, reason, cause);
  }

  /** Only the end of the trace, which has so many steps, breaks the rule: that is at the last step that counts. */
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
      ...(violation?.held && { violatedWhileHeld: true as const }),
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
