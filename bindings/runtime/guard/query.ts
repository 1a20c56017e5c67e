import type { Observer } from './observer.js';
import type { LostSteps, ReadAction, Readings, RecordedStep, Withheld } from './recordedStep.js';
import type { StepClock } from './stepClock.js';

const NONE: readonly never[] = [];

/** The question of the current decision, beside the observation. Question, observation and earlier decisions are all that a decision depends on. */
export class Query {
  call: RecordedStep['call'] = 'step';
  /** Number of times that the previous observation is read again, for missing steps. */
  held = 0;
  /** Missing steps before it, of which nothing is known. */
  lost: LostSteps = 0;
  /** The reading of the previous step without its action, which did not run although its time has passed. */
  stood: Readings | null = null;
  /** The rules of which the decision on that step said that they are broken, by number. */
  told: readonly number[] = NONE;
  /** Whether the last step is one that the caller counts, without a sampling period: it remains one although its action does not run. */
  ticked = false;
  /** Whether doing nothing is decided on. */
  idle = false;
  /** Read only if the guard knows actions, as are those of `pending`. */
  action: ReadAction = null;
  /** Whether the action is a call of a safe tool. */
  safe = false;
  /** Whether another action of the same turn was refused before. */
  sibling = false;
  #siblingNext = false;
  pending: readonly ReadAction[] = NONE;
  /** The readings with each pending action in place of the proposed one, if predicates read the action. */
  earlier: readonly Readings[] = NONE;
  /** For each of these, the rules whose violation by it a person has excused; empty if there are none. */
  excused: readonly (readonly string[])[] = NONE;
  /** The reading of the proposal, if the observation has been reset to its earlier value. */
  now: Readings | null = null;
  /** The actions taken back before the current decision; and those taken back since. */
  #withheld: Withheld = null;
  #withholds: Withheld = null;

  reset(): void {
    this.#withholds = null;
    this.ticked = false;
  }

  /** Assumes that nothing is missing before the current decision; `Decider.isDue` corrects this for a step. */
  clear(): void {
    this.held = 0;
    this.lost = 0;
    this.stood = null;
    this.told = NONE;
  }

  begin(call: RecordedStep['call'], idle = false): void {
    this.call = call;
    this.idle = idle;
    this.action = null;
    this.safe = false;
    this.sibling = this.#siblingNext;
    this.#siblingNext = false;
    this.pending = NONE;
    this.earlier = NONE;
    this.excused = NONE;
    this.now = null;
    this.#withheld = this.#withholds;
    this.#withholds = null;
  }

  /** Of the action that is decided on next. */
  isSibling(sibling: boolean): void {
    this.#siblingNext = sibling;
  }

  withhold(what: 'last' | 'all'): void {
    if (this.#withholds !== 'all') this.#withholds = what;
  }

  /** Whether the step read last belongs to an action that has not run, and to no other that has or may have run. */
  get isUndone(): boolean {
    if (this.stood !== null) return false;
    return this.#withholds === 'all' || (this.#withholds === 'last' && this.earlier.length === 0);
  }

  /** Whether the decision is acted on: it concerns neither an action already done, nor one that a person has decided on. */
  get counts(): boolean {
    return this.call !== 'observe' && this.call !== 'approve';
  }

  /** Whether nothing was proposed: the decision is on the state. */
  get isOfState(): boolean {
    return this.action === null && (this.call === 'step' || this.call === 'observe') && !this.idle;
  }

  /** The question as plain data, with the readings of the observation. */
  observed(observer: Observer, clock: StepClock | null): RecordedStep {
    const { call, held, lost, stood, told, ticked, idle, action, safe, sibling, pending, earlier, excused } =
      this;
    const readings = this.now ?? observer.readings();
    const time = clock?.wasAsked && { time: clock.time };
    const heldAs = held > 0 ? observer.heldReadings() : undefined;
    const before = {
      ...time,
      held,
      ...(heldAs && { heldAs }),
      ...(ticked && { ticked: true as const }),
      ...(lost !== 0 && { lost }),
      ...(stood !== null && { stood }),
      ...(stood !== null && told.length > 0 && { told }),
    };
    const marks = { ...(safe && { safe: true as const }), ...(sibling && { sibling: true as const }) };
    const asked = { idle, action, ...marks, pending, earlier, ...(excused.length > 0 && { excused }) };
    return { call, ...readings, ...before, ...asked, withheld: this.#withheld };
  }

  /** Asks a recorded question again. */
  recall(recorded: RecordedStep): void {
    const { call, held, lost = 0, stood, told, idle, action, safe, sibling, pending, earlier } = recorded;
    this.begin(call, idle);
    this.held = held;
    this.lost = lost;
    this.ticked = recorded.ticked === true;
    this.stood = stood ?? null;
    this.told = told ?? NONE;
    this.action = action;
    this.safe = safe === true;
    this.sibling = sibling === true;
    this.pending = pending;
    this.earlier = earlier;
    this.excused = recorded.excused ?? NONE;
  }
}
