import { NotSupportedError } from '../errors.js';
import type { Formula } from '../logic/index.js';

// Far above any rule a person writes; reached only where the formula has no small diagram.
const MAX_NODES = 1_000_000;

/** Reference to a leaf that holds `value`; leaves are negative, nodes count from 0 (the layout of `Automaton.nodes`). */
export function leaf(value: number): number {
  return -value - 1;
}

/**
 * Reduced ordered decision diagrams with integer leaves, sharing equal parts: two functions are equal exactly when their
 * references are. A Boolean function has the leaves 0 and 1.
 */
export class DecisionDiagram {
  /** Triples: variable, reference if it is false, reference if it is true. */
  readonly nodes: number[] = [];
  private readonly known = new Map<string, number>();

  /** The function that is `high` where `variable` is true and `low` elsewhere; both read later variables only. */
  node(variable: number, low: number, high: number): number {
    if (low === high) return low;
    const key = `${variable},${low},${high}`;
    let reference = this.known.get(key);
    if (reference === undefined) {
      reference = this.nodes.length / 3;
      if (reference >= MAX_NODES) {
        throw new NotSupportedError(
          `the formula's decision diagram has more than ${MAX_NODES} nodes; name parts of it as predicates of their own`,
        );
      }
      this.nodes.push(variable, low, high);
      this.known.set(key, reference);
    }
    return reference;
  }

  /** The function `combine(a(v), b(v))` of every valuation v. */
  combine(a: number, b: number, combine: (a: number, b: number) => number): number {
    const done = new Map<string, number>();
    const visit = (x: number, y: number): number => {
      if (x < 0 && y < 0) return leaf(combine(-x - 1, -y - 1));
      const key = `${x},${y}`;
      let result = done.get(key);
      if (result === undefined) {
        const variable = Math.min(this.variable(x), this.variable(y));
        result = this.node(
          variable,
          visit(this.cofactor(x, variable, 1), this.cofactor(y, variable, 1)),
          visit(this.cofactor(x, variable, 2), this.cofactor(y, variable, 2)),
        );
        done.set(key, result);
      }
      return result;
    };
    return visit(a, b);
  }

  /** The Boolean function of a formula without temporal operators; `variables` numbers its predicates. */
  boolean(formula: Formula, variables: ReadonlyMap<string, number>): number {
    switch (formula.kind) {
      case 'constant':
        return leaf(formula.value ? 1 : 0);
      case 'predicate':
        return this.node(variables.get(formula.name) as number, leaf(0), leaf(1));
      case 'not':
        return this.combine(this.boolean(formula.operand, variables), leaf(0), (a) => 1 - a);
      case 'and':
      case 'or':
      case 'implies':
      case 'iff': {
        const left = this.boolean(formula.left, variables);
        return this.combine(left, this.boolean(formula.right, variables), connective[formula.kind]);
      }
      default:
        throw new NotSupportedError(
          formula.kind === 'comparison'
            ? `the comparison ${formula.source} has no predicate; deriveAbstraction makes one of every comparison`
            : `a ${formula.kind} operator has no value at a single position`,
        );
    }
  }

  /** Copies function `root` of `source` into this diagram, every leaf v becoming leaf `value(v)`. */
  import(source: DecisionDiagram, root: number, value: (leaf: number) => number): number {
    const done = new Map<number, number>();
    const visit = (reference: number): number => {
      if (reference < 0) return leaf(value(-reference - 1));
      let result = done.get(reference);
      if (result === undefined) {
        const at = 3 * reference;
        result = this.node(source.nodes[at], visit(source.nodes[at + 1]), visit(source.nodes[at + 2]));
        done.set(reference, result);
      }
      return result;
    };
    return visit(root);
  }

  private variable(reference: number): number {
    return reference < 0 ? Number.POSITIVE_INFINITY : this.nodes[3 * reference];
  }

  private cofactor(reference: number, variable: number, branch: 1 | 2): number {
    return this.variable(reference) === variable ? this.nodes[3 * reference + branch] : reference;
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
  const values = new Set<number>();
  const seen = new Set<number>();
  const pending = [root];
  while (pending.length > 0) {
    const reference = pending.pop() as number;
    if (reference < 0) values.add(-reference - 1);
    else if (!seen.has(reference)) {
      seen.add(reference);
      pending.push(nodes[3 * reference + 1], nodes[3 * reference + 2]);
    }
  }
  return [...values].sort((a, b) => a - b);
}
