// How long does a vehicle's guard take a step? The whole way from an observation to a decision, with nothing left out: 12 predicates over the
// variables of the driving world (comparisons, of two variables too), the state of a chain learnt from drives at 10 Hz, four
// automata (responses within 100 steps and nested ones), four risks, one decision. Goal: median 1 µs, 99.9th percentile
// 25 µs, 99.99th 250 µs, over ten million steps, with no garbage collected; the paper this grows out of takes 100 ms a step.
//
// Before anything is timed, every verdict along drives is compared with the formula's, worked out from the whole drive so far by
// definition. That is also what is timed beside it: a monitor without automata.
//
// - "median" is over batches of 100 calls of stepInto, each batch timed as a whole and divided.
// - percentiles are over single calls, so that every pause counts, whoever makes it. What the clock costs by itself, the median of as
//   many empty measurements, is shown beside them and *not* subtracted.
//
//   npm run build && node bench/controlLoop.bench.mjs
import { PerformanceObserver } from 'node:perf_hooks';
import { createGuard, createGuardStep } from '../dist/guard.js';
import { SHORT } from './timing.mjs';
import {
  abstraction,
  compareVerdicts,
  DRIVES,
  drivesOf,
  file,
  keepingRules,
  quantile,
  random,
  specification,
  stepsLearnt,
  verdictOf,
} from './vehicle.mjs';
import { observe, observed } from './vehicleObservation.mjs';

const HELD_OUT = SHORT ? 3 : 10;
const STEPS = SHORT ? 200_000 : 10_000_000;
const BATCH = 100;

const guard = createGuard(file);
const result = createGuardStep();
/** Not a whole number at first, so that the field is a double's and later ones are stored without allocating. */
const context = { time: Number.NaN };

const heldOut = drivesOf(Array.from({ length: HELD_OUT }, (_, i) => DRIVES + i));
const word = new Uint32Array(abstraction.words);
const decisions = {};
const { compared, violated } = compareVerdicts(guard, heldOut, ({ decision }) => {
  decisions[decision] = (decisions[decision] ?? 0) + 1;
});
const timed = keepingRules(guard, heldOut);
const sizes = file.rules.map(({ automaton }) => automaton.states);
console.log(
  `node ${process.version}; ${file.states.draws.length} states from ${stepsLearnt} steps, automata of ${sizes.join(', ')} states`,
);
console.log(
  `${compared} verdicts compared, ${violated} of them violated; decisions: ${JSON.stringify(decisions)}`,
);

let sink = 0;
const states = timed.map(({ steps }) => steps.map(({ state }) => state));
/** One turn of the loop: what is new is observed, then decided on. */
function turn(state) {
  observe(state);
  sink += guard.stepInto(observed, context, result).state;
}

/** Goes through the drives, one after the other and again, `count` turns in all. */
function run(count) {
  let left = count;
  for (let d = 0; left > 0; d = (d + 1) % states.length) {
    guard.reset();
    const drive = states[d];
    for (let i = 0; i < drive.length && left > 0; i++, left--) {
      context.time = i / 10;
      turn(drive[i]);
    }
  }
}

/** The same, each call timed alone; microseconds, ascending. */
function runTimed(times, call) {
  for (let n = 0, d = 0; n < times.length; d = (d + 1) % states.length) {
    guard.reset();
    const drive = states[d];
    for (let i = 0; i < drive.length && n < times.length; i++, n++) {
      context.time = i / 10;
      const start = performance.now();
      call(drive[i]);
      times[n] = (performance.now() - start) * 1000;
    }
  }
  return times.sort();
}

run(STEPS / 10);
let collections = 0;
const observer = new PerformanceObserver((list) => {
  collections += list.getEntries().length;
});
observer.observe({ entryTypes: ['gc'] });
const start = performance.now();
run(STEPS);
const mean = ((performance.now() - start) * 1000) / STEPS;
await new Promise((resolve) => setTimeout(resolve, 50));
observer.disconnect();

const batches = new Float64Array(STEPS / BATCH / 10);
for (let b = 0; b < batches.length; b++) {
  const before = performance.now();
  run(BATCH);
  batches[b] = ((performance.now() - before) * 1000) / BATCH;
}
const median = batches.sort()[batches.length >>> 1];
const times = new Float64Array(STEPS);
runTimed(times, turn);
const tails = [0.5, 0.99, 0.999, 0.9999, 1].map((q) => quantile(times, q));
const clock = quantile(
  runTimed(times, () => undefined),
  0.5,
);

// The same verdicts from the formulas alone, of the whole drive so far, at a few steps of each of some drives.
const rounds = timed.filter(() => random() < (SHORT ? 0.1 : 0.5));
const interpreted = [];
for (const { steps } of rounds) {
  const valuations = steps.map((step) => {
    abstraction.encode(step.state, step, word);
    return abstraction.decode(word);
  });
  for (let round = 0; round < 5; round++) {
    const soFar = valuations.slice(0, 1 + Math.floor(random() * valuations.length));
    const before = performance.now();
    for (const { formula } of specification.rules) sink += Number(verdictOf(formula, soFar, 0) !== false);
    interpreted.push((performance.now() - before) * 1000);
  }
}
const interpretation = quantile(Float64Array.from(interpreted).sort(), 0.5);

const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
row(['microseconds a step', 'mean', 'median', '50 %', '99 %', '99.9 %', '99.99 %', 'longest', 'clock alone']);
row(Array.from({ length: 9 }, () => '---'));
row(['stepInto', ...[mean, median, ...tails, clock].map((time) => time.toFixed(3))]);
row(['interpreting the formulas', '', interpretation.toFixed(0), ...Array(6).fill('')]);
console.log(
  `${collections} collections of garbage in ${STEPS} steps; ${(interpretation / median).toFixed(0)} times as fast as interpreting, ${(100_000 / median).toFixed(0)} times as fast as the paper's 100 ms`,
);
if (!(sink > 0)) throw new Error('nothing was computed');
const missed = [
  ['median', median, 1],
  ['99.9 %', tails[2], 25],
  ['99.99 %', tails[3], 250],
  ['collections', collections, 0],
].filter(([, found, goal]) => found > goal);
for (const [what, found, goal] of missed) console.log(`goal missed: ${what} is ${found}, goal ${goal}`);
