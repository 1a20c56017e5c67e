import type { Decision, Reason } from '../../runtime/guard/index.js';
import type { AlarmKind } from './alarms.js';

/** The reason for interventions in words, and all alarms that it applies to. */
export interface AlarmCause {
  readonly rule: string;
  readonly kind: AlarmKind;
  readonly reason: Reason;
  readonly decision: Decision;
  /** The text of `Guard.explain` at the start of an alarm, without the number of the step. */
  readonly text: string;
  /** Number of alarms with this cause. */
  readonly alarms: number;
  /** The runs with such alarms, each with the steps, from 0, at which they begin. */
  readonly runs: readonly { readonly trace: string; readonly steps: readonly number[] }[];
}

/** Collects the causes of alarms, each once. */
export class AlarmCauses {
  readonly #causes = new Map<
    string,
    Omit<AlarmCause, 'alarms'> & { runs: { trace: string; steps: number[] }[] }
  >();
  /** Number of the current run, because ids of traces need not be unique. */
  #run = 0;
  readonly #lastRun = new Map<string, number>();

  /** Begins another run. */
  begin(): void {
    this.#run++;
  }

  add(
    cause: Pick<AlarmCause, 'rule' | 'kind' | 'reason' | 'decision' | 'text'>,
    trace: string,
    step: number,
  ): void {
    const key = `${cause.rule}\n${cause.kind}\n${cause.text}`;
    let known = this.#causes.get(key);
    if (known === undefined) {
      known = { ...cause, runs: [] };
      this.#causes.set(key, known);
    }
    if (this.#lastRun.get(key) !== this.#run) known.runs.push({ trace, steps: [] });
    this.#lastRun.set(key, this.#run);
    known.runs[known.runs.length - 1].steps.push(step);
  }

  /** The causes, those with the most runs first. */
  all(): AlarmCause[] {
    return [...this.#causes.values()]
      .map((cause) => ({ ...cause, alarms: cause.runs.reduce((sum, { steps }) => sum + steps.length, 0) }))
      .sort((a, b) => b.runs.length - a.runs.length || b.alarms - a.alarms);
  }
}
