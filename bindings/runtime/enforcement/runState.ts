import type { Guard, GuardProposal, ProposalOptions, RecordedStep } from '../guard/index.js';
import { EarlyCalls } from './earlyCalls.js';
import { type LetAction, readOf } from './runningCalls.js';
import { IDLE, type ToolCall } from './toolCall.js';
import type { Verdict } from './verdict.js';
import type { Clock, State, World } from './world.js';

/** A permitted call that has not come back. */
interface PendingCall {
  /** Number of the decision that permitted it. */
  readonly number: number;
  readonly call: ToolCall;
  /** Its abstraction, if only the records of the run have the call: they may hide its arguments. */
  readonly recorded?: LetAction;
  /** The rules whose violation by it a person has excused: wherever it is read again, it is excused again. */
  readonly excused: readonly string[];
  /** The step in which it was done is over, because the time of another has come. Calls with this flag were permitted before those without it. */
  isRead: boolean;
}

/** A call that was running when the run was interrupted, and has no outcome: it may have taken effect, may still do so, or never. */
export interface UnsettledCall {
  /** Number of the decision that permitted it. */
  readonly number: number;
  /** The call's id and tool, as it was proposed: another may have run in its place. */
  readonly id: string;
  readonly name: string;
}

/** The world in which a call is decided, and the time. */
export interface Seen {
  readonly state: State;
  readonly clock: Clock;
}

/**
 * The situation after a call was given up: it was not running; nothing has run since the last observation of the world; others are running; or others are
 * running, and the guard has read the current step as that of the call given up.
 */
export type Withdrawal = 'not-running' | 'nothing-ran' | 'beside-others' | 'read-beside-others';

/** The state of a run: the last observation of the world, the guard that has read it, and the calls that are still running. */
export class RunState {
  readonly guard: Guard;
  readonly #world: World;
  readonly #earlyCalls: EarlyCalls;
  #pending: PendingCall[] = [];
  /** Calls that were running when the run was interrupted: they may have taken effect, may still do so, or never. */
  #unsettled: PendingCall[] = [];
  /** Calls given up since the last observation of the world: giving them up may depend on the effects of other calls. */
  #givenUp: PendingCall[] = [];
  /** As `PendingCall.excused`, also of a call that has come back and is read once more. */
  readonly #excused = new WeakMap<ToolCall, readonly string[]>();
  #state: State = {};
  /** The guard's last step may still be given another action: nothing has come back since. */
  #isOpen = false;
  /** The run was interrupted while calls were running, which may have run since the last observation of the world. Only guards of chains look at this. */
  #wasCut = false;
  /** Number of calls that have come back. */
  #returned = 0;
  /** Number of calls that were permitted, whatever became of them. */
  #letThrough = 0;

  constructor(guard: Guard, world: World) {
    this.guard = guard;
    this.#world = world;
    this.#earlyCalls = new EarlyCalls(guard);
  }

  /** The last observation of the world. */
  get state(): State {
    return this.#state;
  }

  /** Number of running calls. */
  get pending(): number {
    return this.#pending.length;
  }

  /** Calls that were running when the run was interrupted, and have no outcome, in the order of decision. */
  get unsettled(): readonly UnsettledCall[] {
    return this.#unsettled.map(({ number, call: { id, name } }) => ({ number, id, name }));
  }

  /**
   * The place in the run, as two counts that only grow: the same call has another place once another call was permitted or has come back, even if the guard has
   * made no step.
   */
  get place(): readonly number[] {
    return [this.#letThrough, this.#returned];
  }

  /**
   * Observes the world. While calls are running, its state is unknown, and the last observation is returned instead, until the time of a step has come: then
   * the world between the calls is observed.
   * @throws as `World`
   */
  async observe(): Promise<Seen> {
    if (this.#pending.length > 0) {
      const clock = this.#world.clock();
      if (!this.guard.isStep(this.#state, clock)) return { state: this.#state, clock };
    }
    this.#state = (await this.#world.observe()) as State;
    return { state: this.#state, clock: this.#world.clock() };
  }

  /** Why a call cannot be judged yet in the world as it is seen, in words; null if it can. */
  tooEarly({ state, clock }: Seen): string | null {
    return this.#earlyCalls.complaint(state, clock);
  }

  /** The guard's answer to a call, judged as after the running calls have come back. */
  propose({ state, clock }: Seen, call: ToolCall, sibling: boolean): GuardProposal {
    const isBehind = this.#isBehind;
    if (isBehind || this.guard.isStep(state, clock)) this.#leaveStep();
    this.#isOpen = true;
    const options = { ...this.#beside(), isStep: isBehind, ...clock };
    return call === IDLE
      ? this.guard.idle(state, options)
      : this.guard.propose(state, actionOf(call), { ...options, sibling });
  }

  /**
   * Leaves the current step, because the world is observed anew. If a call of that step is still running, it has been read and does not belong to later steps.
   */
  #leaveStep(): void {
    if (this.#isOpen) this.#readFirst();
    this.#wasCut = false;
    this.#givenUp = [];
  }

  #readFirst(): void {
    const first = this.#firstUnread;
    if (first !== undefined) first.isRead = true;
  }

  /** The call that the current step belongs to, if predicates read the action. */
  get #firstUnread(): PendingCall | undefined {
    return this.#pending.find(({ isRead }) => !isRead);
  }

  /** The guard's answer to another call in place of the proposed one. */
  proposeInstead(state: State, call: ToolCall, sibling: boolean): GuardProposal {
    return this.guard.propose(state, actionOf(call), { ...this.#beside(), sibling });
  }

  /**
   * Judges a call that a person has approved although the guard had not. Others may have come back since the question, or be running: the guard judges this
   * call in the current situation, beside the running ones; if predicates read the action, it becomes the action of the current step.
   */
  approve(call: ToolCall): { readonly observed: RecordedStep; readonly found: GuardProposal } {
    const action = call === IDLE ? null : actionOf(call);
    const found = this.guard.approve(this.#state, action, this.#beside());
    return { observed: this.guard.observed(), found };
  }

  /**
   * Whether an action now would take place in a world that the guard has not read: a call has come back since, the world reads differently, it cannot be read,
   * or the time of another step has come. While calls are running the world is unknown until that time, and counts as unchanged. `early` says why the action
   * must wait for that time, if it must.
   */
  async hasMoved(call: ToolCall): Promise<{ readonly moved: boolean; readonly early: string | null }> {
    try {
      const seen = await this.observe();
      const { state, clock } = seen;
      const early = call === IDLE ? null : this.tooEarly(seen);
      const context = { ...(call !== IDLE && { action: actionOf(call) }), ...clock };
      return { moved: this.#isBehind || this.guard.isStep(state, context), early };
    } catch {
      return { moved: true, early: null };
    }
  }

  /** A call has come back since the last observation of the world, and nothing is running: an action now would take place in an unobserved world. */
  get #isBehind(): boolean {
    return !this.#isOpen && this.#pending.length === 0;
  }

  /** Records that doing nothing was permitted: the world goes on. */
  passed(): void {
    this.#isOpen = false;
  }

  /** Marks a call as running. @param recorded as `PendingCall.recorded` @param excused as `PendingCall.excused` */
  start(
    { number, run }: Pick<Verdict, 'number' | 'run'>,
    recorded?: LetAction,
    excused: readonly string[] = [],
  ): void {
    if (run === null) return;
    this.#letThrough++;
    const read: Pick<PendingCall, 'recorded'> = recorded === undefined ? {} : { recorded };
    if (excused.length > 0) this.#excused.set(run, excused);
    this.#pending.push({ number, call: run, ...read, excused, isRead: false });
  }

  /**
   * Whether the guard's last step belongs to another call than this one, which has run. Calls come back in any order, and if predicates read the action, a call
   * that was permitted beside others has only been read ahead.
   */
  isUnread(number: number): boolean {
    if (!this.guard.readsActions || !this.#isOpen) return false;
    const one = this.#pending.find((pending) => pending.number === number);
    if (one === undefined || one.isRead) return false;
    return one !== this.#firstUnread;
  }

  /**
   * Makes this call the action of the last step; nothing about it is left to decide. Default: the call that the step belongs to, now that another was given up;
   * no action if there is none.
   */
  readAgain(call: ToolCall | null = this.#firstUnread?.call ?? null): {
    readonly observed: RecordedStep;
    readonly found: GuardProposal;
    readonly excused: readonly string[];
  } {
    const found = this.guard.readAgain(this.#state, call === null ? null : actionOf(call));
    return { observed: this.guard.observed(), found, excused: this.#excuse(call) };
  }

  /** Excuses once more what a person has approved of a call, if it was read as the action of the last step. Returns the rules that it breaks there. */
  #excuse(call: ToolCall | null): readonly string[] {
    const names = call === null ? undefined : this.#excused.get(call);
    return names === undefined ? [] : this.guard.excuse(names);
  }

  /** Marks a permitted call as returned; null if it had already come back. */
  complete(number: number): ToolCall | null {
    const one = this.#remove(number);
    if (one === null) return null;
    // The current step belongs to another call, and ends now.
    if (one.isRead) this.#leaveStep();
    this.#isOpen = false;
    this.#wasCut = false;
    this.#givenUp = [];
    this.#returned++;
    return one.call;
  }

  /**
   * Gives up a call, which will not run. Later calls are judged as if it might still run, until the world is observed again. If nothing else is running,
   * however, nothing has run since the last observation, and the run is in the same state as then.
   */
  withdraw(number: number): Withdrawal {
    const wasRead = this.guard.readsActions && this.#isOpen && this.#firstUnread?.number === number;
    const one = this.#remove(number);
    if (one === null) return 'not-running';
    const others = this.#mayRun || !this.#isOpen;
    this.#givenUp = others ? [...this.#givenUp, one] : [];
    if (!others) return 'nothing-ran';
    return wasRead ? 'read-beside-others' : 'beside-others';
  }

  /**
   * Observes the world without a call to decide on: between running calls, with the first of them as the current action; before a call that a person has
   * approved; or at the end. A world that cannot be observed is a fault for the guard, like others.
   */
  async observeBetweenCalls(approved: ToolCall | null = null): Promise<{
    readonly state: unknown;
    readonly observed: RecordedStep;
    readonly found: GuardProposal;
    readonly excused: readonly string[];
  }> {
    let state: unknown = null;
    let clock = {};
    try {
      state = await this.#world.observe();
      clock = this.#world.clock();
    } catch {
      state = null;
    }
    this.#state = (state ?? {}) as State;
    this.#leaveStep();
    // A person has decided on the approved call; a shield is not asked about it.
    const done = approved === IDLE ? null : approved;
    const running = this.guard.readsActions ? (this.#firstUnread?.call ?? done) : this.#pending[0]?.call;
    // A running call was permitted earlier, and has already been charged to a budget.
    const found = this.guard.observe(state as State, {
      ...(running && { action: actionOf(running) }),
      ...clock,
    });
    this.#isOpen = this.#pending.length > 0 || approved !== null;
    const excused = this.guard.readsActions ? this.#excuse(running ?? null) : [];
    return { state, observed: this.guard.observed(), found, excused };
  }

  /** The run is over: nothing is judged beside running calls any more. */
  forget(): void {
    this.#pending = [];
  }

  /** The run was interrupted, and goes on: nobody waits for the calls that were running. */
  cut(): void {
    this.#wasCut ||= this.#pending.length > 0;
    // A guard that does not know what actions do has read the call as done, and keeps that: the next call is a step of its own.
    if (this.#pending.length > 0 && this.guard.readsActions && this.guard.file.actions === undefined)
      this.#isOpen = false;
    this.#unsettled = [...this.#unsettled, ...this.#pending];
    this.#pending = [];
  }

  /** Repeats a recorded decision of the guard. @param isReread whether it was made by `readAgain`, for a step that is over */
  replay(observed: RecordedStep, isReread = false): void {
    const { call } = observed;
    this.guard.decideAgain(observed);
    if (call === 'step' || call === 'observe' || (call !== 'approve' && this.#isBehind)) this.#leaveStep();
    this.#isOpen ||= !isReread;
  }

  #remove(number: number): PendingCall | null {
    for (const calls of [this.#pending, this.#unsettled]) {
      const at = calls.findIndex((one) => one.number === number);
      if (at >= 0) return calls.splice(at, 1)[0];
    }
    return null;
  }

  /** Whether calls may have run since the last observation of the world. A guard that judges actions reckons with those that were cut off until they are settled. */
  get #mayRun(): boolean {
    if (this.#pending.length > 0) return true;
    return this.guard.file.actions === undefined ? this.#wasCut : this.#unsettled.length > 0;
  }

  /** The calls beside which a call is judged. */
  #beside(): Pick<ProposalOptions, 'pending' | 'read' | 'excused' | 'unsettled'> {
    const live = ({ recorded }: PendingCall): boolean => recorded === undefined;
    const beside = [...this.#pending, ...this.#givenUp.filter(live)];
    const earlier = readOf([...this.#unsettled, ...this.#givenUp].map(({ recorded }) => recorded));
    return {
      pending: beside.map(({ call }) => actionOf(call)),
      excused: beside.map(({ excused }) => excused),
      read: this.#pending.filter(({ isRead }) => isRead).length,
      unsettled: earlier,
    };
  }
}

function actionOf({ name, arguments: given, detected }: ToolCall): Omit<ToolCall, 'id'> {
  return detected === undefined ? { name, arguments: given } : { name, arguments: given, detected };
}
