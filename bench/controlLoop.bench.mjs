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
import { createGuard, createGuardStep } from '../dist/guard/index.js';
import { Abstraction, compileGuard, learn, parseSpecification, windowInSteps } from '../dist/index.js';
import { createDrive, driveTrace, drivingScenarios } from '../dist/simulation/index.js';
import { SHORT } from './timing.mjs';

const DRIVES = SHORT ? 20 : 200; // to learn from, of each scenario
const HELD_OUT = SHORT ? 3 : 10;
const STEPS = SHORT ? 200_000 : 10_000_000;
const BATCH = 100;

const specification = parseSpecification(`
version: 1
samplingPeriod: 0.1s
predicates:
  green: 'trafficLightAheadcolor == 3'
  yellow: 'trafficLightAheadcolor == 2'
  red: 'trafficLightAheadcolor == 1'
  moving: 'speed > 0.5'
  speeding: 'speed > speedLimitupperLimit'
  atLine: 'stoplineAhead <= 2 || junctionAhead <= 2'
  inJunction: 'currentLanenumber == 0'
  clear: 'PriorityNPCAhead == 0 && PriorityPedsAhead == 0'
  close: 'NPCAheadAhead <= 8'
  touching: 'NPCAheadAhead <= 0.5'
  aheadStands: 'NPCAheadspeed < 0.5'
  jam: 'isTrafficJam == 1'
rules:
  leaveOnYellow: { formula: 'G (yellow & inJunction -> F[0s,10s] moving)', minimumSafe: 0.7, strategy: { replace: brake } }
  stopInJam: { formula: 'G (jam & (aheadStands | touching | atLine) -> F[0s,10s] !moving)', threshold: 0.5 }
  startOnGreen: { formula: 'G (green & clear & (!close | F[0s,0.3s] !aheadStands) -> F[0s,10s] (moving | inJunction))', threshold: 0.5 }
  slowDown: { formula: 'G (speeding & (H[0s,1s] speeding) -> F[0s,5s] (!speeding & F[0s,2s] !speeding))', threshold: 0.7, strategy: report }
learning: { smoothing: 0 }
onUnknown: inspect
`);

const random = (() => {
  let state = 5;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
})();

/** What a formula comes to at position i of a drive so far: true, false, or undefined while it can still become both. */
function verdictOf(formula, valuations, i) {
  const not = (value) => (value === undefined ? undefined : !value);
  /** Whether one of the values is true; those after it are not looked at. */
  const some = (count, value) => {
    let any = false;
    for (let n = 0; n < count && any !== true; n++) {
      const one = value(n);
      if (one !== false) any = one;
    }
    return any;
  };
  const of = (part, j = i) => verdictOf(part, valuations, j);
  const either = (left, right) => some(2, (n) => (n === 0 ? left() : right()));
  switch (formula.kind) {
    case 'predicate':
      return valuations[i][formula.name];
    case 'not':
      return not(of(formula.operand));
    case 'and':
      return not(
        either(
          () => not(of(formula.left)),
          () => not(of(formula.right)),
        ),
      );
    case 'or':
      return either(
        () => of(formula.left),
        () => of(formula.right),
      );
    case 'implies':
      return either(
        () => not(of(formula.left)),
        () => of(formula.right),
      );
    default: {
      const { operator, operand } = formula;
      const { from, to } = windowInSteps(formula.window, specification.samplingPeriod);
      const universal = operator === 'G' || operator === 'H';
      const past = operator === 'O' || operator === 'H';
      const reach = past ? Math.min(i, to ?? i) : Math.min(valuations.length - i, to ?? Infinity);
      const found = some(reach - from + 1, (n) => {
        const j = past ? i - from - n : i + from + n;
        if (j >= valuations.length) return undefined;
        return universal ? not(of(operand, j)) : of(operand, j);
      });
      return universal ? not(found) : found;
    }
  }
}

/**
 * What a vehicle observes, every time an object of the same shape, as one that its software keeps would be; of objects of many shapes
 * the engine copies each number to the heap to read it.
 */
const observationOf = (state) => ({
  trafficLightAheadcolor: state.trafficLightAheadcolor,
  speed: state.speed,
  speedLimitupperLimit: state.speedLimitupperLimit,
  stoplineAhead: state.stoplineAhead,
  junctionAhead: state.junctionAhead,
  currentLanenumber: state.currentLanenumber,
  PriorityNPCAhead: state.PriorityNPCAhead,
  PriorityPedsAhead: state.PriorityPedsAhead,
  NPCAheadAhead: state.NPCAheadAhead,
  NPCAheadspeed: state.NPCAheadspeed,
  isTrafficJam: state.isTrafficJam,
});
// Fractions first, so that every field is a double's from the start.
const variables = Object.keys(createDrive(drivingScenarios[0], { seed: 0 }).state);
const observed = observationOf(Object.fromEntries(variables.map((name) => [name, 0.5])));

function drivesOf(seeds) {
  return drivingScenarios.flatMap((scenario) =>
    seeds.map((seed) => {
      const { id, complete, steps } = driveTrace(scenario, { seed });
      return {
        id,
        complete,
        steps: steps.map(({ state, time }) => ({ state: observationOf(state), time })),
      };
    }),
  );
}

const traces = drivesOf(Array.from({ length: DRIVES }, (_, seed) => seed));
const abstraction = new Abstraction(specification.abstraction);
const { model, report } = await learn(abstraction, traces, specification.learning);
const file = compileGuard(specification, model);
const guard = createGuard(file);
const result = createGuardStep();
/** Not a whole number at first, so that the field is a double's and later ones are stored without allocating. */
const context = { time: Number.NaN };

/** Calls `visit` after each step of a drive. */
function follow({ steps }, visit) {
  guard.reset();
  for (const [i, { state, time }] of steps.entries()) {
    context.time = time;
    visit(i, guard.stepInto(state, context, result));
  }
}

const heldOut = drivesOf(Array.from({ length: HELD_OUT }, (_, i) => DRIVES + i));
const word = new Uint32Array(abstraction.words);
const decisions = {};
let [compared, violated] = [0, 0];
for (const drive of heldOut) {
  const valuations = [];
  const everyStep = random() < 0.1;
  follow(drive, (i) => {
    abstraction.encode(drive.steps[i].state, drive.steps[i], word);
    valuations.push(abstraction.decode(word));
    decisions[result.decision] = (decisions[result.decision] ?? 0) + 1;
    if (!everyStep && i < drive.steps.length - 1) return;
    for (const [r, { name, violated: found }] of guard.rules.entries()) {
      compared++;
      if (found) violated++;
      if (found !== (verdictOf(specification.rules[r].formula, valuations, 0) === false))
        throw new Error(`${drive.id}: wrong verdict of ${name} at step ${i}`);
    }
  });
}

// A violated automaton no longer steps: drives that break a rule are left out, so that the whole way is timed.
const timed = heldOut.filter((drive) => {
  follow(drive, () => undefined);
  return guard.rules.every(({ violated: found }) => !found);
});
const sizes = file.rules.map(({ automaton }) => automaton.states);
console.log(
  `node ${process.version}; ${file.states.draws.length} states from ${report.steps} steps, automata of ${sizes.join(', ')} states`,
);
console.log(
  `${compared} verdicts compared, ${violated} of them violated; decisions: ${JSON.stringify(decisions)}`,
);

let sink = 0;
const states = timed.map(({ steps }) => steps.map(({ state }) => state));
/** One turn of the loop: what is new is observed, then decided on. */
function turn(state) {
  observed.trafficLightAheadcolor = state.trafficLightAheadcolor;
  observed.speed = state.speed;
  observed.speedLimitupperLimit = state.speedLimitupperLimit;
  observed.stoplineAhead = state.stoplineAhead;
  observed.junctionAhead = state.junctionAhead;
  observed.currentLanenumber = state.currentLanenumber;
  observed.PriorityNPCAhead = state.PriorityNPCAhead;
  observed.PriorityPedsAhead = state.PriorityPedsAhead;
  observed.NPCAheadAhead = state.NPCAheadAhead;
  observed.NPCAheadspeed = state.NPCAheadspeed;
  observed.isTrafficJam = state.isTrafficJam;
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
const quantile = (values, q) => values[Math.min(values.length - 1, Math.floor(q * values.length))];
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
