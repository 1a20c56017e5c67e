import type { Decision, Reason } from '../../runtime/guard/index.js';
import type { AlarmKind } from './alarms.js';

/** Why a guard intervened, in words, and everywhere that these words hold. */
export interface AlarmCause {
  readonly rule: string;
  readonly kind: AlarmKind;
  readonly reason: Reason;
  readonly decision: Decision;
  /** What `Guard.explain` says where an alarm begins, without the number of the step. */
  readonly text: string;
  /** How many alarms it is the cause of. */
  readonly alarms: number;
  /** The runs that it holds for, each with the steps, from 0, at which such an alarm begins. */
  readonly runs: readonly { readonly trace: string; readonly steps: readonly number[] }[];
}

/** Gathers the causes of alarms, each once. */
export class AlarmCauses {
  readonly #causes = new Map<
    string,
    Omit<AlarmCause, 'alarms'> & { runs: { trace: string; steps: number[] }[] }
  >();
  /** Number of the run at hand, since ids of traces need not differ. */
  #run = 0;
  readonly #lastRun = new Map<string, number>();

  /** Another run begins. */
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

  /** Those that hold for the most runs first. */
  all(): AlarmCause[] {
    return [...this.#causes.values()]
      .map((cause) => ({ ...cause, alarms: cause.runs.reduce((sum, { steps }) => sum + steps.length, 0) }))
      .sort((a, b) => b.runs.length - a.runs.length || b.alarms - a.alarms);
  }
}
