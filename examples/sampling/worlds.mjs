import { parseSpecification } from 'foreguard';
import { holds, householdTasks, Random, runAgent } from 'foreguard-worlds';

/**
 * Agents whose runs can be begun as they begin them, or in a kind of job that is asked for.
 *
 * @typedef {{
 *   name: string,
 *   what: string,
 *   specification: import('foreguard').Specification,
 *   jobs: string[],
 *   run(seed: number, stream: number, job: string | null): import('foreguard').Trace,
 * }} World
 */

const specify = (kinds, rule) =>
  parseSpecification(
    `version: 1
predicates: { ${kinds.map((kind) => `${kind}: 'at == "${kind}"'`).join(', ')} }
rules: { safe: { formula: "${rule}", threshold: 0.5 } }
learning: { smoothing: 0 }
`,
    { source: 'sampling.yaml' },
  );

/** One of weighted things. */
function draw(random, weighted) {
  let left = random.next() * weighted.reduce((sum, [, weight]) => sum + weight, 0);
  return (weighted.find(([, weight]) => (left -= weight) < 0) ?? weighted[0])[0];
}

/** Jobs of several kinds, which take a few steps of the same kind and then end, some in something broken. */
function jobWorld(name, what, jobs) {
  const risk = new Map(jobs.map(([job, , probability]) => [job, probability]));
  return {
    name,
    what,
    specification: specify([...risk.keys(), 'broken'], 'G !broken'),
    jobs: [...risk.keys()],
    run(seed, stream, job) {
      const random = new Random(seed, stream);
      const at = job ?? draw(random, jobs);
      const steps = [at];
      while (random.next() < 0.3) steps.push(at);
      if (random.next() < risk.get(at)) steps.push('broken');
      return { id: `${name} ${stream}`, steps: steps.map((where) => ({ state: { at: where } })) };
    },
  };
}

/** A chain in layers: eight first states, then three layers of five states, all rows drawn at random; two of the last layer break. */
function layeredWorld() {
  const random = new Random(4);
  const layers = [8, 5, 5, 5].map((size, layer) => Array.from({ length: size }, (_, i) => `l${layer}n${i}`));
  const rows = new Map();
  for (const [layer, states] of layers.slice(0, -1).entries()) {
    for (const state of states) {
      const targets = [...layers[layer + 1]].sort(() => random.next() - 0.5).slice(0, 3);
      rows.set(
        state,
        targets.map((target) => [target, -Math.log(1 - random.next())]),
      );
    }
  }
  const jobs = layers[0].map((state) => [state, -Math.log(1 - random.next())]);
  return {
    name: 'layers',
    what: 'random chain, 8 first states and 15 others, first states exponentially weighted',
    specification: specify(layers.flat(), 'G !(l3n0 | l3n1)'),
    jobs: layers[0],
    run(seed, stream, job) {
      const source = new Random(seed, stream);
      const steps = [job ?? draw(source, jobs)];
      while (rows.has(steps.at(-1))) steps.push(draw(source, rows.get(steps.at(-1))));
      return { id: `layers ${stream}`, steps: steps.map((at) => ({ state: { at } })) };
    },
  };
}

/** The household agent, which gets any of its twelve tasks. */
function householdWorld() {
  const tasks = new Map(householdTasks.map((task) => [task.name, task]));
  return {
    name: 'household',
    what: 'the household agent of this package, its 12 tasks equally often',
    specification: parseSpecification(
      `version: 1
predicates: { ${[...tasks.keys()].map((task) => `${task}: 'task == "${task}"'`).join(', ')}, unsafe: unsafe, done: done }
rules: { safe: { formula: "G !unsafe", threshold: 0.5 } }
learning: { smoothing: 0 }
`,
      { source: 'household.yaml' },
    ),
    jobs: [...tasks.keys()],
    run(seed, stream, job) {
      const task = job === null ? new Random(seed, stream).pick(householdTasks) : tasks.get(job);
      const { trace } = runAgent({ task, seed: seed + 1_000_000, stream });
      return {
        ...trace,
        steps: trace.steps.map(({ state }) => ({
          state: { task: task.name, unsafe: holds(task.unsafe, state), done: holds(task.goal, state) },
        })),
      };
    },
  };
}

const safeJobs = (count, weight) => Array.from({ length: count }, (_, i) => [`safe${i}`, weight, 0]);

/** @type {World[]} */
export const worlds = [
  jobWorld('few matter', '12 kinds of job, equally often; 2 of them can go wrong', [
    ...safeJobs(10, 1),
    ['risky', 1, 0.3],
    ['worse', 1, 0.5],
  ]),
  jobWorld('rare', '6 kinds of job; the 2 that can go wrong are 2 in a hundred each', [
    ...safeJobs(4, 24),
    ['risky', 2, 0.3],
    ['worse', 2, 0.5],
  ]),
  householdWorld(),
  layeredWorld(),
  jobWorld(
    'all alike',
    '8 kinds of job, equally often, all of the same risk',
    Array.from({ length: 8 }, (_, i) => [`job${i}`, 1, 0.3]),
  ),
];
