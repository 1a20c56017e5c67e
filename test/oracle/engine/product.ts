import { KernelError } from '../../../bindings/base/errors.js';
import type {
  EngineChain,
  ProductInput,
  ProductParts,
  ProductProblem,
} from '../../../bindings/solvers/kernel/engine.js';
import type { Csr } from '../../../bindings/solvers/kernel/types/index.js';

/** More entries than a Map can hold. */
const MAP_END = 2 ** 24;

/** A product state: its chain state, then its automaton states. */
type Tuple = readonly number[];

/** The product of a chain and automata, found breadth first from its seeds. */
export class ReferenceProduct implements ProductProblem {
  transitions = 0;
  private readonly input: ProductInput;
  private readonly open: (matrix: Csr) => EngineChain;
  private readonly found: Tuple[] = [];
  private readonly numbers = new Map<string, number>();
  /** Numbers of the successors of the states followed so far. */
  private readonly successors: number[][] = [];

  /** `open` makes a chain of the finished product. */
  constructor(input: ProductInput, open: (matrix: Csr) => EngineChain) {
    this.input = input;
    this.open = open;
    this.enterSeeds();
  }

  get states(): number {
    return this.found.length;
  }

  get followed(): number {
    return this.successors.length;
  }

  get bytes(): number {
    return 24 * this.states + 16 * this.transitions;
  }

  explore(work: number): boolean {
    for (const end = this.transitions + work; this.followed < this.states; ) {
      if (this.transitions >= end) return true;
      const row = this.follow(this.followed);
      this.successors.push(row);
      this.transitions += row.length;
    }
    return false;
  }

  finish(withMatrix: boolean): ProductParts {
    const order = this.found.map((_, state) => state).sort((a, b) => compare(this.found[a], this.found[b]));
    const matrix = this.rows(order);
    const part = (position: number) => Uint32Array.from(order, (state) => this.found[state][position]);
    return {
      chain: this.open(matrix),
      chainState: part(0),
      automatonState: Array.from(this.input.firstStates, (_, i) => part(i + 1)),
      matrix: withMatrix ? matrix : null,
    };
  }

  close(): void {}

  private enterSeeds(): void {
    const width = this.input.firstStates.length;
    for (const { states, tuples } of this.input.seeds) {
      for (const s of states) {
        for (let i = 0; i < tuples.length; i += width) this.enter([...tuples.subarray(i, i + width)], s);
      }
    }
  }

  private follow(state: number): number[] {
    const tuple = this.found[state];
    if (this.absorbs(tuple)) return [state];
    const { rowStart, columns } = this.input.chain;
    const [s, ...automatonStates] = tuple;
    return Array.from(columns.subarray(rowStart[s], rowStart[s + 1]), (t) => this.enter(automatonStates, t));
  }

  /** The number of the state in which automata are that entered chain state `t`. */
  private enter(automatonStates: Tuple, t: number): number {
    const tuple = [t, ...automatonStates.map((q) => this.step(q, t))];
    const key = tuple.join();
    let state = this.numbers.get(key);
    if (state === undefined) {
      state = this.found.length;
      if (state >= MAP_END) {
        throw new KernelError(
          `the product has more than ${MAP_END} states, which the reference kernel cannot hold (as a chain they need ${this.bytes} bytes): use the WebAssembly kernel, or start from fewer seeds`,
        );
      }
      this.found.push(tuple);
      this.numbers.set(key, state);
    }
    return state;
  }

  private step(q: number, t: number): number {
    const { unread, passes, roots, nodes, valuations, words } = this.input;
    if (unread.has(t)) return passes[q];
    let reference = roots[q];
    while (reference >= 0) {
      const [word, mask, low, high] = nodes.subarray(4 * reference, 4 * reference + 4);
      reference = (valuations[t * words + word] & mask) === 0 ? low : high;
    }
    return -reference - 1;
  }

  private absorbs([s, ...automatonStates]: Tuple): boolean {
    const kinds = automatonStates.map((q) => this.input.absorbs[q]);
    return this.input.absorbing.has(s) || kinds.includes(1) || !kinds.includes(0);
  }

  /** Rows in a given order of the states. By chain state first, columns ascend as those of the chain do. */
  private rows(order: readonly number[]): Csr {
    const { chain } = this.input;
    const places = new Uint32Array(order.length);
    for (const [place, state] of order.entries()) places[state] = place;
    const rowStart = new Uint32Array(order.length + 1);
    const columns = new Uint32Array(this.transitions);
    const values = new Float64Array(this.transitions);
    let size = 0;
    for (const [place, state] of order.entries()) {
      const [s] = this.found[state];
      const stays = this.absorbs(this.found[state]);
      for (const [i, successor] of this.successors[state].entries()) {
        columns[size] = places[successor];
        values[size++] = stays ? 1 : chain.values[chain.rowStart[s] + i];
      }
      rowStart[place + 1] = size;
    }
    return { rowStart, columns, values };
  }
}

function compare(a: Tuple, b: Tuple): number {
  const i = a.findIndex((part, place) => part !== b[place]);
  return i < 0 ? 0 : a[i] - b[i];
}
