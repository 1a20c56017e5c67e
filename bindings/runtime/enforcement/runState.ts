import {
  createProposal,
  type Guard,
  type GuardProposal,
  type ProposalOptions,
  type RecordedStep,
} from '../guard/index.js';
import { IDLE, type ToolCall } from './toolCall.js';
import type { Verdict } from './verdict.js';
import type { Clock, State, World } from './world.js';

/** A call that was let through and has not come back. */
interface PendingCall {
  /** Which decision of the run let it through. */
  readonly number: number;
  readonly call: ToolCall;
  /** The step that it was done in is over, as the time of another has come. Those of which this holds were let through before the others. */
  isRead: boolean;
}

/** The world as a call is decided in, and when. */
interface Seen {
  readonly state: State;
  readonly clock: Clock;
}

/** What giving a call up comes to: it was not running; others are; or nothing has run since the world was observed last. */
export type Withdrawal = 'not-running' | 'beside-others' | 'nothing-ran';

/** Where a run is: the world as it was observed last, the guard that has read it, and the calls that are still running. */
export class RunState {
  readonly guard: Guard;
  readonly #world: World;
  #pending: PendingCall[] = [];
  /** Calls that were given up since the world was observed: whether they are, may hang on what others have done meanwhile. */
  #givenUp: ToolCall[] = [];
  #state: State = {};
  /** The guard's last step may still be given another action: nothing has come back since. */
  #isOpen = false;
  /** The run was cut while calls were running, and resumed: they may have run since the world was observed. */
  #wasCut = false;
  /** Calls that have come back. */
  #returned = 0;
  /** Calls that were let through, whatever has become of them. */
  #letThrough = 0;

  constructor(guard: Guard, world: World) {
    this.guard = guard;
    this.#world = world;
  }

  /** The world as it was observed last. */
  get state(): State {
    return this.#state;
  }

  /** How many calls are running. */
  get pending(): number {
    return this.#pending.length;
  }

  /** Where the run is, by what only grows: the same call, proposed after another was let through or has come back, is at another place of the run, also where the guard has made no step. */
  get place(): readonly number[] {
    return [this.#letThrough, this.#returned];
  }

  /**
   * The world as it is. Where calls are running, as it was observed last, for then nobody knows; until the time of a step has come: as it is between them.
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

  /** What the guard says of a call, once those that are running have come back. */
  propose({ state, clock }: Seen, call: ToolCall): GuardProposal {
    const isBehind = this.#isBehind;
    if (isBehind || this.guard.isStep(state, clock)) this.#leaveStep();
    this.#isOpen = true;
    if (call === IDLE) return this.guard.idle(state, { ...this.#beside(), isStep: isBehind, ...clock });
    if (isBehind) return this.guard.stepInto(state, { action: actionOf(call), ...clock }, createProposal());
    return this.guard.propose(state, actionOf(call), { ...this.#beside(), ...clock });
  }

  /** The world is observed anew. The call that the step until then stands for, if any is running, has been read, and is no part of those to come. */
  #leaveStep(): void {
    if (this.#isOpen && this.#givenUp.length === 0) this.#readFirst();
    this.#wasCut = false;
    this.#givenUp = [];
  }

  #readFirst(): void {
    const first = this.#firstUnread;
    if (first !== undefined) first.isRead = true;
  }

  /** Whose the step at hand is, where predicates read the action. */
  get #firstUnread(): PendingCall | undefined {
    return this.#pending.find(({ isRead }) => !isRead);
  }

  /** What it says of another call in its place. */
  proposeInstead(state: State, call: ToolCall): GuardProposal {
    return this.guard.propose(state, actionOf(call), this.#beside());
  }

  /**
   * A person has let a call run that the guard had not. Since the question others may have come back, or be running: the guard judges this one as it is now, beside those
   * that are running; where predicates read the action, it is what is done in the step at hand.
   */
  approve(call: ToolCall): { readonly observed: RecordedStep; readonly found: GuardProposal } {
    const action = call === IDLE ? null : actionOf(call);
    const found = this.guard.approve(this.#state, action, this.#beside());
    return { observed: this.guard.observed(), found };
  }

  /**
   * Whether what is done now is done in a world that the guard has not read: a call has come back since, or it reads otherwise by now, cannot be read, or the time of another step has
   * come. Where calls are running nobody knows before that, and it has not.
   */
  async hasMoved(call: ToolCall): Promise<boolean> {
    if (this.#isBehind) return true;
    try {
      const { state, clock } = await this.observe();
      return this.guard.isStep(state, { ...(call !== IDLE && { action: actionOf(call) }), ...clock });
    } catch {
      return true;
    }
  }

  /** A call has come back since the world was observed, and nothing is running: what is done now is done in a world that nobody has looked at. */
  get #isBehind(): boolean {
    return !this.#isOpen && this.#pending.length === 0;
  }

  /** Nothing was done: the world goes on. */
  passed(): void {
    this.#isOpen = false;
  }

  /** A call is running from now on. */
  start({ number, run }: Pick<Verdict, 'number' | 'run'>): void {
    if (run === null) return;
    this.#letThrough++;
    this.#pending.push({ number, call: run, isRead: false });
  }

  /**
   * Whether the guard's last step stands for another call than this one, which has run: calls come back in any order, and where predicates read the action, one that was
   * let through beside others has only been read ahead.
   */
  isUnread(number: number): boolean {
    if (!this.guard.readsActions || !this.#isOpen) return false;
    const one = this.#pending.find((pending) => pending.number === number);
    if (one === undefined || one.isRead) return false;
    return one !== this.#firstUnread || this.#givenUp.length > 0;
  }

  /** The last step was that of this call: nothing about it is left to decide. */
  readAgain(call: ToolCall): { readonly observed: RecordedStep; readonly found: GuardProposal } {
    const found = this.guard.approve(this.#state, actionOf(call));
    return { observed: this.guard.observed(), found };
  }

  /** The call that a decision let through has come back; null where it did before. */
  complete(number: number): ToolCall | null {
    const one = this.#remove(number);
    if (one === null) return null;
    // The step at hand is that of another, and ends now.
    if (one.isRead) this.#leaveStep();
    this.#isOpen = false;
    this.#wasCut = false;
    this.#givenUp = [];
    this.#returned++;
    return one.call;
  }

  /**
   * It will not run. Calls after it are judged as if it still might, until the world is observed again; but where nothing else is running, nothing has run since then,
   * and the run is where it was.
   */
  withdraw(number: number): Withdrawal {
    const one = this.#remove(number);
    if (one === null) return 'not-running';
    const others = this.#pending.length > 0 || this.#wasCut || !this.#isOpen;
    this.#givenUp = others ? [...this.#givenUp, one.call] : [];
    return others ? 'beside-others' : 'nothing-ran';
  }

  /**
   * Observes the world without a call to decide on: between calls that run, with the first of those still running as what was done there, before one that a person has
   * approved, or at the end. A world that cannot be observed is a fault for the guard, like others.
   */
  async observeBetweenCalls(approved: ToolCall | null = null): Promise<{
    readonly state: unknown;
    readonly observed: RecordedStep;
    readonly found: GuardProposal;
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
    // A person has decided on what was approved; a shield is not asked about it.
    const done = approved === IDLE ? null : approved;
    const running = this.guard.readsActions ? (this.#firstUnread?.call ?? done) : this.#pending[0]?.call;
    // What runs was let through before, and has taken its share of a budget.
    const found = this.guard.observe(state as State, {
      ...(running && { action: actionOf(running) }),
      ...clock,
    });
    this.#isOpen = this.#pending.length > 0 || approved !== null;
    return { state, observed: this.guard.observed(), found };
  }

  /** Nothing that is still running counts any more; but it may have run. */
  forget(): void {
    this.#wasCut ||= this.#pending.length > 0;
    this.#pending = [];
    this.#givenUp = [];
  }

  /** The guard decides again on what it read in this run before. @param isReread whether that was `readAgain`, of a step that is over */
  replay(observed: RecordedStep, isReread = false): void {
    this.guard.decideAgain(observed);
    this.#isOpen ||= !isReread;
    if (observed.call === 'observe') this.#givenUp = [];
  }

  #remove(number: number): PendingCall | null {
    const at = this.#pending.findIndex((one) => one.number === number);
    return at < 0 ? null : this.#pending.splice(at, 1)[0];
  }

  /** What a call is judged beside. */
  #beside(): Pick<ProposalOptions, 'pending' | 'read'> {
    return {
      pending: [...this.#pending.map(({ call }) => call), ...this.#givenUp].map(actionOf),
      read: this.#pending.filter(({ isRead }) => isRead).length,
    };
  }
}

function actionOf({ name, arguments: given }: ToolCall): { name: string; arguments: ToolCall['arguments'] } {
  return { name, arguments: given };
}
