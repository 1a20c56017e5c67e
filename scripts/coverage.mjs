/**
 * Do certificates keep their promise? Data sets are drawn from chains that are known, looked at after every batch of runs, and left as soon
 * as the interval at the start is narrow enough. A data set counts as outside where any look, in any state, has the truth outside.
 * The truth comes from elimination on a full matrix (study/truth.mjs). Ends with 1 if for some bound more data sets are outside than a chance of
 * delta explains: one-sided binomial test at 1e-6.
 *
 * Beside the bounds, and without a criterion: the papers' promised errors where their criteria are met, an interval for a fixed number of draws
 * looked at in the same way, and posterior intervals (state by state; these have a criterion where chains come from their own prior). Last, how wide
 * certificates are beside the error that the papers' second criterion would certify on the same data.
 *
 *   npm run study:coverage [-- --short] [--sets N] [--only NAME,...]
 */

import { Random } from 'foreguard-worlds';
import {
  amplification,
  amplificationBounds,
  clopperPearsonInterval,
  confidenceRows,
  intervalBounds,
  papersCriteria,
  posteriorIntervals,
  secondCriterionEpsilon,
} from '../dist/study.js';
import { cases, Draws, priorChain } from './study/chains.mjs';
import { learntCase } from './study/learnt.mjs';
import { HORIZON, open } from './study/problems.mjs';
import { tightness } from './study/tightness.mjs';

const argument = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const SHORT = process.argv.includes('--short');
const SETS = Number(argument('sets', SHORT ? 60 : 2000));
const ONLY = argument('only', '');
const wanted = (name) => ONLY === '' || ONLY.split(',').includes(name);
const DELTA = 0.05;
const EPSILON = 0.2;
/** Runs after which data are looked at. */
const LOOKS = [8, 24, 72, 200, 500, 1200].slice(0, SHORT ? 4 : 6);
/** Posterior intervals of the cases are made of every so many data sets. */
const EVERY = 4;
/** No more looks once the interval at the start is so narrow. */
const NARROW = 0.3;
/** Chains sampled a posterior: the 5th from either end is the quantile at 0.05 exactly. */
const SAMPLES = 199;
/** Rounding of the truth. */
const ROUNDING = 1e-12;

const misses = ({ lower, upper }, truth) =>
  truth.some((p, node) => p < lower[node] - ROUNDING || p > upper[node] + ROUNDING);

/** Whether the true rows are in their sets, as far as anything was drawn. */
function rowsMissed(chain, { rows, empirical, lower, upper, unseen, distance, centre, divergence }) {
  return chain.some((row, s) => {
    if (rows.draws[s] === 0) return false;
    let rest = row.reduce((sum, [, p]) => sum + p, 0);
    let variation = 0;
    let diverged = 0;
    for (let e = rows.rowStart[s]; e < rows.rowStart[s + 1]; e++) {
      const p = row.find(([t]) => t === rows.columns[e])?.[1] ?? 0;
      if (p < lower[e] - ROUNDING || p > upper[e] + ROUNDING) return true;
      rest -= p;
      variation += Math.max(0, p - empirical[e]);
      if (centre[e] > 0) diverged += centre[e] * Math.log(centre[e] / p);
    }
    const apart = variation + Math.max(0, rest) > distance[s] + ROUNDING;
    return rest > unseen[s] + ROUNDING || apart || diverged > divergence[s] + ROUNDING;
  });
}

/** An interval for a fixed number of draws, of one transition at level delta: what it is worth when looked at again and again. */
function fixedMissed(chain, { rowStart, columns, counts, draws }) {
  const [t, p] = chain[1].reduce((best, one) => (one[1] > best[1] ? one : best));
  if (draws[1] === 0) return false;
  const at = columns.subarray(rowStart[1], rowStart[2]).indexOf(t);
  const count = at < 0 ? 0 : counts[rowStart[1] + at];
  const { confidenceLower, confidenceUpper } = clopperPearsonInterval(count, draws[1], 1 - DELTA);
  return p < confidenceLower || p > confidenceUpper;
}

/** Names of what is held against the truth; those of the first kind have a criterion. */
const BOUNDS = ['rows', 'amplified', 'interval', 'amplified within', 'interval within'];
const OTHERS = ['fixed number of draws', 'first criterion', 'second criterion', 'second epsilon'];

/** One data set: what was outside at some look. */
function study({ chain }, { problemOf, ever, within }, draws) {
  const outside = Object.fromEntries([...BOUNDS, ...OTHERS].map((name) => [name, false]));
  const met = { 'first criterion': false, 'second criterion': false };
  let last;
  for (const runs of LOOKS) {
    draws.run(runs - draws.runs);
    const rows = draws.rows();
    const confidence = confidenceRows(rows, DELTA);
    const problem = problemOf(rows);
    const amplified = amplification(problem, confidence);
    const interval = intervalBounds(problem, confidence);
    const steps = { horizonSteps: HORIZON };
    outside.rows ||= rowsMissed(chain, confidence);
    outside.interval ||= misses(interval, ever);
    outside.amplified ||= misses(amplificationBounds(amplified), ever);
    outside['interval within'] ||= misses(intervalBounds(problem, confidence, steps), within);
    outside['amplified within'] ||= misses(
      amplificationBounds(amplification(problem, confidence, steps)),
      within,
    );
    outside['fixed number of draws'] ||= fixedMissed(chain, rows);
    last = { confidence, problem, amplified };
    if (interval.upper[problem.start] - interval.lower[problem.start] <= NARROW) break;
  }
  const { confidence, problem, amplified } = last;
  const errorAbove = (epsilon) =>
    ever.some(
      (p, node) =>
        p < amplified.estimate.lower[node] - epsilon - ROUNDING ||
        p > amplified.estimate.upper[node] + epsilon + ROUNDING,
    );
  const { firstMet, secondMet } = papersCriteria(problem, confidence, EPSILON);
  met['first criterion'] = firstMet;
  met['second criterion'] = secondMet;
  outside['first criterion'] = firstMet && entriesOff(chain, confidence, EPSILON);
  outside['second criterion'] = secondMet && errorAbove(EPSILON);
  outside['second epsilon'] = errorAbove(secondCriterionEpsilon(problem, confidence));
  return { outside, met, runs: draws.runs, problem };
}

function entriesOff(chain, { rows, empirical }, epsilon) {
  return chain.some((row, s) =>
    row.some(([t, p]) => {
      const at = rows.columns.subarray(rows.rowStart[s], rows.rowStart[s + 1]).indexOf(t);
      return Math.abs(p - (at < 0 ? 0 : empirical[rows.rowStart[s] + at])) > epsilon;
    }),
  );
}

/** P(at least x of n), each with probability p. */
function atLeast(x, n, p) {
  let term = (1 - p) ** n;
  let below = 0;
  for (let i = 0; i < x; i++) {
    below += term;
    term *= ((n - i) / (i + 1)) * (p / (1 - p));
  }
  return Math.max(0, 1 - below);
}

let failed = false;
/** A line of the table; where there is a criterion, whether it is kept. */
function report(name, count, sets, criterion) {
  const bad = criterion && atLeast(count, sets, DELTA) < 1e-6;
  failed ||= bad;
  const share = sets === 0 ? '' : `  ${((100 * count) / sets).toFixed(1)}%`;
  console.log(
    `  ${name.padEnd(28)} ${String(count).padStart(5)} of ${sets}${share}${bad ? '  MORE THAN DELTA' : ''}`,
  );
}

const progress = (name, i) => {
  if (process.stderr.isTTY && i % 20 === 0) process.stderr.write(`\r${name}: ${i} of ${SETS}   `);
};
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

for (const [number, one] of cases.entries()) {
  if (!wanted(one.name)) continue;
  const opened = open(one);
  const counts = new Map([...BOUNDS, ...OTHERS].map((name) => [name, 0]));
  const met = new Map();
  const off = new Float64Array(opened.ever.length);
  const runs = [];
  for (let i = 0; i < SETS; i++) {
    progress(one.name, i);
    const draws = new Draws(one.chain, new Random(1 + i, number), one);
    const result = study(one, opened, draws);
    for (const [name, out] of Object.entries(result.outside)) counts.set(name, counts.get(name) + out);
    for (const [name, is] of Object.entries(result.met)) met.set(name, (met.get(name) ?? 0) + is);
    if (i % EVERY === 0) {
      const { lower, upper } = posteriorIntervals(result.problem, {
        samples: SAMPLES,
        delta: DELTA,
        seed: i + 1,
      });
      opened.ever.forEach((p, node) => {
        if (p < lower[node] - 1e-6 || p > upper[node] + 1e-6) off[node]++;
      });
    }
    runs.push(result.runs);
  }
  const stopped = runs.filter((count) => count < LOOKS.at(-1)).length;
  console.log(
    `\n${one.name}: ${one.chain.length} states, ${SETS} data sets, ${median(runs)} runs in the median, ${stopped} stopped early`,
  );
  for (const name of BOUNDS) report(name, counts.get(name), SETS, true);
  report('fixed number of draws', counts.get('fixed number of draws'), SETS, false);
  for (const name of ['first criterion', 'second criterion']) {
    report(`${name}, if met`, counts.get(name), met.get(name), false);
  }
  report('second epsilon', counts.get('second epsilon'), SETS, false);
  const open1 = [...off].filter((_, node) => opened.ever[node] > 0 && opened.ever[node] < 1);
  const sampled = Math.ceil(SETS / EVERY);
  report('posterior, worst state', Math.max(...open1), sampled, false);
  report(
    'posterior, mean of states',
    Math.round(open1.reduce((a, b) => a + b, 0) / open1.length),
    sampled,
    false,
  );
}

if (wanted('prior')) {
  const off = [];
  for (let i = 0; i < SETS; i++) {
    progress('prior', i);
    const chain = priorChain(5, new Random(i + 1, 1000));
    const opened = open({ chain, bad: 5 });
    const draws = new Draws(chain, new Random(i + 1, 1001), { known: true, steps: 30 });
    let posterior;
    for (const runs of LOOKS.slice(0, 4)) {
      draws.run(runs - draws.runs);
      const problem = opened.problemOf(draws.rows());
      posterior = posteriorIntervals(problem, {
        samples: SAMPLES,
        delta: DELTA,
        seed: i + 1,
        horizonSteps: null,
      });
      if (posterior.upper[problem.start] - posterior.lower[problem.start] <= NARROW) break;
    }
    opened.ever.forEach((p, node) => {
      const out = p < posterior.lower[node] - 1e-6 || p > posterior.upper[node] + 1e-6;
      off[node] = p > 0 && p < 1 ? (off[node] ?? 0) + out : null;
    });
  }
  console.log(
    `\nposterior intervals of chains from their own prior, state by state, stopped when narrow: ${SETS} chains`,
  );
  for (const [node, count] of off.entries()) {
    if (count !== null) report(node === off.length - 1 ? 'start' : `state ${node}`, count, SETS, true);
  }
}

if (wanted('learnt')) {
  let outside = 0;
  const sets = SHORT ? 20 : SETS;
  for (let i = 0; i < sets; i++) {
    progress('learnt', i);
    outside += await learntCase(new Random(i + 1, 2000), DELTA, LOOKS.slice(0, 4), NARROW);
  }
  console.log(`\ncertify on learnt chains, states valid, smoothing 1: ${sets} data sets`);
  report('certify', outside, sets, true);
}
if (wanted('tightness')) {
  if (!tightness(DELTA, SHORT ? [1000] : [300, 1000, 10_000], SHORT ? 3 : 40)) failed = true;
}
process.exitCode = failed ? 1 : 0;
