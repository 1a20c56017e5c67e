// How fast does a chain come from a file of JSON lines? A seeded file of flat steps (at most 160 bytes, 8 predicates) is
// written to the temporary folder. Its counts are first compared with those of a naive counter; then reading, parsing,
// abstracting and counting together are timed, in turn with JSON.parse alone on the same lines (cut before, not timed).
// Goals on one core: a million steps a second, and at most twice the time of JSON.parse alone. Memory must not follow the
// length of the file: the peak is shown, with `-- 10000000` for ten million steps.
//
//   npm run build && node bench/learning.bench.mjs [steps, default 1000000]

import { once } from 'node:events';
import { createReadStream, createWriteStream, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Abstraction, learn, readTraceBatches } from '../dist/index.js';
import { Counter } from './internals.mjs';

const STEPS = Number(process.argv[2] ?? (process.env.BENCH_SHORT ? 100_000 : 1_000_000));
const ROUNDS = STEPS <= 1_000_000 ? 11 : 3;
const TRACE_STEPS = 50;
const STEP_BYTES = 160;
const CHUNK_BYTES = 1 << 20;
const file = join(tmpdir(), `foreguard-learning-${process.pid}.jsonl`);

const predicates = {
  moving: 'speed > 0.5',
  speeding: 'speed * 3.6 > limitKmh',
  near: 'gapMetres < 10',
  inOuterLane: 'lane == 0 || lane == 3',
  red: 'red',
  green: 'green && !red',
  pedestrian: 'pedestrian',
  clear: 'clear && gapMetres > 30',
};
const abstraction = new Abstraction({
  predicates: Object.entries(predicates).map(([name, expression]) => ({ name, expression })),
});

/** Numbers in [0, 1), the same in every run. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function writeTraces() {
  const random = generator(11);
  const below = (n) => Math.floor(random() * n);
  const chance = () => random() < 0.5;
  const output = createWriteStream(file);
  for (let trace = 0; trace * TRACE_STEPS < STEPS; trace++) {
    const steps = Array.from({ length: TRACE_STEPS }, (_, i) => ({
      state: {
        speed: below(300) / 10,
        lane: below(4),
        gapMetres: below(1000) / 10,
        red: chance(),
        green: chance(),
        pedestrian: chance(),
        clear: chance(),
        limitKmh: 50,
      },
      time: i / 10,
    }));
    if (!output.write(`${JSON.stringify({ id: `t${trace}`, steps })}\n`)) await once(output, 'drain');
  }
  output.end();
  await once(output, 'finish');
}

/** Whole lines of the file, in blocks. */
async function* lineBlocks() {
  let rest = '';
  for await (const chunk of createReadStream(file, { encoding: 'latin1', highWaterMark: CHUNK_BYTES })) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    yield lines;
  }
}

/** Counts by "from to", each valuation as text: written for clarity alone. */
async function countNaively() {
  const holds = [
    (s) => s.speed > 0.5,
    (s) => s.speed * 3.6 > s.limitKmh,
    (s) => s.gapMetres < 10,
    (s) => s.lane === 0 || s.lane === 3,
    (s) => s.red,
    (s) => s.green && !s.red,
    (s) => s.pedestrian,
    (s) => s.clear && s.gapMetres > 30,
  ];
  const counts = new Map();
  for await (const lines of lineBlocks()) {
    for (const line of lines) {
      const path = JSON.parse(line).steps.map(({ state }) => holds.map((h) => (h(state) ? 1 : 0)).join(''));
      const whole = ['start', ...path, 'end'];
      for (let i = 1; i < whole.length; i++) {
        const key = `${whole[i - 1]} ${whole[i]}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  return counts;
}

function countsOf(model) {
  const bits = model.valuations.values.slice(0, -1);
  const name = (s) =>
    s === 0 ? 'start' : s === model.states - 1 ? 'end' : bits.map((values) => (values[s] ? 1 : 0)).join('');
  const counts = new Map();
  const { values } = model.annotations.find((annotation) => annotation.name === 'count');
  for (let s = 0; s < model.states - 1; s++) {
    for (let i = model.rowStart[s]; i < model.rowStart[s + 1]; i++) {
      counts.set(`${name(s)} ${name(model.columns[i])}`, values[i]);
    }
  }
  return counts;
}

const batches = () =>
  readTraceBatches(createReadStream(file, { highWaterMark: CHUNK_BYTES }), { source: file, format: 'jsonl' });
const learnFile = () => learn(abstraction, batches(), { smoothing: 0 });

/** Seconds of JSON.parse alone; cutting lines is not timed. */
async function parseSeconds() {
  let seconds = 0;
  let steps = 0;
  for await (const lines of lineBlocks()) {
    const start = performance.now();
    for (const line of lines) steps += JSON.parse(line).steps.length;
    seconds += (performance.now() - start) / 1000;
  }
  if (steps !== STEPS) throw new Error(`parsed ${steps} steps, not ${STEPS}`);
  return seconds;
}

/** Nanoseconds a step of abstracting and counting alone, on the first traces, parsed before. */
async function countingNanoseconds() {
  const traces = [];
  for await (const batch of batches()) {
    traces.push(...batch);
    if (traces.length * TRACE_STEPS >= 200_000) break;
  }
  const times = Array.from({ length: 11 }, () => {
    const counter = new Counter(abstraction, { smoothing: 0 });
    const start = performance.now();
    for (const trace of traces) counter.add(trace);
    return ((performance.now() - start) * 1e6) / (traces.length * TRACE_STEPS);
  });
  return median(times);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >>> 1];
}

try {
  await writeTraces();
  const stepBytes = statSync(file).size / STEPS;
  if (stepBytes > STEP_BYTES) throw new Error(`steps of ${stepBytes} bytes; the goal is for ${STEP_BYTES}`);
  const { model } = await learnFile();
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  const expected = await countNaively();
  const found = countsOf(model);
  if (found.size !== expected.size) throw new Error(`${found.size} transitions, expected ${expected.size}`);
  for (const [key, count] of expected) {
    if (found.get(key) !== count) throw new Error(`${key}: ${found.get(key)}, expected ${count}`);
  }
  const learning = [];
  const ratios = [];
  for (let round = 0; round < ROUNDS; round++) {
    const parsing = await parseSeconds();
    const start = performance.now();
    await learnFile();
    learning.push((performance.now() - start) / 1000);
    ratios.push(learning.at(-1) / parsing);
  }
  const spread = (values, digits) =>
    `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`;
  const rate = STEPS / median(learning);
  console.log(
    `${STEPS} steps of ${stepBytes.toFixed(0)} bytes, ${found.size} transitions, counts as the naive counter's`,
  );
  console.log(`learning        ${spread(learning, 2)} s, ${(rate / 1e6).toFixed(2)} million steps/s`);
  console.log(`/ JSON.parse    ${spread(ratios, 2)}`);
  console.log(`counting alone  ${(await countingNanoseconds()).toFixed(0)} ns a step`);
  console.log(`peak memory     ${peakMegabytes.toFixed(0)} MB after the first pass`);
  if (rate < 1e6 || median(ratios) > 2) {
    console.log('a goal is missed');
  }
} finally {
  rmSync(file, { force: true });
}
