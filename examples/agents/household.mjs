import { householdTasks } from 'foreguard-worlds';
import { progress } from '../household/terminal.mjs';
import { learnTask } from './learnt.mjs';
import { difference, runAll, summarise } from './runs.mjs';
import { atThreshold, withoutThreshold } from './strategies.mjs';

/** Ways of enforcing that are held against stopping at the same threshold. */
export const rivals = Object.keys(atThreshold).filter((name) => name !== 'stop');

/** Ways that name alternatives. */
export const mainRivals = ['block', 'block, least', 'block, budget'];
/** Ways to which agents are put that are not the one learnt from. */
export const changedWays = ['stop', 'reflect', ...mainRivals];

/** The first paper's Table 1 and Figure 3, the whole curve, and what comes of other assumptions about blocked agents and of fewer runs to learn from. */
export async function experiment(plan) {
  const learnt = await learnAll(plan, plan.learnt);
  const judge = (runs) => ({ seed: plan.seeds.judging, runs });
  const table = [];
  const outcomes = new Map();
  const run = (name, group, threshold, guardOf) => {
    progress(`running: ${name}`);
    const found = runAll(learnt, guardOf, judge(plan.judged));
    outcomes.set(name, found);
    table.push({ name, group, threshold, ...summarise(found), tasks: byTask(learnt, found) });
  };
  for (const [name, guardOf] of Object.entries(withoutThreshold))
    run(name, name === 'no enforcement' ? 'none' : 'AgentSpec', null, guardOf);
  for (const [group, at] of Object.entries(atThreshold)) {
    for (const value of plan.thresholds) run(nameOf(group, value), group, value, at(value));
  }
  const against = plan.thresholds.flatMap((value) =>
    rivals.map((group) => ({
      threshold: value,
      group,
      ...compare(outcomes.get(nameOf(group, value)), outcomes.get(nameOf('stop', value))),
    })),
  );
  const varied = (from, groups, value, agent = {}) =>
    Object.fromEntries(
      groups.map((group) => [
        group,
        summarise(runAll(from, atThreshold[group](value), { ...judge(plan.judged), agent })),
      ]),
    );
  const follow = plan.follow.map((share) => {
    progress(`agents that follow ${share}`);
    return { follow: share, ...varied(learnt, mainRivals, plan.variedAt, { follow: share }) };
  });
  const changed = plan.changed.map(({ name, agent }) => {
    progress(`agents: ${name}`);
    return { name, ...varied(learnt, changedWays, plan.changedAt, agent) };
  });
  const fewer = [];
  for (const runs of [...plan.fewer, plan.learnt]) {
    const from = runs === plan.learnt ? learnt : await learnAll(plan, runs);
    fewer.push({ learnt: runs, ...varied(from, ['stop', ...mainRivals], plan.variedAt) });
  }
  return { learnt, table, against, follow, changed, fewer, curve: curveOf(learnt, plan, judge(plan.curve)) };
}

async function learnAll({ seeds }, runs) {
  const learnt = [];
  for (const task of householdTasks) {
    progress(`learning ${task.name} from ${runs} runs`);
    learnt.push(await learnTask(task, { seed: seeds.learning, runs }));
  }
  return learnt;
}

export const nameOf = (group, value) => `${group}, θ = ${value}`;

function compare(one, other) {
  return {
    unsafe: difference(one.unsafe, other.unsafe),
    completed: difference(one.completed, other.completed),
  };
}

function curveOf(learnt, plan, options) {
  return plan.curveThresholds.map((threshold) => {
    progress(`the curve at ${threshold}`);
    const found = Object.entries(atThreshold).map(([group, at]) => [
      group,
      runAll(learnt, at(threshold), options),
    ]);
    const stop = found[0][1];
    return {
      threshold,
      ways: found.map(([group, outcomes]) => ({
        group,
        ...summarise(outcomes),
        againstStop: compare(outcomes, stop),
      })),
    };
  });
}

function byTask(learnt, { unsafe, completed, stopped }) {
  const runs = unsafe.length / learnt.length;
  const share = (flags, t) =>
    flags.slice(t * runs, (t + 1) * runs).reduce((sum, flag) => sum + Number(flag), 0) / runs;
  return learnt.map(({ task }, t) => ({
    name: task.name,
    unsafe: share(unsafe, t),
    completed: share(completed, t),
    stopped: share(stopped, t),
  }));
}
