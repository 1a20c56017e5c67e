import { type Automaton, SATISFIED, VIOLATED } from '../../languages/automaton/index.js';
import { Monitor, type Observation } from '../../runtime/guard/index.js';

/** The state after a run, which formulas of PCTL rules may name: `P>=0.9 [ moving W end ]`. */
const END = 'end';

/**
 * Whether what a PCTL rule bounds happens in a trace, counted from any of its steps: one monitor begins at every step, and
 * those that have come to the same state go on as one, so that there are never more than the automaton has states (but for
 * valuations that could not be read whole).
 */
export class EventMonitor {
  /** How many steps were read before the one at which it had happened for certain, counted from some step; null where it has not. */
  happenedAt: number | null = null;
  /** It may have happened, at a step that could not be read whole. */
  #mayHaveHappened = false;
  #steps = 0;
  readonly #automaton: Automaton;
  /** Of the steps, and behind them `end`, whose bit no step has. */
  readonly #predicates: readonly string[];
  readonly #end: Uint32Array;
  /** What is known of a step, `end` included: it is false there. */
  readonly #known: Uint32Array;
  #monitors: Monitor[] = [];
  /** The last observation, to be held. */
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
   * @param held steps that were missing before this one, and were the one before them again
   * @param missing steps that the rules read before it, and of which nothing is known
   */
  observe({ valuation, known, complete, lost }: Observation, held = 0, missing = 0): void {
    if (lost !== 0) this.#lose(missing, lost === 'anywhere');
    for (let i = 0; i < held && this.#last !== null; i++) this.#read(this.#last);
    this.#last = { valuation: valuation.slice(), known: known.slice(), complete };
    this.#read(this.#last);
  }

  /** Whatever was there, and however many: counting may have begun at each of the steps that are missing. */
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

  /** Whether it happens if the run ends now; `open` where that hangs on what could not be read. Watch no further afterwards. */
  verdictAtEnd(): 'kept' | 'violated' | 'open' {
    if (this.happenedAt !== null) return 'violated';
    const verdicts = this.#monitors.map((monitor) => {
      // In `end` every valuation is the same, so after as many steps as there are states the automaton only goes in circles.
      for (let i = 0; i < this.#automaton.states; i++) monitor.advance(this.#end);
      return monitor.verdictAtEnd;
    });
    if (verdicts.includes(VIOLATED)) return 'violated';
    const isCertain = !this.#mayHaveHappened && verdicts.every((verdict) => verdict === SATISFIED);
    return isCertain ? 'kept' : 'open';
  }
}
