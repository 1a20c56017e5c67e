import { f64At, setF64, u32At } from "../memory";
import { SMALLEST } from "../sparse/csr";
import { lowerAt, outward, setLower, setUpper, tighten, upperAt } from "./rounding";
import { System } from "./system";

/** Lower bounds stop here, 2^1000, before their sums could overflow; upper ones may become Infinity. */
export const LARGEST: f64 = reinterpret<f64>((1023 + 1000) << 52);

/** The sweep at which upper bounds are first guessed. */
const FIRST_GUESS: u32 = 4;

/**
 * Narrows the bounds of an unknown state by its own equation; returns whether anything moved. The gain is one more term of
 * the sum than `outward` counts, hence the + 1.
 */
// @ts-ignore: decorator
@inline
function tightenByEquation(system: System, s: u32): bool {
  const chain = system.chain;
  const start = u32At(chain.rowStart, s);
  const end = u32At(chain.rowStart, s + 1);
  let lower = lowerAt(system.gain, s);
  let upper = upperAt(system.gain, s);
  for (let e = start; e < end; ++e) {
    const probability = f64At(chain.values, e);
    const t = u32At(chain.columns, e);
    lower += probability * lowerAt(system.bounds, t);
    upper += probability * upperAt(system.bounds, t);
  }
  const exit = f64At(chain.exit, s);
  const error = outward(end - start + 1);
  return tighten(system.bounds, s, min((lower / exit) * (1 - error), LARGEST), (upper / exit) * (1 + error));
}

/** One Gauss-Seidel sweep; returns whether any bound moved. Exported for the reason given at `intervalSweep`. */
export function systemSweep(system: System, component: u32, backward: bool): bool {
  const first = u32At(system.start, component);
  const last = u32At(system.start, component + 1) - 1;
  const step = backward ? -1 : 1;
  const end = (backward ? first : last) + step;
  let moved = false;
  for (let i = backward ? last : first; i != end; i += step) {
    if (tightenByEquation(system, u32At(system.order, i))) moved = true;
  }
  return moved;
}

/**
 * Up to `count` sweeps after `from` earlier ones; returns how many were worth it, `count` if it may pay to go on.
 *
 * While no upper bound is known, one is guessed and verified by induction (as in optimistic value iteration, Hartmanns and
 * Kaminski 2020, doi:10.1007/978-3-030-53291-8_26): at sweeps 4, 8, 16, ... twice the lower bounds become the guess, and it
 * is iterated as well. A sweep u -> u' that raises nothing proves u' >= Au' + b: each u'_s was computed, rounded up, from
 * values that are at least those of u'. So u' is an upper bound, as it is for every such u' (see `System`). Doubling is
 * enough from the time when the lower bounds are beyond half of the solution, and each guess has as many sweeps to settle
 * as there were before it.
 */
export function systemSweeps(system: System, component: u32, from: u32, count: u32): u32 {
  let bounded = upperAt(system.bounds, u32At(system.order, u32At(system.start, component))) < Infinity;
  if (from == 0) system.stalled = 0;
  let done: u32 = 0;
  for (; done < count; ++done) {
    const i = from + done;
    const backward = (i & 7) == 7;
    const moved = systemSweep(system, component, backward);
    if (bounded) {
      if (!moved) break;
      continue;
    }
    if (!moved && system.stalled == 0) system.stalled = i + 1;
    // Two guesses were made since the lower bounds reached the floor of rounding: it hides what would verify them.
    if (system.stalled > 0 && i > 4 * system.stalled + 64) break;
    if (i < FIRST_GUESS) continue;
    if ((i & (i - 1)) == 0) guess(system, component);
    if (guessSweep(system, component, backward)) {
      adopt(system, component);
      bounded = true;
    }
  }
  return done;
}

/** Guesses upper bounds of a component; `guess` also takes those of the states that it depends on. */
function guess(system: System, component: u32): void {
  const chain = system.chain;
  const end = u32At(system.start, component + 1);
  for (let i = u32At(system.start, component); i < end; ++i) {
    const s = u32At(system.order, i);
    setF64(system.guess, s, 2 * lowerAt(system.bounds, s));
    const rowEnd = u32At(chain.rowStart, s + 1);
    for (let e = u32At(chain.rowStart, s); e < rowEnd; ++e) {
      const t = u32At(chain.columns, e);
      if (u32At(system.componentOf, t) != component) setF64(system.guess, t, upperAt(system.bounds, t));
    }
  }
}

/** One sweep over the guess; returns whether it raised nothing, so that the guess is an upper bound. */
export function guessSweep(system: System, component: u32, backward: bool): bool {
  const chain = system.chain;
  const first = u32At(system.start, component);
  const last = u32At(system.start, component + 1) - 1;
  const step = backward ? -1 : 1;
  const end = (backward ? first : last) + step;
  let raised = false;
  for (let i = backward ? last : first; i != end; i += step) {
    const s = u32At(system.order, i);
    const rowStart = u32At(chain.rowStart, s);
    const rowEnd = u32At(chain.rowStart, s + 1);
    let upper = upperAt(system.gain, s);
    for (let e = rowStart; e < rowEnd; ++e) {
      upper += f64At(chain.values, e) * f64At(system.guess, u32At(chain.columns, e));
    }
    upper = max((upper / f64At(chain.exit, s)) * (1 + outward(rowEnd - rowStart + 1)), SMALLEST);
    if (upper > f64At(system.guess, s)) raised = true;
    setF64(system.guess, s, upper);
  }
  return !raised;
}

function adopt(system: System, component: u32): void {
  const end = u32At(system.start, component + 1);
  for (let i = u32At(system.start, component); i < end; ++i) {
    const s = u32At(system.order, i);
    setUpper(system.bounds, s, f64At(system.guess, s));
  }
}

/** One Gauss-Seidel sweep of plain value iteration from below, as `valueSweep`. */
export function systemValueSweep(system: System, component: u32, relative: bool): f64 {
  const chain = system.chain;
  const end = u32At(system.start, component + 1);
  let largest = 0.0;
  for (let i = u32At(system.start, component); i < end; ++i) {
    const s = u32At(system.order, i);
    const rowEnd = u32At(chain.rowStart, s + 1);
    let sum = lowerAt(system.gain, s);
    for (let e = u32At(chain.rowStart, s); e < rowEnd; ++e) {
      sum += f64At(chain.values, e) * lowerAt(system.bounds, u32At(chain.columns, e));
    }
    const value = min(sum / f64At(chain.exit, s), LARGEST);
    const change = abs(value - lowerAt(system.bounds, s));
    if (change > 0) largest = max(largest, change / (relative ? value : max(1, value)));
    setLower(system.bounds, s, value);
  }
  return largest;
}
