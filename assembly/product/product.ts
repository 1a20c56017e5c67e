import { has, wordsOf } from "../bitSet";
import { setU32, u32At } from "../memory";
import { Chain } from "../sparse/csr";

/**
 * The product of a chain and deterministic automata, found state by state from its seeds.
 *
 * All automata together are one: their states are numbered through, so that a product state is a chain state and a tuple of
 * automaton states, and a step takes every member of the tuple along the same way. A product state is held as a record of
 * automata + 2 words: its chain state, its tuple, and the number of its first successor. Records are found through an
 * open-addressing hash table of their numbers, and followed in the order in which they were found.
 *
 * Records and successors lie in chunks of equal length, so that they grow without being moved or doubled.
 */
@unmanaged
export class Product {
  /** Checked, but with its rows as given. */
  chain: Chain;
  automata: u32;
  /** Words of a valuation. */
  words: u32;
  /** u32[chain.states * words] */
  valuations: usize;
  /** Sets of chain states. */
  unread: usize;
  absorbing: usize;
  /** i32 per automaton state: node r >= 0 of `nodes`, or leaf "go to state -r - 1". */
  roots: usize;
  /** Quadruples i32: word, mask, reference if the bit is 0, reference if it is 1. */
  nodes: usize;
  /** u32 per automaton state: where it goes on entering an unread chain state. */
  passes: usize;
  /** u32 per automaton state: see `absorbs`. */
  absorbs: usize;
  /** One record: the successor being looked up. */
  probe: usize;

  /** u32[RECORD_CHUNKS]: where each chunk of records is. */
  records: usize;
  /** Records that there is room for. */
  capacity: u32;
  states: u32;
  /** Records before this one have been followed. */
  followed: u32;
  /** u32[slots], record numbers or EMPTY; slots are a power of two, at most half of them taken. */
  table: usize;
  slots: u32;
  /** u32[SUCCESSOR_CHUNKS]: where each chunk of successors is. */
  successors: usize;
  successorCapacity: u32;
  transitions: u32;
}

const STRUCT: usize = (offsetof<Product>() + 7) & ~7;
const EMPTY: u32 = 0xffffffff;

/** Logarithms of the lengths of chunks, and how many chunks 4 GiB could hold at most. */
const RECORDS: u32 = 14;
const SUCCESSORS: u32 = 16;
const RECORD_CHUNKS: u32 = 1 << 15;
const SUCCESSOR_CHUNKS: u32 = 1 << 14;

/** Why `explore` came back. The numbers are part of the interface: bindings/solvers/kernel/wasm/product.ts repeats them. */
export const enum Exploration {
  Done = 0,
  Paused = 1,
  StatesFull = 2,
  TransitionsFull = 3,
}

export function productBytes(states: u32, words: u32, automata: u32, automatonStates: u32, nodes: u32): f64 {
  const sets = 2 * <f64>wordsOf(states);
  const data = <f64>states * <f64>words + sets + 3 * <f64>automatonStates + 4 * <f64>nodes + <f64>automata + 2;
  return <f64>STRUCT + 4 * (data + <f64>(RECORD_CHUNKS + SUCCESSOR_CHUNKS));
}

/** Lays out a product in a block of `productBytes` bytes. The caller then fills the arrays from `valuationsOf` on, in order. */
export function layOutProduct(
  block: usize,
  chain: Chain,
  words: u32,
  automata: u32,
  automatonStates: u32,
  nodes: u32
): Product {
  const product = changetype<Product>(block);
  const set = <usize>wordsOf(chain.states) << 2;
  product.chain = chain;
  product.automata = automata;
  product.words = words;
  product.valuations = block + STRUCT;
  product.unread = product.valuations + ((<usize>chain.states * words) << 2);
  product.absorbing = product.unread + set;
  product.roots = product.absorbing + set;
  product.passes = product.roots + (<usize>automatonStates << 2);
  product.absorbs = product.passes + (<usize>automatonStates << 2);
  product.nodes = product.absorbs + (<usize>automatonStates << 2);
  product.probe = product.nodes + (<usize>nodes << 4);
  product.records = product.probe + <usize>recordBytes(product);
  product.successors = product.records + (<usize>RECORD_CHUNKS << 2);
  product.slots = 0;
  product.capacity = 0;
  product.states = 0;
  product.followed = 0;
  product.successorCapacity = 0;
  product.transitions = 0;
  return product;
}

/** Where valuations, unread and absorbing states, roots, passes, absorbs and nodes follow one another. */
export function valuationsOf(product: Product): usize {
  return product.valuations;
}

export function productStates(product: Product): u32 {
  return product.states;
}

export function productTransitions(product: Product): u32 {
  return product.transitions;
}

export function followedStates(product: Product): u32 {
  return product.followed;
}

// @ts-ignore: decorator
@inline
function recordBytes(product: Product): u32 {
  return (product.automata + 2) << 2;
}

/** Bytes of a chunk of records. */
export function recordChunkBytes(product: Product): u32 {
  return recordBytes(product) << RECORDS;
}

/** Bytes of a chunk of successors. */
export function successorChunkBytes(): u32 {
  return 4 << SUCCESSORS;
}

// @ts-ignore: decorator
@inline
export function recordOf(product: Product, state: u32): usize {
  const place = <usize>(state & ((1 << RECORDS) - 1)) * <usize>recordBytes(product);
  return <usize>u32At(product.records, state >>> RECORDS) + place;
}

// @ts-ignore: decorator
@inline
export function successorPlace(product: Product, i: u32): usize {
  return <usize>u32At(product.successors, i >>> SUCCESSORS) + (<usize>(i & ((1 << SUCCESSORS) - 1)) << 2);
}

/** Adds a chunk for records; returns how many there is room for now. */
export function addRecords(product: Product, chunk: usize): u32 {
  setU32(product.records, product.capacity >>> RECORDS, <u32>chunk);
  product.capacity += 1 << RECORDS;
  return product.capacity;
}

/** Adds a chunk for successors; returns how many there is room for now. */
export function addSuccessors(product: Product, chunk: usize): u32 {
  setU32(product.successors, product.successorCapacity >>> SUCCESSORS, <u32>chunk);
  product.successorCapacity += 1 << SUCCESSORS;
  return product.successorCapacity;
}

/** Enters all records into a table of `slots` words, a power of two. */
export function rehash(product: Product, table: usize, slots: u32): void {
  product.table = table;
  product.slots = slots;
  memory.fill(table, 0xff, <usize>slots << 2);
  for (let state: u32 = 0; state < product.states; ++state) {
    let slot = hash(product, recordOf(product, state));
    while (u32At(table, slot) != EMPTY) slot = (slot + 1) & (slots - 1);
    setU32(table, slot, state);
  }
}

/** How many states can be added. */
// @ts-ignore: decorator
@inline
function room(product: Product): u32 {
  return min(product.capacity, product.slots >>> 1) - product.states;
}

/** The first slot of a record: Murmur3 (Appleby 2011) of its chain state and tuple. */
// @ts-ignore: decorator
@inline
function hash(product: Product, record: usize): u32 {
  let h: u32 = 0;
  for (let i: u32 = 0; i <= product.automata; ++i) {
    h = rotl<u32>(h ^ (rotl<u32>(u32At(record, i) * 0xcc9e2d51, 15) * 0x1b873593), 13) * 5 + 0xe6546b64;
  }
  h = (h ^ (h >>> 16)) * 0x85ebca6b;
  h = (h ^ (h >>> 13)) * 0xc2b2ae35;
  return (h ^ (h >>> 16)) & (product.slots - 1);
}

/** The number of the state in `probe`, which is added if it is new. There is room for it. */
// @ts-ignore: decorator
@inline
function enter(product: Product): u32 {
  const probe = product.probe;
  let slot = hash(product, probe);
  for (;;) {
    const state = u32At(product.table, slot);
    if (state == EMPTY) break;
    const record = recordOf(product, state);
    let i: u32 = 0;
    while (i <= product.automata && u32At(record, i) == u32At(probe, i)) ++i;
    if (i > product.automata) return state;
    slot = (slot + 1) & (product.slots - 1);
  }
  const state = product.states++;
  memory.copy(recordOf(product, state), probe, <usize>recordBytes(product));
  setU32(product.table, slot, state);
  return state;
}

/** Puts into `probe` where a tuple goes on entering chain state `t`. */
// @ts-ignore: decorator
@inline
function step(product: Product, tuple: usize, t: u32): void {
  const probe = product.probe;
  setU32(probe, 0, t);
  if (has(product.unread, t)) {
    for (let i: u32 = 0; i < product.automata; ++i)
      setU32(probe, i + 1, u32At(product.passes, u32At(tuple, i)));
    return;
  }
  const valuation = product.valuations + ((<usize>t * product.words) << 2);
  for (let i: u32 = 0; i < product.automata; ++i) {
    let reference = <i32>u32At(product.roots, u32At(tuple, i));
    while (reference >= 0) {
      const node = product.nodes + (<usize>reference << 4);
      const bit = u32At(valuation, u32At(node, 0)) & u32At(node, 1);
      reference = <i32>u32At(node, bit == 0 ? 2 : 3);
    }
    setU32(probe, i + 1, ~reference);
  }
}

/** Whether a state stays for ever: its chain state absorbs, some automaton state has 1, or all have 1 or 2. */
// @ts-ignore: decorator
@inline
export function absorbs(product: Product, record: usize): bool {
  if (has(product.absorbing, u32At(record, 0))) return true;
  let all = true;
  for (let i: u32 = 1; i <= product.automata; ++i) {
    const kind = u32At(product.absorbs, u32At(record, i));
    if (kind == 1) return true;
    if (kind == 0) all = false;
  }
  return all;
}

/** Lets tuples `first` to `count` of `tuples` enter chain state `s`; returns how many did before room was needed. */
export function enterSeeds(product: Product, s: u32, tuples: usize, first: u32, count: u32): u32 {
  for (; first < count && room(product) > 0; ++first) {
    step(product, tuples + ((<usize>first * product.automata) << 2), s);
    enter(product);
  }
  return first;
}

/** Follows states until about `work` transitions have been taken, all states are followed, or room is needed. */
export function explore(product: Product, work: u32): Exploration {
  const chain = product.chain;
  const end = product.transitions + work;
  while (product.followed < product.states) {
    if (product.transitions >= end) return Exploration.Paused;
    const record = recordOf(product, product.followed);
    const s = u32At(record, 0);
    const rowStart = u32At(chain.rowStart, s);
    const rowEnd = u32At(chain.rowStart, s + 1);
    const length = rowEnd - rowStart;
    if (length > product.successorCapacity - product.transitions) return Exploration.TransitionsFull;
    setU32(record, product.automata + 1, product.transitions);
    if (absorbs(product, record)) {
      store<u32>(successorPlace(product, product.transitions++), product.followed);
    } else {
      if (length > room(product)) return Exploration.StatesFull;
      for (let e = rowStart; e < rowEnd; ++e) {
        step(product, record + 4, u32At(chain.columns, e));
        store<u32>(successorPlace(product, product.transitions++), enter(product));
      }
    }
    ++product.followed;
  }
  return Exploration.Done;
}
