// How many steps a second does the driving world make, in one thread? Goal: a million. Every scenario is stepped through
// whole drives, at 10 Hz and at 100 Hz, their beginnings included, in processor time; a bare loop over the observation of a
// finished drive shows what the loop itself costs. Before anything is timed, each scenario's drives are compared with the
// same ones driven again.
//
//   npm run build && node bench/driving.bench.mjs
import { createDrive, drivingScenarios } from 'foreguard-worlds';
import { SHORT } from './timing.mjs';

const GOAL = 1e6;
const STEPS = SHORT ? 50_000 : 400_000;
const ROUNDS = SHORT ? 3 : 11;
const SIGNALS = ['speed', 'stoplineAhead', 'NPCAheadAhead', 'PriorityNPCAhead'];

let sink = 0;

/** Whole drives, one seed after the other, until there are enough steps. */
function drives(scenario, hz, wanted) {
  let steps = 0;
  for (let seed = 0; steps < wanted; seed++) {
    const drive = createDrive(scenario, { seed, hz });
    do {
      sink += drive.state.speed;
      steps++;
    } while (drive.step());
  }
  return steps;
}

function check(scenario) {
  for (let seed = 0; seed < 5; seed++) {
    const one = createDrive(scenario, { seed });
    const other = createDrive(scenario, { seed });
    do {
      for (const name of SIGNALS)
        if (one.state[name] !== other.state[name]) throw new Error(`${scenario.name}: ${name} differs`);
    } while (one.step() === other.step() && !one.over);
    if (one.time !== other.time || !other.over)
      throw new Error(`${scenario.name}: drives of one seed differ`);
  }
}

/** Processor time of this process so far, all its threads, in milliseconds: other work on the machine counts little. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Millions of steps a second: the median of the rounds, and the middle four fifths. */
function rate(work) {
  work();
  const rates = Array.from({ length: ROUNDS }, () => {
    const start = processorTime();
    const steps = work();
    return steps / (processorTime() - start) / 1000;
  }).sort((a, b) => a - b);
  const quantile = (q) => rates[Math.min(ROUNDS - 1, Math.floor(q * ROUNDS))];
  return { median: quantile(0.5), low: quantile(0.1), high: quantile(0.9) };
}

for (const scenario of drivingScenarios) check(scenario);
// Code is optimised for all scenarios, not for the one that comes first.
for (const scenario of drivingScenarios) for (const hz of [10, 100]) drives(scenario, hz, STEPS / 4);

console.log('| what | million steps a second | 10th to 90th percentile |\n| --- | --- | --- |');
let missed = 0;
const row = (name, { median, low, high }, goal) => {
  if (median * 1e6 < goal) missed++;
  console.log(`| ${name} | ${median.toFixed(2)} | ${low.toFixed(2)} to ${high.toFixed(2)} |`);
};
for (const hz of [10, 100]) {
  for (const scenario of drivingScenarios)
    row(
      `${scenario.name}, ${hz} Hz`,
      rate(() => drives(scenario, hz, STEPS)),
      GOAL,
    );
  row(
    `all scenarios by turns, ${hz} Hz`,
    rate(() => drivingScenarios.reduce((sum, scenario) => sum + drives(scenario, hz, STEPS / 9), 0)),
    GOAL,
  );
}
const finished = createDrive(drivingScenarios[0], { seed: 0 });
while (finished.step());
row(
  'reading an observation, without stepping',
  rate(() => {
    for (let i = 0; i < STEPS; i++) sink += finished.state.speed;
    return STEPS;
  }),
  0,
);
if (!(sink > 0)) throw new Error('nothing was computed');
if (missed > 0) console.log(`${missed} rows miss the goal of ${GOAL} steps a second`);
