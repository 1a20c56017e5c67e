import { Alphabet } from './alphabet.js';
import { type CharacterSet, codePointsOf } from './characterSet.js';
import { FALSE, type Machine, TRUE } from './machine.js';
import { beginsWith, contains, endsWith, isOneOf } from './machines/plain.js';
import { machineOfRegex } from './nfa.js';
import { readPattern } from './pattern.js';
import { type Table, tabulate } from './tabulate.js';

/**
 * A regular set of texts. Sets are values: operations give new ones, kept as the smallest deterministic automaton, so that two sets are equal if and only if
 * their automata are the same but for the alphabet.
 */
export class Language {
  /** All texts. */
  static readonly all = new Language({ sets: [], start: 0, next: () => 0, outcomes: () => TRUE });
  /** No text. */
  static readonly none = new Language({ sets: [], start: 0, next: () => 0, outcomes: () => FALSE });

  readonly #machine: Machine;
  readonly #table: Table;

  private constructor(machine: Machine) {
    this.#table = tabulate({ ...machine, isSmall: false }, new Alphabet(machine.sets));
    this.#machine = machineOf(this.#table, machine.sets);
  }

  /** These texts. @throws InvalidArgumentError for a text with a lone surrogate */
  static of(...texts: readonly string[]): Language {
    return new Language(isOneOf(texts));
  }

  /** The texts that begin with the part. */
  static beginningWith(part: string): Language {
    return new Language(beginsWith(part));
  }

  /** The texts that end with the part. */
  static endingWith(part: string): Language {
    return new Language(endsWith(part));
  }

  /** The texts in which the part stands. */
  static containing(part: string): Language {
    return new Language(contains(part));
  }

  /**
   * The texts that match a valid pattern in RE2's syntax.
   *
   * @param extent whether the whole text must match, or some part of it, as for `matches` in predicates; default `whole`
   * @throws NotSupportedError for classes that depend on the version of Unicode, such as `\p{L}`, and for patterns with too many states
   */
  static matching(pattern: string, { extent = 'whole' }: { extent?: 'whole' | 'part' } = {}): Language {
    return new Language(machineOfRegex(readPattern(pattern), extent));
  }

  /** The texts of which a predicate is true for certain. */
  static where(machine: Machine): Language {
    return new Language({
      sets: machine.sets,
      start: machine.start,
      next: (state, code) => machine.next(state, code),
      outcomes: (state) => (machine.outcomes(state) === TRUE ? TRUE : FALSE),
    });
  }

  /** Number of states of the smallest automaton. */
  get states(): number {
    return this.#table.states;
  }

  /** Whether a text is in the set. */
  has(text: string): boolean {
    const { next, alphabet, outcomes } = this.#table;
    let state = 0;
    for (const code of codePointsOf(text)) state = next[state * alphabet.size + alphabet.classOf(code)];
    return outcomes[state] === TRUE;
  }

  /** The texts that are not in the set. */
  complement(): Language {
    const { outcomes } = this.#machine;
    return new Language({ ...this.#machine, outcomes: (state) => (outcomes(state) === TRUE ? FALSE : TRUE) });
  }

  /** The texts that are in either set. */
  union(other: Language): Language {
    return this.#with(other, (a, b) => a || b);
  }

  /** The texts that are in both sets. */
  intersection(other: Language): Language {
    return this.#with(other, (a, b) => a && b);
  }

  /** The texts that are in this set and not in the other. */
  minus(other: Language): Language {
    return this.#with(other, (a, b) => a && !b);
  }

  /** The shortest text of the set, and of those the most readable; null if there is none. */
  shortest(): string | null {
    const { next, alphabet, outcomes, states } = this.#table;
    const parent = new Int32Array(states).fill(-1);
    const order = [0];
    for (let i = 0; i < order.length; i++) {
      const state = order[i];
      if (outcomes[state] === TRUE) {
        const codes: number[] = [];
        for (let at = state; at !== 0; at = Math.floor(parent[at] / alphabet.size))
          codes.push(alphabet.representatives[parent[at] % alphabet.size]);
        return String.fromCodePoint(...codes.reverse());
      }
      for (let c = 0; c < alphabet.size; c++) {
        const to = next[state * alphabet.size + c];
        if (to === 0 || parent[to] >= 0) continue;
        parent[to] = state * alphabet.size + c;
        order.push(to);
      }
    }
    return null;
  }

  /** Whether the set has no text. */
  get isEmpty(): boolean {
    return this.shortest() === null;
  }

  /** Whether every text of the other set is in this one. */
  includes(other: Language): boolean {
    return other.minus(this).isEmpty;
  }

  /** Whether the sets have the same texts. */
  equals(other: Language): boolean {
    return this.includes(other) && other.includes(this);
  }

  #with(other: Language, holds: (a: boolean, b: boolean) => boolean): Language {
    const [first, second] = [this.#machine, other.#machine];
    const width = other.states;
    return new Language({
      sets: [...first.sets, ...second.sets],
      start: 0,
      next: (state, code) => {
        const [a, b] = [Math.floor((state as number) / width), (state as number) % width];
        return (first.next(a, code) as number) * width + (second.next(b, code) as number);
      },
      outcomes: (state) => {
        const [a, b] = [Math.floor((state as number) / width), (state as number) % width];
        return holds(first.outcomes(a) === TRUE, second.outcomes(b) === TRUE) ? TRUE : FALSE;
      },
    });
  }
}

function machineOf({ next, alphabet, outcomes }: Table, sets: readonly CharacterSet[]): Machine {
  return {
    sets,
    start: 0,
    next: (state, code) => next[(state as number) * alphabet.size + alphabet.classOf(code)],
    outcomes: (state) => outcomes[state as number],
  };
}
