import { NotSupportedError } from '../../base/errors.js';
import { LOST, TupleSuccessors, VIOLATED } from '../../languages/automaton/index.js';
import type { Track } from './knowledge.js';

/** The values of predicates at one step: bit i & 31 of word i >>> 5, of which those in `known` are valid. */
export interface Reading {
  readonly valuation: Uint32Array;
  readonly known: Uint32Array;
}

/** One state of each track. */
export type Tuple = readonly number[];

/** Largest number of tuples that a run with unread predicates may be in. */
const MOST = 2000;

/** Steps tuples of the states of tracks, also where some predicates are not known: then to all tuples that their values can lead to. */
export class Beliefs {
  readonly tracks: readonly Track[];
  readonly initial: Tuple;
  /** Bits of the predicates that any track reads. */
  readonly reads: Uint32Array;
  /** The places among all predicates of those that the tracks read. */
  readonly #places: readonly number[];
  readonly #successors: TupleSuccessors;

  /** @param predicates in the order of their bits */
  constructor(tracks: readonly Track[], predicates: readonly string[]) {
    this.tracks = tracks;
    this.initial = tracks.map(({ automaton }) => automaton.initial);
    const automata = tracks.map(({ automaton }) => automaton);
    this.#successors = new TupleSuccessors(
      automata,
      null,
      undefined,
      (t, state) => tracks[t].rule === null && automata[t].verdict[state] === VIOLATED,
    );
    this.#places = this.#successors.variables.map((name) => predicates.indexOf(name));
    this.reads = new Uint32Array(Math.max(1, Math.ceil(predicates.length / 32)));
    for (const place of this.#places) this.reads[place >>> 5] |= 1 << (place & 31);
  }

  /** The tuple after one reading of which all predicates are known. */
  next(tuple: Tuple, valuation: Uint32Array): number[] {
    const { tracks } = this;
    const after = new Array<number>(tracks.length);
    for (let t = 0; t < tracks.length; t++) after[t] = tracks[t].stepper.step(tuple[t], valuation);
    return after;
  }

  /** All tuples that one reading can lead to, each once. What the assumptions exclude is left out. */
  after(tuples: readonly Tuple[], { valuation, known }: Reading): Tuple[] {
    const isKnown = this.#readsOnly(known);
    if (isKnown && tuples.length === 1) {
      const after = this.next(tuples[0], valuation);
      return this.isExcluded(after) ? [] : [after];
    }
    const found = new Map<string, Tuple>();
    for (const tuple of tuples)
      for (const after of isKnown ? [this.next(tuple, valuation)] : this.#open(tuple, valuation, known))
        if (!this.isExcluded(after)) {
          found.set(after.join(), after);
          if (found.size > MOST)
            throw new NotSupportedError(
              `too much of the run is not known: the rules may be in more than ${MOST} combinations of states; give the values of more predicates`,
            );
        }
    return [...found.values()];
  }

  /** Whether an assumption cannot hold any more. */
  isExcluded(tuple: Tuple): boolean {
    const { tracks } = this;
    for (let t = 0; t < tracks.length; t++)
      if (tracks[t].rule === null && tracks[t].automaton.verdict[tuple[t]] === VIOLATED) return true;
    return false;
  }

  /** The rules that are violated, but those that were so before. */
  broken(tuple: Tuple, before: readonly string[] = []): string[] {
    return this.tracks.flatMap(({ rule, automaton }, t) =>
      rule !== null && automaton.verdict[tuple[t]] === VIOLATED && !before.includes(rule) ? [rule] : [],
    );
  }

  /** The rules that are violated whichever tuple it is. */
  brokenInAll(tuples: readonly Tuple[]): string[] {
    const [first, ...others] = tuples.map((tuple) => this.broken(tuple));
    return (first ?? []).filter((name) => others.every((names) => names.includes(name)));
  }

  /** Whether no rule is violated, but those that were so before. */
  isSound(tuple: Tuple, before: readonly string[]): boolean {
    const { tracks } = this;
    for (let t = 0; t < tracks.length; t++) {
      const { rule, automaton } = tracks[t];
      if (rule !== null && automaton.verdict[tuple[t]] === VIOLATED && !before.includes(rule)) return false;
    }
    return true;
  }

  /** Whether all that the tracks read is among these bits. */
  #readsOnly(known: Uint32Array): boolean {
    const { reads } = this;
    for (let w = 0; w < reads.length; w++) if ((reads[w] & ~known[w]) !== 0) return false;
    return true;
  }

  /** As `next`, for all values of the unknown predicates: they are shared by the tracks, so the tracks are not stepped one by one. */
  #open(tuple: Tuple, valuation: Uint32Array, known: Uint32Array): Tuple[] {
    const { nodes, root } = this.#successors.of(tuple);
    const found = new Set<number>();
    const seen = new Set<number>();
    const visit = (reference: number): void => {
      if (seen.has(reference)) return;
      seen.add(reference);
      if (reference < 0) {
        const reached = -reference - 1;
        if (reached !== LOST) found.add(reached);
        return;
      }
      const place = this.#places[nodes[3 * reference]];
      const bit = 1 << (place & 31);
      const isKnown = (known[place >>> 5] & bit) !== 0;
      const holds = (valuation[place >>> 5] & bit) !== 0;
      if (!isKnown || !holds) visit(nodes[3 * reference + 1]);
      if (!isKnown || holds) visit(nodes[3 * reference + 2]);
    };
    visit(root);
    return [...found].map((number) => this.#successors.members(number));
  }
}
