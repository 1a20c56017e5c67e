import { has, wordsOf } from "../bitSet";
import { components, componentsScratchBytes } from "../graph/scc";
import { f64At, setF64, setU32, u32At } from "../memory";
import { Chain } from "../sparse/csr";
import { eliminationBytes } from "./elimination";
import { lowerAt, upperAt, setBounds, outward } from "./rounding";
import { SMALL, Until } from "./until";

/**
 * Equations x_s exit_s = gain_s + sum of p_st x_t over t != s for the unknown states, given the values of all others. With
 * rows this is an expected reward: what a state earns, and what its successors are worth. Transposed, p_ts takes the place of
 * p_st, and x_s is how often s is visited when gain_s starts there.
 *
 * No unknown state stays among the unknown for ever, so that there is exactly one solution, and x >= Ax + b implies that x
 * bounds it from above: (I - A)^-1 = I + A + A^2 + ... has no negative entry. It may be any number; an upper bound that is
 * not known yet is Infinity.
 */
@unmanaged
export class System extends Until {
  /** The chain's rows; `chain` is these, or their transpose. */
  source: Chain;
  /** f64[2 * states], bounds. */
  gain: usize;
  /** f64[states]: candidates for upper bounds, see `systemSweeps`. */
  guess: usize;
  /** After how many sweeps the lower bounds of the component at work stopped moving, 0 if they have not. */
  stalled: u32;
  transposed: bool;
}

const STRUCT: usize = (offsetof<System>() + 7) & ~7;
const CHAIN: usize = (offsetof<Chain>() + 7) & ~7;

export function systemBytes(chain: Chain, transposed: bool): f64 {
  const states = <f64>chain.states;
  const fixed = <f64>STRUCT + eliminationBytes(SMALL) + 4;
  const transpose = transposed ? <f64>CHAIN + 8 * <f64>chain.transitions : 0;
  return fixed + 44 * states + 4 * <f64>wordsOf(chain.states) + componentsScratchBytes(chain.states) + transpose;
}

/** Lays out a system in a block of `systemBytes` bytes. The caller then fills `maybe` with the unknown states, bounds and gains. */
export function layOutSystem(block: usize, chain: Chain, transposed: bool): System {
  const system = changetype<System>(block);
  const states = <usize>chain.states;
  system.source = chain;
  system.chain = chain;
  system.transposed = transposed;
  system.stalled = 0;
  system.matrix = block + STRUCT;
  system.bounds = system.matrix + <usize>eliminationBytes(SMALL);
  system.gain = system.bounds + (states << 4);
  system.scratch = system.gain + (states << 4);
  // Components are found before anything is guessed, and eliminations use the first quarter of the scratch alone.
  system.guess = system.scratch + (states << 3);
  let end = system.scratch + <usize>componentsScratchBytes(chain.states);
  if (transposed) {
    system.chain = changetype<Chain>(end);
    layOutTranspose(system.chain, chain, end + CHAIN);
    end += CHAIN + (<usize>chain.transitions << 3);
  }
  system.order = end;
  system.start = system.order + (states << 2);
  system.componentOf = system.start + ((states + 1) << 2);
  system.maybe = system.componentOf + (states << 2);
  return system;
}

/** Columns as rows: the predecessor lists of a chain are their structure already. */
function layOutTranspose(to: Chain, from: Chain, values: usize): void {
  to.states = from.states;
  to.transitions = from.transitions;
  to.rowStart = from.predecessorStart;
  to.rowEnd = from.predecessorStart + 4;
  to.columns = from.predecessors;
  to.exit = from.exit;
  to.stay = from.stay;
  to.values = values;
}

export function unknownOf(system: System): usize {
  return system.maybe;
}

export function gainOf(system: System): usize {
  return system.gain;
}

/** Divides the unknown states into components, those that others depend on first; returns how many there are. */
export function divideSystem(system: System): u32 {
  if (system.transposed) transposeValues(system.source, system.chain, system.scratch);
  return components(system.chain, system.maybe, system.order, system.start, system.componentOf, system.scratch);
}

function transposeValues(from: Chain, to: Chain, place: usize): void {
  memory.copy(place, from.predecessorStart, <usize>from.states << 2);
  for (let s: u32 = 0; s < from.states; ++s) {
    const end = u32At(from.rowStart, s + 1);
    for (let e = u32At(from.rowStart, s); e < end; ++e) {
      const t = u32At(from.columns, e);
      const at = u32At(place, t);
      setF64(to.values, at, f64At(from.values, e));
      setU32(place, t, at + 1);
    }
  }
}

/** Puts gain_s + sum of p x, rounded outward, into `result` for the states of `set`: what arrives there. */
export function arrivals(system: System, set: usize, result: usize): void {
  const chain = system.chain;
  for (let s: u32 = 0; s < chain.states; ++s) {
    if (!has(set, s)) continue;
    const start = u32At(chain.rowStart, s);
    const end = u32At(chain.rowStart, s + 1);
    let lower = lowerAt(system.gain, s);
    let upper = upperAt(system.gain, s);
    for (let e = start; e < end; ++e) {
      const t = u32At(chain.columns, e);
      lower += f64At(chain.values, e) * lowerAt(system.bounds, t);
      upper += f64At(chain.values, e) * upperAt(system.bounds, t);
    }
    const error = outward(end - start);
    setBounds(result, s, lower * (1 - error), upper * (1 + error));
  }
}
