import { setU32, u32At } from "../memory";
import { COSTS, SINGLE, Sparse } from "./sparseRows";

/**
 * States by what censoring them costs, at most as many new entries: predecessors times successors (Markowitz 1957,
 * doi:10.1287/mnsc.3.3.255). Those of one cost, or of costs nearly the same, are a list.
 */
const NONE: u32 = 0xffffffff;

/** Empties all lists. */
export function forgetCosts(sparse: Sparse): void {
  sparse.cheapest = COSTS - 1;
  memory.fill(sparse.head, 0xff, <usize>COSTS << 2);
}

// @ts-ignore: decorator
@inline
function costOf(sparse: Sparse, i: u32): u32 {
  const cost = <u64>u32At(sparse.predecessorCount, i) * <u64>u32At(sparse.rowLength, i);
  if (cost < SINGLE) return <u32>cost;
  return SINGLE + <u32>((reinterpret<u64>(<f64>cost) - ((<u64>1023 + 10) << 52)) >> 46);
}

export function cheapestOf(sparse: Sparse): u32 {
  let cost = sparse.cheapest;
  while (u32At(sparse.head, cost) == NONE) ++cost;
  sparse.cheapest = cost;
  return u32At(sparse.head, cost);
}

export function enlist(sparse: Sparse, i: u32): void {
  const cost = costOf(sparse, i);
  const next = u32At(sparse.head, cost);
  setU32(sparse.next, i, next);
  setU32(sparse.previous, i, NONE);
  if (next != NONE) setU32(sparse.previous, next, i);
  setU32(sparse.head, cost, i);
  if (cost < sparse.cheapest) sparse.cheapest = cost;
}

export function delist(sparse: Sparse, i: u32): void {
  const next = u32At(sparse.next, i);
  const previous = u32At(sparse.previous, i);
  if (next != NONE) setU32(sparse.previous, next, previous);
  if (previous != NONE) setU32(sparse.next, previous, next);
  else setU32(sparse.head, costOf(sparse, i), next);
}
