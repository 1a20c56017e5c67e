// What do expected rewards, visits and steady states cost beside the probability of reaching something on the same chain?
// Answers of both kernels, and closed forms, are checked before anything is timed.
//
//   npm run build && node bench/rewards.bench.mjs
import { line, randomChain } from './chains.mjs';
import { sources } from './sources.mjs';

const { BitSet, getKernel, referenceKernel } = sources;

const SHORT = Boolean(process.env.BENCH_SHORT);
const rounds = SHORT ? 3 : 7;
const ones = (states) => new Float64Array(states).fill(1);

function fail(message) {
  throw new Error(`${message}: the answer is wrong, so its time is not worth knowing`);
}

function overlap(name, one, other) {
  for (let s = 0; s < one.lower.length; s++) {
    if (!(one.lower[s] <= other.upper[s] && other.lower[s] <= one.upper[s]))
      fail(`${name}: both kernels differ at state ${s}`);
  }
}

let sink = 0;

function measure(name, solve) {
  const times = [];
  for (let i = 0; i < rounds + 1; i++) {
    const start = performance.now();
    sink += solve().lower[0];
    if (i > 0) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const [low, median, high] = [0.1, 0.5, 0.9].map((q) => times[Math.round(q * (rounds - 1))]);
  console.log(`${name}: ${median.toFixed(1)} ms (${low.toFixed(1)} to ${high.toFixed(1)})`);
}

const size = SHORT ? 10_000 : 100_000;
const questions = (chain) => {
  const n = chain.states;
  const start = Float64Array.from({ length: n }, (_, s) => Number(s === 0));
  const ends = BitSet.of(n, [n - 2, n - 1]);
  return {
    'probability to reach a state': () => chain.until(BitSet.full(n), BitSet.of(n, [n - 1])),
    'expected steps to the end, all states': () => chain.reachabilityReward({ states: ones(n) }, ends),
    'expected visits of all states from one': () => chain.visitsFrom(start, { within: ends.complement() }),
    'steady state from one state': () => chain.steadyState(start),
    'probability within each of 20 steps': () =>
      chain.boundedUntil(BitSet.full(n), BitSet.of(n, [n - 1]), 20, { everyStep: true }),
  };
};

{
  const matrix = randomChain(size, 3, 1);
  const chain = getKernel().chain(matrix);
  const small = getKernel().chain(randomChain(1_000, 3, 1));
  const reference = referenceKernel.chain(randomChain(1_000, 3, 1));
  for (const [name, solve] of Object.entries(questions(small)))
    overlap(name, solve(), questions(reference)[name]());
  console.log(`random chain of ${size} states, precision 1e-6`);
  for (const [name, solve] of Object.entries(questions(chain))) measure(name, solve);
}

{
  const n = SHORT ? 2_000 : 20_000;
  const chain = getKernel().chain(line(n));
  const ends = BitSet.of(chain.states, [0, chain.states - 1]);
  const solve = () => chain.reachabilityReward({ states: ones(chain.states) }, ends);
  const { lower, upper } = solve();
  const last = chain.states - 1;
  for (let s = 0; s <= last; s++) {
    const exact = s * (last - s);
    if (!(lower[s] <= exact && exact <= upper[s])) fail(`a walk from ${s} takes ${exact} steps`);
  }
  measure(`expected steps of a fair walk on ${last} places`, solve);
}
if (!(sink >= 0)) fail('sink');
