import { type ReadAction, type RecordedStep, severity } from '../guard/index.js';
import type { DecisionRecord, OutcomeRecord } from './record.js';
import { IDLE } from './toolCall.js';

/** Stands for what a guard has read of a call of a safe tool: other calls are judged as if it were not there. */
export const SAFE_CALL: unique symbol = Symbol('a call of a safe tool');

/** What a guard has read of a call that was let run. */
export type LetAction = ReadAction | typeof SAFE_CALL;

/**
 * Whether a recorded decision let its call run, or another in its place. Doing nothing runs nothing; its replacement does.
 * @param shadow whether the deciding session was in shadow mode, and recorded `report` in place of its decision
 */
export function startsCall(record: DecisionRecord, shadow: boolean): boolean {
  return isLet(record, shadow) && (!isIdle(record) || record.decision === 'replace');
}

/** Whether a recorded decision let its call pass, or another in its place. @param shadow as for `startsCall` */
export function isLet({ decision, wouldDecide }: DecisionRecord, shadow: boolean): boolean {
  const decided = shadow ? wouldDecide : decision;
  return shadow || severity[decided] <= severity.report || decided === 'replace';
}

/** Whether the decision is on doing nothing. */
export function isIdle({ observed, call }: DecisionRecord): boolean {
  return observed === null ? call.id === IDLE.id && call.name === IDLE.name : observed.idle === true;
}

/** What each guard has read of the call that a decision let run: the one proposed, or its replacement. */
export function actionsOf(record: DecisionRecord, guards: number): LetAction[] {
  const { decision, replacement, beside = [] } = record;
  const instead = [replacement, ...beside.map((one) => one.replacement)];
  return actionsIn(decision === 'replace' ? instead : readingsOf(record), guards);
}

/** What each guard has read of a call that a person approved. @param record the decision that asked */
export function approvedActions(
  { observed, beside = [] }: OutcomeRecord,
  record: DecisionRecord,
  guards: number,
): LetAction[] {
  return actionsIn(observed === undefined ? readingsOf(record) : [observed, ...beside], guards);
}

/** The guards' readings of the proposed call. */
function readingsOf({ observed, beside = [] }: DecisionRecord): (RecordedStep | null)[] {
  return [observed, ...beside.map((one) => one.observed)];
}

/** The action of each recorded reading. One that the records lack, or that cannot be read there, may be any. */
function actionsIn(readings: readonly (RecordedStep | null | undefined)[], guards: number): LetAction[] {
  return Array.from({ length: guards }, (_, i) => {
    if (readings[i]?.safe === true) return SAFE_CALL;
    const action: unknown = readings[i]?.action;
    return typeof action === 'string' ? action : { failed: '?' };
  });
}

/** The readings among them beside which other calls are judged. */
export function readOf(actions: readonly (LetAction | undefined)[]): ReadAction[] {
  return actions.filter((action) => action !== undefined && action !== SAFE_CALL);
}

/** The calls of a run that were let through and have no outcome yet, as its records tell; and those among them that were running when it was interrupted. */
export class RunningCalls {
  readonly #guards: number;
  readonly #shadow: boolean;
  /** By number of the decision: what each guard has read. */
  readonly #running = new Map<number, readonly LetAction[]>();
  readonly #unsettled = new Map<number, readonly LetAction[]>();
  /** Decisions that may still be approved. */
  readonly #asked = new Map<number, DecisionRecord>();

  /** @param guards number of the run's guards */
  constructor(guards: number, shadow: boolean) {
    this.#guards = guards;
    this.#shadow = shadow;
  }

  decided(record: DecisionRecord): void {
    if (startsCall(record, this.#shadow)) this.#running.set(record.number, actionsOf(record, this.#guards));
    else if (record.decision === 'inspect' && !isIdle(record)) this.#asked.set(record.number, record);
  }

  came(record: OutcomeRecord): void {
    const { number, outcome } = record;
    const asked = this.#asked.get(number);
    this.#asked.delete(number);
    if (outcome === 'approved') {
      if (asked) this.#running.set(number, approvedActions(record, asked, this.#guards));
    } else {
      this.#running.delete(number);
      this.#unsettled.delete(number);
    }
  }

  /** The run was interrupted. Returns the numbers of the decisions on calls that have no outcome, in the order in which they were let through. */
  cut(): readonly number[] {
    for (const [number, actions] of this.#running) this.#unsettled.set(number, actions);
    this.#running.clear();
    return [...this.#unsettled.keys()];
  }

  /** What a guard has read of the calls that were running at an interruption and are not settled. @param guard its place */
  unsettled(guard: number): readonly ReadAction[] {
    return readOf([...this.#unsettled.values()].map((actions) => actions[guard]));
  }
}
