import { expect } from 'vitest';
import type { Pointer } from '../../bindings/solvers/kernel/wasm/exports.js';
import { pick, randomRows } from './garbage.js';
import type { RawModule } from './rawModule.js';

/** What `nextComponent` returns when nothing is left, and when it has worked enough. */
const [EMPTY, PAUSE] = [2 ** 32 - 1, 2 ** 32 - 2];

/**
 * An incremental solver of a problem whose bounds are random, with hardly any room. The rows that replace others and those of
 * new states are distributions, as the bindings check; bounds are spoilt again between the calls.
 */
export function callRawSolver(module: RawModule, until: Pointer, known: number, components: number): void {
  const { exports, random } = module;
  const entries = exports.entriesOf(exports.chainOfUntil(until));
  let states = known;
  const open = (from: Pointer, count: number) => {
    const [stateRoom, entryRoom] = [states + module.below(4), 2 * entries + module.below(200) + 800];
    const [linkRoom, placeRoom] = [module.below(1000), 4 * stateRoom];
    const block = module.block(exports.solverBytes(stateRoom, entryRoom, linkRoom, placeRoom));
    const solver = exports.layOutSolver(block, stateRoom, entryRoom, linkRoom, placeRoom);
    exports.adopt(solver, from, count);
    return solver;
  };
  let solver = open(until, components);
  const spoil = () => {
    module.noise(exports.boundsOf(exports.untilOf(solver)), 16 * states);
    module.noise(exports.boundsBefore(solver), 16 * states);
  };
  for (let update = 0; update < 4; update++) {
    const more = update === 0 ? 0 : pick(random, [0, 0, 1, 3]);
    const changed = more > 0 ? [] : [...Array(states).keys()].filter(() => random() < 0.1);
    const rows = randomRows(random, more + changed.length, states + more);
    if (!exports.hasRoom(solver, more, rows.columns.length)) continue;
    exports.beginUpdate(solver);
    const places = [rows.rowStart, rows.columns, rows.values].map((array) => module.copyIn(array));
    const [rowStart, columns, values] = places;
    if (more > 0) {
      exports.addStates(solver, more, module.set(more), module.set(more), rowStart, columns, values);
      states += more;
    } else {
      const replaced = module.copyIn(Uint32Array.from(changed));
      exports.replaceRows(solver, changed.length, replaced, rowStart, columns, values);
    }
    if (module.coin()) spoil();
    exports.reviseGraph(solver);
    settleAll(module, solver, spoil);
    expect(exports.solvedStatesOf(solver)).toBeLessThanOrEqual(states);
    expect(exports.solvedComponentsOf(solver)).toBeLessThanOrEqual(states);
    if (random() < 0.3) solver = open(exports.untilOf(solver), exports.componentsOf(solver));
  }
  const chain = exports.chainOf(solver);
  const used = exports.entriesOf(chain);
  exports.copyRows(exports.layOutChain(module.block(exports.chainBytes(states, used)), states, used), chain);
}

function settleAll(module: RawModule, solver: Pointer, spoil: () => void): void {
  const { exports, random } = module;
  const tolerance = module.double();
  while (random() < 0.98) {
    const small = pick(random, [0, 1, 32]);
    const work = pick(random, [1, 30, 1000]);
    const component = exports.nextComponent(solver, small, tolerance, module.coin(), work) >>> 0;
    if (component === EMPTY) break;
    if (component === PAUSE) continue;
    expect(exports.componentSize(solver, component)).toBeGreaterThan(0);
    exports.intervalSweeps(exports.untilOf(solver), component, module.word(), 5);
    if (module.coin()) spoil();
    exports.settle(solver, component, tolerance, module.coin());
  }
  exports.finishUpdate(solver, module.coin());
}
