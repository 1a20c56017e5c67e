import { Combination, type DecisionDiagram, leaf, Substitution } from './decisionDiagram.js';
import type { ModalNode, Term } from './normalForm.js';
import { IMPOSSIBLE, NO_OBLIGATION, type Obligation, type Obligations } from './obligations.js';
import { SequenceTable } from './sequenceTable.js';

/**
 * The memory of a past operator. Each entry has an age, the number of steps since its right side may have held (for `trigger`: may have
 * failed), and the obligation that remains to be shown: that this was so, and that the left side has held since. Ages ascend.
 */
type Memory = readonly { readonly age: number; readonly left: Obligation }[];

/** A memory, by its number in `History`. */
export type MemoryNumber = number;

/** The memory before a trace begins. */
export const EMPTY_MEMORY: MemoryNumber = 0;

/**
 * The memories of one past operator. Its sides may refer to the future, so entries are obligations, not truth values. Of two entries that
 * are old enough for the window, only the younger is kept if it is as good: for O[0,k] p this is the last p alone, a single number. Of
 * three successive entries, the middle one is dropped if the others cover its time: for O[a,b] p few entries remain, however late the
 * window begins.
 */
export class History {
  readonly #memories: Memory[] = [];
  readonly #numbers = new SequenceTable();
  readonly #eventual: boolean;
  /** Combines an entry's obligation with that of the left side. */
  readonly #held: Combination;
  readonly #values: Substitution;
  /** For each age, the function that inserts an entry of that age into a memory. */
  readonly #insertions: Combination[] = [];
  readonly #node: ModalNode;
  readonly #obligations: Obligations;
  readonly #diagram: DecisionDiagram;

  constructor(
    readonly term: Term,
    node: ModalNode,
    obligations: Obligations,
    diagram: DecisionDiagram,
  ) {
    this.#node = node;
    this.#obligations = obligations;
    this.#diagram = diagram;
    this.#eventual = node.kind === 'since';
    this.#values = new Substitution(diagram, diagram, (number) => this.#valueOf(number));
    this.#held = new Combination(diagram, this.#eventual ? this.#and : this.#or);
    this.#intern([]);
  }

  /**
   * The memory after one more position, as a function of its valuation.
   *
   * @param value The obligation of a term read at this position, as a function of the valuation, like all values here.
   * @param progress The remainder of an obligation about this position.
   */
  step(
    memory: MemoryNumber,
    value: (term: Term) => number,
    progress: (obligation: Obligation) => number,
  ): number {
    const { from, to, left, right } = this.#node;
    let result = this.#withEntry(leaf(EMPTY_MEMORY), 0, value(right));
    const since = value(left);
    for (const entry of this.#memories[memory]) {
      const age = to === null ? Math.min(entry.age + 1, from) : entry.age + 1;
      if (to !== null && age > to) break;
      result = this.#withEntry(result, age, this.#held.of(progress(entry.left), since));
    }
    return result;
  }

  /** The obligation of the operator at the position read last; `memory` is a function of the valuation. */
  value(memory: number): number {
    return this.#values.of(memory);
  }

  #valueOf(number: MemoryNumber): Obligation {
    const ripe = this.#memories[number].filter(({ age }) => age >= this.#node.from).map(({ left }) => left);
    return this.#eventual ? ripe.reduce(this.#or, IMPOSSIBLE) : ripe.reduce(this.#and, NO_OBLIGATION);
  }

  #withEntry(memory: number, age: number, entry: number): number {
    this.#insertions[age] ??= new Combination(this.#diagram, (number, left) =>
      this.#insert(number, age, left),
    );
    return this.#insertions[age].of(memory, entry);
  }

  #insert(number: MemoryNumber, age: number, left: Obligation): MemoryNumber {
    if (left === (this.#eventual ? IMPOSSIBLE : NO_OBLIGATION)) return number;
    const { from } = this.#node;
    const memory = this.#withoutCovered(this.#memories[number], age, left);
    const younger = memory.at(-1);
    if (younger !== undefined && younger.age >= from) {
      if (this.#isNeedless(left, younger.left)) return number;
      if (younger.age === age) {
        const merged = this.#eventual ? this.#or(younger.left, left) : this.#and(younger.left, left);
        return this.#intern([...memory.slice(0, -1), { age, left: merged }]);
      }
    }
    return this.#intern([...memory, { age, left }]);
  }

  /**
   * Drops the entry before the new one of `age` if its neighbours are as good whenever it counts. An entry of age j counts from a - j
   * to b - j steps from now, so two entries leave no gap if they are at most b - a + 1 apart. Without an upper bound b, the older one
   * suffices.
   */
  #withoutCovered(memory: Memory, age: number, left: Obligation): Memory {
    const { from, to } = this.#node;
    const oldest = memory.at(-1);
    if (oldest === undefined || oldest.age >= from || !this.#isNeedless(oldest.left, left)) return memory;
    const before = memory.at(-2);
    const covered =
      to === null ||
      (before !== undefined &&
        age - before.age <= to - from + 1 &&
        this.#isNeedless(oldest.left, before.left));
    return covered ? this.#withoutCovered(memory.slice(0, -1), age, left) : memory;
  }

  /** Whether an entry is redundant while another one counts. */
  #isNeedless(entry: Obligation, other: Obligation): boolean {
    return this.#eventual ? this.#obligations.entails(entry, other) : this.#obligations.entails(other, entry);
  }

  readonly #and = (a: Obligation, b: Obligation): Obligation => this.#obligations.and(a, b);
  readonly #or = (a: Obligation, b: Obligation): Obligation => this.#obligations.or(a, b);

  #intern(memory: Memory): MemoryNumber {
    const number = this.#numbers.add(memory.flatMap(({ age, left }) => [age, left]));
    if (number === this.#memories.length) this.#memories.push(memory);
    return number;
  }
}
