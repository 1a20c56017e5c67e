// What does it take to keep certified risks up to date with an agent? A learner has learnt a seeded agent, whose chain and a rule with a
// deadline have a product of some 10^4 states; then traces of 50 steps come one by one, and after each all risks are certified
// again: the trace counted, rows of the product replaced, what they reach solved. Two agents: one works through tasks, each of which
// it may have to repeat but never comes back to, so that the product has many components; the other wanders, and its product is one. Solving anew
// is learner.chain() and the product, solved in full, in turn with updates. Each tenth update is compared with a solution
// anew, before it is timed. Goal: a median of at most 1 ms for the first agent.
//
//   npm run build && node bench/live.bench.mjs
import {
  Abstraction,
  createLiveRisk,
  Learner,
  parseSpecification,
  readLearntChain,
  riskTable,
} from '../dist/index.js';
import { randomNumbers } from './chains.mjs';
import { SHORT } from './timing.mjs';

const BITS = 10;
const STATES = 1000;
const STEPS = 50;
const UPDATES = SHORT ? 20 : 300;
const PRECISION = 1e-6;

const predicates = Array.from({ length: BITS }, (_, i) => `  b${i}: 'bits % ${2 ** (i + 1)} >= ${2 ** i}'`);
const specification = parseSpecification(
  `version: 1
predicates:
${predicates.join('\n')}
rules:
  soon: { formula: 'G (b0 & b3 -> F[0,12] (b1 & b2))', threshold: 0.1, atEnd: weak }
learning: { smoothing: 0 }
`,
  { source: 'bench' },
);

/** Agents by name: from a state, given a number in [0, 1), the next; null is the end of the run. */
const agents = {
  // Ten tasks begin anywhere in the plan, so that every part of it is seen as often; a run takes up where another may have stopped.
  'many components': {
    first: (random) => Math.floor(random() * (STATES - 4 * STEPS)),
    next: (s, random) => {
      const at = random();
      if (at < 0.15) return s - (s % 5);
      return Math.min(STATES - 1, s - (s % 5) + 1 + Math.floor(at * 8));
    },
  },
  'one component': {
    first: (random) => Math.floor(random() * STATES),
    next: (s, random) =>
      random() < 0.01 ? Math.floor(random() * STATES) : (s * 7 + Math.floor(random() * 5)) % STATES,
  },
};

/** Valuations in an order that has nothing to do with that of states. */
const bitsOf = (s) => (s * 389) % 1024;

function traceOf({ first, next }, random, id) {
  const steps = [];
  for (let s = first(random); steps.length < STEPS; s = next(s, random))
    steps.push({ state: { bits: bitsOf(s) } });
  return { id: String(id), complete: true, steps };
}

function check(live, learner) {
  const { model } = learner.chain();
  const { valuations, words } = readLearntChain(model);
  const anew = riskTable(specification, model, { precision: PRECISION });
  for (const { name, entries } of anew.rules) {
    for (const { state, automatonState, lower, upper } of entries) {
      const found = live.at(name, valuations, automatonState, (state + 1) * words);
      // What a product built anew makes of 2^-54 that a row lacks to 1 for its rounding is no difference.
      const [most, least] = [upper + 1e-13, lower - 1e-13];
      if (!(found.lower <= most && least <= found.upper && found.upper - found.lower <= 2 * PRECISION))
        throw new Error(`state ${state}, ${automatonState}: the answer is wrong`);
    }
  }
}

const quantile = (numbers, q) => numbers.toSorted((a, b) => a - b)[Math.floor(q * (numbers.length - 1))];
const shown = (times) =>
  `${quantile(times, 0.5).toFixed(3)} (${quantile(times, 0.1).toFixed(3)} to ${quantile(times, 0.9).toFixed(3)})`;

console.log(
  '| agent | chain states | product states | rows replaced | solved again | counting ms | update, counted, median ms (10th to 90th percentile) | anew ms | times faster | goal |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
for (const [name, agent] of Object.entries(agents)) {
  const random = randomNumbers(7);
  const learner = new Learner(new Abstraction(specification.abstraction), specification.learning);
  for (let i = 0; i < 2000; i++) learner.add(traceOf(agent, random, i));
  const live = createLiveRisk(specification, learner, { precision: PRECISION });
  check(live, learner);
  const updates = [];
  const counting = [];
  const anew = [];
  const solved = [];
  const replaced = [];
  for (let i = 0; i < UPDATES; i++) {
    const trace = traceOf(agent, random, i);
    const start = performance.now();
    learner.add(trace);
    const counted = performance.now();
    const update = live.update();
    const end = performance.now();
    counting.push(counted - start);
    updates.push(end - start);
    solved.push(update.solved);
    replaced.push(update.replaced);
    if (i % 10 > 0) continue;
    check(live, learner);
    const before = performance.now();
    riskTable(specification, learner.chain().model, { precision: PRECISION });
    anew.push(performance.now() - before);
  }
  const states = readLearntChain(learner.chain().model).states - 2;
  console.log(
    `| ${name} | ${states} | ${live.nodes} | ${quantile(replaced, 0.5)} | ${quantile(solved, 0.5)} | ${quantile(counting, 0.5).toFixed(3)} | ${shown(updates)} | ${shown(anew)} | ${(quantile(anew, 0.5) / quantile(updates, 0.5)).toFixed(1)} | ${name === 'many components' ? 1 : '–'} |`,
  );
  live.free();
}
