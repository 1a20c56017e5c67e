import type { Observer } from './observer.js';
import type { LostSteps, ReadAction, Readings, RecordedStep, Withheld } from './recordedStep.js';
import type { StepClock } from './stepClock.js';

const NONE: readonly never[] = [];

/** What the decision at hand is on, beside the observation. The two are all that it depends on, but for the decisions before. */
export class Query {
  call: RecordedStep['call'] = 'step';
  /** How often the observation before is read once more, for steps that are missing. */
  held = 0;
  /** Steps that are missing before it, of which nothing is known. */
  lost: LostSteps = 0;
  /** What the step before reads without its action, which did not run, where its time has passed. */
  stood: Readings | null = null;
  /** Doing nothing is decided on. */
  idle = false;
  /** Read only where the guard knows actions, as are those of `pending`. */
  action: ReadAction = null;
  pending: readonly ReadAction[] = NONE;
  /** What was read with each pending action in place of the proposed one, where predicates read it. */
  earlier: readonly Readings[] = NONE;
  /** What was read of the proposal, where the observation has been put back to what it was before. */
  now: Readings | null = null;
  /** What was let through before the last decision, and did not run; and what by then does not. */
  #withheld: Withheld = null;
  #withholds: Withheld = null;

  reset(): void {
    this.#withholds = null;
  }

  /** Nothing is missing before the decision at hand; `Decider.isDue` says otherwise where it is a step. */
  clear(): void {
    this.held = 0;
    this.lost = 0;
    this.stood = null;
  }

  begin(call: RecordedStep['call'], idle = false): void {
    this.call = call;
    this.idle = idle;
    this.action = null;
    this.pending = NONE;
    this.earlier = NONE;
    this.now = null;
    this.#withheld = this.#withholds;
    this.#withholds = null;
  }

  withhold(what: 'last' | 'all'): void {
    if (this.#withholds !== 'all') this.#withholds = what;
  }

  /** Whether the step read last was of an action that has not run, and of no other that has or may. */
  get isUndone(): boolean {
    if (this.stood !== null) return false;
    return this.#withholds === 'all' || (this.#withholds === 'last' && this.earlier.length === 0);
  }

  /** Somebody acts on the decision: it is not on what is done already, nor on what a person has decided. */
  get counts(): boolean {
    return this.call !== 'observe' && this.call !== 'approve';
  }

  /** Nothing was proposed: the decision is on the state. */
  get isOfState(): boolean {
    return this.action === null && (this.call === 'step' || this.call === 'observe') && !this.idle;
  }

  /** As plain data, with what was read of the observation. */
  observed(observer: Observer, clock: StepClock): RecordedStep {
    const { call, held, lost, stood, idle, action, pending, earlier } = this;
    const readings = this.now ?? observer.readings();
    const time = clock.wasAsked && { time: clock.time };
    const before = { ...time, held, ...(lost !== 0 && { lost }), ...(stood !== null && { stood }) };
    return { call, ...readings, ...before, idle, action, pending, earlier, withheld: this.#withheld };
  }

  /** Begins to ask once more what was asked then. */
  recall({ call, held, lost = 0, stood, idle, action, pending, earlier }: RecordedStep): void {
    this.begin(call, idle);
    this.held = held;
    this.lost = lost;
    this.stood = stood ?? null;
    this.action = action;
    this.pending = pending;
    this.earlier = earlier;
  }
}
