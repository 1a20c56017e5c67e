import { expect } from 'vitest';
import type { Pointer } from '../../bindings/solvers/kernel/wasm/exports.js';
import { eliminateDense, eliminateSparsely } from './rawChain.js';
import type { RawModule } from './rawModule.js';

/** Systems of equations over random unknown states, also those that stay among them for ever; gains and bounds are random. */
export function callRawSystem(module: RawModule, chain: Pointer, states: number): void {
  const { exports } = module;
  for (const transposed of [false, true]) {
    const block = module.block(exports.systemBytes(chain, transposed));
    const system = exports.layOutSystem(block, chain, transposed);
    const spoil = () => {
      module.noise(exports.boundsOf(system), 16 * states);
      module.noise(exports.gainOf(system), 16 * states);
    };
    spoil();
    module.noise(exports.unknownOf(system), 4 * ((states + 31) >>> 5));
    const components = exports.divideSystem(system);
    const starts = module.readWords(exports.componentStartOf(system), components + 1);
    for (let component = 0; component < components; component++) {
      const part = { problem: system, component, states: starts[component + 1] - starts[component] };
      spoil();
      if (part.states <= 32) exports.solveSmallSystem(system, component, component + 1);
      exports.systemSweep(system, component, module.coin());
      expect(exports.systemSweeps(system, component, module.word(), 20)).toBeLessThanOrEqual(20);
      exports.guessSweep(system, component, module.coin());
      exports.systemValueSweep(system, component, module.coin());
      exports.widestGap(system, 0, component, module.coin());
      exports.inheritedGap(system, component, module.coin());
      spoil();
      exports.substituteSystem(system, component, eliminateDense(module, part, exports.setUpSystem));
      if (transposed) continue;
      const sparse = eliminateSparsely(module, part, (rows) => exports.addGains(system, component, rows));
      spoil();
      exports.substituteSparseSystem(system, component, sparse);
    }
    exports.arrivals(system, module.set(states), module.bounds(states));
  }
}
