/**
 * How large a chain does the kernel load and solve, and with how many bytes a transition? Every state of these chains reaches
 * the goal with probability 0.3, which is checked. Sizes that 4 GiB cannot hold must end in a KernelError that says so.
 *
 *   npm run build && node scripts/large.mjs [STATES:TRANSITIONS_A_STATE ...]
 *
 * Default: 1e6:10 1e7:10 1e7:30. The second needs about 5 GiB of memory, the last is refused before it is copied.
 */
import { BitSet, getKernel, KernelError } from '../dist/index.js';

const MIB = 2 ** 20;
const BLOCK = 100;
const GOAL = 0.3;
const [INSIDE, ENDS] = [0.5, 1e-3];

/**
 * Blocks of 100 states that follow each other: a state moves inside its block, to the next one, and to the last two states,
 * the goal among them, where it stays.
 */
function blocks(states, degree) {
  const inside = degree - 3;
  if (!(inside >= 1 && inside <= BLOCK))
    throw new RangeError(`${degree} transitions a state: 4 to ${BLOCK + 3}`);
  const transient = states - 2;
  const rowStart = new Uint32Array(states + 1);
  const columns = new Uint32Array(transient * degree + 2);
  const values = new Float64Array(columns.length);
  let seed = 1;
  const below = (limit) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  let e = 0;
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
    const first = block + below(width - count + 1);
    for (let i = 0; i < count; i++) add(first + i, share);
    if (!isLast) add(next + below(Math.min(BLOCK, transient - next)), 1 - INSIDE - ENDS);
    add(transient, GOAL * ENDS);
    add(transient + 1, (1 - GOAL) * ENDS);
    rowStart[s + 1] = e;
  }
  for (let s = transient; s < states; s++) {
    add(s, 1);
    rowStart[s + 1] = e;
  }
  return { rowStart, columns: columns.subarray(0, e), values: values.subarray(0, e) };
}

const timed = (work) => {
  const start = performance.now();
  const result = work();
  return [result, ((performance.now() - start) / 1000).toFixed(2)];
};

function measure(states, degree) {
  const kernel = getKernel();
  const [matrix, making] = timed(() => blocks(states, degree));
  const transitions = matrix.columns.length;
  const perTransition = () => (kernel.memoryBytes() / transitions).toFixed(1);
  const [chain, loading] = timed(() => kernel.chain(matrix));
  try {
    console.log(`${states} states, ${transitions} transitions, made in ${making} s`);
    console.log(
      `  loaded in ${loading} s: ${perTransition()} bytes a transition, ${(kernel.memoryBytes() / MIB).toFixed(0)} MiB`,
    );
    const target = BitSet.of(states, [states - 2]);
    const [{ lower, upper, method, iterations }, solving] = timed(() =>
      chain.until(BitSet.full(states), target),
    );
    console.log(
      `  solved in ${solving} s by ${method}, ${iterations} sweeps: ${perTransition()} bytes a transition at the peak`,
    );
    let widest = 0;
    for (let s = 0; s < states - 2; s++) {
      // The doubles of a row are not 3 to 7 exactly.
      if (!(lower[s] <= GOAL + 1e-12 && GOAL - 1e-12 <= upper[s]))
        throw new Error(`state ${s}: ${lower[s]} to ${upper[s]}`);
      widest = Math.max(widest, upper[s] - lower[s]);
    }
    console.log(`  every state between its bounds, at most ${widest.toExponential(1)} apart`);
  } finally {
    chain.free();
  }
}

const sizes = process.argv.length > 2 ? process.argv.slice(2) : ['1e6:10', '1e7:10', '1e7:30'];
for (const size of sizes) {
  const [states, degree] = size.split(':').map(Number);
  try {
    measure(states, degree);
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    console.log(`${size} is refused:\n  ${error.message}`);
  }
}
console.log(`at most ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB of memory in all`);
