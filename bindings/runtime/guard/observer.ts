import { type EvaluationContext, freeNames } from '../../languages/expression/runtime/index.js';
import {
  bit,
  type Constraints,
  Encoding,
  type EncodingExpressions,
} from '../../observations/abstraction/runtime/index.js';
import type { ClockParts } from './clockParts.js';
import type { GuardFile } from './guardFile.js';
import type { Fault } from './guardStep.js';
import type { HeldReading } from './heldReading.js';
import { IdleReading } from './idleReading.js';
import type { ModelStates } from './model/modelStates.js';
import { readSingly } from './readSingly.js';
import type { HeldReadings, LostSteps, Readings } from './recordedStep.js';

/** The last observation as the guard read it. */
export interface Observation {
  /** Predicate i is bit `i & 31` of word `i >>> 5`; if not `complete`, only the bits set in `known` are valid. */
  readonly valuation: Uint32Array;
  readonly known: Uint32Array;
  readonly complete: boolean;
  /** State of the chain, or -1 if the valuation was not read or is not among the states. */
  readonly state: number;
  /** The most severe fault of the observation; null if there is none. In a file with `learntPredicates`: of what they read, and of the chain. */
  readonly fault: Fault | null;
  /** The fault for rules without tables. It differs from `fault` in a file with `learntPredicates`: of what these rules read, and of the time. */
  readonly exactFault: Fault | null;
  /** Entry i: the error thrown if predicate i could not be read; meaningless for predicates that could. */
  readonly errors: readonly unknown[];
  /** Missing steps before it, of which nothing is known: time jumped. 0 means none. */
  readonly lost: LostSteps;
}

/**
 * Reads observations: from a step to a valuation, from there to a state of the chain, with the faults on the way. An observation's content or errors become a
 * fault, never an exception. The fields describe the last observation.
 */
export class Observer implements Observation {
  readonly abstraction: Encoding;
  valuation: Uint32Array;
  readonly known: Uint32Array;
  complete = false;
  state = -1;
  fault: Fault | null = null;
  exactFault: Fault | null = null;
  /** Both states occur in the data, but never this step between them; no constraint forbids it. */
  unseenTransition = false;
  /** The time of the observation is a fault, the most severe or not: the caller of `StepClock.due` sets it beforehand. */
  irregular = false;
  lost: LostSteps = 0;
  /** Whether a predicate reads the action. */
  readonly readsAction: boolean;
  /** The first predicate that failed. */
  predicate: string | null = null;
  /** Of the observation that was read last: kept where its readings are read again beside others, and null for one that is known from a record alone. */
  readonly errors: unknown[];

  /** The states of the model; without one, no state is unknown. */
  readonly #model: ModelStates | null;
  /** Bits of predicates that do not read the action. */
  readonly #ofState: Uint32Array;
  /** The last observation without its action, if predicates read actions: an action that does not run still takes its time. */
  readonly #idle: IdleReading | null;
  /** With a sampling period: otherwise it is read when the action is withheld. */
  readonly #readsIdleAtOnce: boolean;
  #lastState: Readonly<Record<string, unknown>> | null = null;
  #lastContext: EvaluationContext | null = null;
  /** Null if held steps read as the step before them: no predicate reads the time, or steps are not held. */
  readonly #held: HeldReading | null;
  #previous: Uint32Array;
  #previousState = -1;
  /** Whether the last observation, and the one before it, was looked up among the states. */
  #isPlaced = false;
  #wasPlaced = false;

  constructor(
    file: GuardFile,
    expressions: EncodingExpressions,
    model: ModelStates | null,
    constraints: Constraints | null,
    clock: ClockParts | null,
  ) {
    this.abstraction = new Encoding(expressions, constraints);
    const { predicates, words } = this.abstraction;
    this.valuation = new Uint32Array(words);
    this.known = new Uint32Array(words);
    this.errors = predicates.map(() => null);
    this.#previous = new Uint32Array(words);
    this.#ofState = new Uint32Array(words);
    const ofState = expressions.predicates.map(({ expression }) => !freeNames(expression).includes('action'));
    ofState.forEach((holds, i) => {
      if (holds) this.#ofState[i >>> 5] |= 1 << (i & 31);
    });
    this.readsAction = ofState.includes(false);
    this.#model = model;
    this.#idle = this.readsAction ? new IdleReading(this.abstraction, this.#ofState) : null;
    this.#readsIdleAtOnce = clock !== null;
    this.#held =
      clock && file.resample === 'hold' ? clock.HeldReading.of(this.abstraction, expressions) : null;
  }

  /** Forgets the observations made so far. */
  reset(): void {
    this.complete = false;
    this.#isPlaced = false;
    this.state = -1;
    this.fault = this.exactFault = null;
    this.unseenTransition = false;
    this.predicate = null;
    this.errors.fill(null);
    this.irregular = false;
    this.lost = 0;
    this.#held?.forget();
    this.#lastState = this.#lastContext = null;
  }

  /** Reads one observation; with `again`, in place of the last one. */
  observe(state: Readonly<Record<string, unknown>>, context: EvaluationContext, again = false): void {
    if (!again) this.#turn();
    this.#forget();
    this.#read(state, context);
    if (this.#readsIdleAtOnce) this.#idle?.read(state, context);
    else if (this.#idle !== null) {
      this.#lastState = state;
      this.#lastContext = context;
    }
    if (this.#held !== null) this.#held.keep(state, context);
  }

  /** Begins the held steps before the next observation. */
  beginHeld(): void {
    this.#held?.begin();
  }

  /** Reads the last observation again as a held step, which was due at a time in seconds. What its predicates say is no fault: nothing is decided on it. */
  hold(due: Float64Array): void {
    const held = this.#held;
    if (held !== null) this.#becomeHeld(held.read(due, this.valuation, this.known, this.complete));
  }

  /** As `hold`, from a record; undefined: it read as the step before it. */
  holdRecorded(recorded: HeldReadings | undefined): void {
    const held = this.#held;
    if (held !== null && recorded !== undefined)
      this.#becomeHeld(held.readRecorded(recorded, this.valuation, this.known));
  }

  /** The readings of the steps held before the last observation; undefined if all read as the step that they repeat. */
  heldReadings(): HeldReadings[] | undefined {
    return this.#held?.recorded();
  }

  /** Held steps repeat the last observation without its action, which did not run. */
  holdWithoutAction(): void {
    this.#held?.dropAction();
  }

  /** Held steps repeat a step of which only the readings are known. */
  holdReadings(): void {
    this.#held?.forget();
  }

  #becomeHeld(complete: boolean): void {
    this.complete = complete;
    this.#isPlaced = complete || this.#isRead(this.#model?.parts?.learnt);
    this.state = this.#isPlaced ? this.#indexOf() : -1;
  }

  /** Reads the recorded readings of an observation. */
  observeRecorded({ valuation, known, predicate, irregular }: Readings, again = false): void {
    if (!again) this.#turn();
    this.#forget();
    this.irregular = irregular;
    this.valuation.set(valuation);
    if (known !== null) {
      this.known.set(known);
      this.predicate = predicate;
      this.#takePartly();
    } else this.#take();
  }

  /** The readings of the last observation as plain data. */
  readings(): Readings {
    const { complete, valuation, known, predicate, irregular } = this;
    return { valuation: [...valuation], known: complete ? null : [...known], predicate, irregular };
  }

  /**
   * The readings of the last observation without its action; null if it is not read without one. In a recorded observation, predicates that read the action are
   * unknown.
   */
  withoutAction(): Readings | null {
    return this.#idle?.readings(this.irregular) ?? null;
  }

  /** Reads the last observation without its action, which is withheld, while its objects are as they were. */
  readIdle(): void {
    if (this.#lastState !== null && this.#lastContext !== null)
      this.#idle?.read(this.#lastState, this.#lastContext);
  }

  /** Marks the last observation as recorded: only the readings of its state are known. */
  forgetState(): void {
    this.#held?.forget();
    this.#lastState = this.#lastContext = null;
    this.errors.fill(null);
    this.#idle?.recall(this);
  }

  /** The first of these predicates, in the order of the file, that could not be read; null if all could. */
  firstUnread(names: readonly string[]): string | null {
    if (this.complete) return null;
    const { predicates } = this.abstraction;
    for (let i = 0; i < predicates.length; i++) {
      if (!bit(this.known, 0, i) && names.includes(predicates[i])) return predicates[i];
    }
    return null;
  }

  /** Why a predicate could not be read; null if that is not known. */
  errorOf(predicate: string | null): unknown {
    return predicate === null ? null : (this.errors[this.abstraction.predicates.indexOf(predicate)] ?? null);
  }

  /** Whether predicates that read the action would read this action as in the last observation. */
  isSameAction(state: Readonly<Record<string, unknown>>, context: EvaluationContext): boolean {
    return this.#readsAlike(state, context, false);
  }

  /** Whether `state` would be read as the last observation was, except by predicates that read the action. */
  isSame(state: Readonly<Record<string, unknown>>, context: EvaluationContext): boolean {
    return this.#readsAlike(state, context, true);
  }

  /** Whether the predicates of the state alone, or those that read the action, would be read as in the last observation. */
  #readsAlike(
    state: Readonly<Record<string, unknown>>,
    context: EvaluationContext,
    ofState: boolean,
  ): boolean {
    const { abstraction, valuation, known, complete } = this;
    for (let i = 0; i < abstraction.predicates.length; i++) {
      if (bit(this.#ofState, 0, i) !== ofState) continue;
      const wasKnown = complete || bit(known, 0, i);
      try {
        const holds = abstraction.holds(i, state, context);
        if (!wasKnown || holds !== bit(valuation, 0, i)) return false;
      } catch {
        if (wasKnown) return false;
      }
    }
    return true;
  }

  #read(state: Readonly<Record<string, unknown>>, context: EvaluationContext): void {
    try {
      if (typeof state !== 'object' || state === null)
        throw new TypeError(`a state is an object, not ${state}`);
      this.abstraction.encode(state, context, this.valuation, 0);
    } catch (error) {
      this.predicate = readSingly(this.abstraction, state, context, this, this.errors);
      if (error instanceof TypeError) this.errors.fill(error);
      this.#takePartly();
      return;
    }
    this.#take();
  }

  /** All predicates were read. */
  #take(): void {
    this.complete = true;
    this.fault = this.#place();
    this.exactFault = this.#model?.parts ? this.#ofTime : this.fault;
  }

  /** Some predicates were not read: of rules that read only others, it is no fault. */
  #takePartly(): void {
    this.fault = this.exactFault = 'predicate-failed';
    const parts = this.#model?.parts;
    if (this.#isRead(parts?.learnt)) this.fault = this.#place();
    if (this.#isRead(parts?.exact)) this.exactFault = this.#ofTime;
  }

  /** Whether all predicates of a part were read; of none, false. */
  #isRead(part: Uint32Array | undefined): boolean {
    return part?.every((bits, w) => (bits & ~this.known[w]) === 0) === true;
  }

  get #ofTime(): Fault | null {
    return this.irregular ? 'irregular-time' : null;
  }

  /** Makes the last observation the previous one. */
  #turn(): void {
    const previous = this.valuation;
    this.valuation = this.#previous;
    this.#previous = previous;
    this.#previousState = this.state;
    this.#wasPlaced = this.#isPlaced;
  }

  #forget(): void {
    this.complete = false;
    this.#isPlaced = false;
    this.state = -1;
    this.unseenTransition = false;
    this.predicate = null;
  }

  /** Finds the valuation among the states; returns the fault, if any. */
  #place(): Fault | null {
    this.#isPlaced = true;
    const model = this.#model;
    const index = this.#indexOf();
    this.state = index;
    // A state or a transition of the data is valid, even if learning overruled a constraint.
    if (index < 0 && !this.abstraction.validState(this.valuation, 0)) return 'forbidden-state';
    if (this.#wasPlaced && (model === null || !model.hasStep(this.#previousState, index))) {
      if (!this.abstraction.validTransition(this.#previous, 0, this.valuation, 0))
        return 'forbidden-transition';
      this.unseenTransition = index >= 0 && this.#previousState >= 0;
    }
    if (model !== null && !model.isLeft(index)) return 'unknown-state';
    return this.#ofTime;
  }

  /** The state of the valuation, -1 if it is none of the model's. */
  #indexOf(): number {
    return this.#model === null ? -1 : this.#model.find(this.valuation);
  }
}
