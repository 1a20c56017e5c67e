import { Combination, type DecisionDiagram, leaf, Substitution } from './decisionDiagram.js';
import type { ModalNode, Term } from './normalForm.js';
import { IMPOSSIBLE, NO_OBLIGATION, type Obligation, type Obligations } from './obligations.js';
import { SequenceTable } from './sequenceTable.js';

/**
 * What a past operator remembers: how many steps ago it was that its right side may have held (of `trigger`: may have failed), and what
 * is left to be shown of that having been so and of its left side ever since. Ages ascend.
 */
type Memory = readonly { readonly age: number; readonly left: Obligation }[];

/** By its number in `History`. */
export type MemoryNumber = number;

/** The memory before a trace begins. */
export const EMPTY_MEMORY: MemoryNumber = 0;

/**
 * The memories of one past operator. Its sides may speak of the future, so what is remembered are obligations, not truth values. Once it
 * is old enough for the window, of two memories only the younger is kept where it is as good: of O[0,k] p the last p alone, as one number.
 * Of three in a row the middle one goes where the others cover its time: of O[a,b] p few are left, however late the window begins.
 */
export class History {
  readonly #memories: Memory[] = [];
  readonly #numbers = new SequenceTable();
  readonly #eventual: boolean;
  /** What an entry's obligation becomes where the left side must hold, too. */
  readonly #held: Combination;
  readonly #values: Substitution;
  /** Per age, the memory with an entry of that age. */
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
   * @param value What is left of a term that is read at this position; functions of the valuation, as all here.
   * @param progress What is left of an obligation about this position.
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

  /** What is left of the operator at the position that was read last; `memory` a function of the valuation. */
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
   * Without the oldest entry so far where one of `age` and the one before it are as good whenever it counts. An entry of age j counts from a - j to
   * b - j steps from now, so two leave no step between them out if they are at most b - a + 1 apart; without b the older one does alone.
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

  /** Whether an entry adds nothing while another counts. */
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
