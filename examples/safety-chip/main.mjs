// The Safety Chip's figure on our household: constraints in English, and what becomes of a planner under 1 to 20 of them, by what it is told when it is refused.
// `--short` takes few runs. Writes out/safety-chip.json and .md; but for the times under "Scale", the same every time.
// `--model URL#NAME` or `recorded:FILE` puts a language model in the planner's place (short form only, unless --runs says how many), and writes out/safety-chip-model.json and .md.
import { parseArgs } from 'node:util';
import { runExample } from '../measures/dataArgument.mjs';
import { writeReport } from '../measures/report.mjs';
import { readConstraints } from './constraints.mjs';
import { experiment, modelExperiment } from './experiment.mjs';
import { goalsOf, markdown, modelGoals, modelMarkdown } from './markdown.mjs';
import { modelNamed } from './model.mjs';
import { planOf } from './plan.mjs';
import { scaleOf } from './scale.mjs';

await runExample(async () => {
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean', default: false },
      model: { type: 'string' },
      record: { type: 'string' },
      runs: { type: 'string' },
    },
  });
  const constraints = readConstraints();
  const told = constraints.map(({ template, sentence, isAsked }) => ({ template, sentence, isAsked }));
  if (values.model !== undefined) {
    const model = modelNamed(values.model, values.record, process.env.FOREGUARD_MODEL_KEY);
    const plan = { ...planOf(true), ...(values.runs !== undefined && { runs: runsOf(values.runs) }) };
    const cells = await modelExperiment(constraints, plan, model);
    const results = { plan, model: model.id, constraints: told, cells };
    await writeReport('safety-chip-model', results, modelMarkdown(results), modelGoals(results));
    return;
  }
  const plan = planOf(values.short);
  const results = {
    plan,
    constraints: told,
    cells: await experiment(constraints, plan),
    scale: scaleOf(plan),
  };
  await writeReport('safety-chip', results, markdown(results), goalsOf(results));
});

function runsOf(text) {
  const runs = Number(text);
  if (!Number.isSafeInteger(runs) || runs < 1)
    throw new Error(`--runs is "${text}"; expected a whole number from 1`);
  return runs;
}
