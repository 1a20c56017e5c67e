// What a sampling plan saves: runs until every risk is known as well as asked, begun where the plan says, in each kind of job in turn, and as the agent
// begins them. The output is the same every time; docs/results/samplingPlans.md says what it shows and what not.
//
//   node examples/sampling/main.mjs [--short] [--agent NAME] [--out FILE.json]
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { number, progress, table, text } from '../household/terminal.mjs';
import { runExample } from '../measures/dataArgument.mjs';
import { asAgent, planned, uniform } from './strategies.mjs';
import { worlds } from './worlds.mjs';

/** How well risks are to be known, by scope. Runs of the household take longer to make. */
const epsilonOf = {
  states: (world) => (world.name === 'household' ? 0.25 : 0.15),
  start: (world) => (world.name === 'household' ? 0.25 : 0.06),
};

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low === high ? low : low + (at - Math.floor(at)) * (high - low);
}
const median = (values) => quantile(values, 0.5);

async function study(world, goal, repetitions) {
  const runs = [];
  for (let seed = 1; seed <= repetitions; seed++) {
    progress(`${world.name}, ${goal.scope}: repetition ${seed} of ${repetitions}`);
    const plan = await planned(world, goal, seed);
    runs.push({
      seed,
      plan: plan.runs,
      onRequest: plan.onRequest,
      uniform: uniform(world, goal, seed),
      asAgent: asAgent(world, goal, seed),
    });
  }
  const ratio = (other) => runs.map((one) => one.plan / one[other]);
  return {
    world: world.name,
    what: world.what,
    ...goal,
    repetitions,
    plan: median(runs.map(({ plan }) => plan)),
    uniform: median(runs.map((one) => one.uniform)),
    asAgent: median(runs.map((one) => one.asAgent)),
    onRequest: median(runs.map(({ onRequest }) => onRequest)),
    toUniform: { median: median(ratio('uniform')), most: Math.max(...ratio('uniform')) },
    toAgent: { median: median(ratio('asAgent')), most: Math.max(...ratio('asAgent')) },
    runs,
  };
}

const ratioText = ({ median: middle, most }) => `${middle.toFixed(2)} (${most.toFixed(2)})`;
const columns = [
  [text('agent'), ({ world }) => world],
  [
    text('known to within'),
    ({ scope, epsilon }) => `${epsilon} ${scope === 'start' ? 'at the start' : 'in all states'}`,
  ],
  [number('planned'), ({ plan }) => plan.toFixed(0)],
  [number('in turn'), (result) => result.uniform.toFixed(0)],
  [number('as the agent'), (result) => result.asAgent.toFixed(0)],
  [number('planned / in turn'), ({ toUniform }) => ratioText(toUniform)],
  [number('planned / as the agent'), ({ toAgent }) => ratioText(toAgent)],
];

await runExample(async () => {
  const { values } = parseArgs({
    options: { short: { type: 'boolean' }, agent: { type: 'string' }, out: { type: 'string' } },
  });
  const chosen = values.short
    ? worlds.slice(0, 2)
    : worlds.filter(({ name }) => values.agent === undefined || name === values.agent);
  if (chosen.length === 0) {
    throw new Error(
      `There is no agent "${values.agent}"; there are ${worlds.map(({ name }) => name).join(', ')}.`,
    );
  }
  const [repetitions, scale] = values.short ? [1, 2] : [20, 1];
  const results = [];
  for (const scope of ['states', 'start']) {
    for (const world of chosen) {
      const epsilon = Number((scale * epsilonOf[scope](world)).toPrecision(3));
      results.push(await study(world, { scope, epsilon, budget: 1e6 }, repetitions));
    }
  }
  console.log(
    `Runs until every risk is known to within epsilon at confidence 0.95: medians of ${repetitions}; ratios within a repetition, the largest in brackets${values.short ? ' (short form: figures mean little)' : ''}.\n`,
  );
  console.log(
    table(
      columns.map(([column]) => column),
      results.map((result) => columns.map(([, cell]) => cell(result))),
    ),
  );
  if (values.out) writeFileSync(values.out, `${JSON.stringify(results, null, 1)}\n`);
});
