// How fast does DuckDB learn from a table of steps? Steps are written to Parquet by DuckDB itself, seeded: a random walk would be sorted
// the same way, so fields are hashes of the step's number, in traces of 50. First the chain from a share of the table is compared with that of the
// streaming counter, which is given the same steps; both are timed on it, by processor time too. Then DuckDB counts in all of it.
// Goals, for a hundred million steps, 8 predicates and two threads: 60 seconds, and 4 GiB of memory for the whole process.
//
//   npm run build && node bench/sql.bench.mjs [steps, default 10000000]

import { deepEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
// All of one bundle: what is compared deeply has the same classes.
import { Abstraction, Counter, learnWithDuckDb, withDuckDb } from './internals.mjs';

const STEPS = Number(process.argv[2] ?? (process.env.BENCH_SHORT ? 200_000 : 10_000_000));
const SHARE = Math.min(STEPS, 1_000_000);
const TRACE_STEPS = 50;
const MEMORY = '2500MB';
const resources = { threads: 2, memoryLimit: MEMORY };

const abstraction = new Abstraction({
  predicates: Object.entries({
    moving: 'speed > 0.5',
    speeding: 'speed * 3.6 > limitKmh',
    near: 'gapMetres < 10',
    inOuterLane: 'lane == 0 || lane == 3',
    red: 'red',
    green: 'green && !red',
    pedestrian: 'pedestrian',
    clear: 'clear && gapMetres > 30',
  }).map(([name, expression]) => ({ name, expression })),
});

const folder = process.env.FOREGUARD_BENCH_SQL ?? mkdtempSync(join(tmpdir(), 'foreguard-sql-'));
const file = (steps) => join(folder, `steps-${steps}.parquet`);

/** One step a row; one trace in eight was cut. */
const table = (steps) => `
  SELECT i // ${TRACE_STEPS} AS trace, CAST(i % ${TRACE_STEPS} AS INTEGER) AS step, (i // ${TRACE_STEPS}) % 8 <> 7 AS complete,
    (hash(8 * i) % 300) / 10 AS speed, CAST(hash(8 * i + 1) % 4 AS INTEGER) AS lane, (hash(8 * i + 2) % 1000) / 10 AS "gapMetres",
    hash(8 * i + 3) % 2 = 0 AS red, hash(8 * i + 4) % 2 = 0 AS green, hash(8 * i + 5) % 2 = 0 AS pedestrian,
    hash(8 * i + 6) % 2 = 0 AS clear, CAST(50 AS INTEGER) AS "limitKmh"
  FROM range(${steps}) AS numbers(i)`;

/** Runs work; its seconds, those of processors, and what it gave. */
async function timed(work) {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  return { result, seconds: (performance.now() - start) / 1000, processor: (user + system) / 1e6 };
}

const perSecond = (steps, seconds) => `${(steps / seconds / 1e6).toFixed(2)} million steps a second`;

async function countAll() {
  const { result, seconds, processor } = await timed(() =>
    learnWithDuckDb(abstraction, [file(STEPS)], resources),
  );
  const { steps, states } = result.report;
  if (steps !== STEPS) throw new Error(`counted ${steps} steps, not ${STEPS}`);
  // Linux gives kilobytes.
  const gibibytes = process.resourceUsage().maxRSS / 2 ** 20;
  return { seconds, processor, gibibytes, states: states.seen };
}

async function main() {
  await withDuckDb(resources, async (query) => {
    for (const steps of new Set([SHARE, STEPS])) await query(`COPY (${table(steps)}) TO '${file(steps)}'`);
  });
  const bytes = statSync(file(STEPS)).size;
  console.log(`${STEPS} steps in traces of ${TRACE_STEPS}, ${(bytes / 2 ** 20).toFixed(0)} MiB of Parquet`);

  // The streaming counter is given objects: reading and parsing them is not timed.
  const traces = await withDuckDb(resources, async (query) => {
    const { rows } = await query(`SELECT * FROM read_parquet('${file(SHARE)}') ORDER BY trace, step`);
    const all = [];
    for (const { trace, step, complete, ...state } of rows) {
      if (step === 0) all.push({ id: trace, complete, steps: [] });
      all.at(-1).steps.push({ state });
    }
    return all;
  });
  const streamed = await timed(() => {
    const counter = new Counter(abstraction);
    for (const trace of traces) counter.add(trace);
    return counter.finish();
  });
  const counted = await timed(() => learnWithDuckDb(abstraction, [file(SHARE)], resources));
  deepEqual(counted.result.model, streamed.result.model);
  console.log(
    `the first ${SHARE} steps give the same chain, of ${streamed.result.report.states.seen} states, both ways`,
  );
  console.log('| on that share | seconds | of processors | |\n| --- | --- | --- | --- |');
  for (const [name, { seconds, processor }] of [
    ['streaming counter, of objects in memory', streamed],
    ['DuckDB, of Parquet, two threads', counted],
  ]) {
    console.log(
      `| ${name} | ${seconds.toFixed(2)} | ${processor.toFixed(2)} | ${perSecond(SHARE, processor)} of a processor |`,
    );
  }

  // In a process of its own, whose memory is the engine's.
  const self = fileURLToPath(import.meta.url);
  const child = spawnSync(process.execPath, [self, String(STEPS)], {
    env: { ...process.env, FOREGUARD_BENCH_SQL: folder, FOREGUARD_BENCH_SQL_ALONE: '1' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.status !== 0) throw new Error('counting in all of the table failed');
  const { seconds, processor, gibibytes, states } = JSON.parse(child.stdout);
  console.log(
    `all ${STEPS} steps: ${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of processors, ${perSecond(STEPS, seconds)}; ` +
      `memory at most ${gibibytes.toFixed(2)} GiB, of it ${MEMORY} for DuckDB; ${states} states` +
      (STEPS === 1e8 ? `; goals 60 s and 4 GiB ${seconds <= 60 && gibibytes <= 4 ? 'met' : 'missed'}` : ''),
  );
}

if (process.env.FOREGUARD_BENCH_SQL_ALONE) console.log(JSON.stringify(await countAll()));
else {
  try {
    await main();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
