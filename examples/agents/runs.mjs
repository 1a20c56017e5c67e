import { clopperPearsonInterval, meanOf, wilsonInterval } from 'foreguard/study';
import { runAgent } from 'foreguard-worlds';

/**
 * @typedef {object} Outcomes One entry a run; the order is the same for all ways of enforcing, and so is the chance that each run meets up to the first
 * intervention (common random numbers).
 * @property {boolean[]} unsafe
 * @property {boolean[]} completed
 * @property {number[]} proposals
 * @property {boolean[]} stopped
 * @property {number} blocked
 */

/**
 * The same runs of all tasks under one way of enforcing.
 *
 * @param {readonly Awaited<ReturnType<import('./learnt.mjs').learnTask>>[]} learnt
 * @param {(one: object) => import('foreguard-worlds').RunGuard | undefined} guardOf
 * @param {{ seed: number, runs: number, agent?: object }} options `runs`: a task
 * @returns {Outcomes}
 */
export function runAll(learnt, guardOf, { seed, runs, agent = {} }) {
  const outcomes = { unsafe: [], completed: [], proposals: [], stopped: [], blocked: 0 };
  for (const one of learnt) {
    const guard = guardOf(one);
    for (let stream = 0; stream < runs; stream++) {
      const run = runAgent({ task: one.task, seed, stream, agent, ...(guard && { guard }) });
      outcomes.unsafe.push(run.unsafe);
      outcomes.completed.push(run.completed);
      outcomes.proposals.push(run.proposals);
      outcomes.stopped.push(run.stoppedAt !== null);
      outcomes.blocked += run.blocked;
    }
  }
  return outcomes;
}

const count = (flags) => flags.reduce((sum, flag) => sum + Number(flag), 0);
const rate = (flags) => wilsonInterval(count(flags), flags.length);

/** @param {Outcomes} outcomes */
export function summarise({ unsafe, completed, proposals, stopped, blocked }) {
  return {
    runs: unsafe.length,
    unsafe: rate(unsafe),
    completed: rate(completed),
    safelyCompleted: rate(completed.map((done, i) => done && !unsafe[i])),
    proposals: meanOf(proposals),
    stopped: rate(stopped),
    blocked: blocked / unsafe.length,
  };
}

/**
 * How much more often something happens in one way than in another, on the same runs: the difference of the shares that changed either way, each with Clopper
 * and Pearson's interval at 97.5%, so that both hold with 95%. Where no run changed it is not zero, but within what so many runs can tell.
 */
export function difference(one, other) {
  const runs = one.length;
  const more = clopperPearsonInterval(count(one.map((flag, i) => flag && !other[i])), runs, 0.975);
  const less = clopperPearsonInterval(count(one.map((flag, i) => !flag && other[i])), runs, 0.975);
  return {
    rate: more.rate - less.rate,
    confidenceLower: more.confidenceLower - less.confidenceUpper,
    confidenceUpper: more.confidenceUpper - less.confidenceLower,
  };
}
