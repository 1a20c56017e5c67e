/**
 * Steps that are missing before an observation, and of which nothing is known: how many. `some`: nobody knows how many, none included; `anywhere`: nor where, as
 * there are steps without a time in the gap.
 */
export type LostSteps = number | 'some' | 'anywhere';

/** What was read of an observation: plain JSON. */
export interface Readings {
  /** Predicate i is bit `i & 31` of word `i >>> 5`. */
  readonly valuation: readonly number[];
  /** The bits that could be read; null is all. */
  readonly known: readonly number[] | null;
  /** The first predicate that could not be read. */
  readonly predicate: string | null;
  /** The time was no sampling period after the last. */
  readonly irregular: boolean;
}

/** The abstraction of an action: its name, refined by predicates over its arguments; or the predicate that could not be read. Null: no action. */
export type ReadAction = string | { readonly failed: string } | null;

/** The action that was let through last, all those since the last observation, or null: nothing was taken back. */
export type Withheld = 'last' | 'all' | null;

/**
 * What a guard read when it decided: no observation, only what follows from it, which is all that the decision depends on. Plain JSON;
 * `Guard.decideAgain` decides the same on it.
 */
export interface RecordedStep extends Readings {
  /**
   * `step` reads a new observation, and so does `observe`, whose decision nobody acts on; `propose` decides on the last one again, with another action, and `approve` on one that a person has approved;
   * `repeat` gives the last decision again, for an observation before its time.
   */
  readonly call: 'step' | 'observe' | 'propose' | 'approve' | 'repeat';
  /**
   * Under a sampling period, seconds: when the observation came, also where it came before its time; null where it had no time that could be read. Absent where no
   * observation was made, and of steps recorded by earlier releases: a guard that goes on from those does not find the next one on time.
   */
  readonly time?: number | null;
  /** How often the observation before was read once more, for steps that are missing. */
  readonly held: number;
  /** Steps that are missing before it, of which nothing is known; absent where there are none. */
  readonly lost?: LostSteps;
  /**
   * What the step before reads without its action, which did not run: under a sampling period it stays a step, as its time has passed. Absent where there is nothing
   * of the kind.
   */
  readonly stood?: Readings;
  /** Doing nothing was decided on. */
  readonly idle: boolean;
  /** Where the guard knows actions; else null. */
  readonly action: ReadAction;
  /** Actions that were permitted before and will have run by then, in their order. */
  readonly pending: readonly ReadAction[];
  /** What was read with each of them in place of the action, where predicates read it. */
  readonly earlier: readonly Readings[];
  /** What was let through before this, and did not run. */
  readonly withheld: Withheld;
}
