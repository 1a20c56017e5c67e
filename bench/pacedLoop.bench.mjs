// How long does a step take where a loop sleeps between steps? controlLoop.bench.mjs times a loop that does nothing but decide: code and tables stay in the caches, the processor
// never slows down, the engine has compiled everything. A vehicle decides 100 or 1,000 times a second and does other work between. Here the same guard (12 predicates, four rules
// in signal temporal logic) decides at these rates, asleep between steps, and only the decision is timed, from an observation that has been written on:
//
// - by itself, and with memory walked through before each step, so that caches are empty: 64 MB at 100 Hz, 2 MB at 1 kHz, for which more would not leave time;
// - by itself, beside a busy process on the same core, and beside one on another; that process walks through memory too;
// - the first steps of a process, without and with `guard.warm()`;
// - and the hot loop, in the same run.
//
// Before anything is timed, verdicts along drives are compared with the formulas', by definition; afterwards every decision that was timed with those of a guard that
// was compared. The clock's own cost is shown and *not* subtracted. At ordinary priority; `chrt -r 1 node bench/pacedLoop.bench.mjs` for a real-time one.
//
//   npm run bench -- paced
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGuard } from '../dist/guard.js';
import { SHORT } from './timing.mjs';
import { compareVerdicts, DRIVES, drivesOf, file, keepingRules, quantile } from './vehicle.mjs';

const HELD_OUT = SHORT ? 2 : 10;
const SECONDS = SHORT ? 0.2 : 20; // of each loop
const PROCESSES = SHORT ? 1 : 15; // for the first steps, of each kind
const HOT_STEPS = SHORT ? 20_000 : 1_000_000;
const WARM_BY = 200; // steps that warm() is given
const worker = fileURLToPath(new URL('pacedStep.mjs', import.meta.url));

// ---- What is right.

const guard = createGuard(file);
const heldOut = drivesOf(Array.from({ length: HELD_OUT }, (_, i) => DRIVES + i));
const { compared, violated } = compareVerdicts(guard, heldOut);
const drive = keepingRules(guard, heldOut).reduce((longest, one) =>
  one.steps.length > longest.steps.length ? one : longest,
);
guard.reset();
const right = drive.steps.map(({ state }, i) => {
  const { state: number, decision } = guard.step(state, { time: i / 10 });
  return { state: number, decision };
});
console.log(
  `node ${process.version}; ${compared} verdicts compared, ${violated} of them violated; a drive of ${drive.steps.length} steps`,
);

// ---- Where processes run.

const cores = (() => {
  const { stdout, status } = spawnSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' });
  if (status !== 0) return null;
  return stdout
    .trim()
    .split(': ')[1]
    .split(',')
    .flatMap((range) => {
      const [from, to = from] = range.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, i) => from + i);
    });
})();
const own = cores?.at(-1) ?? null;
const other = cores?.at(-2) ?? null;
/** A command on one core, where the system lets us say which. */
const on = (core, command) => (core === null ? command : ['taskset', '-c', String(core), ...command]);

const folder = mkdtempSync(join(tmpdir(), 'foreguard-paced-'));
const BUSY = `const memory = new Int32Array(2 ** 21).fill(1); let sink = 0;
for (const end = Date.now() + 600_000; Date.now() < end; ) for (let i = 0; i < memory.length; i += 16) sink += memory[i];`;

/** Runs one loop in a process of its own, beside a busy one on `busyCore` if that is given. */
function run(job, busyCore) {
  const path = join(folder, 'job.json');
  const steps = drive.steps.map(({ state }) => state);
  const settings = { hertz: null, evicted: 0, warm: null, before: 0, warmBy: WARM_BY, ...job };
  writeFileSync(path, JSON.stringify({ file, drive: steps, right, ...settings }));
  const [busy, ...rest] = on(busyCore, [process.execPath, '-e', BUSY]);
  const load = busyCore === undefined ? null : spawn(busy, rest, { stdio: 'ignore' });
  try {
    const [command, ...args] = on(own, [process.execPath, worker, path]);
    const { stdout, stderr, status } = spawnSync(command, args, {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    if (status !== 0) throw new Error(`the loop failed: ${stderr}`);
    return JSON.parse(stdout);
  } finally {
    load?.kill();
  }
}

// ---- Figures.

const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
const figure = (time) => (time < 10 ? time.toFixed(2) : time < 100 ? time.toFixed(1) : time.toFixed(0));
const table = (header) => {
  row(header);
  row(header.map(() => '---'));
};
const sorted = (times) => Float64Array.from(times).sort();
const middle = (times) => figure(quantile(sorted(times), 0.5));
const tails = (times) => [0.5, 0.99, 0.999, 1].map((q) => figure(quantile(sorted(times), q)));

try {
  console.log(`\nThe first steps of ${PROCESSES} processes each, medians, microseconds`);
  const kinds = [
    ['as it is', null],
    ['after warm()', 'states'],
    [`after warm(${WARM_BY} steps)`, 'observations'],
  ];
  const firsts = kinds.map(() => []);
  for (let n = 0; n < PROCESSES; n++) {
    kinds.forEach(([, warm], k) => {
      firsts[k].push(run({ count: 100, hertz: SHORT ? null : 100, warm }));
    });
  }
  const numbers = [1, 2, 3, 10, 100];
  table(['guard', ...numbers.map((n) => `step ${n}`), 'the first 100 together', 'warm() took']);
  kinds.forEach(([name, warm], k) => {
    const median = (pick) => figure(quantile(sorted(firsts[k].map(pick)), 0.5));
    row([
      name,
      ...numbers.map((n) => median(({ microseconds }) => microseconds[n - 1])),
      median(({ microseconds }) => microseconds.reduce((sum, time) => sum + time)),
      warm === null ? '' : `${median(({ warmed }) => warmed)} ms`,
    ]);
  });

  console.log('\nA step of a loop that runs, microseconds');
  table([
    'rate',
    'caches',
    'beside',
    'steps',
    'median',
    '99 %',
    '99.9 %',
    'longest',
    'clock, median',
    'late, median',
  ]);
  const hot = run({ count: HOT_STEPS, before: HOT_STEPS, warm: 'observations' });
  row(['hot loop', 'kept', 'nothing', HOT_STEPS, ...tails(hot.microseconds), middle(hot.clock), '']);
  const beside = [['nothing', undefined]];
  if (cores === null) beside.push(['a busy process', null]);
  else beside.push(['a busy process on the same core', own]);
  if (other !== null && !SHORT) beside.push(['a busy process on another core', other]);
  for (const [hertz, megabytes] of [
    [100, 64],
    [1000, 2],
  ]) {
    for (const evicted of [0, megabytes]) {
      for (const [what, core] of beside) {
        const count = Math.ceil(SECONDS * hertz);
        const { microseconds, clock, late } = run(
          { count, hertz, evicted, before: 2 * right.length, warm: 'observations' },
          core,
        );
        const caches = evicted === 0 ? 'left alone' : `${evicted} MB walked through`;
        row([`${hertz} Hz`, caches, what, count, ...tails(microseconds), middle(clock), middle(late)]);
      }
    }
  }
  if (cores === null) console.log('taskset is not there: no process was bound to a core');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
