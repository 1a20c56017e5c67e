import { createProposal, type Guard, type GuardProposal, type Observed } from '../guard/index.js';
import { IDLE, type ToolCall } from './toolCall.js';
import type { Verdict } from './verdict.js';
import type { State, World } from './world.js';

/** A call that was let through and has not come back. */
interface PendingCall {
  /** Which decision of the run let it through. */
  readonly number: number;
  readonly call: ToolCall;
}

/** What giving a call up comes to: it was not running; others are; or nothing has run since the world was observed last. */
export type Withdrawal = 'not-running' | 'beside-others' | 'nothing-ran';

/** Where a run is: the world as it was observed last, the guard that has read it, and the calls that are still running. */
export class Position {
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
   * The world as it is; where calls are running, as it was observed last, for then nobody knows.
   * @throws as `World`
   */
  async observe(): Promise<State> {
    if (this.#pending.length === 0) this.#state = (await this.#world.observe()) as State;
    return this.#state;
  }

  /** What the guard says of a call in `state`, once those that are running have come back. @throws as `World` */
  propose(state: State, call: ToolCall): GuardProposal {
    const clock = this.#world.clock();
    const isStep = !this.#isOpen && this.#pending.length === 0;
    this.#isOpen = true;
    if (isStep) {
      this.#wasCut = false;
      this.#givenUp = [];
    }
    if (call === IDLE) return this.guard.idle(state, { pending: this.#actions(), isStep, ...clock });
    if (isStep) return this.guard.stepInto(state, { action: actionOf(call), ...clock }, createProposal());
    return this.guard.propose(state, actionOf(call), { pending: this.#actions(), ...clock });
  }

  /** What it says of another call in its place. */
  proposeInstead(state: State, call: ToolCall): GuardProposal {
    return this.guard.propose(state, actionOf(call), { pending: this.#actions() });
  }

  /**
   * A person has let a call run that the guard had not. Since the question others may have come back, or be running: the guard judges this one as it is now, beside those
   * that are running; where predicates read the action, it is what is done in the step at hand.
   */
  approve(call: ToolCall): { readonly observed: Observed; readonly found: GuardProposal } {
    const action = call === IDLE ? null : actionOf(call);
    const found = this.guard.approve(this.#state, action, { pending: this.#actions() });
    return { observed: this.guard.observed(), found };
  }

  /**
   * Whether what is done now is done in a world that the guard has not read: a call has come back since, or it reads otherwise by now, or cannot be read. Where calls are
   * running nobody knows, and it has not.
   */
  async hasMoved(call: ToolCall): Promise<boolean> {
    if (this.#pending.length > 0) return false;
    if (!this.#isOpen) return true;
    try {
      const state = await this.observe();
      const action = call === IDLE ? {} : { action: actionOf(call) };
      return this.guard.isStep(state, { ...action, ...this.#world.clock() });
    } catch {
      return true;
    }
  }

  /** Nothing was done: the world goes on. */
  passed(): void {
    this.#isOpen = false;
  }

  /** A call is running from now on. */
  let({ number, run }: Pick<Verdict, 'number' | 'run'>): void {
    if (run === null) return;
    this.#letThrough++;
    this.#pending.push({ number, call: run });
  }

  /**
   * Whether the guard's last step stands for another call than this one, which has run: calls come back in any order, and where predicates read the action, one that was
   * let through beside others has only been read ahead.
   */
  isUnread(number: number): boolean {
    if (!this.guard.readsActions || !this.#isOpen) return false;
    const at = this.#pending.findIndex((one) => one.number === number);
    return at > 0 || (at === 0 && this.#givenUp.length > 0);
  }

  /** The last step was that of this call: nothing about it is left to decide. */
  readAgain(call: ToolCall): { readonly observed: Observed; readonly found: GuardProposal } {
    const found = this.guard.approve(this.#state, actionOf(call));
    return { observed: this.guard.observed(), found };
  }

  /** The call that a decision let through has come back; null where it did before. */
  back(number: number): ToolCall | null {
    const call = this.#remove(number);
    if (call === null) return null;
    this.#isOpen = false;
    this.#wasCut = false;
    this.#givenUp = [];
    this.#returned++;
    return call;
  }

  /**
   * It will not run. Calls after it are judged as if it still might, until the world is observed again; but where nothing else is running, nothing has run since then,
   * and the run is where it was.
   */
  withdraw(number: number): Withdrawal {
    const call = this.#remove(number);
    if (call === null) return 'not-running';
    const others = this.#pending.length > 0 || this.#wasCut || !this.#isOpen;
    this.#givenUp = others ? [...this.#givenUp, call] : [];
    return others ? 'beside-others' : 'nothing-ran';
  }

  /**
   * Observes the world without a call to decide on: between calls that run, with the first of those still running as what was done there, before one that a person has
   * approved, or at the end. A world that cannot be observed is a fault for the guard, like others.
   */
  async lookAgain(approved: ToolCall | null = null): Promise<{
    readonly state: unknown;
    readonly observed: Observed;
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
    // A person has decided on what was approved; a shield is not asked about it.
    const done = approved === IDLE ? null : approved;
    const running = this.#pending[0]?.call ?? (this.guard.readsActions ? done : null);
    // What runs was let through before, and has taken its share of a budget.
    const found = this.guard.observe(state as State, {
      ...(running && { action: actionOf(running) }),
      ...clock,
    });
    this.#isOpen = this.#pending.length > 0 || approved !== null;
    this.#wasCut = false;
    this.#givenUp = [];
    return { state, observed: this.guard.observed(), found };
  }

  /** Nothing that is still running counts any more; but it may have run. */
  forget(): void {
    this.#wasCut ||= this.#pending.length > 0;
    this.#pending = [];
    this.#givenUp = [];
  }

  /** The guard decides again on what it read in this run before. @param isReread whether that was `readAgain`, of a step that is over */
  again(observed: Observed, isReread = false): void {
    this.guard.decideAgain(observed);
    this.#isOpen ||= !isReread;
    if (observed.call === 'observe') this.#givenUp = [];
  }

  #remove(number: number): ToolCall | null {
    const at = this.#pending.findIndex((one) => one.number === number);
    return at < 0 ? null : this.#pending.splice(at, 1)[0].call;
  }

  #actions(): { name: string; arguments: ToolCall['arguments'] }[] {
    return [...this.#pending.map(({ call }) => call), ...this.#givenUp].map(actionOf);
  }
}

function actionOf({ name, arguments: given }: ToolCall): { name: string; arguments: ToolCall['arguments'] } {
  return { name, arguments: given };
}
