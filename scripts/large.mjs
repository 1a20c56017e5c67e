/**
 * How large a model does the kernel load and solve, and with how many bytes a transition? The goal is reached with a
 * probability that is known: 0.3 in chains and as a maximum, 0.2 as a minimum. It is checked in every state. Sizes that 4 GiB
 * cannot hold must end in a KernelError that says so. Each model has a process of its own, so that peaks are its own.
 *
 *   npm run build && node scripts/large.mjs [KIND:STATES:TRANSITIONS_A_ROW ...]
 *
 * Kinds: chain, mdp (two rows a state), intervals. The default sizes take a quarter of an hour and 9 GiB of memory.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BitSet, getKernel } from '../dist/check.js';
import { KernelError } from '../dist/index.js';

const MIB = 2 ** 20;
const BLOCK = 100;
/** The probability to reach the goal: at most, and at least where there is a choice. */
const [GOAL, LEAST] = [0.3, 0.2];
const [INSIDE, ENDS] = [0.5, 1e-3];

/**
 * Blocks of 100 states that follow each other: a state moves inside its block, to the next one, and to the last two states,
 * the goal among them, where it stays. `shares` are those of the goal in what goes there, one for each row of a state.
 */
function blocks(states, degree, shares) {
  const inside = degree - 3;
  if (!(inside >= 1 && inside <= BLOCK))
    throw new RangeError(`${degree} transitions a row: 4 to ${BLOCK + 3}`);
  const transient = states - 2;
  const rows = transient * shares.length + 2;
  const rowGroupStart = Uint32Array.from({ length: states + 1 }, (_, s) =>
    s <= transient ? s * shares.length : rows - states + s,
  );
  const rowStart = new Uint32Array(rows + 1);
  const columns = new Uint32Array(rows * degree);
  const values = new Float64Array(columns.length);
  let seed = 1;
  const below = (limit) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  let [row, e] = [0, 0];
  const add = (column, value) => {
    columns[e] = column;
    values[e++] = value;
  };
  for (let s = 0; s < transient; s++) {
    const block = s - (s % BLOCK);
    const next = block + BLOCK;
    const width = Math.min(BLOCK, transient - block);
    const count = Math.min(inside, width);
    const isLast = next >= transient;
    const share = (isLast ? 1 - ENDS : INSIDE) / count;
    for (const goal of shares) {
      const first = block + below(width - count + 1);
      for (let i = 0; i < count; i++) add(first + i, share);
      if (!isLast) add(next + below(Math.min(BLOCK, transient - next)), 1 - INSIDE - ENDS);
      add(transient, goal * ENDS);
      add(transient + 1, (1 - goal) * ENDS);
      rowStart[++row] = e;
    }
  }
  for (let s = transient; s < states; s++) {
    add(s, 1);
    rowStart[++row] = e;
  }
  return { rowGroupStart, rowStart, columns: columns.subarray(0, e), values: values.subarray(0, e) };
}

/** Nature divides what goes to the ends, and moves a tenth of what stays inside. */
function widened({ rowStart, columns, values }, states) {
  const lower = values.slice();
  const upper = values.slice();
  for (let e = 0; e < columns.length - 2; e++) {
    if (columns[e] === states - 2) [lower[e], upper[e]] = [LEAST * ENDS, GOAL * ENDS];
    else if (columns[e] === states - 1) [lower[e], upper[e]] = [(1 - GOAL) * ENDS, (1 - LEAST) * ENDS];
    else [lower[e], upper[e]] = [0.9 * values[e], 1.1 * values[e]];
  }
  return { rowStart, columns, lower, upper };
}

/** By kind: what a model is made of, how it is loaded, and which of its probabilities are computed. */
const KINDS = {
  chain: {
    make: (states, degree) => blocks(states, degree, [GOAL]),
    load: (kernel, matrix) => kernel.chain(matrix),
    solves: { probability: [GOAL, (model, ...sets) => model.until(...sets)] },
  },
  mdp: {
    make: (states, degree) => blocks(states, degree, [GOAL, LEAST]),
    load: (kernel, matrix) => kernel.mdp(matrix),
    solves: {
      Pmin: [LEAST, (model, ...sets) => model.until('min', ...sets)],
      Pmax: [GOAL, (model, ...sets) => model.until('max', ...sets)],
    },
  },
  intervals: {
    make: (states, degree) => widened(blocks(states, degree, [GOAL]), states),
    load: (kernel, matrix) => kernel.intervalChain(matrix),
    solves: {
      Pmin: [LEAST, (model, ...sets) => model.until(...sets, 'min')],
      Pmax: [GOAL, (model, ...sets) => model.until(...sets, 'max')],
    },
  },
};

const timed = (work) => {
  const start = performance.now();
  const result = work();
  return [result, ((performance.now() - start) / 1000).toFixed(1)];
};

function measure(kind, states, degree) {
  const { make, load, solves } = KINDS[kind];
  const kernel = getKernel();
  let [matrix, making] = timed(() => make(states, degree));
  const transitions = matrix.columns.length;
  const held = () => {
    const bytes = kernel.memoryBytes();
    return `${(bytes / MIB).toFixed(0)} MiB, ${(bytes / transitions).toFixed(1)} bytes a transition`;
  };
  console.log(`${kind} of ${states} states and ${transitions} transitions, made in ${making} s`);
  const [model, loading] = timed(() => load(kernel, matrix));
  matrix = undefined;
  try {
    console.log(`  loaded in ${loading} s: ${held()}`);
    const sets = [BitSet.full(states), BitSet.of(states, [states - 2])];
    for (const [name, [expected, solve]] of Object.entries(solves)) {
      const [{ lower, upper, method, iterations }, solving] = timed(() => solve(model, ...sets));
      let widest = 0;
      for (let s = 0; s < states - 2; s++) {
        // The doubles of a row do not have that ratio exactly.
        if (!(lower[s] <= expected + 1e-12 && expected - 1e-12 <= upper[s]))
          throw new Error(`state ${s}: ${lower[s]} to ${upper[s]}`);
        widest = Math.max(widest, upper[s] - lower[s]);
      }
      console.log(`  ${name} in ${solving} s by ${method}, ${iterations} sweeps: ${held()} at the peak`);
      console.log(`  every state between its bounds, at most ${widest.toExponential(1)} apart`);
    }
  } finally {
    model.free();
  }
}

/** By kind one that fits and one that does not. */
const SIZES = [
  ...['chain:1e7:10', 'chain:1e7:30'],
  ...['mdp:5e6:10', 'mdp:6e6:10'],
  ...['intervals:9e6:10', 'intervals:1e7:10'],
];
const [first, ...others] = process.argv.slice(2);
if (first !== undefined && others.length === 0) {
  const [kind, states, degree] = first.split(':');
  try {
    measure(kind, Number(states), Number(degree));
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    console.log(`  refused: ${error.message}`);
  }
  console.log(`  ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB of memory in all, at most`);
} else {
  for (const size of first === undefined ? SIZES : [first, ...others]) {
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), size], {
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
  }
}
