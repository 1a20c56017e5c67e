import { u32At } from "../memory";
import { tightenByRow } from "./row";
import { Until } from "./until";

/**
 * One Gauss-Seidel sweep over a component, forward or backward in its order; returns whether any bound moved. Lower bounds
 * rise, upper bounds fall, and both stay bounds after every sweep, because each row is rounded outward (Haddad and Monmege
 * 2018, doi:10.1016/j.tcs.2016.12.003). A sweep that moves nothing has reached the floor of rounding.
 *
 * Exported, although only `intervalSweeps` calls it: an engine without on-stack replacement compiles a hot function well
 * only when it is entered again, and a function used once would be inlined.
 */
export function intervalSweep(until: Until, component: u32, backward: bool): bool {
  const first = u32At(until.start, component);
  const last = u32At(until.start, component + 1) - 1;
  const chain = until.chain;
  const bounds = until.bounds;
  const order = until.order;
  const step = backward ? -1 : 1;
  const end = (backward ? first : last) + step;
  let moved = false;
  for (let i = backward ? last : first; i != end; i += step) {
    if (tightenByRow(chain, bounds, u32At(order, i))) moved = true;
  }
  return moved;
}

/**
 * Up to `count` sweeps after `from` earlier ones; returns how many moved a bound, `count` if it may pay to go on. Depth-first
 * order has successors mostly first, so values travel far in a forward sweep; every eighth goes backward for those that
 * have to travel against the order.
 */
export function intervalSweeps(until: Until, component: u32, from: u32, count: u32): u32 {
  let done: u32 = 0;
  while (done < count && intervalSweep(until, component, ((from + done) & 7) == 7)) ++done;
  return done;
}
