import { createProposal, type Guard, type GuardProposal, type Observed } from '../guard/index.js';
import type { ToolCall } from './toolCall.js';
import type { Verdict } from './verdict.js';
import type { State, World } from './world.js';

/** A call that was let through and has not come back. */
interface PendingCall {
  readonly verdict: Verdict;
  readonly call: ToolCall;
}

/** Where a run is: the world as it was observed last, the guard that has read it, and the calls that are still running. */
export class Position {
  readonly guard: Guard;
  readonly #world: World;
  #pending: PendingCall[] = [];
  #state: State = {};
  /** The guard's last step may still be given another action: nothing has come back since. */
  #isOpen = false;

  constructor(guard: Guard, world: World) {
    this.guard = guard;
    this.#world = world;
  }

  /** How many calls are running. */
  get pending(): number {
    return this.#pending.length;
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
    if (this.#isOpen)
      return this.guard.propose(state, actionOf(call), { pending: this.#actions(), ...clock });
    this.#isOpen = true;
    return this.guard.stepInto(state, { action: actionOf(call), ...clock }, createProposal());
  }

  /** What it says of another call in its place. */
  proposeInstead(state: State, call: ToolCall): GuardProposal {
    return this.guard.propose(state, actionOf(call), { pending: this.#actions() });
  }

  /**
   * A person has let a call run that the guard had not: where predicates read the action and nothing else is running, that is what is done in the step at hand.
   * @returns what the guard read, where it did
   */
  approve(call: ToolCall): Observed | null {
    if (!this.guard.readsActions || this.#pending.length > 0 || !this.#isOpen) return null;
    this.guard.propose(this.#state, actionOf(call));
    return this.guard.observed();
  }

  /** A call is running from now on. */
  let(verdict: Verdict): void {
    if (verdict.run !== null) this.#pending.push({ verdict, call: verdict.run });
  }

  /** The call that a verdict let through has come back; null where it did before. */
  back(verdict: Verdict): ToolCall | null {
    const call = this.#remove(verdict);
    if (call !== null) this.#isOpen = false;
    return call;
  }

  /** It will not run: where the run is has not changed. @returns whether it was running */
  withdraw(verdict: Verdict): boolean {
    return this.#remove(verdict) !== null;
  }

  /**
   * Observes the world without a call to decide on: between calls that run, with the first of those still running as what was done there, or at the end.
   * A world that cannot be observed is a fault for the guard, like others.
   */
  async lookAgain(): Promise<{
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
    const running = this.#pending[0]?.call;
    // What runs was let through before, and has taken its share of a budget.
    const found = this.guard.observe(state as State, {
      ...(running && { action: actionOf(running) }),
      ...clock,
    });
    this.#isOpen = running !== undefined;
    return { state, observed: this.guard.observed(), found };
  }

  /** Nothing that is still running counts any more. */
  forget(): void {
    this.#pending = [];
  }

  /** The guard decides again on what it read in this run before. */
  again(observed: Observed): void {
    this.guard.decideAgain(observed);
    this.#isOpen = true;
  }

  /** A call had come back then. */
  wasBack(): void {
    this.#isOpen = false;
  }

  #remove({ number }: Verdict): ToolCall | null {
    const at = this.#pending.findIndex(({ verdict }) => verdict.number === number);
    return at < 0 ? null : this.#pending.splice(at, 1)[0].call;
  }

  #actions(): { name: string; arguments: ToolCall['arguments'] }[] {
    return this.#pending.map(({ call }) => actionOf(call));
  }
}

function actionOf({ name, arguments: given }: ToolCall): { name: string; arguments: ToolCall['arguments'] } {
  return { name, arguments: given };
}
