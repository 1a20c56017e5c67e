// The first paper's Table 1 and Figure 3 on our own household: the same runs under ways of enforcing, at every threshold; and how well risk is foreseen on
// recordings of real agents, where `--data` says where they are. `--short` takes few runs. Writes out/agents.json, .md and .html, the same every time.
import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { nodeStorage } from 'foreguard/node';
import { progress } from '../household/terminal.mjs';
import { experiment } from './household.mjs';
import { markdown } from './markdown.mjs';
import { page } from './page.mjs';
import { planOf } from './plan.mjs';
import { problemsOf } from './problems.mjs';
import { enforceRules, forecastFailure, forecastHarm, forecastVerdict } from './recordings.mjs';

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, data: { type: 'string' } },
});
const began = performance.now();
const plan = planOf(values.short);

/** What `forecast` finds in a file or folder of `--data`; null where it is not there, which is said. */
async function recorded(name, forecast) {
  if (values.data === undefined) return null;
  const path = `${values.data}/${name}`;
  if (!existsSync(path)) {
    console.error(`There is no ${path}: left out.`);
    return null;
  }
  progress(`forecasting ${name}`);
  return forecast(path, plan);
}

const household = await experiment(plan);
const recordings = {
  harm: await recorded('safeagentbench', forecastHarm),
  verdict: await recorded('safeagentbench', forecastVerdict),
  failure: await recorded('tau-bench/gpt-4o-airline.json', forecastFailure),
  rules: await recorded('tau-bench/gpt-4o-airline.json', enforceRules),
};
const results = { short: values.short, plan, household, recordings };

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
mkdirSync(here('../../out'), { recursive: true });
const text = markdown(results);
const { learnt, ...figures } = household;
const written = { ...results, household: figures };
await nodeStorage.write(here('../../out/agents.json'), `${JSON.stringify(written, null, 1)}\n`);
await nodeStorage.write(here('../../out/agents.md'), text);
await nodeStorage.write(here('../../out/agents.html'), page(results));
progress('');
console.log(text);
console.log('Wrote out/agents.json, out/agents.md and out/agents.html.');
console.error(`${((performance.now() - began) / 1000).toFixed(1)} s`);

const problems = problemsOf(household);
for (const problem of problems) console.error(`Something is off: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
