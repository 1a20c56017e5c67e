// What does the kernel cost, and what does WebAssembly gain over the reference in TypeScript? Goals: load and compile in 10 ms, a
// module of at most 64 KB, and faster than the reference. Both kernels' answers are checked before anything is timed; loading
// is timed in new processes, because engines remember modules they have compiled.
//
//   npm run build && node bench/kernel.bench.mjs
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { haddadMonmege, line, randomChain, square } from './chains.mjs';
import { sources } from './sources.mjs';
import { header, measure, row, SHORT, summary, used } from './timing.mjs';

const { BitSet, getKernel, referenceKernel } = sources;

const wasm = getKernel();
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

function fail(message) {
  throw new Error(`${message}: the answer is wrong, so its time is not worth knowing`);
}

function solver(kernel, matrix, target, options) {
  const chain = kernel.chain(matrix);
  const [everywhere, targets] = [BitSet.full(chain.states), BitSet.of(chain.states, [target])];
  return () => chain.until(everywhere, targets, options);
}

function checkPair(one, other, precision) {
  for (let s = 0; s < one.lower.length; s++) {
    if (!(one.upper[s] - one.lower[s] <= 2 * precision))
      fail(`state ${s} has bounds ${one.lower[s]} to ${one.upper[s]}`);
    if (!(one.lower[s] <= other.upper[s] && other.lower[s] <= one.upper[s]))
      fail(`both kernels differ at state ${s}`);
  }
}

/** Decoding, compiling and instantiating. */
function measureLoading() {
  const program = `import { getKernel } from ${JSON.stringify(new URL('../dist/check.js', import.meta.url).href)};
    const start = performance.now(); getKernel(); console.log(performance.now() - start);`;
  const load = () => Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program]));
  return summary('load and compile', Array.from({ length: SHORT ? 3 : 11 }, load));
}

const n = SHORT ? 10_000 : 100_000;
const questions = [
  { name: `random chain, ${n} states`, matrix: randomChain(n, 4, 7), target: n - 1 },
  {
    name: 'Haddad-Monmege, n = 300',
    matrix: haddadMonmege(300),
    target: 0,
    exact: { state: 300, value: 0.7 },
  },
];

const rows = [measureLoading()];
for (const { name, matrix, target, exact } of questions) {
  const [fast, readable] = [solver(wasm, matrix, target), solver(referenceKernel, matrix, target)];
  const [one, other] = [fast(), readable()];
  checkPair(one, other, 1e-6);
  if (exact && !(one.lower[exact.state] <= exact.value && exact.value <= one.upper[exact.state])) fail(name);
  rows.push(measure(`${name}, wasm`, fast), measure(`${name}, reference`, readable));
  const [{ median: wasmTime }, { median: referenceTime }] = rows.slice(-2);
  console.log(`${name}: the reference takes ${(referenceTime / wasmTime).toFixed(1)} times as long as wasm`);
}

// Slow chains too large for the reference; the middle of each reaches either end with the same probability.
const slow = [
  { name: `line of ${n + 1} states`, matrix: line(n + 1) },
  { name: 'square of 51 by 51 states', matrix: square(51) },
];
for (const { name, matrix } of slow) {
  const solve = solver(wasm, matrix, 0);
  const { lower, upper } = solve();
  checkPair({ lower, upper }, { lower, upper }, 1e-6);
  const middle = (lower.length - 1) / 2;
  if (!(lower[middle] <= 0.5 && 0.5 <= upper[middle])) fail(name);
  rows.push(measure(`${name}, wasm`, solve));
}

console.log(`foreguard.wasm: ${statSync(path('../dist/foreguard.wasm')).size} bytes; ${used()}\n`);
console.log(header);
for (const result of rows) console.log(row(result, 2));
