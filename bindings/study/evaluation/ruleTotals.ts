import type { Unread } from '../../observations/abstraction/index.js';
import type { Fault, Level } from '../../runtime/guard/index.js';
import { ALARM_KINDS, type AlarmKind } from './alarms.js';
import type { RuleRecord, RuleReplay } from './ruleReplay.js';
import { type RunPeaks, type TradeOffRow, tradeOff } from './tradeOff.js';

/**
 * Totals of one rule. `unknown` counts steps, the others count traces. All but `notJudged` cover the traces on which the rule is judged;
 * those that evaluate alarms (`predicted`, `missed`, `falseAlarms`, `onUnknownOnly`, `tradeOff`) cover the traces whose verdict is known.
 */
export interface RuleTotals {
  /** Traces that certainly keep the rule. */
  kept: number;
  /**
   * Traces with an open verdict: they were cut before the rule was decided, or steps that could not be read, or are missing in a gap in
   * time, may have broken it.
   */
  open: number;
  /** Always the sum of `predicted`, `missed` and `onUnknownOnly.violated`. */
  violations: number;
  /** Violated traces in which the threshold was met before the violation. */
  predicted: number;
  /** Violated traces without an intervention before the violation. */
  missed: number;
  /** Traces that keep the rule, but met the threshold. */
  falseAlarms: number;
  /**
   * Traces in which the guard intervened without a known risk that met the threshold: before a violation, and in traces that keep the rule. `onUnknown` decided, or
   * steps that nobody read may have been such that the threshold was met.
   */
  onUnknownOnly: { violated: number; kept: number };
  /** Traces on which the rule is not judged, because one of its predicates reads a field that the recording lacks. */
  notJudged: number;
  /** Traces with an alarm of each kind, anywhere in them. */
  alarms: Record<AlarmKind, number>;
  /** Steps that could not be judged. */
  unknown: number;
  /** The same by fault. */
  unknownBy: Partial<Record<Fault, number>>;
  /**
   * Mean number of steps from the first threshold met to the violation, over `predicted`; null if there are none. Steps are counted as the
   * rule reads them: held steps count, steps left out do not. If only the end of a trace breaks the rule, the violation is at its last
   * step.
   */
  meanStepsAhead: number | null;
  /** The same in seconds; null also if one of those steps has no time. A held step has its due time. */
  meanSecondsAhead: number | null;
  /** The same for other thresholds; null under a budget, which decides by more than a threshold. */
  tradeOff: readonly TradeOffRow[] | null;
}

/** Adds up the replays of one rule. */
export class Totals {
  readonly #runs: RunPeaks[] = [];
  readonly #alarms: Record<AlarmKind, number> = { threshold: 0, unknown: 0, violated: 0 };
  readonly #unknownBy: Partial<Record<Fault, number>> = {};
  readonly #onUnknownOnly = { violated: 0, kept: 0 };
  #notJudged = 0;
  #kept = 0;
  #open = 0;
  #violations = 0;
  #predicted = 0;
  #falseAlarms = 0;
  #unknown = 0;
  #stepsAhead = 0;
  #secondsAhead = 0;

  /** Adds a step that could not be judged. */
  addUnknown(fault: Fault): void {
    this.#unknown++;
    this.#unknownBy[fault] = (this.#unknownBy[fault] ?? 0) + 1;
  }

  /** Leaves out a trace on which the rule is not judged, for lack of a field. */
  leaveOut({ field, reason }: Pick<Unread, 'field' | 'reason'>): RuleReplay {
    this.#notJudged++;
    return {
      verdict: null,
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

  /** Adds the findings of a trace. */
  add({ verdict, violatedAt, first }: RuleReplay, record: RuleRecord): void {
    for (const kind of ALARM_KINDS) if (first[kind] !== null) this.#alarms[kind]++;
    if (verdict === 'open') {
      this.#open++;
      return;
    }
    const { violation, peaks, compared, moments } = record;
    const isBefore = (step: number | null): boolean =>
      step !== null &&
      (violatedAt === null || step < violatedAt || (violation?.held === true && step === violatedAt));
    const unknownAlarm = isBefore(first.unknown);
    const met = isBefore(first.threshold) ? moments.threshold : null;
    this.#runs.push({ peaks: peaks.peaks, compared: compared.peaks, violation, unknownAlarm });
    if (violation === null) {
      this.#kept++;
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
    this.#stepsAhead += violation.position - met.position;
    this.#secondsAhead += violation.time - met.time;
  }

  /** @param thresholds to try beside those of `levels`; null if the threshold alone does not decide */
  result(levels: readonly Level[], thresholds: readonly number[] | null): RuleTotals {
    const predicted = this.#predicted;
    const timed = predicted > 0 && !Number.isNaN(this.#secondsAhead);
    return {
      kept: this.#kept,
      open: this.#open,
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
