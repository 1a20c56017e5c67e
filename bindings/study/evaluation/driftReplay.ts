import type { Guard } from '../../runtime/guard/index.js';

/** The result of the drift test on recorded traces: whether they behave as the data of the guard's model. */
export interface DriftReplay {
  readonly falseAlarmRate: number;
  /** The e-value for a change after the last trace; the alarm is raised if it ever reaches 1 / `falseAlarmRate`. */
  readonly evalue: number;
  /** The place of the first alarm; steps count from 0. Null: no alarm. */
  readonly alarmAt: { readonly trace: string; readonly step: number } | null;
  /** The result in words. */
  readonly why: string;
}

/**
 * The drift test, restarted on recorded traces. Interventions are not carried out there, so the steps after one are read too. Afterwards
 * the guard's own test continues from its former state.
 */
export class DriftRecord {
  readonly #guard: Guard;
  readonly #saved: ReturnType<NonNullable<Guard['drift']>['save']> | null;
  readonly #obeyed: boolean;
  #alarmAt: DriftReplay['alarmAt'] = null;

  constructor(guard: Guard) {
    this.#guard = guard;
    this.#saved = guard.drift?.save() ?? null;
    this.#obeyed = guard.drift?.obeyed ?? true;
    if (guard.drift === null) return;
    guard.drift.restart();
    guard.drift.obeyed = false;
  }

  /** Notes that a step of a trace was read. */
  note(trace: string, step: number): void {
    if (this.#alarmAt === null && this.#guard.drift?.alarm === true) this.#alarmAt = { trace, step };
  }

  /** Restores the guard's own test; null if drift is not watched. */
  close(): DriftReplay | null {
    const { drift } = this.#guard;
    if (drift === null || this.#saved === null) return null;
    const { falseAlarmRate, evalue } = drift;
    const result = { falseAlarmRate, evalue, alarmAt: this.#alarmAt, why: this.#guard.explainDrift() };
    drift.obeyed = this.#obeyed;
    drift.restore(this.#saved);
    return result;
  }
}
