import type { Observed, ReadAction, Readings } from './observed.js';
import type { Observer } from './observer.js';

const NONE: readonly never[] = [];

/** What the decision at hand is on, beside the observation. The two are all that it depends on, but for the decisions before. */
export class Asked {
  call: Observed['call'] = 'step';
  /** How often the observation before is read once more, for steps that are missing. */
  held = 0;
  /** Read only where the guard knows actions, as are those of `pending`. */
  action: ReadAction = null;
  pending: readonly ReadAction[] = NONE;
  /** What was read with each pending action in place of the proposed one, where predicates read it. */
  earlier: readonly Readings[] = NONE;
  /** What was read of the proposal, where the observation has been put back to what it was before. */
  now: Readings | null = null;
  /** The action let through before the last decision did not run; and the one let through by it does not. */
  #withheld = false;
  #withholds = false;

  reset(): void {
    this.#withholds = false;
  }

  begin(call: Observed['call']): void {
    this.call = call;
    this.action = null;
    this.pending = NONE;
    this.earlier = NONE;
    this.now = null;
    this.#withheld = this.#withholds;
    this.#withholds = false;
  }

  withhold(): void {
    this.#withholds = true;
  }

  /** Whether the step read last was of an action that has not run, and of no other that has. */
  get isUndone(): boolean {
    return this.#withholds && this.earlier.length === 0;
  }

  /** Nothing was proposed: the decision is on the state. */
  get isOfState(): boolean {
    return this.action === null && this.call !== 'propose';
  }

  /** As plain data, with what was read of the observation. */
  observed(observer: Observer): Observed {
    const { call, held, action, pending, earlier } = this;
    const readings = this.now ?? observer.readings();
    return { call, ...readings, held, action, pending, earlier, withheld: this.#withheld };
  }

  /** Begins to ask once more what was asked then. */
  recall({ call, held, action, pending, earlier }: Observed): void {
    this.begin(call);
    this.held = held;
    this.action = action;
    this.pending = pending;
    this.earlier = earlier;
  }
}
