import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { clopperPearsonInterval } from 'foreguard/study';
import { Random } from 'foreguard-worlds';
import { ownTools } from './agentTools.mjs';
import { policiesOf, tally } from './decide.mjs';

/** What each mode leaves of recorded steps, each a list of calls, where some calls are denied. */
export const MODES = {
  unguarded: (steps) => steps.flat(),
  /** The run ends at the first call that is denied. */
  'task termination': (steps, isDenied) => {
    const calls = steps.flat();
    const first = calls.findIndex(isDenied);
    return first < 0 ? calls : calls.slice(0, first);
  },
  /** A step with a denied call is dropped whole. */
  'action blocking': (steps, isDenied) => steps.filter((step) => !step.some(isDenied)).flat(),
  /** Denied calls alone are withheld. */
  'tool execution halt': (steps, isDenied) => steps.flat().filter((call) => !isDenied(call)),
};

export const KINDS = ['clean', 'direct_prompt_injection', 'observation_prompt_injection', 'memory_attack'];

/**
 * Recorded runs of ASB under a list of each agent's own tools: attack and task success by mode of enforcement, as the recorded calls would have been left. A run
 * counts as attacked where the attacker's tool is left, and as done where the recording says so and both of its own tools are left.
 *
 * @param {string} folder with `runs.jsonl.gz` and `tools.json`
 * @param {{ draws: number, seed: number }} plan
 */
export async function recordedModes(folder, plan) {
  const { normal } = JSON.parse(readFileSync(`${folder}/tools.json`, 'utf8'));
  const policies = await policiesOf(ownTools(normal), 'asb');
  const own = grouped(normal, ({ agent }) => agent);
  const lines = gunzipSync(readFileSync(`${folder}/runs.jsonl.gz`))
    .toString('utf8')
    .trim()
    .split('\n');
  const runs = lines.map((line) => judged(JSON.parse(line), policies, own));
  const rows = KINDS.flatMap((kind) => {
    const some = runs.filter((run) => run.kind === kind);
    return Object.keys(MODES).map((mode) => ({
      kind,
      mode,
      runs: some.length,
      attacked: rate(some, ({ outcome }) => outcome[mode].attacked, plan),
      done: rate(some, ({ outcome }) => outcome[mode].done, plan),
    }));
  });
  // Of re-planning only this is known: what was done before the first denial stays, and all else depends on what the agent would have called.
  const replanned = KINDS.map((kind) => {
    const some = runs.filter((run) => run.kind === kind);
    const least = some.filter(({ outcome }) => outcome['task termination'].done).length;
    const most = some.filter(({ outcome, denied }) => denied > 0 || outcome.unguarded.done).length;
    return { kind, runs: some.length, least: least / some.length, most: most / some.length };
  });
  return {
    proofs: tally(await policies.report()),
    runs: runs.length,
    calls: runs.reduce((sum, { calls }) => sum + calls, 0),
    denied: runs.reduce((sum, { denied }) => sum + denied, 0),
    cleanDenied: runs.filter(({ kind }) => kind === 'clean').reduce((sum, { denied }) => sum + denied, 0),
    /** Runs whose task is done unguarded and not with tool execution halt. */
    lost: runs.filter(({ outcome }) => outcome.unguarded.done && !outcome['tool execution halt'].done).length,
    /** Runs whose label says otherwise than their calls. */
    mislabelled: runs.filter(({ outcome, attackSucceeded }) => outcome.unguarded.attacked !== attackSucceeded)
      .length,
    rows,
    replanned,
  };
}

function judged(run, policies, own) {
  const { kind, model, agent, attackTool, calls: steps, attackSucceeded, taskSucceeded } = run;
  const tools = own.get(agent).map(({ name }) => name);
  const isDenied = (tool) => !policies.permits(tool, {}, { agent });
  const outcome = Object.fromEntries(
    Object.entries(MODES).map(([mode, left]) => {
      const called = new Set(left(steps, isDenied));
      const done = taskSucceeded && tools.every((tool) => called.has(tool));
      return [mode, { attacked: called.has(attackTool), done }];
    }),
  );
  const calls = steps.flat();
  return {
    kind,
    group: `${model} ${agent}`,
    attackSucceeded,
    outcome,
    calls: calls.length,
    denied: calls.filter(isDenied).length,
  };
}

/** A rate with a 95% interval: by drawing pairs of a model and an agent, whose runs depend on each other; of none or all by Clopper and Pearson. */
function rate(runs, holds, { draws, seed }) {
  const count = runs.filter(holds).length;
  if (count === 0 || count === runs.length) return clopperPearsonInterval(count, runs.length);
  const groups = [...grouped(runs, ({ group }) => group).values()].map((some) => ({
    count: some.filter(holds).length,
    runs: some.length,
  }));
  const random = new Random(seed);
  const drawn = Array.from({ length: draws }, () => {
    let [successes, all] = [0, 0];
    for (let i = 0; i < groups.length; i++) {
      const one = groups[Math.floor(random.next() * groups.length)];
      successes += one.count;
      all += one.runs;
    }
    return successes / all;
  }).sort((a, b) => a - b);
  return {
    rate: count / runs.length,
    confidenceLower: drawn[Math.floor(0.025 * draws)],
    confidenceUpper: drawn[Math.ceil(0.975 * draws) - 1],
  };
}

function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}
