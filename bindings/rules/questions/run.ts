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
  /** Rules that cannot be kept together any more, although each could be alone: that is against no call. Empty if all can. */
  readonly apart: readonly string[];
  /** The steps that are done. */
  readonly history: readonly Reading[];
  /** Number of the step at hand, from 0. */
  readonly step: number;
  /** What is known of the step at hand: its call is not made yet. */
  readonly now: Reading;
  /** The predicates of the step at hand if its call is this one. */
  readonly read: (call: AskedCall) => Reading;
}

/** The step at hand, whose call is still to be made. */
export class Present {
  /** What is known of it. */
  readonly now: Reading;
  readonly #knowledge: Knowledge;
  readonly #step: Step | null;
  /** Whether all that is said of its state could be read. */
  readonly #isReadable: boolean;

  /** @param step null: nothing is known of it */
  constructor(knowledge: Knowledge, step: Step | null) {
    this.#knowledge = knowledge;
    this.#step = step;
    const { all, ofCall } = knowledge;
    this.now =
      step === null ? nothing(knowledge) : withoutCall(knowledge, readStep(knowledge, step.state, step));
    this.#isReadable = this.now.known.every((known, w) => known >>> 0 === (all[w] & ~ofCall[w]) >>> 0);
  }

  /** The step with its call. */
  read(call: AskedCall): Reading {
    const step = this.#step;
    const action = { name: call.name, arguments: call.arguments ?? {} };
    if (step === null) return readStep(this.#knowledge, null, { action });
    const context = step.time === undefined ? { action } : { action, time: step.time };
    return this.#isReadable && step.state !== null
      ? this.#withCall(step.state, context)
      : readStep(this.#knowledge, step.state, context);
  }

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
}

/** Follows a run for questions, step by step. */
export class AskedRun implements Situation {
  tuples: readonly Tuple[];
  broken: readonly string[] = [];
  apart: readonly string[] = [];
  readonly history: Reading[] = [];
  readonly #knowledge: Knowledge;
  readonly #beliefs: Beliefs;
  #step: Step | null = null;
  #present: Present;

  constructor(knowledge: Knowledge, beliefs: Beliefs) {
    this.#knowledge = knowledge;
    this.#beliefs = beliefs;
    this.tuples = [beliefs.initial];
    this.#present = new Present(knowledge, null);
  }

  get step(): number {
    return this.history.length;
  }

  get now(): Reading {
    return this.#present.now;
  }

  /** Begins a new run. */
  reset(): void {
    this.tuples = [this.#beliefs.initial];
    this.broken = [];
    this.apart = [];
    this.history.length = 0;
    this.#begin(null);
  }

  /** The next step: a state, in which the call is still to be made; the step before it is done, without a call if none was told. */
  observe(step: Step): void {
    if (this.#step !== null) this.#done(readStep(this.#knowledge, this.#step.state, this.#step));
    this.#begin(step);
  }

  /** The call was made in the step at hand, which is done. */
  acted(call: AskedCall): void {
    this.#done(this.read(call));
    this.#begin(null);
  }

  readonly read = (call: AskedCall): Reading => this.#present.read(call);

  #begin(step: Step | null): void {
    this.#step = step;
    this.#present = new Present(this.#knowledge, step);
  }

  #done(reading: Reading): void {
    this.tuples = tuplesAfter(this.#beliefs, this.tuples, reading, this.step);
    ({ broken: this.broken, apart: this.apart } = this.#beliefs.lost(this.tuples));
    this.history.push(reading);
  }
}

/** The combinations of states after one more step. @throws InvalidDataError if the assumptions exclude it */
export function tuplesAfter(
  beliefs: Beliefs,
  tuples: readonly Tuple[],
  reading: Reading,
  step: number,
): readonly Tuple[] {
  const after = beliefs.after(tuples, reading);
  if (after.length === 0)
    throw new InvalidDataError(
      `step ${step} cannot come after the steps before it: the constraints of the specification, or comparisons of its predicates with each other, exclude it; nothing can be said under them`,
    );
  return after;
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

/** What is read of a state beside what is read of a call. */
export function together(state: Reading, call: Reading): Reading {
  return {
    valuation: state.valuation.map(
      (word, w) => (word & state.known[w]) | (call.valuation[w] & call.known[w]),
    ),
    known: state.known.map((word, w) => word | call.known[w]),
  };
}
