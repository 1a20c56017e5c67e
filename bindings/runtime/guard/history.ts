import type { Automaton } from '../../languages/automaton/index.js';
import { OPEN } from '../../languages/automaton/index.js';
import type { Observation } from './observer.js';

const FIRST_CAPACITY = 64;
/** So many steps are kept at most. */
const MAX_STEPS = 16_384;

/** The valuations of some steps, one behind the other. */
export interface Recording {
  readonly valuations: Uint32Array;
  /** Bits that could be read. */
  readonly known: Uint32Array;
}

/**
 * The steps that a guard's rules have read, as far back as an explanation may need them. A rule whose automaton is in its first state
 * again can forget what was before, but for what its operators of the past look back at: what it asks of the future is what it asked at the start. A ring of packed
 * valuations that doubles while some rule needs more, up to 16,384 steps; otherwise a step allocates nothing.
 */
export class History {
  /** Steps read, those held by resampling included, and those missing of which nothing is known but their number. */
  length = 0;
  /** Of the observation that was numbered last. */
  #observation = 0;
  readonly words: number;
  readonly #initial: Int32Array;
  /** Per rule how many steps before a position its formula looks back at. */
  readonly #pastSteps: Float64Array;
  /** Per rule its automaton's state after the last step, -1 where that is not known. */
  readonly #states: Int32Array;
  /** Per rule when its automaton last came to its first state, and when it last left that: all before is no matter. */
  readonly #idleFrom: Float64Array;
  readonly #idleTo: Float64Array;
  /** Per rule the step that decided it, or -1. */
  readonly #decidedAt: Float64Array;
  /** Per rule the numbers of the observations that the deciding step and the one before it are; kept, as the steps may not be. */
  readonly #decidedBy: Float64Array;
  /** Some rule was decided since an observation was numbered last. */
  #isDecided = false;
  /** Nobody knows how many steps are missing before this one; what was before is not kept. 0 where there is no such gap. */
  #gapAt = 0;
  /** The step after the last that is missing and of which nothing is known but its place; 0 where there is none. */
  #missingTo = 0;
  #savedLength = 0;
  #saved: {
    readonly states: Int32Array;
    readonly idleFrom: Float64Array;
    readonly idleTo: Float64Array;
    readonly decidedAt: Float64Array;
  } | null = null;
  #capacity = FIRST_CAPACITY;
  #valuations: Uint32Array;
  #known: Uint32Array;
  /** The number of the observation that each step kept is; of a step that is missing, halfway between those of two observations. */
  #observations = new Float64Array(FIRST_CAPACITY);

  /** @param pastSteps of the formula of each automaton, as of `GuardRule`; Infinity without limit */
  constructor(words: number, automata: readonly Automaton[], pastSteps: readonly number[]) {
    this.words = words;
    this.#pastSteps = Float64Array.from(pastSteps);
    this.#initial = Int32Array.from(automata, ({ initial }) => initial);
    this.#states = this.#initial.slice();
    this.#idleFrom = new Float64Array(automata.length);
    this.#idleTo = new Float64Array(automata.length);
    this.#decidedAt = new Float64Array(automata.length).fill(-1);
    this.#decidedBy = new Float64Array(2 * automata.length).fill(-1);
    this.#valuations = new Uint32Array(words * this.#capacity);
    this.#known = new Uint32Array(words * this.#capacity);
  }

  /** Forgets everything. */
  reset(): void {
    this.length = 0;
    this.#observation = 0;
    this.#gapAt = 0;
    this.#missingTo = 0;
    this.#states.set(this.#initial);
    this.#idleFrom.fill(0);
    this.#idleTo.fill(0);
    this.#decidedAt.fill(-1);
  }

  /** Keeps what is known of the rules, to come back to by `restore` before the step that follows is recorded once more. */
  save(): void {
    this.#savedLength = this.length;
    this.#saved ??= {
      states: this.#states.slice(),
      idleFrom: this.#idleFrom.slice(),
      idleTo: this.#idleTo.slice(),
      decidedAt: this.#decidedAt.slice(),
    };
    this.#saved.states.set(this.#states);
    this.#saved.idleFrom.set(this.#idleFrom);
    this.#saved.idleTo.set(this.#idleTo);
    this.#saved.decidedAt.set(this.#decidedAt);
  }

  /** Back to the last `save`: the next step recorded takes the place of the one after it. Without one nothing changes. */
  restore(): void {
    if (this.#saved === null) return;
    this.length = this.#savedLength;
    this.#states.set(this.#saved.states);
    this.#idleFrom.set(this.#saved.idleFrom);
    this.#idleTo.set(this.#saved.idleTo);
    this.#decidedAt.set(this.#saved.decidedAt);
  }

  /** The oldest step that is kept. */
  get first(): number {
    return Math.max(0, this.#gapAt, this.length - this.#capacity);
  }

  /** The last step before which nobody knows how many are missing, so that places of steps before it, and the seconds since, tell nothing; null where there is none. */
  get gapAt(): number | null {
    return this.#gapAt > 0 ? this.#gapAt : null;
  }

  /** The step behind the last gap, its length known or not, from before or in which rule number r may still owe something; null where it owes nothing. */
  owesSinceGap(r: number): number | null {
    const gap = Math.max(this.#gapAt, this.#missingTo);
    return Math.max(this.#idleFrom[r], this.#lastIdle(r)) < gap ? gap : null;
  }

  /** A step from which on rule number r can be explained, one that is kept if possible: all that it looks back at from then on is kept with it. */
  since(r: number): number {
    const past = this.#pastSteps[r];
    const idle = Math.max(this.#idleFrom[r], Math.min(this.#lastIdle(r), this.first + past));
    return Math.max(0, idle - past);
  }

  /** How many steps before `since` positions after it may look back at, which are told as unknown. */
  before(r: number): number {
    return Math.min(this.since(r), this.#pastSteps[r]);
  }

  #lastIdle(r: number): number {
    return this.#states[r] === this.#initial[r] ? this.length : this.#idleTo[r];
  }

  /** The step that violated rule number r, or satisfied it for good; -1 where it is open. */
  decidedAt(r: number): number {
    return this.#decidedAt[r];
  }

  /** Adds what was observed, as one step. */
  record({ valuation, known, complete }: Pick<Observation, 'valuation' | 'known' | 'complete'>): void {
    const words = this.words;
    const at = this.#open() * words;
    for (let w = 0; w < words; w++) {
      this.#valuations[at + w] = valuation[w];
      this.#known[at + w] = complete ? 0xffffffff : known[w];
    }
    // A step that is held is the observation before it again; `number` says which one the last step is.
    this.#observations[this.length & (this.#capacity - 1)] = this.#observation;
    this.length++;
  }

  /** Adds a step that is missing, and of which nothing is known. */
  recordMissing(): void {
    const words = this.words;
    const place = this.#open();
    this.#valuations.fill(0, place * words, (place + 1) * words);
    this.#known.fill(0, place * words, (place + 1) * words);
    // Between two observations.
    this.#observations[place] = this.#observation + 0.5;
    this.length++;
    this.#missingTo = this.length;
  }

  /** Steps are missing, nobody knows how many: what was before is not kept. */
  loseTrack(): void {
    this.#gapAt = this.length;
  }

  /** Where the next step is kept. */
  #open(): number {
    if (this.length >= this.#capacity && this.#capacity < MAX_STEPS) this.#grow();
    return this.length & (this.#capacity - 1);
  }

  /** Says which observation of the run, from 0, the last step is. */
  number(observation: number): void {
    this.#observation = observation;
    if (this.length > 0) this.#observations[(this.length - 1) & (this.#capacity - 1)] = observation;
    if (!this.#isDecided) return;
    this.#isDecided = false;
    this.#decidedAt.forEach((step, r) => {
      if (step < 0 || this.#decidedBy[2 * r] >= 0) return;
      this.#decidedBy[2 * r] = this.#placeOf(step);
      this.#decidedBy[2 * r + 1] = this.#placeOf(step - 1);
    });
  }

  /**
   * The number, from 0, of the observation that a step is: rules read an observation once more for each step that is held, so that these numbers repeat; a step that is
   * missing, and of which nothing is known (`isMissing`), has the number of the observation before it. Of steps to come it is the number that they have if none is missing, of steps that are no longer kept the one they had in that case.
   *
   * @param r a rule: the step that decided it, and the one before that, have their own numbers though they are no longer kept
   */
  observationOf(step: number, r = -1): number {
    return Math.floor(this.#placeOf(step, r));
  }

  /** Whether a step was missing and nothing is known of it: it lies between the observation of its number and the next. Not known of steps that are no longer kept. */
  isMissing(step: number, r = -1): boolean {
    return !Number.isInteger(this.#placeOf(step, r));
  }

  #placeOf(step: number, r = -1): number {
    if (this.length === 0) return step;
    const before = r < 0 ? -1 : this.#decidedAt[r] - step;
    if ((before === 0 || before === 1) && this.#decidedBy[2 * r] >= 0) return this.#decidedBy[2 * r + before];
    const kept = Math.min(Math.max(step, this.first), this.length - 1);
    const number = this.#observations[kept & (this.#capacity - 1)];
    return step === kept ? number : Math.max(0, Math.floor(number) + step - kept);
  }

  /** Notes the state of rule number r after the last step, -1 where it is not known, and what is certain of the rule then. */
  follow(r: number, state: number, verdict: number): void {
    if (verdict === OPEN) this.#decidedAt[r] = -1;
    else if (this.#decidedAt[r] < 0) {
      this.#decidedAt[r] = this.length - 1;
      this.#decidedBy[2 * r] = -1;
      this.#isDecided = true;
    }
    const before = this.#states[r];
    if (state === before) return;
    this.#states[r] = state;
    if (before === this.#initial[r]) this.#idleTo[r] = this.length - 1;
    else if (state === this.#initial[r]) this.#idleFrom[r] = this.length;
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
      if (this.#decidedAt[r] < 0 && this.#lastIdle(r) - this.#pastSteps[r] <= lost) needed = true;
    }
    if (!needed) return;
    const { valuations, known } = this.read(lost, this.length);
    const observations = this.#observations;
    const before = this.#capacity;
    this.#capacity *= 2;
    this.#observations = new Float64Array(this.#capacity);
    this.#valuations = new Uint32Array(this.words * this.#capacity);
    this.#known = new Uint32Array(this.words * this.#capacity);
    // Where step i is kept depends on the capacity.
    for (let step = lost; step < this.length; step++) {
      const at = (step & (this.#capacity - 1)) * this.words;
      const from = (step - lost) * this.words;
      this.#valuations.set(valuations.subarray(from, from + this.words), at);
      this.#known.set(known.subarray(from, from + this.words), at);
      this.#observations[step & (this.#capacity - 1)] = observations[step & (before - 1)];
    }
  }
}
