import { NotSupportedError } from '../../base/errors.js';
import { grown } from '../../base/grown.js';
import { PairTable } from '../../base/pairTable.js';
import type { Formula } from '../logic/index.js';

// Far above any rule written by hand; reached only if the formula has no small diagram.
const MAX_NODES = 500_000;

/** The cost of requesting a node, in comparisons of two obligations. */
const STEPS_PER_NODE = 30;

/** Reference to a leaf that holds `value`; leaves are negative, nodes count from 0 (the layout of `Automaton.nodes`). */
export function leaf(value: number): number {
  return -value - 1;
}

/** The value that a leaf holds. */
export function contentOf(reference: number): number {
  return -reference - 1;
}

/** Leaves of Boolean functions. */
export const FALSE_LEAF = 0;
export const TRUE_LEAF = 1;

/** What requests for nodes are charged to. */
export interface Effortful {
  spend(steps: number): void;
}

/**
 * Reduced ordered decision diagrams with integer leaves that share equal parts: two functions are equal if and only if their references
 * are. A Boolean function has the leaves 0 and 1.
 *
 * @see R. Bryant (1986), doi:10.1109/TC.1986.1676819; Fujita, McGeer, Yang (1997), doi:10.1023/A:1008647823331
 */
export class DecisionDiagram {
  /** Triples: variable, reference if it is false, reference if it is true. */
  readonly nodes: number[] = [];
  /** For each variable, the reference pairs of its nodes, and the nodes in the same order. */
  readonly #known: { readonly pairs: PairTable; readonly references: number[] }[] = [];
  readonly #effort: Effortful | null;

  /** @param effort the budget to which requests for nodes are charged; default none */
  constructor(effort: Effortful | null = null) {
    this.#effort = effort;
  }

  /** The function that is `high` if `variable` is true and `low` otherwise; both must read later variables only. */
  node(variable: number, low: number, high: number): number {
    if (low === high) return low;
    this.#effort?.spend(STEPS_PER_NODE);
    while (this.#known.length <= variable) this.#known.push({ pairs: new PairTable(), references: [] });
    const { pairs, references } = this.#known[variable];
    const index = pairs.add(low, high);
    if (index < references.length) return references[index];
    const reference = this.nodes.length / 3;
    if (reference >= MAX_NODES) {
      throw new NotSupportedError(
        `the formula's decision diagram has more than ${MAX_NODES} nodes; name parts of it as predicates of their own`,
      );
    }
    this.nodes.push(variable, low, high);
    references.push(reference);
    return reference;
  }

  /** The Boolean function of a formula without temporal operators; `variables` numbers its predicates. */
  boolean(formula: Formula, variables: ReadonlyMap<string, number>): number {
    switch (formula.kind) {
      case 'constant':
        return leaf(formula.value ? TRUE_LEAF : FALSE_LEAF);
      case 'predicate':
        return this.node(variables.get(formula.name) as number, leaf(FALSE_LEAF), leaf(TRUE_LEAF));
      case 'not':
        return this.not(this.boolean(formula.operand, variables));
      case 'and':
      case 'or':
      case 'implies':
      case 'iff': {
        const connect = connective[formula.kind];
        return new Combination(this, connect).of(
          this.boolean(formula.left, variables),
          this.boolean(formula.right, variables),
        );
      }
      default:
        throw new NotSupportedError(
          formula.kind === 'comparison'
            ? `the comparison ${formula.source} has no predicate; deriveAbstraction makes one of every comparison`
            : `a ${formula.kind} operator has no value at a single position`,
        );
    }
  }

  not(root: number): number {
    return this.import(this, root, (value) => 1 - value);
  }

  /** Copies function `root` of `source`, which may be this diagram, and replaces every leaf v by leaf `value(v)`. */
  import(source: DecisionDiagram, root: number, value: (leaf: number) => number): number {
    return new Substitution(source, this, value).of(root);
  }
}

/** Computes the functions `f(v) = value(g(v))` for functions g of one diagram, in another diagram; results are memoised. */
export class Substitution {
  /** For each node of the source, its image, valid if its stamp is the current one. */
  #images = new Int32Array(16);
  #stamps = new Int32Array(16);
  #stamp = 1;
  readonly #source: DecisionDiagram;
  readonly #target: DecisionDiagram;
  readonly #value: (leaf: number) => number;

  constructor(source: DecisionDiagram, target: DecisionDiagram, value: (leaf: number) => number) {
    this.#source = source;
    this.#target = target;
    this.#value = value;
  }

  of(reference: number): number {
    if (reference < 0) return leaf(this.#value(contentOf(reference)));
    if (reference >= this.#images.length) this.#grow(reference);
    if (this.#stamps[reference] === this.#stamp) return this.#images[reference];
    const { nodes } = this.#source;
    const at = 3 * reference;
    const image = this.#target.node(nodes[at], this.of(nodes[at + 1]), this.of(nodes[at + 2]));
    this.#images[reference] = image;
    this.#stamps[reference] = this.#stamp;
    return image;
  }

  /** Discards memoised results, because values of leaves have changed. */
  forget(): void {
    this.#stamp++;
  }

  #grow(reference: number): void {
    const size = Math.max(2 * this.#images.length, reference + 1);
    this.#images = grown(this.#images, size);
    this.#stamps = grown(this.#stamps, size);
  }
}

/**
 * Computes the functions `f(v) = connect(g(v), h(v))` for g of one diagram and h of another or the same; results are memoised.
 */
export class Combination {
  readonly #pairs = new PairTable();
  readonly #results: number[] = [];
  readonly #target: DecisionDiagram;
  readonly #connect: (a: number, b: number) => number;
  readonly #first: DecisionDiagram;
  readonly #second: DecisionDiagram;

  constructor(
    target: DecisionDiagram,
    connect: (a: number, b: number) => number,
    first: DecisionDiagram = target,
    second: DecisionDiagram = target,
  ) {
    this.#target = target;
    this.#connect = connect;
    this.#first = first;
    this.#second = second;
  }

  of(a: number, b: number): number {
    if (a < 0 && b < 0) return leaf(this.#connect(contentOf(a), contentOf(b)));
    // A pair never depends on itself: if its index is known, so is its result.
    const index = this.#pairs.add(a, b);
    return (this.#results[index] ??= this.#compute(a, b));
  }

  #compute(a: number, b: number): number {
    const { nodes } = this.#first;
    const others = this.#second.nodes;
    const ofA = a < 0 ? Number.POSITIVE_INFINITY : nodes[3 * a];
    const ofB = b < 0 ? Number.POSITIVE_INFINITY : others[3 * b];
    if (ofA < ofB) return this.#target.node(ofA, this.of(nodes[3 * a + 1], b), this.of(nodes[3 * a + 2], b));
    if (ofB < ofA)
      return this.#target.node(ofB, this.of(a, others[3 * b + 1]), this.of(a, others[3 * b + 2]));
    return this.#target.node(
      ofA,
      this.of(nodes[3 * a + 1], others[3 * b + 1]),
      this.of(nodes[3 * a + 2], others[3 * b + 2]),
    );
  }
}

const connective = {
  and: (a: number, b: number) => a & b,
  or: (a: number, b: number) => a | b,
  implies: (a: number, b: number) => (1 - a) | b,
  iff: (a: number, b: number) => 1 - (a ^ b),
};

/** Values of the leaves that can be reached from `root`, each once, ascending. */
export function leaves(nodes: ArrayLike<number>, root: number): number[] {
  if (root < 0) return [contentOf(root)];
  const values = new Set<number>();
  const seen = new Set<number>();
  const pending = [root];
  while (pending.length > 0) {
    const reference = pending.pop() as number;
    if (reference < 0) values.add(contentOf(reference));
    else if (!seen.has(reference)) {
      seen.add(reference);
      pending.push(nodes[3 * reference + 1], nodes[3 * reference + 2]);
    }
  }
  return [...values].sort((a, b) => a - b);
}
