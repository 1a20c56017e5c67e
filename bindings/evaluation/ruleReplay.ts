import type { RuleStatus } from '../guard/index.js';
import type { Step } from '../trace/index.js';
import { type Alarm, type AlarmKind, AlarmList } from './alarms.js';
import { Peaks } from './tradeOff.js';

/** What a guard finds about one rule in one trace. Steps count from 0. */
export interface RuleReplay {
  /**
   * The first step whose prefix no continuation can repair; the number of steps where only the end of a complete trace breaks
   * the rule; null if nothing does. Of a PCTL rule: the first step at which what the rule bounds has happened, counted from any
   * step of the trace; after a complete trace the path goes on in `end`, where every predicate is false.
   */
  violatedAt: number | null;
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
  decidedOn?: 'upper' | 'confidenceUpper' | null;
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
  violatedAt: number | null = null;
  #decidedOn: 'upper' | 'confidenceUpper' | null = null;
  #unknown = 0;
  #firstUnknown: number | null = null;

  get firstIntervention(): number | null {
    return this.list.alarms[0]?.from ?? null;
  }

  /**
   * Takes in a step that the rule has decided on; `decision` and `reason` are the guard's where it decided by this rule. `repeated`: the decision before stands, and
   * nothing was read.
   *
   * @returns whether an alarm begins there
   */
  add(
    index: number,
    { time }: Step,
    status: RuleStatus,
    { decision, reason }: Pick<RuleStatus, 'decision' | 'reason'>,
    violated: boolean,
    repeated: boolean,
  ): boolean {
    const { cause, decidedOn, fault, risk } = status;
    if (violated) this.violatedAt ??= index;
    if (fault === null) {
      if (this.violatedAt === null) this.peaks.add(risk, index, time);
    } else if (!repeated) {
      this.#unknown++;
      this.#firstUnknown ??= index;
    }
    if (decision === 'allow') return false;
    this.#decidedOn ??= decidedOn;
    return this.list.add(index, decision, reason, cause);
  }

  /** @param onConfidence whether the guard decides on confidence bounds */
  result(onConfidence: boolean): RuleReplay {
    const { list, violatedAt, firstIntervention } = this;
    return {
      violatedAt,
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
