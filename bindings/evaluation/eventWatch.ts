import type { Automaton } from '../automaton/index.js';
import { Monitor, type Observation } from '../guard/index.js';

/**
 * Whether what a PCTL rule bounds happens in a trace, counted from any of its steps: one monitor begins at every step, and
 * those that have come to the same state go on as one, so that there are never more than the automaton has states (but for
 * valuations that could not be read whole).
 */
export class EventWatch {
  /** It has happened for certain, from some step on. */
  happened = false;
  readonly #automaton: Automaton;
  readonly #predicates: readonly string[];
  readonly #end: Uint32Array;
  #monitors: Monitor[] = [];

  /** @param automaton of the event *not* happening, read from the step it is counted from. */
  constructor(automaton: Automaton, predicates: readonly string[]) {
    this.#automaton = automaton;
    this.#predicates = predicates;
    this.#end = new Uint32Array(Math.max(1, Math.ceil(predicates.length / 32)));
  }

  observe({ valuation, known, complete }: Observation): void {
    this.#monitors.push(new Monitor(this.#automaton, this.#predicates));
    const states = new Set<number>();
    this.#monitors = this.#monitors.filter((monitor) => {
      if (complete) monitor.advance(valuation);
      else monitor.advancePartially(valuation, known);
      if (monitor.violated) this.happened = true;
      if (monitor.state < 0) return true;
      const isNew = !states.has(monitor.state);
      states.add(monitor.state);
      return isNew;
    });
  }

  /** Whether it happens for certain if the run ends now. Watch no further afterwards. */
  happensAtEnd(): boolean {
    return (
      this.happened ||
      this.#monitors.some((monitor) => {
        // In `end` every valuation is the same, so after as many steps as there are states the automaton only goes in circles.
        for (let i = 0; i < this.#automaton.states; i++) monitor.advance(this.#end);
        return monitor.violatedAtEnd;
      })
    );
  }
}
