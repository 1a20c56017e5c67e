// How many decisions a second does an audit file take on one core? Goal: 100,000. A hundred runs at once append decisions, each run one after the
// other, under each durability (under `each` a thousand runs, too: that many share one sync); and one run alone, which for `each` is one sync of the disk a decision. Beside it, in turns, what the same
// records cost without a chain: JSON.stringify, and appendFile of as many lines at once as runs are waiting. Last, how fast the file is verified.
//
// Before anything is timed, a file of each durability is verified and read back, and compared with the records. "processor" is the time of all threads of this process; what
// the disk takes counts in "a second" only.
//
//   npm run build && node bench/audit.bench.mjs
import { deepStrictEqual } from 'node:assert';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRun, verifyAudit } from '../dist/enforce.js';
import { nodeStorage, openAuditFile } from '../dist/node.js';
import { nodeSha256 } from './internals.mjs';
import { SHORT } from './timing.mjs';

const GOAL = 100_000;
const RUNS = 100;
const MANY_RUNS = 1_000;
const DECISIONS = SHORT ? 20_000 : 200_000;
const SYNCED_ALONE = SHORT ? 100 : 1_000;
const ROUNDS = SHORT ? 2 : 11;
const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), 'foreguard-audit-'));
let files = 0;
const newPath = () => join(folder, `audit-${files++}.jsonl`);

/** A decision as sessions record it. */
function decision(run, number) {
  return {
    kind: 'decision',
    run: `run-${run}`,
    time: 1_760_000_000_000 + number,
    number,
    call: {
      id: `call_${number}`,
      name: 'search_flights',
      arguments: { from: 'JFK', to: 'SEA', date: '2024-05-20' },
    },
    inputs: 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2',
    observed: {
      call: 'step',
      valuation: [number % 64],
      known: null,
      predicate: null,
      irregular: false,
      held: 0,
      action: null,
      pending: [],
      earlier: [],
      withheld: false,
    },
    state: number % 64,
    risk: 0.012345678901,
    lower: 0.012345678899,
    upper: 0.012345678901,
    rule: 'noUnpaidChange',
    decision: 'allow',
    reason: 'below-threshold',
    wouldDecide: 'allow',
    action: null,
  };
}

/** Appends decisions of so many runs at once, each run one after the other. */
function appendAll(runs, total, append) {
  return Promise.all(
    Array.from({ length: runs }, async (_, run) => {
      for (let i = 0; i < total / runs; i++) await append(decision(run, i));
    }),
  );
}

async function audited(path, durability, runs, total) {
  const log = await openAuditFile(path, { durability });
  await appendAll(runs, total, (record) => log.append(record));
  await log.close();
}

/** The same records without a chain; who comes while a write is under way shares the next one. */
async function plain(path, runs, total) {
  const file = await open(path, 'a');
  let lines = '';
  let next = null;
  const write = async () => {
    const text = lines;
    lines = '';
    next = null;
    await file.appendFile(text);
  };
  let writing = Promise.resolve();
  await appendAll(runs, total, (record) => {
    lines += `${JSON.stringify(record)}\n`;
    next ??= writing = writing.then(write);
    return next;
  });
  await file.close();
}

async function check(durability) {
  const path = newPath();
  await audited(path, durability, RUNS, 2_000);
  const { head, fault } = await verifyAudit(nodeStorage.read(path));
  if (fault !== null || head.count !== 2_001)
    throw new Error(`${durability}: ${JSON.stringify({ fault, head })}`);
  const read = await readRun(nodeStorage.read(path), 'run-7');
  deepStrictEqual(
    read,
    Array.from({ length: 2_000 / RUNS }, (_, i) => decision(7, i)),
  );
}

/** Times work on a new file: decisions a second, and microseconds of processor time a decision. */
async function time(total, work) {
  const path = newPath();
  const before = process.cpuUsage();
  const start = performance.now();
  await work(path);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  rmSync(path);
  return { rate: total / seconds, processor: (user + system) / total };
}

const quantile = (list, q) =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(q * list.length))];

try {
  for (const durability of ['none', 'batched', 'each']) await check(durability);
  const cases = [
    ...['none', 'batched', 'each'].map((durability) => ({
      // What a hundred runs that share a sync come to is up to the disk.
      goal: durability !== 'each',
      name: `${durability}, ${RUNS} runs`,
      total: DECISIONS,
      work: (path) => audited(path, durability, RUNS, DECISIONS),
    })),
    {
      goal: true,
      name: `each, ${MANY_RUNS} runs`,
      total: DECISIONS,
      work: (path) => audited(path, 'each', MANY_RUNS, DECISIONS),
    },
    {
      name: `stringify and appendFile, ${RUNS} runs`,
      total: DECISIONS,
      work: (path) => plain(path, RUNS, DECISIONS),
    },
    ...['none', 'batched'].map((durability) => ({
      name: `${durability}, 1 run`,
      total: DECISIONS / 4,
      work: (path) => audited(path, durability, 1, DECISIONS / 4),
    })),
    { name: 'each, 1 run', total: SYNCED_ALONE, work: (path) => audited(path, 'each', 1, SYNCED_ALONE) },
    {
      name: 'stringify and appendFile, 1 run',
      total: DECISIONS / 4,
      work: (path) => plain(path, 1, DECISIONS / 4),
    },
  ];
  for (const { total, work } of cases) await time(total, work);
  const measured = cases.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, { total, work }] of cases.entries()) measured[i].push(await time(total, work));

  const path = newPath();
  await audited(path, 'none', RUNS, DECISIONS);
  const megabytes = statSync(path).size / 1e6;
  const verified = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const { fault } = await verifyAudit(nodeStorage.read(path), { sha256: nodeSha256 });
    if (fault !== null) throw new Error(JSON.stringify(fault));
    verified.push((performance.now() - start) / 1000);
  }

  console.log(
    '| what | decisions a second | 10th to 90th percentile | processor µs a decision |\n| --- | --- | --- | --- |',
  );
  for (const [i, { name }] of cases.entries()) {
    const rates = measured[i].map(({ rate }) => rate);
    const [middle, low, high] = [0.5, 0.1, 0.9].map((q) =>
      Math.round(quantile(rates, q)).toLocaleString('en'),
    );
    const processor = quantile(
      measured[i].map((one) => one.processor),
      0.5,
    ).toFixed(1);
    console.log(`| ${name} | ${middle} | ${low} to ${high} | ${processor} |`);
  }
  const seconds = quantile(verified, 0.5);
  console.log(
    `\nverified: ${Math.round(megabytes / seconds)} MB a second, ${Math.round(DECISIONS / seconds).toLocaleString('en')} lines (${((megabytes * 1e6) / DECISIONS).toFixed(0)} bytes each)`,
  );
  const missed = cases.filter(
    ({ goal }, i) =>
      goal &&
      quantile(
        measured[i].map(({ rate }) => rate),
        0.5,
      ) < GOAL,
  );
  const which = missed.map(({ name }) => name).join('; ');
  console.log(
    missed.length === 0 ? `goal reached: ${GOAL} a second` : `goal of ${GOAL} a second missed: ${which}`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
