// Policies on requests, rules and calls that others made: what can be said and decided, and what is stopped. `--data` says where they are, `--short` draws fewer
// groups for intervals. Writes out/policies.json and .md, the same every time.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { progress } from '../household/terminal.mjs';
import { runExample } from '../measures/dataArgument.mjs';
import { writeReport } from '../measures/report.mjs';
import { accessRules } from './access.mjs';
import { airlinePolicies } from './airline.mjs';
import { dojoSuites } from './dojo.mjs';
import { goalsOf, markdown } from './markdown.mjs';
import { recordedModes } from './modes.mjs';
import { summary, writtenRequests } from './requests.mjs';

const USAGE = 'npm run experiment:policies -- --data ../shared/data [--short]';

await runExample(async () => {
  const { values } = parseArgs({
    options: { short: { type: 'boolean', default: false }, data: { type: 'string' } },
  });
  if (values.data === undefined) throw new Error(`--data is missing.\nUsage: ${USAGE}`);
  const path = (name) => `${values.data}/${name}`;
  const needed = ['policies', 'asb', 'tau-bench/gpt-4o-airline.json', 'agentdojo'].map(path);
  const absent = needed.filter((one) => !existsSync(one));
  if (absent.length > 0) throw new Error(`There is no ${absent.join(', no ')}.\nUsage: ${USAGE}`);
  const began = performance.now();
  progress('requests');
  const requests = await writtenRequests(path('policies/requests.json'));
  progress('rules of access');
  const access = await accessRules(path('policies'));
  progress('recorded attacks');
  const modes = await recordedModes(path('asb'), { draws: values.short ? 200 : 2000, seed: 1 });
  progress('airline');
  const airline = await airlinePolicies(path('tau-bench/gpt-4o-airline.json'));
  progress('injected calls');
  const dojo = await dojoSuites(path('agentdojo'));
  const results = { summary: summary(requests), requests, access, modes, airline, dojo };
  await writeReport('policies', results, markdown(results), goalsOf(results));
  console.error(`${((performance.now() - began) / 1000).toFixed(1)} s`);
});
