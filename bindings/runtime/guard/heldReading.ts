import { isRecord } from '../../base/objectKind.js';
import { type EvaluationContext, freeNames } from '../../languages/expression/runtime/index.js';
import type { Encoding, EncodingExpressions } from '../../observations/abstraction/runtime/index.js';
import { MAX_MISSING_STEPS } from '../../observations/trace/index.js';
import type { HeldReadings } from './recordedStep.js';

/** Deeper data are not copied: their predicates count as unread in held steps. */
const DEEPEST = 100;

/**
 * Reads held steps. A held step has the state and the action of the step before it, and the time when it was due: predicates that read `time` are read again
 * there. What they read of a step is copied when it is observed, as its objects may change before the next observation shows that steps were missing. Copying
 * numbers, texts and Booleans is cheap; lists and maps are copied anew. Predicates that read nothing but `time` need no copy.
 */
export class HeldReading {
  readonly #abstraction: Encoding;
  /** The predicates that read `time`, and whether each reads something else of the step. */
  readonly #timed: readonly { readonly place: number; readonly readsStep: boolean }[];
  readonly #fields: readonly string[];
  readonly #readsAction: boolean;
  readonly #words: number;
  /** The bits of all predicates. */
  readonly #all: Uint32Array;
  #state: Record<string, unknown> = {};
  #action: unknown;
  /** The copy is that of the last step. */
  #isKnown = false;
  // As callers give it, a field for what is there and not a whole number at first: reading or storing a number then allocates nothing.
  readonly #context: { time: number; action?: unknown } = { time: 0.5 };
  /** The readings of the steps held before the current observation, if they differ from those of the step that they repeat. */
  readonly #valuations: Uint32Array;
  readonly #known: Uint32Array;
  #count = 0;
  #differ = false;

  private constructor(
    abstraction: Encoding,
    expressions: EncodingExpressions['predicates'],
    timed: readonly number[],
  ) {
    const names = expressions.map(({ expression }) => freeNames(expression));
    this.#abstraction = abstraction;
    this.#words = abstraction.words;
    this.#timed = timed.map((place) => ({ place, readsStep: names[place].some((name) => name !== 'time') }));
    const read = new Set(timed.flatMap((place) => names[place]));
    this.#readsAction = read.has('action');
    this.#fields = [...read].filter((name) => name !== 'time' && name !== 'action');
    this.#all = new Uint32Array(this.#words);
    for (let i = 0; i < names.length; i++) this.#all[i >>> 5] |= 1 << (i & 31);
    this.#valuations = new Uint32Array(this.#words * MAX_MISSING_STEPS);
    this.#known = new Uint32Array(this.#words * MAX_MISSING_STEPS);
  }

  /** Null if no predicate reads `time`: held steps then read as the step before them. */
  static of(abstraction: Encoding, { predicates }: EncodingExpressions): HeldReading | null {
    const timed = predicates.flatMap(({ expression }, i) =>
      freeNames(expression).includes('time') ? [i] : [],
    );
    return timed.length === 0 ? null : new HeldReading(abstraction, predicates, timed);
  }

  /** Copies what the predicates read of an observed step. */
  keep(state: Readonly<Record<string, unknown>>, context: EvaluationContext): void {
    this.#isKnown = true;
    if (this.#fields.length === 0 && !this.#readsAction) return;
    try {
      if (typeof state !== 'object' || state === null) throw new TypeError('no state');
      if (this.#fields.some((name) => !Object.hasOwn(state, name) && Object.hasOwn(this.#state, name)))
        this.#state = {};
      for (const name of this.#fields)
        if (Object.hasOwn(state, name)) this.#state[name] = copyOf(state[name], 0);
      this.#action = this.#readsAction ? copyOf(context.action, 0) : undefined;
    } catch {
      this.#isKnown = false;
    }
  }

  /** The action of the last step did not run. */
  dropAction(): void {
    this.#action = undefined;
  }

  /** Only the readings of the last step are known: predicates that read its state or its action beside `time` are unread in the steps held. */
  forget(): void {
    this.#isKnown = false;
  }

  /** Begins the held steps before an observation. */
  begin(): void {
    this.#count = 0;
    this.#differ = false;
  }

  /**
   * Reads the last step once more, at its due time.
   *
   * @param due seconds, in an array because a number argument may be boxed on the heap
   * @param valuation of the step before it, as are `known` and `complete`; the first two are overwritten
   * @returns whether all predicates are known
   */
  read(due: Float64Array, valuation: Uint32Array, known: Uint32Array, complete: boolean): boolean {
    if (complete) known.set(this.#all);
    this.#context.time = due[0];
    if (this.#readsAction) this.#context.action = this.#action;
    for (let t = 0; t < this.#timed.length; t++) {
      const { place, readsStep } = this.#timed[t];
      const word = place >>> 5;
      const bit = 1 << (place & 31);
      const before = valuation[word];
      const wasKnown = known[word];
      known[word] &= ~bit;
      valuation[word] &= ~bit;
      if (!readsStep || this.#isKnown) {
        try {
          if (this.#abstraction.holds(place, this.#state, this.#context)) valuation[word] |= bit;
          known[word] |= bit;
        } catch {
          // It stays unread.
        }
      }
      if (valuation[word] !== before || known[word] !== wasKnown) this.#differ = true;
    }
    return this.#keepReading(valuation, known);
  }

  /** Reads a held step as it was recorded; returns as `read`. */
  readRecorded(recorded: HeldReadings, valuation: Uint32Array, known: Uint32Array): boolean {
    valuation.set(recorded.valuation);
    known.set(recorded.known ?? this.#all);
    this.#differ = true;
    return this.#keepReading(valuation, known);
  }

  /** The readings of the steps held before the last observation; undefined if each reads as the step before the first. */
  recorded(): HeldReadings[] | undefined {
    if (!this.#differ) return undefined;
    return Array.from({ length: this.#count }, (_, held) => {
      const [from, to] = [held * this.#words, (held + 1) * this.#words];
      const known = this.#known.slice(from, to);
      const isWhole = known.every((word, w) => word === this.#all[w]);
      return { valuation: [...this.#valuations.slice(from, to)], known: isWhole ? null : [...known] };
    });
  }

  #keepReading(valuation: Uint32Array, known: Uint32Array): boolean {
    const at = this.#count * this.#words;
    this.#count++;
    let isWhole = true;
    for (let w = 0; w < this.#words; w++) {
      if (known[w] !== this.#all[w]) isWhole = false;
      this.#valuations[at + w] = valuation[w];
      this.#known[at + w] = known[w];
    }
    return isWhole;
  }
}

/** @throws TypeError for what JSON does not have: it may change unseen */
function copyOf(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) throw new TypeError('nested too deeply');
  if (Array.isArray(value)) return value.map((one) => copyOf(one, depth + 1));
  if (!isRecord(value)) throw new TypeError('no plain data');
  // Without a prototype, "__proto__" is a field like any other.
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value))
    copy[key] = copyOf((value as Record<string, unknown>)[key], depth + 1);
  return copy;
}
