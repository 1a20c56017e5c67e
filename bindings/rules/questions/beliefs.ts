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

/** Largest number of tuples that are looked at to find whether all rules can be kept together; beyond it they count as if they could. */
const MOST_AHEAD = 5000;

/** What does not count any more, because it was so before. */
export interface LostBefore {
  /** The rules that are broken. */
  readonly broken: readonly string[];
  /** Rules that no run can keep all of any more, although each could be kept alone; empty if all can be kept together. */
  readonly apart: readonly string[];
}

/** The rules that a step breaks. */
export interface BrokenRules {
  readonly rules: readonly string[];
  /** Each of them alone could still be kept, but not all of them. */
  readonly together: boolean;
}

/** Steps tuples of the states of tracks, also where some predicates are not known: then to all tuples that their values can lead to. */
export class Beliefs {
  readonly tracks: readonly Track[];
  readonly initial: Tuple;
  /** Bits of the predicates that any track reads. */
  readonly reads: Uint32Array;
  /** The places among all predicates of those that the tracks read. */
  readonly #places: readonly number[];
  readonly #successors: TupleSuccessors;
  /** Whether all rules can be kept together, by tuples and the rules that do not count. */
  readonly #alive = new Map<string, boolean>();
  /** No bits: nothing is known. */
  readonly #nothing: Uint32Array;

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
    this.#nothing = new Uint32Array(Math.max(1, Math.ceil(predicates.length / 32)));
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

  /** What is broken in a tuple, but what was so before. */
  broken(tuple: Tuple, before: LostBefore): BrokenRules {
    const rules = this.#violated(tuple, before.broken);
    if (rules.length > 0 || this.isSound(tuple, before)) return { rules, together: false };
    return { rules: this.#conflict(tuple, before.broken), together: true };
  }

  /** What is lost whichever tuple it is: of no call that follows. */
  lost(tuples: readonly Tuple[]): LostBefore {
    const [first, ...others] = tuples.map((tuple) => this.#violated(tuple, []));
    const broken = (first ?? []).filter((name) => others.every((names) => names.includes(name)));
    if (tuples.length === 0 || tuples.some((tuple) => this.#canKeepAll(tuple, broken)))
      return { broken, apart: [] };
    return { broken, apart: this.#conflict(tuples[0], broken) };
  }

  /** Whether no rule is violated, and all can be kept together, but for what was lost before. */
  isSound(tuple: Tuple, { broken, apart }: LostBefore): boolean {
    const { tracks } = this;
    for (let t = 0; t < tracks.length; t++) {
      const { rule, automaton } = tracks[t];
      if (rule !== null && automaton.verdict[tuple[t]] === VIOLATED && !broken.includes(rule)) return false;
    }
    return apart.length > 0 || this.#canKeepAll(tuple, broken);
  }

  #violated(tuple: Tuple, but: readonly string[]): string[] {
    return this.tracks.flatMap(({ rule, automaton }, t) =>
      rule !== null && automaton.verdict[tuple[t]] === VIOLATED && !but.includes(rule) ? [rule] : [],
    );
  }

  /** A smallest set of rules that cannot be kept together: without any of them, the others can. */
  #conflict(tuple: Tuple, broken: readonly string[]): string[] {
    const rules = this.tracks.flatMap(({ rule }) => (rule !== null && !broken.includes(rule) ? [rule] : []));
    let left = rules;
    for (const name of rules) {
      const others = left.filter((one) => one !== name);
      if (
        !this.#canKeepAll(
          tuple,
          rules.concat(broken).filter((one) => !others.includes(one)),
        )
      )
        left = others;
    }
    return left;
  }

  /** Whether some run from here on keeps all rules but some, and meets the assumptions: a search through what may be read. */
  #canKeepAll(tuple: Tuple, but: readonly string[]): boolean {
    // The verdict of a single rule says it.
    if (this.tracks.length < 2) return true;
    const suffix = but.length === 0 ? '' : `|${[...but].sort().join('|')}`;
    const known = this.#alive.get(`${tuple.join()}${suffix}`);
    if (known !== undefined) return known;
    const counts = this.tracks.map(({ rule }) => rule === null || !but.includes(rule));
    const reached = new Map<string, Tuple>([[tuple.join(), tuple]]);
    let isAlive = false;
    // The map grows during the iteration.
    for (const one of reached.values()) {
      isAlive = reached.size > MOST_AHEAD || this.#mayEnd(one, counts);
      if (isAlive) break;
      for (const next of this.#open(one, this.#nothing, this.#nothing))
        if (!this.#isDead(next, counts)) reached.set(next.join(), next);
    }
    // Where no run goes on from here, none does from all that was reached.
    if (isAlive) this.#alive.set(`${tuple.join()}${suffix}`, true);
    else for (const key of reached.keys()) this.#alive.set(`${key}${suffix}`, false);
    return isAlive;
  }

  #mayEnd(tuple: Tuple, counts: readonly boolean[]): boolean {
    return this.tracks.every(
      ({ automaton, rule, atEnd }, t) =>
        !counts[t] ||
        (rule !== null && atEnd === 'weak'
          ? automaton.verdict[tuple[t]] !== VIOLATED
          : automaton.accepting[tuple[t]] === 1),
    );
  }

  #isDead(tuple: Tuple, counts: readonly boolean[]): boolean {
    return this.tracks.some(({ automaton }, t) => counts[t] && automaton.verdict[tuple[t]] === VIOLATED);
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
