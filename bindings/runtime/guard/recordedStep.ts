/**
 * Number of missing steps before an observation, of which nothing is known. `some`: an unknown number, possibly none; `anywhere`: their place is unknown too,
 * because the gap contains steps without a time. `early`: none is missing, but the observation came too early, and may belong in place of the one before it.
 */
export type LostSteps = number | 'some' | 'anywhere' | 'early';

/** The readings of an observation: plain JSON. */
export interface Readings {
  /** Predicate i is bit `i & 31` of word `i >>> 5`. */
  readonly valuation: readonly number[];
  /** The bits that could be read; null means all. */
  readonly known: readonly number[] | null;
  /** The first predicate that could not be read. */
  readonly predicate: string | null;
  /** The time since the last step was not one sampling period. */
  readonly irregular: boolean;
}

/** The readings of a held step, as in `Readings`. */
export type HeldReadings = Pick<Readings, 'valuation' | 'known'>;

/** The abstraction of an action: its name, refined by predicates over its arguments; or the predicate that could not be read. Null means no action. */
export type ReadAction = string | { readonly failed: string } | null;

/** The action taken back: the last permitted one, all those since the last observation, or null for none. */
export type Withheld = 'last' | 'all' | null;

/**
 * A guard's readings at a decision: not the observation, but the values derived from it, on which alone the decision depends. Plain JSON; `Guard.decideAgain`
 * makes the same decision from it.
 */
export interface RecordedStep extends Readings {
  /**
   * `step` reads a new observation, and so does `observe`, whose decision nobody acts on; `propose` decides on the last one again, with another action, and
   * `approve` with an action that a person has approved; `repeat` gives the last decision again, for an observation before its time.
   */
  readonly call: 'step' | 'observe' | 'propose' | 'approve' | 'repeat';
  /**
   * With a sampling period, the time of the observation in seconds, even if it came too early; null if it had no readable time. Absent if no observation was
   * made, and in steps recorded by earlier releases: a guard that continues from those does not find the next observation on time.
   */
  readonly time?: number | null;
  /** Number of times that the previous observation was read again, for missing steps. */
  readonly held: number;
  /**
   * The readings of these steps, in order: predicates that read `time` read it as it was when each was due. Absent if all read as the previous observation, and in
   * steps recorded by earlier releases, which repeated it.
   */
  readonly heldAs?: readonly HeldReadings[];
  /** Missing steps before it, of which nothing is known; absent if there are none. */
  readonly lost?: LostSteps;
  /**
   * The reading of the previous step without its action, which did not run: it remains a step if its time has passed, or if the loop counts its own steps.
   * Absent if this did not occur.
   */
  readonly stood?: Readings;
  /** The rules, by number, of which the decision on that step said that they are broken. Absent if there are none, and in steps recorded by earlier releases. */
  readonly told?: readonly number[];
  /** The step is one that the caller counts (`step`), without a sampling period, and predicates read actions. Absent otherwise. */
  readonly ticked?: true;
  /** Whether doing nothing was decided on. */
  readonly idle: boolean;
  /** The action, if the guard knows actions; else null. */
  readonly action: ReadAction;
  /** The action is a call of a safe tool. Absent if it is not. */
  readonly safe?: true;
  /** Another action of the same turn of the agent was refused before: a further reflection does not count. Absent if that is not so. */
  readonly sibling?: true;
  /** Actions that were permitted earlier and may run before it, after it or not at all: first those from before an interruption, each in the order of decision. */
  readonly pending: readonly ReadAction[];
  /** The readings with each of them in place of the action, if predicates read the action. */
  readonly earlier: readonly Readings[];
  /** For each of `earlier`, the rules whose violation by it a person has excused. Absent if there are none. */
  readonly excused?: readonly (readonly string[])[];
  /** The earlier permitted actions that did not run. */
  readonly withheld: Withheld;
}

/** Whether a question was asked of an observation that counts as a step. */
export function isStepCall({ call }: RecordedStep): boolean {
  return call === 'step' || call === 'observe';
}
