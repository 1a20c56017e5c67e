// How long does one guard.step take? Two guards: 8 predicates over a flat object (goal: median 0.3 µs, 99.9th percentile 5 µs)
// and the household example's four predicates over 20 objects (goal: median 2 µs). Before anything is timed, every decision
// is compared with one made by hand from the same observation.
//
// "drift watched" is the first guard again, on data that hold just the steps it is given, some four from each state: what watching for drift
// adds is to be taken from the line above it, of the same guard on the same data without.
//
// - "mean" is Benchmark.js's, over its own cycles.
// - "median" is over 10,000 batches of 100 calls of stepInto, each batch timed as a whole and divided: the clock's own
//   cost is spread over the batch.
// - "99.9 %" is over single calls of step (so garbage collection and every other pause count), each timed alone. What the
//   clock costs by itself, the median of as many empty measurements, is shown beside it and *not* subtracted.
//
//   npm run build && node bench/guard.bench.mjs
import Benchmark from 'benchmark';
import { createGuard, createGuardStep } from '../dist/guard.js';
import { openTables, packTables } from './internals.mjs';

const OBSERVATIONS = 1024;
const SHORT = Boolean(process.env.BENCH_SHORT);
const BATCHES = SHORT ? 1_000 : 10_000;
const BATCH = 100;
const SINGLE_CALLS = SHORT ? 100_000 : 1_000_000;
const THRESHOLD = 0.6;

/** Numbers in [0, 1), the same in every run. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
const random = generator(11);
const below = (n) => Math.floor(random() * n);
const chance = () => random() < 0.5;

/** `G !(first & second)` as a diagram over the two. */
const never = (first, second) => ({
  predicates: [first, second],
  states: 2,
  initial: 0,
  verdict: [0, 1],
  accepting: [1, 0],
  roots: [0, -2],
  nodes: [0, -1, 1, 1, -1, -2],
});

/** All valuations as states, with every transition seen, and risks at random. */
function guardFile(predicates, bad) {
  const names = Object.keys(predicates);
  const states = 2 ** names.length;
  const all = Array.from({ length: states }, (_, s) => s);
  // Of six digits, which a guard file holds as they are.
  const upper = all.flatMap(() => [Number(random().toFixed(6)), 1]);
  const automaton = never(...bad);
  const rule = {
    name: `never ${bad.join(' and ')}`,
    formula: `G !(${bad.join(' & ')})`,
    evaluation: 'trace',
    automaton,
    levels: [{ threshold: { compare: 'risk>=', value: THRESHOLD }, strategy: { kind: 'stop' } }],
    escalate: [{ kind: 'stop' }],
    maxReflections: 2,
    afterViolation: { kind: 'report' },
    onFailure: { kind: 'stop' },
    horizonSteps: null,
    tables: packTables(automaton, states, () => true, { lower: upper, upper }),
  };
  return {
    format: 'foreguard-guard',
    version: 2,
    specificationHash: '',
    modelHash: '',
    predicates: names.map((name) => ({ name, expression: predicates[name] })),
    constraints: {},
    states: { words: 1, valuations: all, draws: all.map(() => 1) },
    seen: { rowStart: [0, ...all.map((s) => (s + 1) * states)], columns: all.flatMap(() => all) },
    rules: [rule],
    onUnknown: 'stop',
    decideOn: 'upper',
    samplingPeriodSeconds: null,
    periodTolerance: 0.1,
  };
}

const flat = {
  name: 'flat object, 8 predicates',
  goals: { median: 0.3, tail: 5 },
  predicates: {
    fast: 'speed > 12.5',
    leftLane: 'lane == 0',
    near: 'gapMetres < 20 && speed > 0.5',
    red: 'light == "red"',
    green: 'light == "green"',
    pedestrian: 'pedestriansAhead > 0',
    clear: 'pedestriansAhead == 0 && vehiclesAhead == 0',
    raining: 'raining',
  },
  bad: ['fast', 'red'],
  observe: () => ({
    speed: below(300) / 10,
    lane: below(4),
    gapMetres: below(1000) / 10,
    light: ['red', 'yellow', 'green'][below(3)],
    pedestriansAhead: below(2),
    vehiclesAhead: below(2),
    raining: chance(),
  }),
  byHand: (s) => [
    s.speed > 12.5,
    s.lane === 0,
    s.gapMetres < 20 && s.speed > 0.5,
    s.light === 'red',
    s.light === 'green',
    s.pedestriansAhead > 0,
    s.pedestriansAhead === 0 && s.vehiclesAhead === 0,
    s.raining,
  ],
};

const types = ['Fork', 'Microwave', 'Knife', 'Plate', 'Mug', 'Apple', 'Bread', 'Egg', 'Pan', 'Pot'];
const household = {
  name: 'household of 20 objects, 4 predicates',
  goals: { median: 2, tail: Number.POSITIVE_INFINITY },
  predicates: {
    forkInMicrowave: 'objects.exists(o, o.objectType == "Fork" && "Microwave" in o.parentReceptacles)',
    microwaveOn: 'objects.exists(o, o.objectType == "Microwave" && o.isToggled)',
    doorOpen: 'objects.exists(o, o.objectType == "Microwave" && o.isOpen)',
    forkBroken: 'objects.exists(o, o.objectType == "Fork" && o.isBroken)',
  },
  bad: ['forkInMicrowave', 'microwaveOn'],
  observe: () => {
    const objects = Array.from({ length: 20 }, (_, i) => ({
      objectType: i < types.length ? types[i] : `Object${i}`,
      objectId: `object-${i}`,
      isOpen: chance(),
      isToggled: chance(),
      isBroken: chance(),
      isPickedUp: chance(),
      isDirty: chance(),
      parentReceptacles: [['CounterTop'], ['Microwave'], ['Table', 'Plate'], []][below(4)],
    }));
    for (let i = objects.length - 1; i > 0; i--) {
      const j = below(i + 1);
      [objects[i], objects[j]] = [objects[j], objects[i]];
    }
    return { objects };
  },
  byHand: ({ objects }) => {
    const fork = objects.find((o) => o.objectType === 'Fork');
    const microwave = objects.find((o) => o.objectType === 'Microwave');
    return [
      fork.parentReceptacles.includes('Microwave'),
      microwave.isToggled,
      microwave.isOpen,
      fork.isBroken,
    ];
  },
};

const none = {};
let sink = 0;

function percentile(values, fraction) {
  return values.sort()[Math.min(values.length - 1, Math.floor(fraction * values.length))];
}

const byIndex = (values) => values.reduce((sum, value, i) => sum + (value ? 2 ** i : 0), 0);

/** Compares decisions and risks of one run with ones made by hand. */
function check({ name, predicates, bad, byHand }, file, observations) {
  const guard = createGuard(file);
  const bits = bad.map((predicate) => Object.keys(predicates).indexOf(predicate));
  let violated = false;
  for (const observation of observations) {
    const values = byHand(observation);
    const state = byIndex(values);
    const before = violated;
    violated ||= bits.every((bit) => values[bit]);
    const risk = violated ? 1 : openTables(file.rules[0]).risk.upper(state, 0);
    const decision = before ? 'report' : risk >= THRESHOLD ? 'stop' : 'allow';
    const found = guard.step(observation);
    if (found.decision !== decision || found.risk !== risk || found.state !== state)
      throw new Error(`${name}: wrong decision`);
    if (violated) {
      guard.reset();
      violated = false;
    }
  }
}

function mean(guard, observations) {
  const result = createGuardStep();
  let i = 0;
  const suite = new Benchmark(() => {
    sink += guard.stepInto(observations[i++ & (OBSERVATIONS - 1)], none, result).state;
  });
  suite.run();
  return { mean: suite.stats.mean * 1e6, error: suite.stats.rme };
}

function batchMedian(guard, observations) {
  const result = createGuardStep();
  const times = new Float64Array(BATCHES);
  for (let batch = -BATCHES / 10; batch < BATCHES; batch++) {
    const start = performance.now();
    for (let i = 0; i < BATCH; i++) {
      sink += guard.stepInto(observations[(batch * BATCH + i) & (OBSERVATIONS - 1)], none, result).state;
    }
    if (batch >= 0) times[batch] = ((performance.now() - start) * 1000) / BATCH;
  }
  return percentile(times, 0.5);
}

function singleCalls(call) {
  const times = new Float64Array(SINGLE_CALLS);
  for (let i = 0; i < SINGLE_CALLS; i++) {
    const start = performance.now();
    call(i);
    times[i] = (performance.now() - start) * 1000;
  }
  return times;
}

/** A guard file whose data hold the steps of one run again and again, as often as the run takes them. */
function withDrift(file, states) {
  const taken = new Map();
  states.forEach((state, i) => {
    const pair = state * file.states.draws.length + states[(i + 1) % states.length];
    taken.set(pair, (taken.get(pair) ?? 0) + 20);
  });
  const pairs = [...taken].sort(([a], [b]) => a - b);
  const from = pairs.map(([pair]) => Math.floor(pair / file.states.draws.length));
  return {
    ...file,
    seen: {
      rowStart: [...file.states.draws, 0].map((_, s) => from.filter((one) => one < s).length),
      columns: pairs.map(([pair]) => pair % file.states.draws.length),
    },
    drift: {
      falseAlarmRate: 1e-3,
      onDrift: 'report',
      start: { columns: [states[0]], counts: [20] },
      counts: pairs.map(([, count]) => count),
      drawsSinceNew: [...file.states.draws.map(() => 10), 19],
    },
  };
}

console.log(`node ${process.version}; microseconds`);
const row = (cells) =>
  console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(40) : cell.padStart(16))).join(' '));
row(['', 'mean', 'median', '99.9 %', 'clock alone']);
let missed = 0;
for (const subject of [flat, household]) {
  const file = guardFile(subject.predicates, subject.bad);
  const observations = Array.from({ length: OBSERVATIONS }, subject.observe);
  check(subject, file, observations);
  // A violated automaton no longer steps: these leave out what breaks the rule, so that the whole way is timed.
  const bits = subject.bad.map((predicate) => Object.keys(subject.predicates).indexOf(predicate));
  const keeping = observations.filter((state) => !bits.every((bit) => subject.byHand(state)[bit]));
  const timed = Array.from({ length: OBSERVATIONS }, (_, i) => keeping[i % keeping.length]);
  const watched = withDrift(
    file,
    timed.map((state) => byIndex(subject.byHand(state))),
  );
  const { drift: _, ...unwatched } = watched;
  const watching = createGuard(watched);
  // Or steps after interventions would not be read.
  watching.drift.obeyed = false;
  const guards = [
    [subject.name, createGuard(file), subject.goals],
    ...(subject === flat
      ? [
          ['  drift not watched', createGuard(unwatched), subject.goals],
          ['  drift watched', watching, { median: 1, tail: Number.POSITIVE_INFINITY }],
        ]
      : []),
  ];
  for (const [name, guard, goals] of guards) {
    const average = mean(guard, timed);
    const median = batchMedian(guard, timed);
    const tail = percentile(
      singleCalls((i) => {
        sink += guard.step(timed[i & (OBSERVATIONS - 1)]).state;
      }),
      0.999,
    );
    const clock = percentile(
      singleCalls(() => undefined),
      0.5,
    );
    if (guard.rules[0].violated) throw new Error(`${name}: the rule was broken while timing`);
    row([
      name,
      `${average.mean.toFixed(3)} ±${average.error.toFixed(1)}%`,
      median.toFixed(3),
      tail.toFixed(3),
      clock.toFixed(3),
    ]);
    if (median > goals.median || tail > goals.tail) missed++;
  }
}
if (!(sink > 0)) throw new Error('nothing was computed');
if (missed > 0) console.log(`${missed} guards miss a goal`);
