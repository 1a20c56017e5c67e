// What do rules cost? Goals: every law of laws.json becomes its automaton within 20 ms; three bounded-response rules with K = 100 on a
// learnt chain of 64 states, a product each, are certified within 0.2 s; the joint product of two, a million states, within 2 s. Sizes
// of automata are checked against what the windows say, joint risks against single ones and against the conjunction's automaton.
// Processor time of the whole process is what is counted, so that other work on the machine matters less.
//
//   npm run build && node bench/rules.bench.mjs [laws.json]      (default: LAWS, or ../shared/data/traffic-laws/laws.json beside the repository)
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { jointViolationRisk, violationRisk, violationTime } from '../dist/check.js';
import { buildAutomaton, deriveAbstraction, KernelError, parseFormula } from '../dist/index.js';
import { randomNumbers } from './chains.mjs';
import { header, row, SHORT, summary } from './timing.mjs';

const LAWS =
  process.argv[2] ??
  process.env.LAWS ??
  fileURLToPath(new URL('../../shared/data/traffic-laws/laws.json', import.meta.url));

/** Rules of the same shapes as the largest laws, and how many states the smallest automaton of each has. */
const OWN = {
  'answer within 100': ['G (a -> F[0,100] b)', 102],
  'two answers within 100': ['G ((a -> (F[0,100] b)) & (c -> (F[0,100] d)))', 101 * 101 + 1],
  'answer within 6000': ['G (a -> ((F[0,6000] (a -> b)) & c))', 6002],
  'answer and window behind': ['G (a -> (((O[0,1] b) | (F[0,2] b)) & (F[0,10] (c & d))))', null],
};

function fail(message) {
  throw new Error(`${message}: the answer is wrong, so its time is not worth knowing`);
}

/** Milliseconds of processor time, over all threads of the process. */
function processorTime(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function measure(name, work, samples, warmUp = 1) {
  for (let i = 0; i < warmUp; i++) work();
  const result = summary(
    name,
    Array.from({ length: SHORT ? 2 : samples }, () => processorTime(work)),
  );
  console.log(row(result));
  return result;
}

/** A chain as learnt: three successors a state and the end; a, b, c ask in a third of the states, x, y, z answer in a few. */
function learntChain(states, seed) {
  const random = randomNumbers(seed);
  const end = states + 1;
  const inner = Array.from({ length: states }, () => {
    const successors = new Set();
    while (successors.size < 3) successors.add(1 + Math.floor(random() * states));
    const [one, two, three] = [...successors].sort((a, b) => a - b);
    return [
      [one, 0.5],
      [two, 0.25],
      [three, 0.234375],
      [end, 0.015625],
    ];
  });
  const rows = [[[1, 1]], ...inner, [[end, 1]]];
  const rowStart = new Uint32Array(rows.length + 1);
  for (const [s, { length }] of rows.entries()) rowStart[s + 1] = rowStart[s] + length;
  return {
    states: rows.length,
    rowStart,
    columns: Uint32Array.from(rows.flat(), ([t]) => t),
    values: Float64Array.from(rows.flat(), ([, p]) => p),
    start: 0,
    end,
    predicates: ['a', 'x', 'b', 'y', 'c', 'z'],
    words: 1,
    valuations: Uint32Array.from({ length: rows.length }, () =>
      [0.3, 0.02, 0.3, 0.02, 0.3, 0.02].reduce(
        (word, p, bit) => (random() < p ? word | (1 << bit) : word),
        0,
      ),
    ),
    draws: rows.map(() => 10),
  };
}

const responses = (count, K) =>
  ['G (a -> F<=K x)', 'G (b -> F<=K y)', 'G (c -> F<=K z)']
    .slice(0, count)
    .map((text) => text.replace('K', K))
    .map((text) => ({ text, automaton: buildAutomaton(parseFormula(text)), atEnd: 'weak' }));

/** The joint risk lies between the largest single one and their sum, and of these rules it is that of the conjunction. */
function checkJoint(chain, rules) {
  const joint = jointViolationRisk({ chain, rules }).start;
  const single = rules.map((rule) => violationRisk({ chain, ...rule }).start);
  if (single.some(({ lower }) => lower > joint.upper)) fail('a joint risk is below a single one');
  if (joint.lower > single.reduce((sum, { upper }) => sum + upper, 0)) fail('a joint risk is above the sum');
  const automaton = buildAutomaton(parseFormula(rules.map(({ text }) => `(${text})`).join(' & ')));
  const whole = violationRisk({ chain, automaton, atEnd: 'weak' }).start;
  if (joint.lower > whole.upper || whole.lower > joint.upper)
    fail('a joint risk is not that of the conjunction');
}

console.log('processor time:');
console.log(header);

function measureAutomata(laws) {
  let slowest = null;
  for (const [name, { formula, size }] of laws) {
    const { states } = buildAutomaton(formula, { samplingPeriod: 0.1 });
    if (size !== null && states !== size) fail(`${name} has ${states} states`);
    const result = measure(
      `${name}: ${states} states`,
      () => buildAutomaton(formula, { samplingPeriod: 0.1 }),
      21,
      5,
    );
    if (slowest === null || result.median > slowest.median) slowest = result;
  }
  console.log(`  (slowest ${slowest.name}: ${slowest.median.toFixed(1)} ms; goal 20 ms each)`);
}

measureAutomata(
  Object.entries(OWN).map(([name, [text, size]]) => [name, { formula: parseFormula(text), size }]),
);
if (existsSync(LAWS)) {
  const laws = Object.entries(JSON.parse(readFileSync(LAWS, 'utf8')));
  const { formulas } = deriveAbstraction(laws.map(([, text]) => parseFormula(text)));
  measureAutomata(laws.map(([name], i) => [name, { formula: formulas[i], size: null }]));
} else {
  console.log(`  (skipped: there is no ${LAWS}; name a file of laws as the argument, or in LAWS)`);
}

checkJoint(learntChain(16, 5), responses(2, 10));
const small = learntChain(64, 5);
const three = responses(3, SHORT ? 20 : 100);
measure(
  'three rules, K = 100, 64 chain states: built and certified',
  () => {
    for (const rule of three) violationRisk({ chain: small, ...rule });
  },
  11,
);
measure(
  'the same, when they are violated within 100 steps',
  () => {
    for (const rule of three) violationTime({ chain: small, ...rule });
  },
  5,
);

function measureJoint(states, K, samples) {
  const chain = learntChain(states, 7);
  const rules = responses(2, K);
  let size = '';
  measure(
    `two rules at once, K = ${K}, ${states} chain states: built and certified`,
    () => {
      const { nodes, transitions } = jointViolationRisk({ chain, rules });
      size = `${nodes} states, ${transitions} transitions`;
    },
    samples,
    SHORT ? 1 : 0,
  );
  console.log(`  (${size})`);
}

measureJoint(102, SHORT ? 20 : 100, 5);
if (!SHORT) {
  measureJoint(128, 100, 5);
  measureJoint(1000, 100, 1);
}
try {
  jointViolationRisk({ chain: small, rules: responses(3, SHORT ? 20 : 60) }, { maxStates: 100_000 });
  fail('a product above maxStates was built');
} catch (error) {
  if (!(error instanceof KernelError)) throw error;
  console.log(`three rules at once: ${error.message}`);
}
