// What do two threads gain on a chain that is one large component? Goal: 1.5 times on two cores from 100,000 states. One and two threads
// take turns, and each answer is checked against the ordinary kernel's before anything is timed. On a machine that is busy
// otherwise the threads wait for each other, and the figures say nothing.
//
//   npm run build && node bench/threads.bench.mjs
import { BitSet, getKernel } from '../dist/check.js';
import { openThreads } from '../dist/threads.js';
import { randomChain } from './chains.mjs';

const SHORT = Boolean(process.env.BENCH_SHORT);
const ROUNDS = SHORT ? 2 : 11;
const median = (values) => values.toSorted((a, b) => a - b)[values.length >>> 1];

const two = await openThreads({ count: 2 });
console.log(
  '| random chain of | method | the ordinary kernel, ms | two threads, ms | times faster | sweeps |',
);
console.log('| --- | --- | --- | --- | --- | --- |');
for (const states of SHORT ? [20_000] : [100_000, 1_000_000]) {
  const matrix = randomChain(states, 4, 7);
  const [everywhere, target] = [BitSet.full(states), BitSet.of(states, [states - 1])];
  for (const method of ['auto', 'interval-iteration']) {
    const alone = () => {
      const chain = getKernel().chain(matrix);
      const solution = chain.until(everywhere, target, { method });
      chain.free();
      return solution;
    };
    const together = () => two.until(matrix, everywhere, target, { method });
    const [one, other] = [alone(), await together()];
    for (let s = 0; s < states; s++) {
      if (!(one.lower[s] <= other.upper[s] && other.lower[s] <= one.upper[s]))
        throw new Error(
          `state ${s}: the bounds of one and two threads do not meet, so times are not worth knowing`,
        );
    }
    const times = { alone: [], together: [] };
    for (let round = 0; round < (states > 100_000 ? Math.min(3, ROUNDS) : ROUNDS); round++) {
      for (const [name, solve] of Object.entries({ alone, together })) {
        const start = performance.now();
        await solve();
        times[name].push(performance.now() - start);
      }
    }
    const [slow, fast] = [median(times.alone), median(times.together)];
    console.log(
      `| ${states} | ${method} | ${slow.toFixed(0)} | ${fast.toFixed(0)} | ${(slow / fast).toFixed(2)} | ${one.iterations}, ${other.iterations} |`,
    );
  }
}
await two.close();
