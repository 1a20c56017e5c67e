// What do intervals cost? Certified robust probabilities of all states of an interval chain, against the chain in the middle of
// its intervals, and WebAssembly against the reference in TypeScript. The bounds of both kernels are checked to overlap, and
// to lie around those of the chain, before anything is timed.
//
//   npm run build && node bench/intervals.bench.mjs
import { randomChain } from './chains.mjs';
import { sources } from './sources.mjs';
import { header, measure, row, SHORT, used } from './timing.mjs';

const { BitSet, getKernel, referenceKernel } = sources;

const wasm = getKernel();

/** Every probability p becomes [max(0, p - width), min(1, p + width)], and with a radius a ball around p. */
function widened({ rowStart, columns, values }, width, radius) {
  const bounds = {
    rowStart,
    columns,
    lower: values.map((p) => (p === 1 ? 1 : Math.max(0, p - width))),
    upper: values.map((p) => Math.min(1, p + width)),
  };
  if (radius === undefined) return bounds;
  return { ...bounds, centre: values, radius: new Float64Array(rowStart.length - 1).fill(radius) };
}

function check(condition, message) {
  if (!condition) throw new Error(`${message}: the answer is wrong, so its time is not worth knowing`);
}

/** @returns the median */
function print(name, work) {
  const result = measure(name, work);
  console.log(row(result));
  return result.median;
}

const n = SHORT ? 2_000 : 10_000;
const matrix = randomChain(n, 4, 7);
const [all, target] = [BitSet.full(n), BitSet.of(n, [n - 1])];
const chain = wasm.chain(matrix);
const middle = chain.until(all, target);

console.log(`${n} states, ${matrix.columns.length} transitions\n\n${header}`);
const chainTime = print('the chain itself, interval iteration', () =>
  chain.until(all, target, { method: 'interval-iteration' }),
);
for (const [name, model] of [
  ['intervals', widened(matrix, 0.02)],
  ['intervals and balls', widened(matrix, 0.02, 0.02)],
]) {
  for (const nature of ['max', 'min']) {
    const [fast, readable] = [wasm, referenceKernel].map((kernel) => {
      const held = kernel.intervalChain(model);
      return () => held.until(all, target, nature);
    });
    const [one, other] = [fast(), readable()];
    for (let s = 0; s < n; s++) {
      check(one.upper[s] - one.lower[s] <= 2e-6, `${name}: bounds of state ${s} are too wide`);
      check(
        one.lower[s] <= other.upper[s] && other.lower[s] <= one.upper[s],
        `${name}: kernels differ at ${s}`,
      );
      check(
        nature === 'max' ? one.upper[s] >= middle.lower[s] : one.lower[s] <= middle.upper[s],
        `${name}: state ${s}`,
      );
    }
    const time = print(`${name}, ${nature}, wasm (${one.iterations} sweeps)`, fast);
    const reference = print(`${name}, ${nature}, reference`, readable);
    console.log(
      `|   ÷ chain ${(time / chainTime).toFixed(1)}, the reference ${(reference / time).toFixed(1)} times as long | | | |`,
    );
  }
}
console.log(used());
