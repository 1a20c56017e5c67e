// What do best values of a Markov decision process cost, certified, and what does WebAssembly gain over the reference in
// TypeScript? Both kernels' answers, and the probability of their own schedulers, are checked before anything is timed.
//
//   npm run build && node bench/mdp.bench.mjs
import { randomMdp } from './mdps.mjs';
import { sources } from './sources.mjs';
import { header, measure, row, SHORT, used } from './timing.mjs';

const { BitSet, getKernel, referenceKernel } = sources;

const PRECISION = 1e-6;

function fail(message) {
  throw new Error(`${message}: the answer is wrong, so its time is not worth knowing`);
}

/** Checks that both kernels agree, and that the chain under a scheduler has the value that was promised. */
function check(name, matrix, target, one, other) {
  const induced = { rowStart: new Uint32Array(one.lower.length + 1), columns: [], values: [] };
  for (const [s, row] of one.scheduler.entries()) {
    for (let e = matrix.rowStart[row]; e < matrix.rowStart[row + 1]; e++) {
      induced.columns.push(matrix.columns[e]);
      induced.values.push(matrix.values[e]);
    }
    induced.rowStart[s + 1] = induced.columns.length;
  }
  const chain = getKernel().chain({
    rowStart: induced.rowStart,
    columns: Uint32Array.from(induced.columns),
    values: Float64Array.from(induced.values),
  });
  const attained = chain.until(BitSet.full(chain.states), target, { precision: PRECISION });
  chain.free();
  for (let s = 0; s < one.lower.length; s++) {
    if (!(one.upper[s] - one.lower[s] <= 2 * PRECISION))
      fail(`${name}: the bounds of state ${s} are too wide`);
    if (!(one.lower[s] <= other.upper[s] && other.lower[s] <= one.upper[s]))
      fail(`${name}: both kernels differ at state ${s}`);
    if (!(one.lower[s] <= attained.upper[s] && attained.lower[s] <= one.upper[s]))
      fail(`${name}: the scheduler does not attain the value of state ${s}`);
  }
}

function print(name, work) {
  const result = measure(name, work);
  console.log(row(result));
  return result;
}

const n = SHORT ? 5_000 : 100_000;
const matrix = randomMdp(n, 3, 4, 7);
const target = BitSet.of(n, [n - 1]);
const everywhere = BitSet.full(n);
console.log(`${n} states, ${matrix.rowStart.length - 1} rows, ${matrix.columns.length} transitions\n`);
console.log(header);
const kernels = [getKernel(), referenceKernel].map((kernel) => [kernel, kernel.mdp(matrix)]);
for (const direction of ['min', 'max']) {
  const work = kernels.map(
    ([, mdp]) =>
      () =>
        mdp.until(direction, everywhere, target, { precision: PRECISION }),
  );
  const answers = work.map((run) => run());
  check(`P${direction}`, matrix, target, ...answers);
  const times = ['wasm', 'reference'].map((name, i) => print(`P${direction}, ${name}`, work[i]).median);
  console.log(`| the reference over wasm | ${(times[1] / times[0]).toFixed(1)} times | | |`);
}
const [[, mdp]] = kernels;
print('maximal end components, wasm', () => ({ lower: mdp.endComponents().componentOf }));
const absorbing = BitSet.of(n, [n - 2, n - 1]);
const steps = { states: new Float64Array(n).fill(1) };
print('Rmin, wasm', () => mdp.reachabilityReward('min', steps, absorbing));
console.log(`\n${used()}`);
