import type { EvaluationContext } from '../../languages/expression/runtime/index.js';
import { bit, type Encoding } from '../../observations/abstraction/runtime/index.js';
import type { Observation } from './observer.js';
import { readSingly } from './readSingly.js';
import type { Readings } from './recordedStep.js';

const ALL = 0xffffffff;

/** Reads observations without their action as well: where a step remains one although its action does not run, rules read it so. */
export class IdleReading {
  readonly #abstraction: Encoding;
  /** Bits of predicates that do not read the action. */
  readonly #ofState: Uint32Array;
  readonly #valuation: Uint32Array;
  readonly #known: Uint32Array;
  /** The first predicate that failed. */
  #failed: string | null = null;

  constructor(abstraction: Encoding, ofState: Uint32Array) {
    this.#abstraction = abstraction;
    this.#ofState = ofState;
    this.#valuation = new Uint32Array(ofState.length);
    this.#known = new Uint32Array(ofState.length);
  }

  /** Reads an observation without its action. */
  read(state: Readonly<Record<string, unknown>>, given: EvaluationContext): void {
    const context: { time?: unknown } = {};
    this.#failed = null;
    try {
      if (given.time !== undefined) context.time = given.time;
      this.#abstraction.encode(state, context, this.#valuation, 0);
    } catch {
      const into = { valuation: this.#valuation, known: this.#known };
      this.#failed = readSingly(this.#abstraction, state, context, into, null);
    }
  }

  /** Takes what is known of a recorded observation: the readings of its state. */
  recall({ complete, known, valuation }: Pick<Observation, 'complete' | 'known' | 'valuation'>): void {
    this.#failed = this.#abstraction.predicates.find((_, i) => !bit(this.#ofState, 0, i)) ?? null;
    for (let w = 0; w < this.#known.length; w++) {
      this.#known[w] = this.#ofState[w] & (complete ? ALL : known[w]);
      this.#valuation[w] = this.#known[w] & valuation[w];
    }
  }

  /** The readings as plain data. */
  readings(irregular: boolean): Readings {
    const known = this.#failed === null ? null : [...this.#known];
    return { valuation: [...this.#valuation], known, predicate: this.#failed, irregular };
  }
}
