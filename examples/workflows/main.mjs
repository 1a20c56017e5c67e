// Plans that are proved before they run: cases of another checker, AgentDojo's tasks and attacks as plans, and recorded runs under attack. `--data` says where they are,
// `--short` takes few tasks and runs. Writes out/workflows.json and .md, the same every time.
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readContracts, verifyPlan } from 'foreguard/workflow';
import { progress } from '../household/terminal.mjs';
import { runExample } from '../measures/dataArgument.mjs';
import { writeReport } from '../measures/report.mjs';
import { dojoPlans } from './dojo.mjs';
import { judgeAll } from './guardians/compare.mjs';
import { execute } from './guardians/execute.mjs';
import { goalsOf, markdown } from './markdown.mjs';
import { recordedRuns } from './runs.mjs';
import { FURTHER_SUITES } from './suites.mjs';

const USAGE = 'npm run experiment:workflows -- --data ../shared/data [--short]';

await runExample(async () => {
  const { values } = parseArgs({
    options: { short: { type: 'boolean', default: false }, data: { type: 'string' } },
  });
  if (values.data === undefined) throw new Error(`--data is missing.\nUsage: ${USAGE}`);
  const path = (name) => `${values.data}/${name}`;
  const needed = ['guardians/cases.json', 'agentdojo', 'agentdojo-runs/runs.jsonl.gz'].map(path);
  const absent = needed.filter((one) => !existsSync(one));
  if (absent.length > 0) throw new Error(`There is no ${absent.join(', no ')}.\nUsage: ${USAGE}`);
  const began = performance.now();
  progress('cases');
  const file = JSON.parse(readFileSync(path('guardians/cases.json'), 'utf8'));
  const cases = {
    all: file.cases.length,
    judged: await judgeAll(file, {
      readContracts,
      verify: (plan, contracts) => verifyPlan(plan, contracts),
      execute,
    }),
  };
  progress('tasks and attacks');
  const dojo = await dojoPlans(path('agentdojo'), values.short ? 3 : undefined);
  progress('recorded runs');
  const most = values.short ? 20 : undefined;
  const runs = recordedRuns(path('agentdojo-runs/runs.jsonl.gz'), most);
  const further = recordedRuns(path('agentdojo-runs/runs.jsonl.gz'), most, FURTHER_SUITES);
  const results = { cases, dojo, runs, further };
  await writeReport('workflows', results, markdown(results), goalsOf(results));
  console.error(`${((performance.now() - began) / 1000).toFixed(1)} s`);
});
