// The guard file of the 18 traffic laws: how large it is and how long a process takes to make a guard of it, beside the same bounds as version 1 had them, one pair of decimal
// numbers for each pair of states. The laws are of ../shared/data; without them nothing is measured.
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { driveTrace, drivingScenarios } from 'foreguard-worlds';
import { Abstraction, compileGuard, learn, loadGuard, parseSpecification } from '../dist/index.js';
import { openTables } from './internals.mjs';
import { header, row, SHORT, summary } from './timing.mjs';

const { values } = parseArgs({
  options: { laws: { type: 'string', default: '../shared/data/traffic-laws/laws.json' } },
});
if (!existsSync(values.laws)) {
  console.log(`${values.laws} is absent: skipped`);
  process.exit(0);
}
const DRIVES = SHORT ? 2 : 60;
const ROUNDS = SHORT ? 3 : 30;
const GOAL = { bytes: 3e6, milliseconds: 50 };

const laws = Object.entries(JSON.parse(readFileSync(values.laws, 'utf8')));
const specification = parseSpecification(
  JSON.stringify({
    version: 1,
    samplingPeriod: '0.1s',
    rules: Object.fromEntries(laws.map(([name, formula]) => [name, { formula, threshold: 0.3 }])),
    learning: { smoothing: 0 },
  }),
);
const drives = drivingScenarios.flatMap((scenario) =>
  Array.from({ length: DRIVES }, (_, seed) => driveTrace(scenario, { seed })),
);
const { model } = await learn(new Abstraction(specification.abstraction), drives, specification.learning);
const file = compileGuard(specification, model);
const text = JSON.stringify(file);
const states = file.states.draws.length;

const dense = JSON.stringify({
  ...file,
  rules: file.rules.map(({ tables: _, ...rule }) => {
    const { risk } = openTables({ ...rule, tables: _ });
    const bounds = (of) =>
      Array.from({ length: states * rule.automaton.states }, (_, i) =>
        of(Math.floor(i / rule.automaton.states), i % rule.automaton.states),
      );
    return { ...rule, lower: bounds((s, q) => risk.lower(s, q)), upper: bounds((s, q) => risk.upper(s, q)) };
  }),
});
/** What reading version 1 took at least: its text parsed, and its bounds put into arrays of doubles. */
function readDense() {
  let sum = 0;
  for (const { lower, upper } of JSON.parse(dense).rules)
    sum += Float64Array.from(lower)[0] + Float64Array.from(upper)[0];
  return sum;
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const first = await timed(() => loadGuard(text));
const loads = [];
const dumps = [];
for (let i = 0; i < ROUNDS; i++) {
  loads.push(await timed(() => loadGuard(text)));
  if (i < 5) dumps.push(await timed(readDense));
}
const megabytes = (bytes) => (bytes / 1e6).toFixed(2);
const goal = (met) => (met ? '' : ', missed');
const load = summary('loadGuard of the text', loads);
console.log(
  `${laws.length} laws over ${states} states, ${drives.length} drives: ${megabytes(text.length)} MB (goal 3${goal(text.length <= GOAL.bytes)}); every pair in decimal numbers: ${megabytes(dense.length)} MB`,
);
console.log(
  `the first guard of a process: ${first.toFixed(1)} ms; goal for the median: 50 ms${goal(load.median <= GOAL.milliseconds)}`,
);
console.log(header);
console.log(row(load));
console.log(row(summary('JSON.parse of every pair, and its arrays', dumps)));
