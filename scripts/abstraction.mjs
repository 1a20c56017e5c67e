// How often tests of an abstraction find what is not there, and what is: simulated agents, many data sets each.
// Run it with: npm run build && node scripts/abstraction.mjs [--short]
import { parseSpecification } from 'foreguard';
import {
  abstractRuns,
  clopperPearsonInterval,
  observedRates,
  orderDependence,
  suggestPredicates,
} from 'foreguard/study';
import { Random } from 'foreguard-worlds';

const short = process.argv.includes('--short');
const level = 0.05;
const specification = parseSpecification(
  `version: 1
predicates: { a: 'x == "a"', b: 'x == "b"', c: 'x == "c"', d: 'x == "d"' }
rules: { whole: { formula: 'G !d', threshold: 0.3 } }
learning: { smoothing: 0 }`,
  { source: 'letters.yaml' },
);

/** From each letter the next ones with their weights; `^` is the start, `.` the end. */
const dense = {
  '^': { a: 3, b: 1 },
  a: { a: 6, b: 3, c: 1 },
  b: { a: 4, b: 2, c: 4, '.': 1 },
  c: { a: 1, c: 1, d: 0.3, '.': 2 },
  d: { '.': 1 },
};
/** Stays long, leaves rarely: small tables in which the state before goes together with how often it stayed. */
const slow = {
  '^': { a: 1 },
  a: { a: 30, b: 1, c: 1, '.': 0.5 },
  b: { b: 10, a: 1, d: 0.2 },
  c: { c: 20, a: 1, b: 1 },
  d: { '.': 1 },
};
const draw = (row, random) => {
  const entries = Object.entries(row);
  let u = random.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  return (entries.find(([, weight]) => (u -= weight) < 0) ?? entries[0])[0];
};
const firstOrder = (rows) => (word, random) => draw(rows[word.at(-1) ?? '^'], random);
/** b goes back to where it came from with 0.5 + strength / 2. */
const secondOrder = (strength) => (word, random) => {
  if (word.at(-1) !== 'b') return firstOrder(dense)(word, random);
  if (random.chance(0.1)) return '.';
  const back = word.at(-2) === 'a' ? 'a' : 'c';
  return random.chance(0.5 + strength / 2) ? back : back === 'a' ? 'c' : 'a';
};
/** In one of two modes for the whole run; `tells` says whether a field shows it. Twelve fields are noise. */
function hiddenMode(runs, seed, tells) {
  return Array.from({ length: runs }, (_, i) => {
    const random = new Random(seed, i);
    const hurry = random.chance(0.5);
    const constant = Object.fromEntries(Array.from({ length: 6 }, (_, k) => [`run${k}`, random.chance(0.5)]));
    const row = {
      a: hurry ? { c: 4, b: 1, '.': 0.8 } : { c: 1, b: 4, '.': 0.8 },
      b: { a: 1 },
      c: { a: 6, d: 1 },
      d: { '.': 1 },
    };
    const steps = [];
    for (let x = 'a'; x !== '.'; x = draw(row[x], random)) {
      const varying = Object.fromEntries(Array.from({ length: 6 }, (_, k) => [`step${k}`, random.next()]));
      steps.push({ state: { x, ...constant, ...varying, ...(tells && { hurry }) } });
    }
    return { id: `${i}`, steps };
  });
}
const walks = (agent, runs, seed, longest = Number.POSITIVE_INFINITY) =>
  Array.from({ length: runs }, (_, i) => {
    const random = new Random(seed, i);
    const word = [];
    let next = agent(word, random);
    while (next !== '.' && word.length < longest) {
      word.push(next);
      next = agent(word, random);
    }
    return { id: `${i}`, complete: next === '.', steps: word.map((x) => ({ state: { x } })) };
  });

const finds = async (traces, seed) =>
  orderDependence((await abstractRuns(specification, traces)).history, { level, seed }).states.some(
    ({ dependent }) => dependent,
  );
const suggests = (which) => async (traces, seed) => {
  const { targets } = suggestPredicates(await abstractRuns(specification, traces), specification, {
    level,
    seed,
  });
  return targets.some(({ suggestions }) => suggestions.some(({ expression }) => which(expression)));
};
const disagrees = async (traces, seed) =>
  (await observedRates(specification, await abstractRuns(specification, traces), { level, seed })).some(
    (rate) => rate.disagrees,
  );

const studies = [
  ['history, dense first order, 12 runs', 'none', 2000, (seed) => walks(firstOrder(dense), 12, seed), finds],
  [
    'history, dense first order, 200 runs',
    'none',
    1000,
    (seed) => walks(firstOrder(dense), 200, seed),
    finds,
  ],
  ['history, slow first order, 20 runs', 'none', 1000, (seed) => walks(firstOrder(slow), 20, seed), finds],
  [
    'history, slow first order, 60 runs cut after 30 steps',
    'none',
    1000,
    (seed) => walks(firstOrder(slow), 60, seed, 30),
    finds,
  ],
  ['history, second order by 0.5, 60 runs', 'some', 300, (seed) => walks(secondOrder(0.5), 60, seed), finds],
  [
    'history, second order by 0.5, 120 runs',
    'some',
    300,
    (seed) => walks(secondOrder(0.5), 120, seed),
    finds,
  ],
  [
    'history, second order by 0.25, 400 runs',
    'some',
    300,
    (seed) => walks(secondOrder(0.25), 400, seed),
    finds,
  ],
  ['history, hidden mode, 100 runs', 'some', 300, (seed) => hiddenMode(100, seed, true), finds],
  [
    'predicates, hidden mode that no field tells, 60 runs',
    'none',
    500,
    (seed) => hiddenMode(60, seed, false),
    suggests(() => true),
  ],
  [
    'predicates, hidden mode that no field tells, 200 runs',
    'none',
    300,
    (seed) => hiddenMode(200, seed, false),
    suggests(() => true),
  ],
  [
    'predicates, hidden mode told, noise suggested, 200 runs',
    'none',
    300,
    (seed) => hiddenMode(200, seed, true),
    suggests((e) => e !== 'hurry'),
  ],
  [
    'predicates, hidden mode told, 60 runs',
    'some',
    300,
    (seed) => hiddenMode(60, seed, true),
    suggests((e) => e === 'hurry'),
  ],
  [
    'predicates, hidden mode told, 200 runs',
    'some',
    300,
    (seed) => hiddenMode(200, seed, true),
    suggests((e) => e === 'hurry'),
  ],
  [
    'predicted against observed, dense first order, 100 runs',
    'none',
    500,
    (seed) => walks(firstOrder(dense), 100, seed),
    disagrees,
  ],
];
console.log('| what | truth | data sets | found | 95% |\n| --- | --- | ---: | ---: | ---: |');
for (const [name, truth, sets, make, find] of studies) {
  const count = short ? Math.ceil(sets / 20) : sets;
  let found = 0;
  for (let seed = 0; seed < count; seed++) if (await find(make(seed), seed)) found++;
  const { rate, confidenceLower, confidenceUpper } = clopperPearsonInterval(found, count);
  const percent = (x) => `${(100 * x).toFixed(1)}%`;
  console.log(
    `| ${name} | ${truth} | ${count} | ${percent(rate)} | ${percent(confidenceLower)} – ${percent(confidenceUpper)} |`,
  );
  // More than the level, were it not for a chance of one in a million.
  const surely = clopperPearsonInterval(found, count, 1 - 2e-6);
  if (truth === 'none' && surely.confidenceLower > level) {
    console.error(
      `${name}: found in ${percent(rate)} of data sets, more than the level of ${percent(level)}`,
    );
    process.exitCode = 1;
  }
}
