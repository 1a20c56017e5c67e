import type { Automaton } from '../automaton/index.js';
import { OPEN } from '../automaton/index.js';
import type { Observation } from './observer.js';

const FIRST_CAPACITY = 64;
/** So many steps are kept at most. */
const MOST_STEPS = 16_384;

/** The valuations of some steps, one behind the other. */
export interface Recording {
  readonly valuations: Uint32Array;
  /** Bits that could be read. */
  readonly known: Uint32Array;
}

/**
 * The steps that a guard's rules have read, as far back as an explanation may need them. A rule whose automaton is in its first state
 * again can forget what was before: what it asks of the future is what it asked at the start. A ring of packed
 * valuations that doubles while some rule needs more, up to 16,384 steps; otherwise a step allocates nothing.
 */
export class History {
  /** Steps read, those held by resampling included. */
  length = 0;
  readonly words: number;
  readonly #automata: readonly Automaton[];
  /** Per rule when its automaton last came to its first state, and when it last was there: all before is no matter. */
  readonly #idleFrom: Float64Array;
  readonly #idleTo: Float64Array;
  /** Per rule the step that decided it, or -1. */
  readonly #decidedAt: Float64Array;
  #capacity = FIRST_CAPACITY;
  #valuations: Uint32Array;
  #known: Uint32Array;

  constructor(words: number, automata: readonly Automaton[]) {
    this.words = words;
    this.#automata = automata;
    this.#idleFrom = new Float64Array(automata.length);
    this.#idleTo = new Float64Array(automata.length);
    this.#decidedAt = new Float64Array(automata.length).fill(-1);
    this.#valuations = new Uint32Array(words * this.#capacity);
    this.#known = new Uint32Array(words * this.#capacity);
  }

  /** Forgets everything. */
  reset(): void {
    this.length = 0;
    this.#idleFrom.fill(0);
    this.#idleTo.fill(0);
    this.#decidedAt.fill(-1);
  }

  /** The oldest step that is kept. */
  get first(): number {
    return Math.max(0, this.length - this.#capacity);
  }

  /** A step from which on rule number r can be explained, one that is kept if possible. */
  since(r: number): number {
    return Math.max(this.#idleFrom[r], Math.min(this.#idleTo[r], this.first));
  }

  /** The step that violated rule number r, or satisfied it for good; -1 where it is open. */
  decidedAt(r: number): number {
    return this.#decidedAt[r];
  }

  /** Adds what was observed, as one step. */
  record({ valuation, known, complete }: Observation): void {
    if (this.length >= this.#capacity && this.#capacity < MOST_STEPS) this.#grow();
    const words = this.words;
    const at = (this.length & (this.#capacity - 1)) * words;
    for (let w = 0; w < words; w++) {
      this.#valuations[at + w] = valuation[w];
      this.#known[at + w] = complete ? 0xffffffff : known[w];
    }
    this.length++;
  }

  /** Notes the state of rule number r after the last step; -1 is not known. */
  follow(r: number, state: number): void {
    const { initial, verdict } = this.#automata[r];
    if (state < 0 || this.#decidedAt[r] >= 0) return;
    if (verdict[state] !== OPEN) this.#decidedAt[r] = this.length - 1;
    else if (state === initial) {
      if (this.#idleTo[r] < this.length - 1) this.#idleFrom[r] = this.length;
      this.#idleTo[r] = this.length;
    }
  }

  /** The steps from..to - 1, which must be kept. */
  read(from: number, to: number): Recording {
    const words = this.words;
    const valuations = new Uint32Array((to - from) * words);
    const known = new Uint32Array((to - from) * words);
    for (let step = from; step < to; step++) {
      const at = (step & (this.#capacity - 1)) * words;
      valuations.set(this.#valuations.subarray(at, at + words), (step - from) * words);
      known.set(this.#known.subarray(at, at + words), (step - from) * words);
    }
    return { valuations, known };
  }

  /** Doubles the ring if a rule that is open still depends on the step about to be lost. */
  #grow(): void {
    const lost = this.length - this.#capacity;
    let needed = false;
    for (let r = 0; r < this.#idleTo.length; r++) {
      if (this.#decidedAt[r] < 0 && this.#idleTo[r] <= lost) needed = true;
    }
    if (!needed) return;
    const { valuations, known } = this.read(lost, this.length);
    this.#capacity *= 2;
    this.#valuations = new Uint32Array(this.words * this.#capacity);
    this.#known = new Uint32Array(this.words * this.#capacity);
    // Where step i is kept depends on the capacity.
    for (let step = lost; step < this.length; step++) {
      const at = (step & (this.#capacity - 1)) * this.words;
      const from = (step - lost) * this.words;
      this.#valuations.set(valuations.subarray(from, from + this.words), at);
      this.#known.set(known.subarray(from, from + this.words), at);
    }
  }
}
