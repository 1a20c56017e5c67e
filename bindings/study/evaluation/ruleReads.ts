import type { GuardFile, Observation } from '../../runtime/guard/index.js';

/** A rule whose predicates could never all be read in one step, so that findings on it mean nothing. */
export interface UnreadRule {
  readonly rule: string;
  /** The predicates that some step could not read. */
  readonly predicates: readonly string[];
  /** The explanation in words, with the first step and its problem. */
  readonly message: string;
}

/** Records whether all predicates of a rule could be read in one step. */
export class RuleReads {
  readonly #name: string;
  readonly #predicates: readonly string[];
  /** Positions of the rule's predicates among the guard's. */
  readonly #bits: readonly number[];
  readonly #unread = new Set<number>();
  #steps = 0;
  #read = false;
  #first = '';

  /** @param r number of the rule */
  constructor({ predicates, rules }: GuardFile, r: number) {
    const { name, automaton, monitor } = rules[r];
    this.#name = name;
    this.#predicates = predicates.map((predicate) => predicate.name);
    const named = new Set([...automaton.predicates, ...(monitor?.predicates ?? [])]);
    this.#bits = this.#predicates.flatMap((predicate, bit) => (named.has(predicate) ? [bit] : []));
  }

  /** Adds an observation; `step` is the trace's. */
  add({ complete, known, errors }: Observation, trace: string, step: number): void {
    if (this.#read) return;
    this.#steps++;
    const unread = complete ? [] : this.#bits.filter((bit) => ((known[bit >>> 5] >>> (bit & 31)) & 1) === 0);
    if (unread.length === 0) this.#read = true;
    else if (this.#first === '') {
      const error = errors[unread[0]];
      this.#first = `trace "${trace}", step ${step}: ${error instanceof Error ? error.message : `"${this.#predicates[unread[0]]}" could not be read`}`;
    }
    for (const bit of unread) this.#unread.add(bit);
  }

  /** Null if some step could be read, or there is no step. */
  result(): UnreadRule | null {
    if (this.#read || this.#steps === 0) return null;
    const predicates = [...this.#unread].sort((a, b) => a - b).map((bit) => this.#predicates[bit]);
    const none = this.#steps === 1 ? 'not at the one step' : `at none of ${this.#steps} steps`;
    return {
      rule: this.#name,
      predicates,
      message: `rule "${this.#name}" could be read in full ${none}: ${predicates.map((name) => `"${name}"`).join(', ')} could not be read, the first time at ${this.#first}. Give traces that have what it reads`,
    };
  }
}
