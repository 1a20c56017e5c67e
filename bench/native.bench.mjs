// How far is WebAssembly from C? Each kernel function against its twin in bench/native/twins.c, compiled here with gcc -O3 and with
// -O3 -march=native (and -ffp-contract=off: results are compared bit by bit, so multiplications and additions stay two roundings).
// The twins are an addon that works in this process and on the kernel's own memory, so that caches, pages and alignment are the same
// for all; they take turns, and lower quartiles are compared, of processor time. Without gcc, there is nothing to compare with, and it says so.
//
//   npm run build && node bench/native.bench.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BitSet, getKernel } from '../dist/check.js';
import { randomChain, randomNumbers, structuredChain } from './chains.mjs';
import { randomMdp } from './mdps.mjs';

const SHORT = Boolean(process.env.BENCH_SHORT);
const ROUNDS = SHORT ? 5 : 41;
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'foreguard-native-'));
try {
  const compiler = gccVersion();
  if (compiler === undefined) console.log('gcc is absent: the kernels were NOT compared with C');
  else await compare(compiler);
} finally {
  rmSync(folder, { recursive: true });
}

function gccVersion() {
  try {
    return execFileSync('gcc', ['--version'], { encoding: 'utf8' }).split('\n')[0];
  } catch {
    return undefined;
  }
}

/** The addon: twin(memory, name, ...offsets), and the clock that all are timed by. */
function compileTwins(flags) {
  const addon = join(folder, `twins${flags.length}.node`);
  execFileSync('gcc', [
    ...flags,
    ...['-ffp-contract=off', '-fPIC', '-shared', '-o', addon, path('native/twins.c'), '-lm'],
  ]);
  const { twin, nanoseconds } = createRequire(import.meta.url)(addon);
  return {
    nanoseconds,
    run(kernel, name, offsets) {
      if (!twin(kernel.memory.buffer, name, ...offsets)) throw new Error(`the twin of ${name} failed`);
    },
  };
}

async function compare(compiler) {
  const module = new WebAssembly.Module(readFileSync(path('../dist/foreguard.wasm')));
  const kernel = new WebAssembly.Instance(module).exports;
  const twins = [compileTwins(['-O3']), compileTwins(['-O3', '-march=native'])];
  console.log(`${compiler}; lower quartiles of ${ROUNDS} rounds, by turns\n`);
  console.log('| kernel | wasm µs | ÷ C -O3 | ÷ C -march=native | goals |\n| --- | --- | --- | --- | --- |');
  const sizes = SHORT ? [2_000, 20_000] : [10_000, 100_000];
  for (const states of sizes) for (const job of chainJobs(kernel, states)) await runJob(kernel, twins, job);
  for (const states of sizes) await runJob(kernel, twins, mdpJob(kernel, states));
  for (const states of SHORT ? [64] : [64, 256, 600])
    await runJob(kernel, twins, eliminationJob(kernel, states));
  compareSolve(module, twins);
}

/** A whole solve of a chain of many components, all states to 1e-6, by the package as users call it and by C. */
function compareSolve(module, twins) {
  const states = SHORT ? 50_000 : 1_000_000;
  const matrix = structuredChain(states, 5);
  const { columns } = matrix;
  const chain = getKernel().chain(matrix);
  const [everywhere, goal] = [BitSet.full(states), BitSet.of(states, [states - 1])];
  const kernel = new WebAssembly.Instance(module).exports;
  const { until } = layOut(kernel, matrix, states - 1);
  const scratch = kernel.allocate(kernel.rowBlocksBytes(1000, 100_000)) >>> 0;
  const bounds = new Float64Array(kernel.memory.buffer, kernel.boundsOf(until) >>> 0, 2 * states);

  const times = [[], [], []];
  for (let round = 0; round < (SHORT ? 3 : 11); round++) {
    const { nanoseconds } = twins[0];
    const start = nanoseconds();
    const { lower, upper } = chain.until(everywhere, goal);
    times[0].push(nanoseconds() - start);
    if (upper.some((value, s) => !(value - lower[s] <= 2e-6)))
      throw new Error('the bounds of the solve are too wide');
    for (const [i, twin] of twins.entries()) {
      const start = nanoseconds();
      twin.run(kernel, 'solve', [until, scratch]);
      times[i + 1].push(nanoseconds() - start);
      if (lower.some((_, s) => !(bounds[2 * s + 1] - bounds[2 * s] <= 2e-6)))
        throw new Error('the bounds of the C twin are too wide');
    }
  }
  report(`whole solve, ${states} states`, times, [1.5]);
  const bytes = getKernel().memoryBytes() / columns.length;
  console.log(
    `\nThat chain has ${columns.length} transitions; the kernel held ${bytes.toFixed(1)} bytes for each at its peak (goal: 40).`,
  );
  chain.free();
}

/** Times a function and its twins by turns; before each, `restore` copies what they change: [to, from, bytes]. */
async function runJob(kernel, twins, { label, name, wasm, native, restore = [], outputs, goals }) {
  const { nanoseconds } = twins[0];
  const run = kernel[name];
  const contestants = [() => run(...wasm), ...twins.map((twin) => () => twin.run(kernel, name, native))];
  const prepare = () => {
    for (const [to, from, bytes] of restore)
      new Uint8Array(kernel.memory.buffer).copyWithin(to, from, from + bytes);
  };
  const answers = contestants.map((contestant) => {
    prepare();
    contestant();
    return outputs.map(([at, words]) => hash(new Uint32Array(kernel.memory.buffer, at, words))).join();
  });
  if (new Set(answers).size > 1)
    throw new Error(`${label}: wasm and C differ, so their times are not worth knowing`);

  for (let call = 0; call < 20; call++) {
    prepare();
    contestants[0]();
  }
  await new Promise((resolve) => setTimeout(resolve, 20)); // for the optimising compiler, which works beside
  const times = contestants.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, contestant] of contestants.entries()) {
      prepare();
      const start = nanoseconds();
      contestant();
      times[i].push(nanoseconds() - start);
    }
  report(label, times, goals);
}

function report(label, times, goals) {
  const [wasmTime, ...nativeTimes] = times.map(quartile);
  const ratios = nativeTimes.map((time) => (wasmTime / time).toFixed(2));
  console.log(
    `| ${label} | ${(wasmTime / 1000).toFixed(1)} | ${ratios.join(' | ')} | ${goals.join(' / ')} |`,
  );
}

/** What an answer is compared by (Fowler, Noll and Vo). */
function hash(words) {
  let sum = 2166136261;
  for (const word of words) sum = Math.imul(sum ^ word, 16777619);
  return sum >>> 0;
}

/** The lower quartile: other work on the machine can only add to a time. */
function quartile(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 2];
}

/** A chain and the problem of reaching `goal`, in the kernel's memory. */
function layOut(kernel, { rowStart, columns, values }, goal) {
  const states = rowStart.length - 1;
  const reserve = (bytes) => kernel.allocate(bytes) >>> 0;
  const words = (at, count) => new Uint32Array(kernel.memory.buffer, at >>> 0, count);
  const chain = kernel.layOutChain(
    reserve(kernel.chainBytes(states, columns.length)),
    states,
    columns.length,
  );
  words(kernel.rowStartOf(chain), states + 1).set(rowStart);
  words(kernel.columnsOf(chain), columns.length).set(columns);
  new Float64Array(kernel.memory.buffer, kernel.valuesOf(chain) >>> 0, values.length).set(values);
  if (kernel.checkChain(chain) !== 0) throw new Error('the chain is refused');
  kernel.prepareChain(chain);
  const transitions = words(kernel.rowStartOf(chain), states + 1)[states];

  const until = kernel.layOutUntil(reserve(kernel.untilBytes(states)), chain);
  const setWords = (states + 31) >>> 5;
  const full = new Uint32Array(setWords).fill(0xffffffff);
  if (states & 31) full[setWords - 1] = (1 << (states & 31)) - 1;
  const [remain, target] = [kernel.remainOf(until) >>> 0, kernel.targetOf(until) >>> 0];
  words(remain, setWords).set(full);
  words(target, setWords).fill(0);
  words(target, setWords)[goal >>> 5] = 1 << (goal & 31);
  return { chain, until, transitions, remain, target };
}

/** The functions that work on a chain, laid out in the kernel's memory with what they need. */
function chainJobs(kernel, states) {
  const reserve = (bytes) => kernel.allocate(bytes) >>> 0;
  const words = (at, count) => new Uint32Array(kernel.memory.buffer, at >>> 0, count);
  const { chain, until, transitions, remain, target } = layOut(kernel, randomChain(states, 4, 7), states - 1);
  const setWords = (states + 31) >>> 5;
  const components = kernel.classify(until);
  const starts = words(kernel.componentStartOf(until), components + 1).slice();
  let largest = 0;
  for (let c = 0; c < components; c++)
    if (starts[c + 1] - starts[c] > starts[largest + 1] - starts[largest]) largest = c;
  const members = starts[largest + 1] - starts[largest];
  const entries = kernel.innerEntries(until, largest);
  const runs = kernel.buildRowBlocks(
    reserve(kernel.rowBlocksBytes(members, entries)),
    until,
    largest,
    members,
    entries,
  );

  const bounds = kernel.boundsOf(until) >>> 0;
  const pristine = reserve(16 * states);
  const scratch = reserve(32 * states + 64);
  const copy = (to, from, bytes) => new Uint8Array(kernel.memory.buffer).copyWithin(to, from, from + bytes);
  copy(pristine, bounds, 16 * states);
  // What a copy's bounds are before the first sweep; `bounds` is its fifth word.
  const runsBounds = words(runs, 5)[4];
  const runsPristine = reserve(16 * members);
  copy(runsPristine, runsBounds, 16 * members);
  const [predecessorStart, predecessorList] = words(chain, 11).slice(9);

  const steps = reserve(32 * states);
  for (const half of [steps, steps + 16 * states]) copy(half, pristine, 16 * states);
  const sized = (label) => `${label}, ${states} states`;
  const search = [scratch, scratch + 4 * states, scratch + 8 * states + 4, scratch + 12 * states + 8];
  const reached = reserve(4 * setWords);
  const frontier = reserve(4 * states);
  return [
    {
      label: sized('transpose'),
      name: 'transpose',
      wasm: [chain],
      native: [chain],
      outputs: [
        [predecessorStart, states + 1],
        [predecessorList, transitions],
      ],
      goals: [1.65, 1.65],
    },
    {
      label: sized('backward search'),
      name: 'canReach',
      wasm: [chain, remain, target, reached, frontier],
      native: [chain, remain, target, reached, frontier],
      outputs: [[reached, setWords]],
      goals: [1.25, 1.3],
    },
    {
      label: sized('components (Tarjan)'),
      name: 'components',
      wasm: [chain, remain, ...search],
      native: [chain, remain, ...search],
      outputs: [[search[2], states]],
      goals: [1.4, 1.5],
    },
    {
      label: sized('interval sweep, CSR'),
      name: 'intervalSweep',
      wasm: [until, largest, 0],
      native: [until, largest],
      restore: [[bounds, pristine, 16 * states]],
      outputs: [[bounds, 4 * states]],
      goals: [1.25, 1.35],
    },
    {
      label: sized('interval sweep, runs'),
      name: 'sweepForward',
      wasm: [runs],
      native: [runs],
      restore: [[runsBounds, runsPristine, 16 * members]],
      outputs: [[runsBounds, 4 * members]],
      goals: [1.3, 1.35],
    },
    {
      label: sized('value sweep (Gauss–Seidel)'),
      name: 'valueSweep',
      wasm: [until, largest, 0],
      native: [until, largest],
      restore: [[bounds, pristine, 16 * states]],
      outputs: [[bounds, 4 * states]],
      goals: [1.25, 1.35],
    },
    {
      label: sized('step (Jacobi)'),
      name: 'step',
      wasm: [chain, remain, 0, 1, steps, steps + 16 * states],
      native: [chain, remain, steps, steps + 16 * states],
      outputs: [[steps + 16 * states, 4 * states]],
      goals: [1.25, 1.35],
    },
  ];
}

/** A sweep over an MDP whose states are blocks of their own, but for the two that absorb. */
function mdpJob(kernel, states) {
  const matrix = randomMdp(states, 3, 4, 7);
  const reserve = (bytes) => kernel.allocate(bytes) >>> 0;
  const words = (at, values) => new Uint32Array(kernel.memory.buffer, at >>> 0, values.length).set(values);
  const rows = matrix.rowStart.length - 1;
  const size = [states, rows, matrix.columns.length];
  const mdp = kernel.layOutMdp(reserve(kernel.mdpBytes(...size)), ...size);
  words(kernel.mdpGroupStartOf(mdp), matrix.rowGroupStart);
  words(kernel.mdpRowStartOf(mdp), matrix.rowStart);
  words(kernel.mdpColumnsOf(mdp), matrix.columns);
  new Float64Array(kernel.memory.buffer, kernel.mdpValuesOf(mdp) >>> 0, matrix.values.length).set(
    matrix.values,
  );
  if (kernel.checkMdp(mdp) !== 0) throw new Error('the MDP is refused');
  kernel.prepareMdp(mdp);

  const blocks = states - 2;
  const plan = kernel.layOutPlan(reserve(kernel.planBytes(mdp, blocks, blocks, 0)), mdp, blocks, blocks, 0);
  const numbers = Uint32Array.from({ length: blocks + 1 }, (_, b) => b);
  words(kernel.planMemberStartOf(plan), numbers);
  words(kernel.planMembersOf(plan), numbers.subarray(0, blocks));
  words(kernel.planRowsOf(plan), BitSet.full(rows).words);
  words(kernel.planOneOf(plan), BitSet.of(states, [states - 1]).words);
  const quotient = kernel.buildQuotient(plan, 1, 1, reserve(kernel.measureQuotient(plan)));
  const bounds = kernel.quotientBoundsOf(quotient) >>> 0;
  const pristine = reserve(16 * blocks);
  new Uint8Array(kernel.memory.buffer).copyWithin(pristine, bounds, bounds + 16 * blocks);
  return {
    label: `MDP sweep, ${states} states`,
    name: 'maximiseSweep',
    wasm: [quotient, 0, blocks, 0],
    native: [quotient, 0, blocks],
    restore: [[bounds, pristine, 16 * blocks]],
    outputs: [[bounds, 4 * blocks]],
    goals: [1.15, 1.2],
  };
}

/** A dense matrix of random moves, as elimination finds it. */
function eliminationJob(kernel, states) {
  const bytes = kernel.eliminationBytes(states);
  const [matrix, pristine] = [kernel.allocate(bytes) >>> 0, kernel.allocate(bytes) >>> 0];
  const random = randomNumbers(states);
  const cells = new Float64Array(kernel.memory.buffer, pristine, bytes / 8);
  for (let i = 0; i < cells.length; i++) cells[i] = (0.01 + random()) / states;
  return {
    label: `elimination, ${states} states`,
    name: 'eliminate',
    wasm: [matrix, states, states, states],
    native: [matrix, states],
    restore: [[matrix, pristine, bytes]],
    outputs: [[matrix, bytes / 4]],
    goals: [1.2, 1.9],
  };
}
