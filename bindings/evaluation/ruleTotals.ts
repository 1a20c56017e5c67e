import type { Unread } from '../abstraction/index.js';
import type { Fault, Level } from '../guard/index.js';
import type { Trace } from '../trace/index.js';
import { ALARM_KINDS, type AlarmKind } from './alarms.js';
import type { RuleReplay } from './ruleReplay.js';
import { type Peaks, type RunPeaks, type TradeOffRow, tradeOff } from './tradeOff.js';

/** Totals of one rule. `unknown` counts steps, the others traces; all but `notJudged` are of the traces on which it is judged. */
export interface RuleTotals {
  /** Always the sum of `predicted`, `missed` and `onUnknownOnly.violated`. */
  violations: number;
  /** Violated, and the threshold was met before. */
  predicted: number;
  /** Violated, and nothing came before. */
  missed: number;
  /** Not violated, yet the threshold was met. */
  falseAlarms: number;
  /** Where `onUnknown` intervened alone: before a violation, whose threshold was not met before, and in traces that kept the rule. */
  onUnknownOnly: { violated: number; kept: number };
  /** Traces on which the rule is not judged, since a predicate of it reads a field that the recording does not tell. */
  notJudged: number;
  /** Traces with an alarm of each kind, wherever in them. */
  alarms: Record<AlarmKind, number>;
  /** Steps that could not be judged. */
  unknown: number;
  /** The same by what was wrong. */
  unknownBy: Partial<Record<Fault, number>>;
  /** Mean over `predicted` of the steps from where the threshold was met first to the violation; null if there are none. */
  meanStepsAhead: number | null;
  /** The same in seconds; null also where one of those steps has no time. The end of a trace has its last step's time. */
  meanSecondsAhead: number | null;
  /** The same for other thresholds; null under a budget, where more than a threshold decides. */
  tradeOff: readonly TradeOffRow[] | null;
}

/** Adds up the replays of one rule. */
export class Totals {
  readonly #runs: RunPeaks[] = [];
  readonly #alarms: Record<AlarmKind, number> = { threshold: 0, unknown: 0, violated: 0 };
  readonly #unknownBy: Partial<Record<Fault, number>> = {};
  readonly #onUnknownOnly = { violated: 0, kept: 0 };
  #notJudged = 0;
  #violations = 0;
  #predicted = 0;
  #falseAlarms = 0;
  #unknown = 0;
  #stepsAhead = 0;
  #secondsAhead = 0;

  /** Takes in a step that could not be judged. */
  addUnknown(fault: Fault): void {
    this.#unknown++;
    this.#unknownBy[fault] = (this.#unknownBy[fault] ?? 0) + 1;
  }

  /** Leaves out a trace on which the rule is not judged, for lack of a field. */
  leaveOut({ field, reason }: Pick<Unread, 'field' | 'reason'>): RuleReplay {
    this.#notJudged++;
    return {
      violatedAt: null,
      firstIntervention: null,
      first: { threshold: null, unknown: null, violated: null },
      alarms: [],
      unknown: 0,
      firstUnknown: null,
      maxRisk: null,
      notJudged: `reads ${field}, which is not recorded (${reason})`,
    };
  }

  add({ violatedAt, first }: RuleReplay, { peaks }: Peaks, { steps }: Trace): void {
    const isBefore = (step: number | null): step is number =>
      step !== null && (violatedAt === null || step < violatedAt);
    const violationTime =
      violatedAt === null ? Number.NaN : (steps[Math.min(violatedAt, steps.length - 1)]?.time ?? Number.NaN);
    const unknownAlarm = isBefore(first.unknown);
    this.#runs.push({ peaks, violatedAt, violationTime, unknownAlarm });
    for (const kind of ALARM_KINDS) if (first[kind] !== null) this.#alarms[kind]++;
    const met = isBefore(first.threshold) ? first.threshold : null;
    if (violatedAt === null) {
      if (met !== null) this.#falseAlarms++;
      else if (unknownAlarm) this.#onUnknownOnly.kept++;
      return;
    }
    this.#violations++;
    if (met === null) {
      if (unknownAlarm) this.#onUnknownOnly.violated++;
      return;
    }
    this.#predicted++;
    this.#stepsAhead += violatedAt - met;
    this.#secondsAhead += violationTime - (steps[met].time ?? Number.NaN);
  }

  /** @param thresholds to try beside those of `levels`; null where these are not all that decides */
  result(levels: readonly Level[], thresholds: readonly number[] | null): RuleTotals {
    const predicted = this.#predicted;
    const timed = predicted > 0 && !Number.isNaN(this.#secondsAhead);
    return {
      violations: this.#violations,
      predicted,
      missed: this.#violations - predicted - this.#onUnknownOnly.violated,
      falseAlarms: this.#falseAlarms,
      onUnknownOnly: { ...this.#onUnknownOnly },
      notJudged: this.#notJudged,
      alarms: { ...this.#alarms },
      unknown: this.#unknown,
      unknownBy: { ...this.#unknownBy },
      meanStepsAhead: predicted > 0 ? this.#stepsAhead / predicted : null,
      meanSecondsAhead: timed ? this.#secondsAhead / predicted : null,
      tradeOff: thresholds === null ? null : tradeOff(this.#runs, levels, thresholds),
    };
  }
}
