// What does it cost to solve a chain again after some of its rows changed, against solving it from scratch? A chain of 100,000
// states in many components, as products of a chain and an automaton are; goals: 1% of the rows in one block with at most 5%
// of the states upstream 20 times faster, one row with at most 1% upstream 100 times, rows anywhere faster; and a random chain
// of as many states, nearly all in one component. From scratch means loading the changed chain and solving it; the ratio to
// solving alone is shown too. Answers are compared before anything is timed.
//
//   npm run build && node bench/incremental.bench.mjs
import { BitSet, getKernel } from '../dist/check.js';
import { randomChain, randomNumbers, structuredChain } from './chains.mjs';

const SHORT = Boolean(process.env.BENCH_SHORT);
const RUNS = SHORT ? 3 : 21;
const PRECISION = 1e-6;
const kernel = getKernel();
const random = randomNumbers(11);

const states = SHORT ? 10_000 : 100_000;
const structured = structuredChain(states, 5);
const tangled = randomChain(states, 4, 1);
const [everywhere, target] = [BitSet.full(states), BitSet.of(states, [states - 1])];

/** The chain with the rows of `update`. */
function changed(matrix, { rows, rowStart, columns, values }) {
  const place = new Map([...rows].map((s, i) => [s, i]));
  const parts = { starts: new Uint32Array(states + 1), columns: [], values: [] };
  for (let s = 0; s < states; s++) {
    const i = place.get(s);
    const source = i === undefined ? matrix : { columns, values };
    const [start, end] =
      i === undefined ? [matrix.rowStart[s], matrix.rowStart[s + 1]] : [rowStart[i], rowStart[i + 1]];
    for (let e = start; e < end; e++) {
      parts.columns.push(source.columns[e]);
      parts.values.push(source.values[e]);
    }
    parts.starts[s + 1] = parts.columns.length;
  }
  return {
    rowStart: parts.starts,
    columns: Uint32Array.from(parts.columns),
    values: Float64Array.from(parts.values),
  };
}

/** New rows for `rows`: weights moved by up to a tenth, and a new transition, up to `reach` states on, in a share of them. */
function perturbed(matrix, rows, added, reach = 100) {
  const rowStart = [0];
  const columns = [];
  const values = [];
  for (const s of rows) {
    const row = [];
    for (let e = matrix.rowStart[s]; e < matrix.rowStart[s + 1]; e++)
      row.push([matrix.columns[e], matrix.values[e] * (0.9 + 0.2 * random())]);
    if (random() < added) {
      const t = Math.min(states - 3, Math.max(0, s + Math.ceil(random() * reach)));
      if (t !== s && !row.some(([column]) => column === t)) row.push([t, 0.05]);
    }
    row.sort(([a], [b]) => a - b);
    const total = row.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [t, weight] of row) {
      columns.push(t);
      values.push(weight / total);
    }
    rowStart.push(columns.length);
  }
  return {
    rows: Uint32Array.from(rows),
    rowStart: Uint32Array.from(rowStart),
    columns: Uint32Array.from(columns),
    values: Float64Array.from(values),
  };
}

function original(matrix, rows) {
  const all = [...rows].flatMap((s) =>
    Array.from({ length: matrix.rowStart[s + 1] - matrix.rowStart[s] }, (_, i) => matrix.rowStart[s] + i),
  );
  const rowStart = new Uint32Array(rows.length + 1);
  rows.forEach((s, i) => {
    rowStart[i + 1] = rowStart[i] + matrix.rowStart[s + 1] - matrix.rowStart[s];
  });
  return {
    rows: Uint32Array.from(rows),
    rowStart,
    columns: Uint32Array.from(all, (e) => matrix.columns[e]),
    values: Float64Array.from(all, (e) => matrix.values[e]),
  };
}

function fromScratch(model) {
  const start = performance.now();
  const chain = kernel.chain(model);
  const loaded = performance.now();
  const solution = chain.until(everywhere, target, { precision: PRECISION });
  const end = performance.now();
  chain.free();
  return { solution, total: end - start, solving: end - loaded };
}

function check(one, other) {
  for (let s = 0; s < states; s++) {
    if (!(one.upper[s] - one.lower[s] <= 2 * PRECISION))
      throw new Error(`state ${s} is too wide: the answer is wrong`);
    if (!(one.lower[s] <= other.upper[s] && other.lower[s] <= one.upper[s]))
      throw new Error(`state ${s} differs from solving from scratch: the answer is wrong`);
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >>> 1];
const quantile = (numbers, q) => numbers.toSorted((a, b) => a - b)[Math.floor(q * (numbers.length - 1))];

/** Share of the states from which a changed row can be reached. */
function upstream(matrix, rows) {
  const chain = kernel.chain(matrix);
  const share = chain.canReach(everywhere, BitSet.of(states, rows)).count() / states;
  chain.free();
  return share;
}

const onePercent = Math.floor(states / 100);
const block = Array.from({ length: onePercent }, (_, i) => Math.floor(0.039 * states) + i);
const single = [Math.floor(0.009 * states)];
while (structured.rowStart[single[0] + 1] - structured.rowStart[single[0]] < 2) single[0]++;
const anywhere = [
  ...new Set(Array.from({ length: onePercent }, () => Math.floor(random() * (states - 2)))),
].sort((a, b) => a - b);
const questions = [
  { name: '1% of the rows in one block', rows: block, added: 0, goal: 20 },
  { name: 'the same, a tenth of them with a new transition', rows: block, added: 0.1, goal: 20 },
  { name: 'one row', rows: single, added: 0, goal: 100 },
  { name: 'one row, with a new transition', rows: single, added: 1, goal: 100 },
  {
    name: 'one row, with a transition back',
    rows: single,
    added: 1,
    reach: -100,
    goal: 100,
  },
  { name: '1% of the rows anywhere', rows: anywhere, added: 0, goal: 1 },
  { name: 'the same, a tenth of them with a new transition', rows: anywhere, added: 0.1, goal: 1 },
  { name: 'one large component: one row', matrix: tangled, rows: single, added: 0, goal: 1 },
  { name: 'the same, 1% of the rows anywhere', matrix: tangled, rows: anywhere, added: 0, goal: 1 },
  {
    name: 'the same, a tenth of them with a new transition',
    matrix: tangled,
    rows: anywhere,
    added: 0.1,
    goal: 1,
  },
];

console.log(
  `${states} states, ${structured.columns.length} transitions, one large component ${tangled.columns.length}, precision ${PRECISION}\n`,
);
console.log(
  '| what changed | states upstream | solved again | update, median ms (10th to 90th percentile) | from scratch ms | times faster | than solving alone | goal |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
for (const { name, matrix = structured, rows, added, reach, goal } of questions) {
  const [there, back] = [perturbed(matrix, rows, added, reach), original(matrix, rows)];
  const model = changed(matrix, there);
  const chain = kernel.chain(matrix);
  const solver = chain.openSolver(everywhere, target, { precision: PRECISION });
  chain.free();
  const { states: solved, anew } = solver.replaceRows(there);
  if (anew) throw new Error('everything was solved anew');
  check(solver.solution(), fromScratch(model).solution);
  solver.replaceRows(back);
  check(solver.solution(), fromScratch(matrix).solution);

  const updates = [];
  const totals = [];
  const solves = [];
  for (let run = 0; run < RUNS; run++) {
    for (const update of [there, back]) {
      const start = performance.now();
      solver.replaceRows(update);
      updates.push(performance.now() - start);
    }
    const { total, solving } = fromScratch(model);
    totals.push(total);
    solves.push(solving);
  }
  solver.free();
  const update = median(updates);
  console.log(
    `| ${name} | ${(100 * upstream(matrix, rows)).toFixed(2)}% | ${solved} | ${update.toFixed(3)} (${quantile(updates, 0.1).toFixed(3)} to ${quantile(updates, 0.9).toFixed(3)}) | ${median(totals).toFixed(1)} | ${(median(totals) / update).toFixed(1)} | ${(median(solves) / update).toFixed(1)} | ${goal} |`,
  );
}
