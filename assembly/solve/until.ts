import { add, has, wordsOf } from "../bitSet";
import { prob0, prob1 } from "../graph/prob01";
import { components, componentsScratchBytes } from "../graph/scc";
import { Chain } from "../sparse/csr";
import { eliminationBytes } from "./elimination";
import { setBounds } from "./rounding";

/**
 * P(remain U target) of one chain: bounds for every state, and the maybe states (value neither 0 nor 1) divided into
 * components, successors first. A state's value is the sum over its entries of value times successor, divided by its exit.
 */
@unmanaged
export class Until {
  chain: Chain;
  /** f64[2 * states] */
  bounds: usize;
  remain: usize;
  target: usize;
  zero: usize;
  one: usize;
  maybe: usize;
  /** States by component: those of component c are order[start[c]] .. order[start[c + 1] - 1]. */
  order: usize;
  start: usize;
  componentOf: usize;
  scratch: usize;
  /** For the elimination of up to SMALL states. */
  matrix: usize;
}

/** Components up to this many states are eliminated at once: cheaper than finding out whether iteration is. */
export const SMALL: u32 = 32;

const STRUCT: usize = (offsetof<Until>() + 7) & ~7;

/** Bytes that an until problem on a chain of `states` states needs. */
export function untilBytes(states: u32): f64 {
  return (
    <f64>STRUCT +
    eliminationBytes(SMALL) +
    28 * <f64>states +
    4 +
    20 * <f64>wordsOf(states) +
    componentsScratchBytes(states)
  );
}

/** Lays out a problem in a block of `untilBytes` bytes. The caller then fills `remain` and `target`. */
export function layOutUntil(block: usize, chain: Chain): Until {
  const until = changetype<Until>(block);
  const states = <usize>chain.states;
  const set = <usize>wordsOf(chain.states) << 2;
  until.chain = chain;
  until.matrix = block + STRUCT;
  until.bounds = until.matrix + <usize>eliminationBytes(SMALL);
  until.order = until.bounds + (states << 4);
  until.start = until.order + (states << 2);
  until.componentOf = until.start + ((states + 1) << 2);
  until.scratch = until.componentOf + (states << 2);
  until.remain = until.scratch + <usize>componentsScratchBytes(chain.states);
  until.target = until.remain + set;
  until.zero = until.target + set;
  until.one = until.zero + set;
  until.maybe = until.one + set;
  return until;
}

export function remainOf(until: Until): usize {
  return until.remain;
}

export function targetOf(until: Until): usize {
  return until.target;
}

export function boundsOf(until: Until): usize {
  return until.bounds;
}

export function componentStartOf(until: Until): usize {
  return until.start;
}

/** Decides what the graph decides, sets all bounds to 0, 1 or [0, 1], and returns the number of components of maybe states. */
export function classify(until: Until): u32 {
  const chain = until.chain;
  prob0(chain, until.remain, until.target, until.zero, until.scratch);
  prob1(chain, until.remain, until.target, until.zero, until.one, until.maybe, until.scratch);
  memory.fill(until.maybe, 0, <usize>wordsOf(chain.states) << 2);
  for (let s: u32 = 0; s < chain.states; ++s) {
    if (has(until.zero, s)) setBounds(until.bounds, s, 0, 0);
    else if (has(until.one, s)) setBounds(until.bounds, s, 1, 1);
    else {
      setBounds(until.bounds, s, 0, 1);
      add(until.maybe, s);
    }
  }
  return components(chain, until.maybe, until.order, until.start, until.componentOf, until.scratch);
}
