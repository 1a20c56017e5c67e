import { expect } from 'vitest';
import type { Csr } from '../../bindings/solvers/kernel/index.js';
import type { Pointer } from '../../bindings/solvers/kernel/wasm/exports.js';
import { below, pick, randomRows, spoilt } from './garbage.js';
import type { RawModule } from './rawModule.js';
import { callRawSolver } from './rawSolver.js';
import { callRawSystem } from './rawSystem.js';

/** A component of an until problem or of a system, in the kernel's memory. */
export interface RawComponent {
  readonly problem: Pointer;
  readonly component: number;
  readonly states: number;
}

/** Loads random rows that are nearly a chain, and calls everything that takes a chain if they are one. */
export function callRawChain(module: RawModule): void {
  const { exports, random } = module;
  const states = 1 + module.below(pick(random, [2, 20, 90]));
  const matrix = randomRows(random, states, states);
  const transitions = matrix.columns.length;
  const block = module.block(exports.chainBytes(states, transitions));
  const chain = exports.layOutChain(block, states, transitions);
  const places = [exports.rowStartOf(chain), exports.columnsOf(chain), exports.valuesOf(chain)];
  copyNearly(module, places, matrix, pick(random, [matrix, spoilt(random, matrix)]));
  const status = exports.checkChain(chain);
  expect(status).toBeLessThan(64);
  if (status !== 0) {
    expect(exports.faultyStateOf(chain)).toBeLessThan(states);
    return;
  }
  exports.prepareChain(chain);
  exports.transpose(chain);
  search(module, chain, states);
  advance(module, chain, states);
  solve(module, chain, states);
  callRawSystem(module, chain, states);
}

/** Copies the arrays of `given` in as far as they fit, now and then one of them not at all. */
export function copyNearly(module: RawModule, places: readonly Pointer[], fitting: Csr, given: Csr): void {
  for (const [i, name] of (['rowStart', 'columns', 'values'] as const).entries()) {
    if (module.random() < 0.03) continue;
    const bytes = new Uint8Array(given[name].buffer).subarray(0, fitting[name].byteLength);
    new Uint8Array(module.exports.memory.buffer, places[i] >>> 0, bytes.length).set(bytes);
  }
}

function search(module: RawModule, chain: Pointer, states: number): void {
  const { exports } = module;
  const set = () => module.set(states);
  const frontier = module.words(states);
  exports.reachableFrom(chain, set(), set(), frontier);
  exports.reachableThrough(chain, set(), set(), set(), frontier);
  exports.canReach(chain, set(), set(), set(), frontier);
  exports.prob0(chain, set(), set(), set(), frontier);
  exports.prob1(chain, set(), set(), set(), set(), set(), frontier);
  const order = module.words(states);
  const start = module.words(states + 1);
  const componentOf = module.words(states);
  const scratch = module.block(exports.componentsScratchBytes(states));
  expect(exports.components(chain, set(), order, start, componentOf, scratch)).toBeLessThanOrEqual(states);
  const all = module.fullSet(states);
  const count = exports.components(chain, all, order, start, componentOf, scratch);
  const bottom = exports.bottomComponents(chain, count, componentOf, module.words(count));
  expect(bottom).toBeLessThanOrEqual(count);
}

function advance(module: RawModule, chain: Pointer, states: number): void {
  const { exports, random } = module;
  const rewards = randomRows(random, states, states);
  exports.gains(
    chain,
    module.coin() ? 0 : module.doubles(states),
    module.coin() ? 0 : module.copyIn(rewards.rowStart),
    module.words(rewards.columns.length),
    module.doubles(rewards.columns.length),
    module.bounds(states),
  );
  for (const gain of [0, module.bounds(states)]) {
    exports.step(
      chain,
      module.set(states),
      gain,
      module.double(),
      module.bounds(states),
      module.bounds(states),
    );
  }
}

/** An until problem with random sets, whose bounds are random doubles before every call. */
function solve(module: RawModule, chain: Pointer, states: number): void {
  const { exports } = module;
  const until = exports.layOutUntil(module.block(exports.untilBytes(states)), chain);
  const setBytes = 4 * ((states + 31) >>> 5);
  module.noise(exports.remainOf(until), setBytes);
  module.noise(exports.targetOf(until), setBytes);
  const components = exports.classify(until);
  const starts = module.readWords(exports.componentStartOf(until), components + 1);
  const spoil = () => module.noise(exports.boundsOf(until), 16 * states);
  for (let component = 0; component < components; component++) {
    const part = { problem: until, component, states: starts[component + 1] - starts[component] };
    spoil();
    if (part.states <= 32) exports.solveSmall(until, component, component + 1);
    exports.intervalSweep(until, component, module.coin());
    expect(exports.intervalSweeps(until, component, module.word(), 20)).toBeLessThanOrEqual(20);
    exports.valueSweep(until, component, module.coin());
    exports.widestGap(until, 0, component, module.coin());
    exports.inheritedGap(until, component, module.coin());
    spoil();
    eliminateDense(module, part, exports.setUpElimination);
    exports.substitute(until, component, eliminateDense(module, part, exports.setUpElimination));
    spoil();
    exports.substituteSparse(until, component, eliminateSparsely(module, part));
    spoil();
    sweepRuns(module, part);
  }
  if (components > 0) sweepOneRun(module);
  callRawSolver(module, until, states, components);
}

/** Sets up the matrix of a component, or leaves it as it was found, and censors its states. */
export function eliminateDense(
  module: RawModule,
  { problem, component, states }: RawComponent,
  setUp: (problem: Pointer, component: number, matrix: Pointer) => void,
): Pointer {
  const { exports } = module;
  const matrix = module.block(exports.eliminationBytes(states));
  setUp(problem, component, matrix);
  if (module.random() < 0.3) module.noise(matrix, exports.eliminationBytes(states));
  const first = module.below(states + 1);
  for (let state = states; state-- > first; ) exports.censor(matrix, states, state);
  exports.eliminate(matrix, states, first, first);
  if (module.coin()) exports.substituteMatrix(matrix, states);
  return matrix;
}

/** Sets up the rows of a component, and censors some of its states in any order, then cheapest first, then the rest densely. */
export function eliminateSparsely(
  module: RawModule,
  { problem, component, states }: RawComponent,
  addGains: (sparse: Pointer) => void = () => {},
): Pointer {
  const { exports, random } = module;
  const entries = exports.innerEntries(problem, component);
  const open = (room: number) =>
    exports.layOutSparse(module.block(exports.sparseBytes(states, room, room)), states, room, room);
  let sparse = open(entries + pick(random, [0, 1, 4 * states]));
  exports.setUpSparse(problem, component, sparse);
  addGains(sparse);
  const larger = () => {
    const moved = open(2 * exports.sparseEntries(sparse) + 4 * states);
    exports.moveSparse(sparse, moved);
    sparse = moved;
  };
  for (let state = module.below(2); state < states && module.coin(); state += 1 + module.below(3))
    exports.censorSparse(sparse, state);
  expect(exports.sparseRemaining(sparse)).toBeLessThanOrEqual(states);
  for (let turns = 0; turns < 5; turns++) {
    exports.eliminateSparse(sparse, pick(random, [1, 50, module.double()]));
    if (module.coin()) larger();
  }
  expect(exports.sparseWork(sparse)).toBeGreaterThanOrEqual(0);
  const rest = exports.sparseRemaining(sparse);
  const matrix = module.block(exports.eliminationBytes(rest));
  exports.setUpRest(sparse, matrix);
  exports.eliminate(matrix, rest, rest, rest);
  exports.substituteMatrix(matrix, rest);
  exports.takeRest(sparse, matrix);
  return sparse;
}

function sweepRuns(module: RawModule, { problem, component, states }: RawComponent): void {
  const { exports } = module;
  const entries = exports.innerEntries(problem, component);
  const block = module.block(exports.rowBlocksBytes(states, entries));
  const runs = exports.buildRowBlocks(block, problem, component, states, entries);
  expect(exports.rowBlocksSweeps(runs, module.word(), 20)).toBeLessThanOrEqual(20);
  exports.sweepForward(runs);
  exports.sweepBackward(runs);
  exports.rowBlocksGap(runs, module.coin());
  exports.loadBounds(runs, exports.boundsOf(problem));
  expect(exports.warmStartSweeps(runs, 20)).toBeLessThanOrEqual(20);
  exports.warmStartSweep(runs);
  exports.storeRowBlocks(runs, problem);
}

/** A run of rows whose bounds and entries are all random, up or down. */
function sweepOneRun(module: RawModule): void {
  const { exports, random } = module;
  const [length, size] = [module.below(20), module.below(9)];
  const bounds = module.bounds(size + 1);
  const outside = module.bounds(size + 1);
  const values = module.doubles(length * size);
  const columns = module.copyIn(Uint32Array.from({ length: length * size }, () => 16 * below(random, size)));
  const last = Math.max(0, size - 1);
  const [skip, step] = module.coin() ? [0, 1] : [last, -1];
  exports.sweepRun(
    bounds,
    outside - bounds,
    bounds + 16 * skip,
    values + 8 * length * skip,
    columns + 4 * length * skip,
    length,
    size,
    module.word(),
    step,
  );
}
