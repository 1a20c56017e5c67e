import { expect } from 'vitest';
import type { KernelExports, Pointer } from '../../bindings/kernel/wasm/exports.js';
import { below, pick, type Random, randomRows, spoilt } from './garbage.js';

/**
 * One round of calls of the module's own functions, bindings left out: blocks come from `allocate` with the sizes that the
 * module gives, their contents are random bytes or nearly a chain. What docs/architecture.md promises: no call traps, and
 * what is not a chain is refused by `checkChain`.
 */
export function rawRound(exports: KernelExports, random: Random): void {
  const states = 1 + below(random, 70);
  const matrix = randomRows(random, states, states);
  const block = exports.allocate(exports.chainBytes(states, matrix.columns.length));
  const chain = exports.layOutChain(block, states, matrix.columns.length);
  const places = [exports.rowStartOf(chain), exports.columnsOf(chain), exports.valuesOf(chain)];
  const { rowStart, columns, values } = pick(random, [matrix, spoilt(random, matrix)]);
  for (const [i, array] of [rowStart, columns, values].entries()) {
    if (random() < 0.1) continue;
    const original = [matrix.rowStart, matrix.columns, matrix.values][i];
    bytesAt(exports, places[i], original.byteLength).set(
      new Uint8Array(array.buffer).subarray(0, original.byteLength),
    );
  }
  const status = exports.checkChain(chain);
  expect(status).toBeLessThan(64);
  if (status === 0) {
    exports.prepareChain(chain);
    search(exports, random, chain, states);
    solve(exports, random, chain, states);
    advance(exports, random, chain, states);
  } else expect(exports.faultyStateOf(chain)).toBeLessThan(states);
  exports.release(chain);
}

/** Graph searches from sets of random bits, those past the last state included. */
function search(exports: KernelExports, random: Random, chain: Pointer, states: number): void {
  const setBytes = 4 * ((states + 31) >>> 5);
  const scratch = exports.componentsScratchBytes(states);
  const block = exports.allocate(5 * setBytes + 12 * states + 4 + scratch);
  const [a, b, c, d, frontier] = Array.from({ length: 5 }, (_, i) => block + i * setBytes);
  noise(exports, random, block, 4 * setBytes);
  exports.reachableFrom(chain, a, b, frontier);
  noise(exports, random, block, 4 * setBytes);
  exports.canReach(chain, a, b, c, frontier);
  noise(exports, random, block, 4 * setBytes);
  exports.prob0(chain, a, b, c, frontier);
  noise(exports, random, block, 4 * setBytes);
  exports.prob1(chain, a, b, c, d, frontier, frontier + setBytes);
  noise(exports, random, block, setBytes);
  const order = block + setBytes;
  const start = order + 4 * states;
  const componentOf = start + 4 * (states + 1);
  const count = exports.components(chain, a, order, start, componentOf, componentOf + 4 * states);
  expect(count).toBeLessThanOrEqual(states);
  exports.release(block);
}

/** An until problem with random sets, whose bounds are random doubles before every call. */
function solve(exports: KernelExports, random: Random, chain: Pointer, states: number): void {
  const setBytes = 4 * ((states + 31) >>> 5);
  const until = exports.layOutUntil(exports.allocate(exports.untilBytes(states)), chain);
  noise(exports, random, exports.remainOf(until), setBytes);
  noise(exports, random, exports.targetOf(until), setBytes);
  const components = exports.classify(until);
  const starts = new Uint32Array(
    exports.memory.buffer,
    exports.componentStartOf(until),
    components + 1,
  ).slice();
  for (let component = 0; component < components; component++) {
    noise(exports, random, exports.boundsOf(until), 16 * states);
    const n = starts[component + 1] - starts[component];
    if (n <= 32) exports.solveSmall(until, component, component + 1);
    expect(exports.intervalSweeps(until, component, below(random, 2 ** 32), 20)).toBeLessThanOrEqual(20);
    exports.valueSweep(until, component, random() < 0.5);
    exports.widestGap(until, 0, component, random() < 0.5);
    exports.inheritedGap(until, component, random() < 0.5);
    const matrix = exports.allocate(exports.eliminationBytes(n));
    noise(exports, random, exports.boundsOf(until), 16 * states);
    exports.setUpElimination(until, component, matrix);
    if (random() < 0.5) noise(exports, random, matrix, exports.eliminationBytes(n));
    exports.eliminate(matrix, n, n, n);
    exports.substitute(until, component, matrix);
    exports.release(matrix);
  }
  exports.release(until);
}

function advance(exports: KernelExports, random: Random, chain: Pointer, states: number): void {
  const setBytes = 4 * ((states + 31) >>> 5);
  const block = exports.allocate(32 * states + setBytes);
  for (let i = 0; i < 3; i++) {
    noise(exports, random, block, 32 * states + setBytes);
    exports.step(chain, block + 32 * states, 0, 1, block, block + 16 * states);
  }
  exports.release(block);
}

function noise(exports: KernelExports, random: Random, place: Pointer, length: number): void {
  const bytes = bytesAt(exports, place, length);
  for (let i = 0; i < length; i++) bytes[i] = random() * 256;
}

const bytesAt = ({ memory }: KernelExports, place: Pointer, length: number) =>
  new Uint8Array(memory.buffer, place >>> 0, length);
