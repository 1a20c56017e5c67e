import type { BitSet } from '../bitSet.js';
import type { EngineChain, ProductInput, ProductParts, ProductProblem } from '../engine.js';
import type { Csr } from '../types/index.js';
import type { WasmEngine } from './engine.js';
import type { Pointer } from './exports.js';

/** The memory blocks of a product. */
type Block = 'chain' | 'product' | 'tuples' | 'table' | 'order';

/** The reason why `explore` returned; the numbers are those of assembly/product/product.ts. */
const EXPLORED = 0;
const STATES_FULL = 2;
const TRANSITIONS_FULL = 3;

/** Rows written by one call: engines compile a function better from its second call on. */
const FILL_SLICE = 1 << 14;

/** The initial number of slots of a product's hash table. */
const FIRST_SLOTS = 2048;

/**
 * A product in the kernel's memory: one block for its input, chunks of records and successors, added as they fill, and a hash
 * table, replaced by one twice as large when half full.
 */
export class WasmProduct implements ProductProblem {
  readonly #engine: WasmEngine;
  readonly #input: ProductInput;
  readonly #adopt: (chain: Pointer, states: number) => EngineChain;
  readonly #product: Pointer;
  readonly #seeds: Iterator<Seed>;
  readonly #longestRow: number;
  #recordCapacity = 0;
  #successorCapacity = 0;
  #slots = 0;
  /** The blocks held, 0 for none. */
  readonly #blocks: Record<Block, number> = { chain: 0, product: 0, tuples: 0, table: 0, order: 0 };
  readonly #chunks: Pointer[] = [];
  #chunkBytes = 0;

  /** `chain` holds the input's chain with unchanged rows; `close` frees it. `adopt` hands a chain over to the engine. */
  constructor(
    engine: WasmEngine,
    input: ProductInput,
    chain: Pointer,
    adopt: (chain: Pointer, states: number) => EngineChain,
  ) {
    const { exports, memory } = engine;
    const { rowStart } = input.chain;
    this.#engine = engine;
    this.#input = input;
    this.#adopt = adopt;
    this.#blocks.chain = chain;
    this.#longestRow = rowStart.reduce((most, start, s) => Math.max(most, start - (rowStart[s - 1] ?? 0)), 0);
    try {
      const states = rowStart.length - 1;
      const size = [
        input.words,
        input.firstStates.length,
        input.roots.length,
        input.nodes.length / 4,
      ] as const;
      const purpose = `the automata of a product, with ${states} valuations`;
      this.#blocks.product = memory.allocate(exports.productBytes(states, ...size), purpose);
      this.#product = exports.layOutProduct(this.#blocks.product, chain, ...size);
      this.#write(exports.valuationsOf(this.#product), [
        input.valuations,
        input.unread.words,
        input.absorbing.words,
        new Uint32Array(input.roots.buffer),
        input.passes,
        input.absorbs,
        new Uint32Array(input.nodes.buffer),
      ]);
      this.#seeds = this.#placeSeeds();
      this.#makeRoom(1);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get states(): number {
    return this.#engine.exports.productStates(this.#product);
  }

  get followed(): number {
    return this.#engine.exports.followedStates(this.#product);
  }

  get transitions(): number {
    return this.#engine.exports.productTransitions(this.#product);
  }

  /** The bytes of the chain together with the states found and their order. */
  get bytes(): number {
    const { states, transitions } = this;
    return this.#engine.exports.chainBytes(states, transitions) + this.#chunkBytes + 8 * states;
  }

  explore(work: number): boolean {
    const { exports } = this.#engine;
    let left = work;
    while (left > 0) {
      const { done, value: seed } = this.#seeds.next();
      if (done) break;
      for (let entered = 0; ; this.#makeRoom(1)) {
        entered = exports.enterSeeds(this.#product, seed.state, seed.tuples, entered, seed.count);
        if (entered === seed.count) break;
      }
      left -= seed.count;
    }
    if (left <= 0) return true;
    for (const end = this.transitions + left; ; ) {
      const reason = exports.explore(this.#product, Math.max(1, end - this.transitions));
      if (reason === STATES_FULL) this.#makeRoom(this.#longestRow);
      else if (reason === TRANSITIONS_FULL) this.#addSuccessors(this.#longestRow);
      else return reason !== EXPLORED;
    }
  }

  finish(withMatrix: boolean): ProductParts {
    const { exports, memory } = this.#engine;
    const { states, transitions } = this;
    const product = this.#product;
    this.#release('table');
    const ordered = this.#placeInOrder();
    const purpose = `a product of ${states} states and ${transitions} transitions`;
    const chain = exports.layOutChain(
      memory.allocate(exports.chainBytes(states, transitions), purpose),
      states,
      transitions,
    );
    try {
      for (let first = 0; first < states; first += FILL_SLICE) {
        const last = Math.min(states, first + FILL_SLICE);
        exports.fillRows(product, chain, ordered.order, ordered.places, first, last);
      }
      const matrix = withMatrix ? this.#readRows(chain) : null;
      const part = (position: number) => {
        exports.gather(product, position, ordered.order, ordered.places);
        return memory.readWords(ordered.places, states);
      };
      const chainState = part(0);
      const automatonState = Array.from(this.#input.firstStates, (_, i) => part(i + 1));
      this.close();
      return { chain: this.#adopt(chain, states), chainState, automatonState, matrix };
    } catch (error) {
      memory.release(chain);
      throw error;
    }
  }

  close(): void {
    for (const name of Object.keys(this.#blocks) as Block[]) this.#release(name);
    for (const chunk of this.#chunks.splice(0)) this.#engine.memory.release(chunk);
  }

  /** The order of the states by chain state, then automaton states, and the position of each state in it. */
  #placeInOrder(): { order: Pointer; places: Pointer } {
    const { exports, memory } = this.#engine;
    const { states } = this;
    const product = this.#product;
    const input = this.#input;
    const range = Math.max(input.chain.rowStart.length - 1, input.roots.length);
    const bytes = 8 * states + 4 * (range + 1);
    this.#blocks.order = memory.allocate(bytes, `putting a product of ${states} states in order`);
    let order = this.#blocks.order;
    let other = order + 4 * states;
    const starts = order + 8 * states;
    exports.countUp(order, states);
    for (let position = input.firstStates.length; position >= 0; position--) {
      exports.sortBy(product, position, range, order, other, starts);
      [order, other] = [other, order];
    }
    exports.placesOf(order, other, states);
    return { order, places: other };
  }

  #readRows(chain: Pointer): Csr {
    const { exports, memory } = this.#engine;
    return {
      rowStart: memory.readWords(exports.rowStartOf(chain), this.states + 1),
      columns: memory.readWords(exports.columnsOf(chain), this.transitions),
      values: memory.readDoubles(exports.valuesOf(chain), this.transitions),
    };
  }

  /** Copies the tuples of all seeds into memory, and yields the tuples that enter each chain state. */
  #placeSeeds(): Iterator<Seed> {
    const { memory } = this.#engine;
    const { seeds, firstStates } = this.#input;
    const words = seeds.reduce((total, { tuples }) => total + tuples.length, 0);
    this.#blocks.tuples = memory.allocate(4 * words, 'the seeds of a product');
    const places = this.#write(
      this.#blocks.tuples,
      seeds.map(({ tuples }) => tuples),
    );
    return seedsInTurn(
      seeds.map(({ states, tuples }, i) => ({
        states,
        tuples: places[i],
        count: tuples.length / firstStates.length,
      })),
    );
  }

  /** Makes room for at least `more` further states. */
  #makeRoom(more: number): void {
    const { exports, memory } = this.#engine;
    const needed = this.states + more;
    const bytes = exports.recordChunkBytes(this.#product);
    while (this.#recordCapacity < needed)
      this.#recordCapacity = exports.addRecords(this.#product, this.#chunk(bytes));
    if (this.#slots >= 2 * needed) return;
    this.#slots = Math.max(2 * this.#slots, 2 ** Math.ceil(Math.log2(2 * needed)), FIRST_SLOTS);
    this.#release('table');
    this.#blocks.table = memory.allocate(4 * this.#slots, this.#purpose());
    exports.rehash(this.#product, this.#blocks.table, this.#slots);
  }

  /** Makes room for at least `more` further transitions. */
  #addSuccessors(more: number): void {
    const { exports } = this.#engine;
    const needed = this.transitions + more;
    const bytes = exports.successorChunkBytes();
    while (this.#successorCapacity < needed)
      this.#successorCapacity = exports.addSuccessors(this.#product, this.#chunk(bytes));
  }

  #chunk(bytes: number): Pointer {
    const chunk = this.#engine.memory.allocate(bytes, this.#purpose());
    this.#chunks.push(chunk);
    this.#chunkBytes += bytes;
    return chunk;
  }

  #purpose(): string {
    return `finding a product, of which ${this.states} states and ${this.transitions} transitions are found,`;
  }

  /** Writes arrays one after the other; returns the start of each. */
  #write(place: Pointer, arrays: readonly Uint32Array[]): Pointer[] {
    let next = place;
    return arrays.map((array) => {
      const begin = next;
      this.#engine.memory.writeWords(begin, array);
      next += 4 * array.length;
      return begin;
    });
  }

  #release(name: Block): void {
    const block = this.#blocks[name];
    this.#blocks[name] = 0;
    if (block !== 0) this.#engine.memory.release(block);
  }
}

interface Seed {
  readonly state: number;
  readonly tuples: Pointer;
  readonly count: number;
}

function* seedsInTurn(
  groups: readonly { states: BitSet; tuples: Pointer; count: number }[],
): Generator<Seed, undefined> {
  for (const { states, tuples, count } of groups) for (const state of states) yield { state, tuples, count };
}
