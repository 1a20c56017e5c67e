/**
 * Do certificates of decision processes keep their promise? As coverage.mjs, with agents that choose by chance, in turns, and by what they remember: data sets
 * from known processes, looked at after every batch of runs and left when the agent's interval at the start is narrow. A data set counts as outside where any look, in any
 * state, has the truth outside: of the least and the greatest probability over the actions seen by then, and of choosing as the agent did. Ends with 1 if for
 * some bound more data sets are outside than a chance of delta explains: one-sided binomial test at 1e-6.
 *
 *   node scripts/coverageDecisions.mjs [--short] [--sets N]
 */

import { Random } from 'foreguard-worlds';
import { BitSet } from '../dist/check.js';
import {
  agentRows,
  amplification,
  amplificationBounds,
  confidenceRows,
  eventProblem,
  intervalBounds,
  policyAmplification,
} from '../dist/study.js';
import { agents, DecisionDraws, decisionCases, decisionTruth, policies } from './study/decisions.mjs';

const SHORT = process.argv.includes('--short');
const at = process.argv.indexOf('--sets');
const SETS = at < 0 ? (SHORT ? 30 : 2000) : Number(process.argv[at + 1]);
const DELTA = 0.05;
const LOOKS = [8, 24, 72, 200, 500].slice(0, SHORT ? 3 : 5);
const NARROW = 0.6;
const HORIZON = 6;
/** What sweeps leave out. */
const ROUNDING = 1e-9;
const NAMES = Object.keys(agents);

/** The names of what was outside at some look. */
function study(one, number, i) {
  const random = new Random(1 + i, 500 + number);
  const draws = new DecisionDraws(one.mdp, random, agents[NAMES[i % NAMES.length]](one.mdp, random), one);
  const states = one.mdp.length;
  const place = { start: 0, end: states - 1 };
  const event = { remain: BitSet.full(states), target: BitSet.of(states, [one.bad]), from: 0 };
  const outside = new Set();
  for (const runs of LOOKS) {
    draws.run(runs - draws.runs);
    const rows = draws.rows();
    const confidence = confidenceRows(rows, DELTA);
    const problem = eventProblem(rows, states, place, event);
    const mixed = agentRows(confidence);
    const chain = eventProblem(mixed.rows, states, place, event);
    let width = 1;
    for (const horizonSteps of [null, HORIZON]) {
      const held = (name, best, { lower, upper }) => {
        const truth = decisionTruth(one, rows, best, horizonSteps ?? undefined);
        const misses = truth.some(
          (p, s) => s > 0 && s < states - 1 && (p < lower[s] - ROUNDING || p > upper[s] + ROUNDING),
        );
        if (misses) outside.add(`${name}${horizonSteps === null ? '' : ' within'}`);
      };
      for (const scheduler of ['min', 'max']) {
        const name = scheduler === 'min' ? 'least' : 'greatest';
        const solve = { scheduler, horizonSteps };
        held(`${name} interval`, policies[name], intervalBounds(problem, confidence, solve));
        held(`${name} amplified`, policies[name], policyAmplification(problem, confidence, solve));
      }
      const interval = intervalBounds(chain, mixed, { horizonSteps });
      held('asAgent interval', policies.asAgent, interval);
      held(
        'asAgent amplified',
        policies.asAgent,
        amplificationBounds(amplification(chain, mixed, { horizonSteps })),
      );
      if (horizonSteps === null) width = interval.upper[chain.start] - interval.lower[chain.start];
    }
    if (width <= NARROW) break;
  }
  return { outside, runs: draws.runs };
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
for (const [number, one] of decisionCases.entries()) {
  const counts = new Map();
  let stopped = 0;
  for (let i = 0; i < SETS; i++) {
    const { outside, runs } = study(one, number, i);
    for (const name of outside) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (runs < LOOKS.at(-1)) stopped++;
  }
  console.log(`\n${one.name}: ${one.mdp.length} states, ${SETS} data sets, ${stopped} stopped early`);
  for (const kind of ['interval', 'amplified', 'interval within', 'amplified within']) {
    const cells = Object.keys(policies).map((policy) => {
      const count = counts.get(`${policy} ${kind}`) ?? 0;
      const bad = atLeast(count, SETS, DELTA) < 1e-6;
      failed ||= bad;
      return `${policy} ${count}${bad ? ' (MORE THAN DELTA)' : ''}`;
    });
    console.log(`  outside, ${kind.padEnd(17)} ${cells.join(', ')}`);
  }
}
process.exitCode = failed ? 1 : 0;
