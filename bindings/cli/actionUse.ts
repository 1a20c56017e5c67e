import { Abstraction, readsAction } from '../abstraction/index.js';
import { EvaluationError, InvalidDataError } from '../errors.js';
import { type ActionEffect, MdpCounter, unseenEffects } from '../learning/index.js';
import type { Specification } from '../specification/index.js';
import type { Trace, TraceNote } from '../trace/index.js';

/** Lines printed; `--json` has all. */
const SHOWN = 10;

/** What actions do to predicates over all traces. Predicates that read the action are left aside: they change with it. */
export class ActionUses {
  readonly #counter: MdpCounter;
  readonly #isChosen: boolean;
  #fault: string | null = null;

  constructor({ abstraction: { predicates, actions }, learning }: Specification) {
    const ofStates = predicates.filter((predicate) => !readsAction(predicate));
    this.#isChosen = learning.model === 'mdp';
    this.#counter = new MdpCounter(new Abstraction({ predicates: ofStates, actions: actions ?? {} }), {
      period: learning.period ?? null,
      skipInvalid: true,
    });
  }

  /** Counts a trace; one without actions, or that cannot be learnt from, is passed over. */
  add(trace: Trace): void {
    if (this.#fault !== null || !trace.steps.some(({ action }) => action !== undefined)) return;
    try {
      this.#counter.add(trace);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      this.#fault = `trace "${trace.id}": ${error.message}`;
    }
  }

  /** What each action was seen to do, in the order of discovery. */
  effects(): ActionEffect[] {
    return this.#counter.effects();
  }

  /** What is wrong where a decision process is to be learnt, in words. */
  errors(): string[] {
    if (!this.#isChosen) return [];
    if (this.#fault !== null) return [this.#fault];
    try {
      this.#counter.requireChoices();
      return [];
    } catch (error) {
      if (error instanceof InvalidDataError) return [error.message];
      throw error;
    }
  }
}

/** Notes on what traces do not show of actions. @param source what was read */
export function effectNotes(effects: readonly ActionEffect[], source: string): TraceNote[] {
  return unseenEffects(effects).map((message) => ({ source, message }));
}

/** The same as lines, no more than can be read. */
export function effectLines(notes: readonly TraceNote[]): string[] {
  const more = notes.length - SHOWN;
  const lines = notes.slice(0, SHOWN).map(({ message }) => message);
  return more > 0 ? [...lines, `${more} more such notes on actions (--json has all)`] : lines;
}
