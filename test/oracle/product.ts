import type { LabelAutomaton } from '../../bindings/solvers/kernel/index.js';

/** An automaton as a table, which is what its decision diagram means. */
export interface TableAutomaton {
  /** `next[q][letter]`: variable v of the letter is its bit v. */
  readonly next: readonly (readonly number[])[];
  /** The bit of a valuation that each variable is. */
  readonly bits: readonly number[];
  readonly passes: readonly number[];
  readonly absorbing: readonly number[];
}

/** The decision diagram of a table: a full tree per state, sharing nothing. */
export function diagramOf({ next, bits, passes, absorbing }: TableAutomaton): LabelAutomaton {
  const nodes: number[] = [];
  const tree = (q: number, variable: number, letter: number): number => {
    if (variable === bits.length) return -next[q][letter] - 1;
    const node = nodes.length / 3;
    nodes.push(variable, 0, 0);
    nodes[3 * node + 1] = tree(q, variable + 1, letter);
    nodes[3 * node + 2] = tree(q, variable + 1, letter | (1 << variable));
    return node;
  };
  const roots = next.map((_, q) => tree(q, 0, 0));
  return { states: next.length, roots, nodes, bits, passes, absorbing };
}

export interface TabledChain {
  /** `rows[s]`: successors, ascending. */
  readonly rows: readonly (readonly number[])[];
  /** Whether a bit is set in a chain state's valuation. */
  readonly holds: (s: number, bit: number) => boolean;
  readonly unread: (s: number) => boolean;
  readonly absorbing: (s: number) => boolean;
}

/** The states of a product by its definition, as `s,q1,q2`, each with its successors in the order of its chain row. */
export function productByDefinition(
  chain: TabledChain,
  automata: readonly TableAutomaton[],
  seeds: readonly { readonly state: number; readonly from: readonly number[] }[],
): Map<string, string[]> {
  const after = (tuple: readonly number[], t: number): number[] =>
    automata.map(({ next, bits, passes }, i) => {
      if (chain.unread(t)) return passes[tuple[i]];
      const letter = bits.reduce((word, bit, v) => word | (chain.holds(t, bit) ? 1 << v : 0), 0);
      return next[tuple[i]][letter];
    });
  const found = new Map<string, string[]>();
  const pending = seeds.map(({ state, from }) => [state, ...after(from, state)]);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const name = node.join();
    if (found.has(name)) continue;
    const [s, ...tuple] = node;
    const kinds = tuple.map((q, i) => automata[i].absorbing[q]);
    const stays = chain.absorbing(s) || kinds.some((kind) => kind === 1) || kinds.every((kind) => kind > 0);
    const row = stays ? [node] : chain.rows[s].map((t) => [t, ...after(tuple, t)]);
    pending.push(...row);
    found.set(
      name,
      row.map((successor) => successor.join()),
    );
  }
  return found;
}
