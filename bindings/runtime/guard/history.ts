import type { Automaton } from '../../languages/automaton/index.js';
import { OPEN } from '../../languages/automaton/index.js';
import type { Observation } from './observer.js';

const FIRST_CAPACITY = 64;
/** Maximum number of steps kept. */
const MAX_STEPS = 16_384;

/** The valuations of some steps, one after another. */
export interface Recording {
  readonly valuations: Uint32Array;
  /** Bits that could be read. */
  readonly known: Uint32Array;
}

/**
 * The steps that a guard's rules have read, as far back as an explanation may need them. A rule whose automaton is in its initial state again can forget the
 * past, except for the reach of its past operators: it demands of the future what it demanded at the start. The history is a ring of packed valuations that
 * doubles while a rule needs more, up to 16,384 steps; otherwise a step allocates nothing.
 */
export class History {
  /** Number of steps read, including held steps and missing steps of which only the number is known. */
  length = 0;
  /** Number of the last numbered observation. */
  #observation = 0;
  readonly words: number;
  readonly #initial: Int32Array;
  /** Per rule, the number of steps that its formula looks back from a position. */
  readonly #pastSteps: Float64Array;
  /** Per rule, its automaton's state after the last step, -1 if unknown. */
  readonly #states: Int32Array;
  /** Per rule, the step at which its automaton last left its initial state: earlier steps do not matter. */
  readonly #idleTo: Float64Array;
  /** Per rule the step that decided it, or -1. */
  readonly #decidedAt: Float64Array;
  /** Per rule, the observation numbers of the deciding step and of the one before it, stored because the steps may not be kept. */
  readonly #decidedBy: Float64Array;
  /** A rule was decided since the last observation was numbered. */
  #isDecided = false;
  /** The number of missing steps before this one is unknown; earlier steps are not kept. 0 if there is no such gap. */
  #gapAt = 0;
  /** The step behind that gap came too early: it may be none. */
  #isEarly = false;
  /** The step after the last missing step of which only its place is known; 0 if there is none. */
  #missingTo = 0;
  #savedLength = 0;
  #saved: {
    readonly states: Int32Array;
    readonly idleTo: Float64Array;
    readonly decidedAt: Float64Array;
  } | null = null;
  #capacity = FIRST_CAPACITY;
  /** Steps before this one are overwritten. A ring that has grown since does not have them again, nor one that has gone back. */
  #lostTo = 0;
  #valuations: Uint32Array;
  #known: Uint32Array;
  /** The observation number of each kept step; for a missing step, halfway between those of two observations. */
  #observations = new Float64Array(FIRST_CAPACITY);
  /** Per kept step, one bit a rule: whether its automaton was in its initial state after it. */
  #idle: Uint32Array;
  readonly #idleWords: number;

  /** @param pastSteps per automaton, of its formula, as in `GuardRule`; Infinity means no limit */
  constructor(words: number, automata: readonly Automaton[], pastSteps: readonly number[]) {
    this.words = words;
    this.#pastSteps = Float64Array.from(pastSteps);
    this.#initial = Int32Array.from(automata, ({ initial }) => initial);
    this.#states = this.#initial.slice();
    this.#idleTo = new Float64Array(automata.length);
    this.#decidedAt = new Float64Array(automata.length).fill(-1);
    this.#decidedBy = new Float64Array(2 * automata.length).fill(-1);
    this.#valuations = new Uint32Array(words * this.#capacity);
    this.#known = new Uint32Array(words * this.#capacity);
    this.#idleWords = Math.ceil(automata.length / 32);
    this.#idle = new Uint32Array(this.#idleWords * this.#capacity);
  }

  /** Forgets everything. */
  reset(): void {
    this.length = 0;
    this.#observation = 0;
    this.#gapAt = 0;
    this.#isEarly = false;
    this.#missingTo = 0;
    this.#lostTo = 0;
    this.#states.set(this.#initial);
    this.#idleTo.fill(0);
    this.#decidedAt.fill(-1);
  }

  /** Saves the knowledge about the rules, for `restore` before the next step is recorded once more. */
  save(): void {
    this.#savedLength = this.length;
    this.#saved ??= {
      states: this.#states.slice(),
      idleTo: this.#idleTo.slice(),
      decidedAt: this.#decidedAt.slice(),
    };
    this.#saved.states.set(this.#states);
    this.#saved.idleTo.set(this.#idleTo);
    this.#saved.decidedAt.set(this.#decidedAt);
  }

  /** Returns to the last `save`: the next recorded step replaces the one after it. Without a save, nothing changes. */
  restore(): void {
    if (this.#saved === null) return;
    this.length = this.#savedLength;
    this.#states.set(this.#saved.states);
    this.#idleTo.set(this.#saved.idleTo);
    this.#decidedAt.set(this.#saved.decidedAt);
  }

  /** The oldest kept step. */
  get first(): number {
    return Math.max(this.#gapAt, this.#lostTo);
  }

  /** The last step before which an unknown number of steps is missing, so that earlier places and the seconds since are meaningless; null if there is none. */
  get gapAt(): number | null {
    return this.#gapAt > 0 ? this.#gapAt : null;
  }

  /**
   * The step after the last gap, of known or unknown length, if rule number r may have an obligation from before or inside the gap, or from a step that may be
   * none; else null.
   */
  owesSinceGap(r: number): number | null {
    const gap = Math.max(this.#gapAt, this.#missingTo);
    const last = this.#lastIdle(r);
    if (last < gap) return gap;
    return this.#isEarly && last === this.#gapAt && this.#states[r] < 0 ? gap : null;
  }

  /**
   * The step from which rule number r is explained, as if the run began there: the first one if all steps are kept and none is missing, otherwise the oldest kept
   * one, after what is missing, before which its automaton was in its initial state; the last such one if none is kept.
   */
  origin(r: number): number {
    const gap = Math.max(this.#gapAt, this.#missingTo);
    const { first } = this;
    if (gap === 0 && first === 0) return 0;
    const last = this.#lastIdle(r);
    for (let step = Math.max(gap, first + 1); step < last; step++)
      if (this.#isIdleAfter(step - 1, r)) return step;
    return last;
  }

  /** Number of steps before a position at which the formula of rule number r may look back; Infinity means no limit. */
  pastSteps(r: number): number {
    return this.#pastSteps[r];
  }

  #isIdleAfter(step: number, r: number): boolean {
    const word = (step & (this.#capacity - 1)) * this.#idleWords + (r >>> 5);
    return ((this.#idle[word] >>> (r & 31)) & 1) === 1;
  }

  #lastIdle(r: number): number {
    return this.#states[r] === this.#initial[r] ? this.length : this.#idleTo[r];
  }

  /** The step that violated or finally satisfied rule number r; -1 if the rule is open. */
  decidedAt(r: number): number {
    return this.#decidedAt[r];
  }

  /** Records an observation as one step. */
  record({ valuation, known, complete }: Pick<Observation, 'valuation' | 'known' | 'complete'>): void {
    const words = this.words;
    const at = this.#open() * words;
    for (let w = 0; w < words; w++) {
      this.#valuations[at + w] = valuation[w];
      this.#known[at + w] = complete ? 0xffffffff : known[w];
    }
    // A held step repeats the observation before it; `number` sets the number of the last step.
    this.#observations[this.length & (this.#capacity - 1)] = this.#observation;
    this.length++;
  }

  /** Records a missing step of which nothing is known. */
  recordMissing(): void {
    const words = this.words;
    const place = this.#open();
    this.#valuations.fill(0, place * words, (place + 1) * words);
    this.#known.fill(0, place * words, (place + 1) * words);
    // Halfway between two observations.
    this.#observations[place] = this.#observation + 0.5;
    this.length++;
    this.#missingTo = this.length;
  }

  /** Records that an unknown number of steps is missing, or, if `isEarly`, that the next step came too early and may be none: earlier steps are not kept. */
  loseTrack(isEarly = false): void {
    this.#gapAt = this.length;
    this.#isEarly = isEarly;
  }

  /** The place at which the next step is stored. */
  #open(): number {
    if (this.length >= this.#capacity && this.#capacity < MAX_STEPS) this.#grow();
    if (this.length - this.#capacity >= this.#lostTo) this.#lostTo = this.length - this.#capacity + 1;
    return this.length & (this.#capacity - 1);
  }

  /** Sets which observation of the run, from 0, the last step is. */
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
   * The number, from 0, of a step's observation: rules read an observation again for each held step, and these numbers repeat; a missing step of which nothing
   * is known (`isMissing`) has the number of the observation before it. For future steps it is the number that they have if none is missing; for steps no
   * longer kept, the number that they had in that case.
   *
   * @param r a rule: the step that decided it, and the one before, have their own numbers even if they are no longer kept
   */
  observationOf(step: number, r = -1): number {
    return Math.floor(this.#placeOf(step, r));
  }

  /** Whether a step was missing and nothing is known of it: it lies between the observation of its number and the next. Unknown for steps no longer kept. */
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

  /** Records the state of rule number r after the last step, -1 if unknown, and the verdict that is then certain. */
  follow(r: number, state: number, verdict: number): void {
    if (verdict === OPEN) this.#decidedAt[r] = -1;
    else if (this.#decidedAt[r] < 0) {
      this.#decidedAt[r] = this.length - 1;
      this.#decidedBy[2 * r] = -1;
      this.#isDecided = true;
    }
    const word = ((this.length - 1) & (this.#capacity - 1)) * this.#idleWords + (r >>> 5);
    if (state === this.#initial[r]) this.#idle[word] |= 1 << (r & 31);
    else this.#idle[word] &= ~(1 << (r & 31));
    const before = this.#states[r];
    if (state === before) return;
    this.#states[r] = state;
    if (before === this.#initial[r]) this.#idleTo[r] = this.length - 1;
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

  /** Doubles the ring if an open rule still depends on the step about to be lost. */
  #grow(): void {
    const lost = this.length - this.#capacity;
    let needed = false;
    for (let r = 0; r < this.#idleTo.length; r++) {
      // Twice the reach: what is due can be named for certain once its past lies behind the step from which the rule is explained.
      if (this.#decidedAt[r] < 0 && this.#lastIdle(r) - 2 * this.#pastSteps[r] <= lost) needed = true;
    }
    if (!needed) return;
    const { valuations, known } = this.read(lost, this.length);
    const observations = this.#observations;
    const idle = this.#idle;
    const rules = this.#idleWords;
    const before = this.#capacity;
    this.#capacity *= 2;
    this.#observations = new Float64Array(this.#capacity);
    this.#valuations = new Uint32Array(this.words * this.#capacity);
    this.#known = new Uint32Array(this.words * this.#capacity);
    this.#idle = new Uint32Array(rules * this.#capacity);
    // The place of step i depends on the capacity.
    for (let step = lost; step < this.length; step++) {
      const at = (step & (this.#capacity - 1)) * this.words;
      const from = (step - lost) * this.words;
      this.#valuations.set(valuations.subarray(from, from + this.words), at);
      this.#known.set(known.subarray(from, from + this.words), at);
      this.#observations[step & (this.#capacity - 1)] = observations[step & (before - 1)];
      const old = (step & (before - 1)) * rules;
      this.#idle.set(idle.subarray(old, old + rules), (step & (this.#capacity - 1)) * rules);
    }
  }
}
