import { type DecisionDiagram, Substitution } from './decisionDiagram.js';
import type { Effort } from './effort.js';
import type { MemoryNumber } from './history.js';
import type { CountNode, Term } from './normalForm.js';
import { NO_OBLIGATION } from './obligations.js';
import { SequenceTable } from './sequenceTable.js';

/** How many positions count for ever, and the ages of the others that count or will, ascending. */
interface Memory {
  readonly settled: number;
  readonly ages: readonly number[];
}

/**
 * The memories of one count. Without a window a memory is a number, so that a count to its bound is a chain of states. Of more positions than the bound asks
 * for, the youngest in the window are kept.
 *
 * @see Laroussinie, Meyer, Petonnet (2010), doi:10.1109/TIME.2010.20
 */
export class Tally {
  readonly #memories: Memory[] = [];
  readonly #numbers = new SequenceTable();
  readonly #values: Substitution;
  readonly #node: CountNode;
  readonly #diagram: DecisionDiagram;
  readonly #effort: Effort;
  /** Higher counts are all alike. */
  readonly #enough: number;

  constructor(
    readonly term: Term,
    node: CountNode,
    diagram: DecisionDiagram,
    effort: Effort,
  ) {
    this.#node = node;
    this.#diagram = diagram;
    this.#effort = effort;
    this.#enough = node.most === null ? node.least : node.most + 1;
    this.#values = new Substitution(diagram, diagram, (number) => Number(this.#holds(number)));
    this.#intern({ settled: 0, ages: [] });
  }

  /** The memory after one more position, as a function of its valuation. The operand reads nothing to come, so its value is a truth value. */
  step(memory: MemoryNumber, value: (term: Term) => number): number {
    const { settled, ages } = this.#memories[memory];
    const older = ages.map((age) => age + 1);
    const without = this.#intern({ settled, ages: older });
    const withOneMore = this.#intern({ settled, ages: [0, ...older] });
    return new Substitution(this.#diagram, this.#diagram, (held) =>
      held === NO_OBLIGATION ? withOneMore : without,
    ).of(value(this.#node.operand));
  }

  /** Whether the count is as it is to be at the position read last; `memory` is a function of the valuation. */
  value(memory: number): number {
    return this.#values.of(memory);
  }

  #holds(number: MemoryNumber): boolean {
    const { from, least, most, negated } = this.#node;
    const { settled, ages } = this.#memories[number];
    const count = settled + ages.filter((age) => age >= from).length;
    return (count >= least && (most === null || count <= most)) !== negated;
  }

  #intern({ settled, ages }: Memory): MemoryNumber {
    const { from, to } = this.#node;
    const waiting = ages.filter((age) => age < from);
    const ripe = ages.slice(waiting.length);
    const memory =
      to === null
        ? { settled: Math.min(settled + ripe.length, this.#enough), ages: waiting }
        : { settled, ages: [...waiting, ...ripe.filter((age) => age <= to).slice(0, this.#enough)] };
    this.#effort.spend(2 * ages.length);
    const number = this.#numbers.add([memory.settled, ...memory.ages]);
    if (number === this.#memories.length) this.#memories.push(memory);
    return number;
  }
}
