import type { BitSet } from '../../kernel/index.js';
import { Graph, type GraphRows } from './graph.js';

/** What quantities of any model share: CTL on the graph of its transitions, which is built when first asked for. */
export abstract class PathQuantifiers implements Disposable {
  #transitions: Graph | undefined;
  readonly #rows: GraphRows;

  /** @param rows Every transition that is possible counts. */
  constructor(rows: GraphRows) {
    this.#rows = rows;
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
