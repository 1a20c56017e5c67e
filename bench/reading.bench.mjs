// How much does reading traces cost beside JSON.parse? Each input is read from memory in chunks of 1 MiB by readTraceBatches
// (decoding, cutting into lines, parsing, checking) and, in turn with it, its lines, decoded and cut before, are parsed by
// JSON.parse alone. Goals: at most twice the time, and a million flat steps of at most 160 bytes a second. Long texts are the
// hard case: JSON.parse copies them at memory speed, so that decoding the bytes alone (third column) costs as much or more.
//
//   npm run build && node bench/reading.bench.mjs
import { readTraceBatches, readTraces } from '../dist/index.js';

const ROUNDS = process.env.BENCH_SHORT ? 3 : 11;
const INPUT_BYTES = process.env.BENCH_SHORT ? 2e6 : 24e6;
const CHUNK_BYTES = 1 << 20;
const DECODE_BYTES = 1 << 16;
const GOAL = 2;
const FLAT_STEP_BYTES = 160;

/** Numbers in [0, 1), the same in every run. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
const random = generator(7);
const below = (n) => Math.floor(random() * n);
const chance = () => random() < 0.5;

const flatStep = (time) => ({
  state: {
    speed: below(300) / 10,
    lane: below(4),
    gap: below(1000) / 10,
    red: chance(),
    green: chance(),
    clear: chance(),
    limit: 50,
  },
  action: { name: 'keepLane' },
  time,
});
const householdStep = () => ({
  state: {
    objects: Array.from({ length: 20 }, (_, i) => ({
      objectType: `Object${i}`,
      isOpen: chance(),
      isToggled: chance(),
      isBroken: chance(),
      isPickedUp: chance(),
      parentReceptacles: chance() ? [] : ['CounterTop'],
    })),
  },
});
const textStep = (letters, length) => () => ({
  state: { text: Array.from({ length }, () => letters[below(letters.length)]).join('') },
});
const times = (n, step) => Array.from({ length: n }, (_, i) => step(i / 10));

const inputs = {
  'flat steps, 1 a trace': () => times(1, flatStep),
  'flat steps, 20 a trace': () => times(20, flatStep),
  'flat steps, 1,000 a trace': () => times(1000, flatStep),
  'empty states, 1 a trace': () => times(1, () => ({ state: {} })),
  'empty states, 1,000 a trace': () => times(1000, () => ({ state: {} })),
  'households of 20 objects, 20 a trace': () => times(20, householdStep),
  'ASCII texts of 500 letters': () => times(20, textStep('abcdefgh ', 500)),
  'ASCII texts of 20,000 letters': () => times(20, textStep('abcdefgh ', 20_000)),
  'French texts of 500 letters': () => times(20, textStep('abcdefghijklmnopé ', 500)),
  'Chinese texts of 500 letters': () => times(20, textStep('概率模型检验', 500)),
};

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >>> 1];
}

async function* chunks(bytes) {
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) yield bytes.subarray(from, from + CHUNK_BYTES);
}

async function stepsInBatches(bytes) {
  let steps = 0;
  for await (const batch of readTraceBatches(chunks(bytes), { source: 'bench', format: 'jsonl' })) {
    for (const trace of batch) steps += trace.steps.length;
  }
  return steps;
}

async function stepsOneByOne(bytes) {
  let steps = 0;
  for await (const trace of readTraces(chunks(bytes), { source: 'bench', format: 'jsonl' }))
    steps += trace.steps.length;
  return steps;
}

function stepsParsed(lines) {
  let steps = 0;
  for (const line of lines) steps += JSON.parse(line).steps.length;
  return steps;
}

function decode(bytes) {
  const decoder = new TextDecoder();
  let letters = 0;
  for (let from = 0; from < bytes.length; from += DECODE_BYTES) {
    letters += decoder.decode(bytes.subarray(from, from + DECODE_BYTES)).length;
  }
  return letters;
}

async function seconds(run) {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
}

const columns = [38, 8, 15, 18, 18, 16];
const row = (cells) =>
  console.log(
    cells.map((cell, i) => (i === 0 ? cell.padEnd(columns[i]) : cell.padStart(columns[i]))).join(' '),
  );
row(['input', 'B/step', 'decode / parse', 'batches / parse', 'traces / parse', 'steps/s, batches']);

const missed = [];
for (const [name, makeSteps] of Object.entries(inputs)) {
  const lines = [];
  for (let size = 0; size < INPUT_BYTES; size += lines.at(-1).length) {
    lines.push(JSON.stringify({ id: `trace ${lines.length}`, steps: makeSteps() }));
  }
  const bytes = new TextEncoder().encode(lines.join('\n'));
  const expected = stepsParsed(lines);
  for (const read of [stepsInBatches, stepsOneByOne]) {
    if ((await read(bytes)) !== expected) throw new Error(`${name}: wrong number of steps`);
  }
  const ratios = { decode: [], batches: [], traces: [] };
  const rates = [];
  for (let round = 0; round < ROUNDS; round++) {
    const parse = await seconds(() => stepsParsed(lines));
    const batches = await seconds(() => stepsInBatches(bytes));
    const traces = await seconds(() => stepsOneByOne(bytes));
    ratios.decode.push((await seconds(() => decode(bytes))) / parse);
    ratios.batches.push(batches / parse);
    ratios.traces.push(traces / parse);
    rates.push(expected / batches);
  }
  const spread = (values) =>
    `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})`;
  const stepBytes = bytes.length / expected;
  row([
    name,
    stepBytes.toFixed(0),
    median(ratios.decode).toFixed(2),
    spread(ratios.batches),
    spread(ratios.traces),
    `${(median(rates) / 1e6).toFixed(2)} million`,
  ]);
  const slow = name.startsWith('flat') && stepBytes <= FLAT_STEP_BYTES && median(rates) < 1e6;
  if (median(ratios.batches) > GOAL || slow) missed.push(name);
}
console.log(missed.length === 0 ? '\nAll goals are met.' : `\nMissed: ${missed.join('; ')}`);
