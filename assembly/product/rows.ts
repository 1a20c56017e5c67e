import { f64At, setF64, setU32, u32At } from "../memory";
import { Chain } from "../sparse/csr";
import { absorbs, Product, recordOf, successorPlace } from "./product";

/** Writes 0, 1, 2, … : an order to start sorting from. */
export function countUp(order: usize, count: u32): void {
  for (let i: u32 = 0; i < count; ++i) setU32(order, i, i);
}

/**
 * One stable pass of a radix sort: from the order `from` to the order `to` by word `position` of the records, whose values are
 * below `range`. `starts`: u32[range + 1], scratch. Passes from the last automaton to the chain state sort completely.
 */
export function sortBy(product: Product, position: u32, range: u32, from: usize, to: usize, starts: usize): void {
  const states = product.states;
  memory.fill(starts, 0, (<usize>range + 1) << 2);
  for (let state: u32 = 0; state < states; ++state) {
    const next = u32At(recordOf(product, state), position) + 1;
    setU32(starts, next, u32At(starts, next) + 1);
  }
  for (let i: u32 = 0; i < range; ++i) setU32(starts, i + 1, u32At(starts, i) + u32At(starts, i + 1));
  for (let i: u32 = 0; i < states; ++i) {
    const state = u32At(from, i);
    const value = u32At(recordOf(product, state), position);
    const place = u32At(starts, value);
    setU32(to, place, state);
    setU32(starts, value, place + 1);
  }
}

/** Inverts an order: where each state is in it. */
export function placesOf(order: usize, places: usize, count: u32): void {
  for (let i: u32 = 0; i < count; ++i) setU32(places, u32At(order, i), i);
}

/** Word `position` of all records, in order. */
export function gather(product: Product, position: u32, order: usize, into: usize): void {
  for (let i: u32 = 0; i < product.states; ++i) {
    setU32(into, i, u32At(recordOf(product, u32At(order, i)), position));
  }
}

/**
 * Writes rows `first` to `last` of the product, in the given order, into a chain laid out for it. The order is by chain state
 * first, and a row has one successor for each of its chain row: columns ascend as those of the chain do.
 */
export function fillRows(product: Product, to: Chain, order: usize, places: usize, first: u32, last: u32): void {
  const chain = product.chain;
  if (first == 0) setU32(to.rowStart, 0, 0);
  let entry = u32At(to.rowStart, first);
  for (let i = first; i < last; ++i) {
    const record = recordOf(product, u32At(order, i));
    const firstSuccessor = u32At(record, product.automata + 1);
    if (absorbs(product, record)) {
      setU32(to.columns, entry, i);
      setF64(to.values, entry++, 1);
    } else {
      const rowStart = u32At(chain.rowStart, u32At(record, 0));
      const length = u32At(chain.rowStart, u32At(record, 0) + 1) - rowStart;
      for (let j: u32 = 0; j < length; ++j) {
        setU32(to.columns, entry, u32At(places, load<u32>(successorPlace(product, firstSuccessor + j))));
        setF64(to.values, entry++, f64At(chain.values, rowStart + j));
      }
    }
    setU32(to.rowStart, i + 1, entry);
  }
}
