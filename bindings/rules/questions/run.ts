import { EvaluationError, InvalidDataError } from '../../base/errors.js';
import type { Step } from '../../observations/trace/index.js';
import type { Beliefs, Reading, Tuple } from './beliefs.js';
import type { Knowledge } from './knowledge.js';
import type { AskedCall } from './moves.js';

type State = Readonly<Record<string, unknown>>;

/** Where a run stands when a question is asked: what is done, and the step that is at hand. */
export interface Situation {
  /** The combinations of states that the rules may be in after the steps that are done; one, if all of them could be read. */
  readonly tuples: readonly Tuple[];
  /** The rules that are broken already: they are against no call. */
  readonly broken: readonly string[];
  /** The steps that are done. */
  readonly history: readonly Reading[];
  /** Number of the step at hand, from 0. */
  readonly step: number;
  /** What is known of the step at hand: its call is not made yet. */
  readonly now: Reading;
  /** The predicates of the step at hand if its call is this one. */
  readonly read: (call: AskedCall) => Reading;
}

/** Follows a run for questions, step by step. */
export class AskedRun implements Situation {
  tuples: readonly Tuple[];
  broken: readonly string[] = [];
  readonly history: Reading[] = [];
  now: Reading;
  readonly #knowledge: Knowledge;
  readonly #beliefs: Beliefs;
  #present: Step | null = null;
  /** Whether all that is said of the state at hand could be read. */
  #isReadable = false;

  constructor(knowledge: Knowledge, beliefs: Beliefs) {
    this.#knowledge = knowledge;
    this.#beliefs = beliefs;
    this.tuples = [beliefs.initial];
    this.now = nothing(knowledge);
  }

  get step(): number {
    return this.history.length;
  }

  /** Begins a new run. */
  reset(): void {
    this.tuples = [this.#beliefs.initial];
    this.broken = [];
    this.history.length = 0;
    this.#present = null;
    this.now = nothing(this.#knowledge);
  }

  /** The next step: a state, in which the call is still to be made; the step before it is done, without a call if none was told. */
  observe(step: Step): void {
    this.#finish();
    this.#present = step;
    this.now = withoutCall(this.#knowledge, readStep(this.#knowledge, step.state, step));
    const { all, ofCall } = this.#knowledge;
    this.#isReadable = this.now.known.every((known, w) => known >>> 0 === (all[w] & ~ofCall[w]) >>> 0);
  }

  /** The call was made in the step at hand, which is done. */
  acted(call: AskedCall): void {
    this.#done(this.read(call));
    this.#present = null;
    this.now = nothing(this.#knowledge);
  }

  readonly read = (call: AskedCall): Reading => {
    const present = this.#present;
    const action = { name: call.name, arguments: call.arguments ?? {} };
    if (present === null) return readStep(this.#knowledge, null, { action });
    const context = present.time === undefined ? { action } : { action, time: present.time };
    return this.#isReadable
      ? this.#withCall(present.state, context)
      : readStep(this.#knowledge, present.state, context);
  };

  /** What is read of the state stands; only what reads the call is evaluated. */
  #withCall(state: State, context: Pick<Step, 'action' | 'time'>): Reading {
    const { abstraction, callPlaces, all } = this.#knowledge;
    const valuation = this.now.valuation.slice();
    let known = all;
    for (const i of callPlaces) {
      const bit = 1 << (i & 31);
      try {
        if (abstraction.holds(i, state, context)) valuation[i >>> 5] |= bit;
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
        if (known === all) known = all.slice();
        known[i >>> 5] &= ~bit;
      }
    }
    return { valuation, known };
  }

  #finish(): void {
    const present = this.#present;
    if (present !== null) this.#done(readStep(this.#knowledge, present.state, present));
  }

  #done(reading: Reading): void {
    const after = this.#beliefs.after(this.tuples, reading);
    if (after.length === 0)
      throw new InvalidDataError(
        `step ${this.step} cannot come after the steps before it: the constraints of the specification, or comparisons of its predicates with each other, exclude it; nothing can be said under them`,
      );
    this.tuples = after;
    this.broken = this.#beliefs.brokenInAll(after);
    this.history.push(reading);
  }
}

/** Nothing is known of a step. */
export function nothing({ abstraction }: Knowledge): Reading {
  return { valuation: new Uint32Array(abstraction.words), known: new Uint32Array(abstraction.words) };
}

/** The reading without what it says of the call. */
export function withoutCall({ ofCall }: Knowledge, { valuation, known }: Reading): Reading {
  return {
    valuation: valuation.map((word, w) => word & ~ofCall[w]),
    known: known.map((word, w) => word & ~ofCall[w]),
  };
}

/** Reads the predicates of a step; those that cannot be read are not known. @param state null: not known either */
export function readStep(
  { abstraction, ofCall }: Knowledge,
  state: State | null,
  context: Pick<Step, 'action' | 'time'>,
): Reading {
  const { predicates, words } = abstraction;
  const valuation = new Uint32Array(words);
  const known = new Uint32Array(words);
  if (state !== null) {
    try {
      abstraction.encode(state, context, valuation);
      for (let i = 0; i < predicates.length; i++) known[i >>> 5] |= 1 << (i & 31);
      return { valuation, known };
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
    }
    valuation.fill(0);
  }
  for (let i = 0; i < predicates.length; i++) {
    const bit = 1 << (i & 31);
    // Without a state, only what reads the call alone may be known.
    if (state === null && (ofCall[i >>> 5] & bit) === 0) continue;
    try {
      if (abstraction.holds(i, state ?? {}, context)) valuation[i >>> 5] |= bit;
      known[i >>> 5] |= bit;
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
    }
  }
  return { valuation, known };
}
