import type { Guard } from '../../runtime/guard/index.js';

/** Whether recorded traces behave as the data that the guard's model was learnt from. */
export interface DriftReplay {
  readonly falseAlarmRate: number;
  /** The evidence for a change after the last trace; there is an alarm where it ever reaches 1 / `falseAlarmRate`. */
  readonly evalue: number;
  /** Where it did first; steps count from 0. */
  readonly alarmAt: { readonly trace: string; readonly step: number } | null;
  /** In words. */
  readonly why: string;
}

/**
 * The test for drift, begun anew on recorded traces. Interventions are not carried out there, so that what follows one is read, too.
 * The guard's own test goes on afterwards where it was.
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

  /** A step of a trace was read. */
  note(trace: string, step: number): void {
    if (this.#alarmAt === null && this.#guard.drift?.alarm === true) this.#alarmAt = { trace, step };
  }

  /** Puts the guard's own test back; null where drift is not watched. */
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
