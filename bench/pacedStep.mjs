// One process of pacedLoop.bench.mjs: a vehicle's guard in a loop of its own, nothing else loaded. Reads a job as JSON from the file that it is given: guard.json, a drive,
// the decisions that are right, and how to run; writes in microseconds what each step took, what the clock took before it, and by how much the loop was late.
import { readFileSync } from 'node:fs';
import { createGuardStep, loadGuard } from '../dist/guard.js';
import { observationOf, observe, observed } from './vehicleObservation.mjs';

/** What a cache fetches at once, in 32-bit words. */
const LINE = 16;

const job = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const drive = job.drive.map((state) => observationOf(state));
const guard = await loadGuard(job.file);
const result = createGuardStep();
/** Not a whole number at first, so that the field is a double's and later ones are stored without allocating. */
const context = { time: Number.NaN };
const microseconds = new Float64Array(job.count);
const clock = new Float64Array(job.count);
const late = new Float64Array(job.count);
const states = new Int32Array(job.count);
const decisions = new Array(job.count).fill('');

const begun = performance.now();
if (job.warm === 'states') guard.warm();
if (job.warm === 'observations')
  guard.warm(drive.slice(0, job.warmBy).map((state, i) => ({ state, time: i / 10 })));

const warmed = performance.now() - begun;

/** Only the decision is timed: an observation that has been written, to what is done about it. The clock's code is fetched before, by reading it once more. */
function turn(n) {
  const i = n % drive.length;
  if (i === 0 && n > 0) guard.reset();
  observe(drive[i]);
  context.time = i / 10;
  const before = performance.now();
  const start = performance.now();
  guard.stepInto(observed, context, result);
  microseconds[n] = (performance.now() - start) * 1000;
  clock[n] = (start - before) * 1000;
  states[n] = result.state;
  decisions[n] = result.decision;
}

/** Everything that was cached gives way: each line of this is read. */
const others = new Int32Array((job.evicted * 2 ** 20) / 4).fill(1);
let sink = 0;
function evict() {
  for (let i = 0; i < others.length; i += LINE) sink += others[i];
}

const cell = new Int32Array(new SharedArrayBuffer(4));
/** Sleeps until the moment, as a loop that is paced does: no timer is exact, and by how much it was not is noted. */
function sleepUntil(moment) {
  for (let left = moment - performance.now(); left > 0; left = moment - performance.now())
    Atomics.wait(cell, 0, 0, left);
}

const period = job.hertz === null ? 0 : 1000 / job.hertz;
// The first turns of a loop that is measured once it runs are not counted: they are measured by themselves.
for (let n = 0; n < job.before; n++) turn(n % job.count);
guard.reset();
let next = performance.now();
for (let n = 0; n < job.count; n++) {
  if (period > 0) {
    // A loop that is late goes on from there, and does not hurry after what it missed.
    next = Math.max(next + period, performance.now());
    if (others.length > 0) evict();
    sleepUntil(next);
    late[n] = (performance.now() - next) * 1000;
  }
  turn(n);
}

for (let n = 0; n < job.count; n++) {
  const right = job.right[n % drive.length];
  if (states[n] === right.state && decisions[n] === right.decision) continue;
  throw new Error(
    `step ${n}: ${decisions[n]} in state ${states[n]}, not ${right.decision} in ${right.state}`,
  );
}
if (others.length > 0 && sink === 0) throw new Error('nothing was read');
process.stdout.write(
  JSON.stringify({ warmed, microseconds: [...microseconds], clock: [...clock], late: [...late] }),
);
