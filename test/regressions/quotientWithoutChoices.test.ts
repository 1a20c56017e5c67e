import { expect, test } from 'vitest';
import { instantiateKernel } from '../../bindings/solvers/kernel/wasm/module.js';
import { scalarWasmBytes, wasmBytes } from '../kernel/wasmBytes.js';

test.each([
  ['with SIMD', wasmBytes()],
  ['without SIMD', scalarWasmBytes()],
])('the last block of a quotient may be without choices in the module %s', (_, bytes) => {
  const exports = instantiateKernel(bytes);
  const words = (place: number, ...values: number[]) =>
    new Uint32Array(exports.memory.buffer, place, values.length).set(values);
  // Only with random bytes around do reads past the end of the choices lead anywhere.
  const noise = exports.allocate(4096);
  new Uint8Array(exports.memory.buffer, noise, 4096).fill(0xfe);
  exports.release(noise);

  const mdp = exports.layOutMdp(exports.allocate(exports.mdpBytes(1, 1, 1)), 1, 1, 1);
  words(exports.mdpGroupStartOf(mdp), 0, 1);
  words(exports.mdpRowStartOf(mdp), 0, 1);
  words(exports.mdpColumnsOf(mdp), 0);
  new Float64Array(exports.memory.buffer, exports.mdpValuesOf(mdp), 1)[0] = 1;
  expect(exports.checkMdp(mdp)).toBe(0);
  exports.prepareMdp(mdp);

  const plan = exports.layOutPlan(exports.allocate(exports.planBytes(mdp, 1, 1, false)), mdp, 1, 1, false);
  words(exports.planMemberStartOf(plan), 0, 1);
  words(exports.planMembersOf(plan), 0);
  words(exports.planRowsOf(plan), 1);
  words(exports.planOneOf(plan), 0);
  const quotient = exports.buildQuotient(plan, true, 1, exports.allocate(exports.measureQuotient(plan)));
  expect(() => exports.verifySweep(quotient, 0, 1)).not.toThrow();
});
