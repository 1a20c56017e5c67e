import type { Kernel } from '../../bindings/solvers/kernel/index.js';
import { callChain, callSolver } from './fuzzChain.js';
import {
  callIntervals,
  garbageDirection,
  garbagePlayers,
  openIntervalChain,
  openIntervalMdp,
} from './fuzzIntervals.js';
import { attempt } from './fuzzLaws.js';
import { callMdp, openMdp } from './fuzzMdp.js';
import { callProduct, openProduct } from './fuzzProduct.js';
import { below, pick, type Random, randomRows, spoilt } from './garbage.js';

/**
 * One round of random calls on random models, right and wrong, in random order, freed ones included. Frees all of them.
 */
export function fuzzRound(kernel: Kernel, random: Random): void {
  const handles: Disposable[] = [];
  const calls: (() => void)[] = [];
  const keep = <Handle extends Disposable>(
    handle: Handle | undefined,
    call: (random: Random, handle: Handle) => void,
  ): void => {
    if (handle === undefined) return;
    handles.push(handle);
    calls.push(() => call(random, handle));
  };
  const open = () => {
    const states = random() < 0.03 ? 1500 : 1 + below(random, pick(random, [1, 4, 12, 70, 200]));
    pick<() => void>(random, [
      () =>
        keep(
          attempt(() => kernel.chain(spoilt(random, randomRows(random, states, states)))),
          (_, chain) => callChain(random, chain, (solver) => keep(solver, callSolver)),
        ),
      () => keep(openMdp(random, kernel, states), callMdp),
      () =>
        keep(openIntervalChain(random, kernel, states), (_, model) =>
          callIntervals(random, model, garbageDirection),
        ),
      () =>
        keep(openIntervalMdp(random, kernel, states), (_, model) =>
          callIntervals(random, model, garbagePlayers),
        ),
      () => keep(openProduct(random, kernel, states), callProduct),
    ])();
  };
  for (let call = 0; call < 40; call++) {
    if (calls.length === 0 || random() < 0.12) open();
    else pick(random, calls)();
  }
  for (const handle of handles) attempt(() => handle[Symbol.dispose]());
}
