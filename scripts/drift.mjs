/**
 * Does the watch for drift keep its promise, and what does it notice? Chains that are known draw the data of a guard, and then go on at work.
 *
 * 1. False alarms: the agent has not changed. Data end after a number of runs, or as soon as something seldom was seen, which favours
 *    what was seen last; runs at work are cut in bad states. Beside it what a chi-squared test of each step's state at the same level, divided by
 *    the number of states, looked at after every step, would do. Ends with 1 if the watch raises more alarms than a chance of `ALPHA` explains:
 *    one-sided binomial test at 1e-6.
 * 2. Delay: one row of the agent changes; steps from that state until the alarm.
 *
 *   npm run study:drift [-- --short] [--deployments N] [--steps N]
 */

import { Random } from 'foreguard-worlds';
import { clopperPearsonInterval } from '../dist/study.js';
import { cases } from './study/chains.mjs';
import { ChiSquared } from './study/chiSquared.mjs';
import { drawFrom, recorded, steps, watchOf } from './study/deployments.mjs';

const argument = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const SHORT = process.argv.includes('--short');
const DEPLOYMENTS = Number(argument('deployments', SHORT ? 40 : 2000));
const STEPS = Number(argument('steps', SHORT ? 1000 : 5000));
const ALPHA = 0.05;

/** When recording ends: what a data set may look like. */
const designs = [
  { name: '5 runs', enough: (draws) => draws.runs === 5 },
  { name: '100 runs', enough: (draws) => draws.runs === 100 },
  {
    name: 'seldom seen',
    // Something that was seen once just now; 500 runs are the most.
    enough: (draws) => draws.runs >= 500 || (draws.runs >= 10 && draws.justFound),
  },
];

/** One deployment: the step at which the watch, and chi-squared, raised an alarm; null for none. */
function deployment({ chain, bad }, enough, random, most) {
  const data = recorded(chain, random, enough);
  const watch = watchOf(data, ALPHA);
  const naive = new ChiSquared(data.rows, data.end, ALPHA);
  const found = { watch: null, naive: null };
  let step = 0;
  for (const [from, to] of steps(chain, random, bad === undefined ? [] : [bad])) {
    if (step++ === most) break;
    if (from === 0) watch.begin();
    watch.read({ complete: true, irregular: false, state: data.numbers[to] });
    if (watch.alarm) found.watch ??= step;
    if (found.naive === null && naive.draw(from, to)) found.naive = step;
  }
  return found;
}

let broken = 0;
console.log(`false alarms at ${ALPHA}, ${DEPLOYMENTS} deployments of ${STEPS} steps each`);
console.log(['chain', 'data', 'watch', 'chi-squared'].map((text) => text.padEnd(24)).join(''));
for (const [c, each] of cases.entries()) {
  for (const [d, design] of designs.entries()) {
    const random = new Random(1000 + 10 * c + d);
    let alarms = 0;
    let naive = 0;
    for (let i = 0; i < DEPLOYMENTS; i++) {
      const found = deployment(each, design.enough, random, STEPS);
      if (found.watch !== null) alarms++;
      if (found.naive !== null) naive++;
    }
    if (clopperPearsonInterval(alarms, DEPLOYMENTS, 1 - 2e-6).confidenceLower > ALPHA) broken++;
    console.log(
      [
        each.name,
        design.name,
        `${(alarms / DEPLOYMENTS).toFixed(4)} (${alarms})`,
        (naive / DEPLOYMENTS).toFixed(4),
      ]
        .map((text) => text.padEnd(24))
        .join(''),
    );
  }
}

/** A row of 3 successors among 10 rows; what it changes to. States 1 to 10, of which 4 changes; 11 is the end. */
const usual = [0.6, 0.3, 0.1, 0];
const changes = [
  { name: 'a probability halves', from: [0.5, 0.3, 0.2, 0], to: [0.6, 0.3, 0.1, 0] },
  { name: 'a probability doubles', from: usual, to: [0.5, 0.3, 0.2, 0] },
  { name: 'a rare one is ten times as frequent', from: [0.69, 0.3, 0.01, 0], to: [0.6, 0.3, 0.1, 0] },
  { name: 'a new transition (0.05)', from: usual, to: [0.55, 0.3, 0.1, 0.05] },
  { name: 'rows swap', from: [0.8, 0.1, 0.1, 0], to: [0.1, 0.1, 0.8, 0] },
];
const rowOf = (probabilities) => probabilities.map((p, i) => [i + 5, p]);

/** Ten states that are each entered as often, and lead to 5, 6, 7 or 8. */
function chainWith(row) {
  const start = Array.from({ length: 10 }, (_, i) => [i + 1, 0.1]);
  return [start, ...Array.from({ length: 10 }, () => row), []];
}

/** Steps from the state that changes until the alarm, after `quiet` steps from it; Infinity where there is none in `most`. */
function delay({ from, to }, falseAlarmRate, draws, quiet, random, most, maker) {
  const before = chainWith(rowOf(from));
  const data = recorded(before, random, ({ runs }) => runs === 10 * draws, 2);
  const test = maker(data, falseAlarmRate);
  for (let i = 0; i < quiet; i++) if (test(drawFrom(before[4], random))) return Number.NaN;
  const after = rowOf(to);
  for (let i = 1; i <= most; i++) if (test(drawFrom(after, random))) return i;
  return Infinity;
}

const makers = {
  watch: (data, rate) => {
    const watch = watchOf(data, rate);
    return (to) => {
      watch.lose();
      watch.read({ complete: true, irregular: false, state: 3 });
      watch.read({ complete: true, irregular: false, state: data.numbers[to] });
      return watch.alarm;
    };
  },
  naive: (data, rate) => {
    const naive = new ChiSquared(data.rows, data.end, rate);
    return (to) => naive.draw(4, to);
  },
};

function median(values) {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  return sorted.length === 0 ? '–' : String(sorted[sorted.length >> 1]);
}

const REPEATS = SHORT ? 10 : 40;
const MOST = SHORT ? 2000 : 10_000;
console.log(`
steps from the changed state until the alarm, median of ${REPEATS} (Infinity: not within ${MOST}); how often the state was left in the data / at work before
it changed. Chi-squared, which cannot be trusted, at 0.05 in brackets; – where it always raised a false alarm before.`);
const settings = [
  [100, 0],
  [1000, 0],
  [10_000, 0],
  [1000, 5000],
].slice(0, SHORT ? 2 : 4);
console.log(['', ...settings.map(([n, q]) => `${n} / ${q}`)].map((text) => text.padEnd(26)).join(''));
for (const [i, change] of changes.entries()) {
  for (const rate of [0.05, 1e-3]) {
    const cells = settings.map(([draws, quiet], j) => {
      const run = (maker) => {
        const random = new Random(7000 + 100 * i + j);
        return Array.from({ length: REPEATS }, () => delay(change, rate, draws, quiet, random, MOST, maker));
      };
      const naive = rate === 0.05 ? ` (${median(run(makers.naive))})` : '';
      return `${median(run(makers.watch))}${naive}`;
    });
    console.log(
      [`${change.name}, ${rate}`, ...cells].map((text, k) => text.padEnd(k === 0 ? 46 : 20)).join(''),
    );
  }
}
if (broken > 0) {
  console.log(`${broken} rates are above ${ALPHA}`);
  process.exit(1);
}
