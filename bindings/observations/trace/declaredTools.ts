import { isObject } from '../../base/objectKind.js';
import type { Step, Trace } from './trace.js';

/** Fields of a state that count calls of tools. */
const COUNTS = ['calls', 'failures'] as const;

type Counts = Readonly<Record<string, unknown>>;

/** Gives states that count calls an entry for each declared tool, because a missing field is an error in predicates. */
export class DeclaredTools {
  /** Whether any state so far counted calls. */
  counting = false;
  readonly #none: Counts;
  /** Counts that already have their entries: steps between two calls share one object. */
  readonly #completed = new WeakMap<object, Counts>();

  constructor(tools: readonly string[]) {
    this.#none = Object.fromEntries(tools.map((name) => [name, 0]));
  }

  addTo(trace: Trace): Trace {
    return { ...trace, steps: trace.steps.map((step) => this.#addToStep(step)) };
  }

  #addToStep(step: Step): Step {
    const { state } = step;
    const found = COUNTS.filter((field) => Object.hasOwn(state, field) && isObject(state[field]));
    if (found.length === 0) return step;
    this.counting = true;
    const counts = found.map((field) => [field, this.#complete(state[field] as Counts)]);
    return { ...step, state: { ...state, ...Object.fromEntries(counts) } };
  }

  #complete(counts: Counts): Counts {
    let complete = this.#completed.get(counts);
    if (complete === undefined) {
      complete = { ...this.#none, ...counts };
      this.#completed.set(counts, complete);
    }
    return complete;
  }
}
