// The Safety Chip's figure on our household: constraints in English, and what becomes of a planner under 1 to 20 of them, by what it is told when it is refused.
// `--short` takes few runs. Writes out/safety-chip.json and .md; but for the times under "Scale", the same every time.
import { parseArgs } from 'node:util';
import { runExample } from '../measures/dataArgument.mjs';
import { writeReport } from '../measures/report.mjs';
import { readConstraints } from './constraints.mjs';
import { experiment } from './experiment.mjs';
import { goalsOf, markdown } from './markdown.mjs';
import { planOf } from './plan.mjs';
import { scaleOf } from './scale.mjs';

await runExample(async () => {
  const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
  const plan = planOf(values.short);
  const constraints = readConstraints();
  const results = {
    plan,
    constraints: constraints.map(({ template, sentence, isAsked }) => ({ template, sentence, isAsked })),
    cells: await experiment(constraints, plan),
    scale: scaleOf(plan),
  };
  await writeReport('safety-chip', results, markdown(results), goalsOf(results));
});
