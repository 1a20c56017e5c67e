import type { BitSet } from '../../kernel/index.js';
import { Graph, type GraphRows } from './graph.js';

/** The part shared by the quantities of all models: CTL on the graph of transitions, which is built on first use. */
export abstract class PathQuantifiers implements Disposable {
  readonly states: number;
  #transitions: Graph | undefined;
  readonly #rows: GraphRows;

  /** @param rows the graph; every possible transition counts. */
  constructor(rows: GraphRows & { readonly states: number }) {
    this.#rows = rows;
    this.states = rows.states;
  }

  existsNext(target: BitSet): BitSet {
    return this.graph.existsNext(target);
  }

  existsUntil(remain: BitSet, target: BitSet): BitSet {
    return this.graph.existsUntil(remain, target);
  }

  existsGlobally(remain: BitSet): BitSet {
    return this.graph.existsGlobally(remain);
  }

  abstract free(): void;

  [Symbol.dispose](): void {
    this.free();
  }

  protected get graph(): Graph {
    this.#transitions ??= new Graph(this.#rows);
    return this.#transitions;
  }
}
