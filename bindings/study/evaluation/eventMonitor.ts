import { type Automaton, SATISFIED, VIOLATED } from '../../languages/automaton/index.js';
import { type HeldReadings, Monitor, type Observation } from '../../runtime/guard/index.js';

/** The state after a run, which formulas of PCTL rules may name: `P>=0.9 [ moving W end ]`. */
const END = 'end';

/**
 * Checks whether the event that a PCTL rule bounds occurs in a trace, counted from any of its steps. A monitor begins at every step, and
 * monitors in the same state are merged, so there are never more than the automaton has states (except after valuations that could not be
 * read in full).
 */
export class EventMonitor {
  /** The number of steps read before the one at which the event had certainly occurred, counted from some step; null if it has not. */
  happenedAt: number | null = null;
  /** Whether the event may have occurred at a step that could not be read in full. */
  #mayHaveHappened = false;
  #steps = 0;
  readonly #automaton: Automaton;
  /** The predicates of the steps, followed by `end`, whose bit is never set in a step. */
  readonly #predicates: readonly string[];
  readonly #end: Uint32Array;
  /** The known predicates of a step, including `end`, which is false there. */
  readonly #known: Uint32Array;
  #monitors: Monitor[] = [];
  /** The last observation, repeated for held steps. */
  #last: Pick<Observation, 'valuation' | 'known' | 'complete'> | null = null;

  /** @param automaton of the event *not* happening, read from the step it is counted from. */
  constructor(automaton: Automaton, predicates: readonly string[]) {
    this.#automaton = automaton;
    this.#predicates = [...predicates, END];
    const words = Math.ceil(this.#predicates.length / 32);
    this.#end = new Uint32Array(words);
    this.#end[predicates.length >>> 5] = 1 << (predicates.length & 31);
    this.#known = this.#end.slice();
  }

  /**
   * @param held number of missing steps before this one in which the previous step is repeated
   * @param missing number of unknown steps before this one that the rules read
   * @param heldAs how the guard read the held steps, as in its record; default: each as the previous step
   */
  observe(
    { valuation, known, complete, lost }: Observation,
    held = 0,
    missing = 0,
    heldAs: readonly HeldReadings[] = [],
  ): void {
    if (lost !== 0) this.#lose(missing, lost === 'anywhere');
    for (let i = 0; i < held && this.#last !== null; i++)
      this.#read(i < heldAs.length ? readingOf(heldAs[i]) : this.#last);
    this.#last = { valuation: valuation.slice(), known: known.slice(), complete };
    this.#read(this.#last);
  }

  /** Skips unknown steps, of any valuation and number: counting may have begun at each of them. */
  #lose(missing: number, anywhere: boolean): void {
    this.#monitors.push(new Monitor(this.#automaton, this.#predicates));
    for (const monitor of this.#monitors) {
      monitor.loseTrack(anywhere);
      if (monitor.mayBeViolated) this.#mayHaveHappened = true;
    }
    this.#steps += missing;
  }

  #read({ valuation, known, complete }: Pick<Observation, 'valuation' | 'known' | 'complete'>): void {
    this.#monitors.push(new Monitor(this.#automaton, this.#predicates));
    this.#known.set(known);
    for (const [word, bits] of this.#end.entries()) this.#known[word] |= bits;
    const states = new Set<number>();
    this.#monitors = this.#monitors.filter((monitor) => {
      if (complete) monitor.advance(valuation);
      else monitor.advancePartially(valuation, this.#known);
      if (monitor.violated) this.happenedAt ??= this.#steps;
      if (monitor.mayBeViolated) this.#mayHaveHappened = true;
      if (monitor.state < 0) return true;
      const isNew = !states.has(monitor.state);
      states.add(monitor.state);
      return isNew;
    });
    this.#steps++;
  }

  /** Whether the event occurs if the run ends now; `open` if that depends on steps that could not be read. Do not observe further steps afterwards. */
  verdictAtEnd(): 'kept' | 'violated' | 'open' {
    if (this.happenedAt !== null) return 'violated';
    const verdicts = this.#monitors.map((monitor) => {
      // In `end` every valuation is the same, so after as many steps as there are states the automaton only cycles.
      for (let i = 0; i < this.#automaton.states; i++) monitor.advance(this.#end);
      return monitor.verdictAtEnd;
    });
    if (verdicts.includes(VIOLATED)) return 'violated';
    const isCertain = !this.#mayHaveHappened && verdicts.every((verdict) => verdict === SATISFIED);
    return isCertain ? 'kept' : 'open';
  }
}

function readingOf({
  valuation,
  known,
}: HeldReadings): Pick<Observation, 'valuation' | 'known' | 'complete'> {
  return {
    valuation: Uint32Array.from(valuation),
    known: Uint32Array.from(known ?? valuation),
    complete: known === null,
  };
}
