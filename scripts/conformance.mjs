/**
 * Does what is computed agree with what others published?
 *
 *   npm run conformance -- --qvbs DIR          benchmark instances: DIR/instances.json names models, constants and results
 *   npm run conformance -- --prism-tests DIR   models and property files with results in comments, in DIR and all folders below
 *   npm run conformance -- --pro2guard DIR     published Markov chains: dtmc.prism and model.json in DIR and all folders below;
 *                                              with PRISM_HOME, the folder of PRISM, also against its answers
 *
 *   --only TEXT       only tests whose folder or title contains the text
 *   --max-states N    leave out models with more states
 *   --timeout S       seconds for each model with its properties (default 300)
 *   --parallel N      models at a time (default 1)
 *   --short           of the benchmark instances only small ones
 *   --verbose         a line for each test
 *
 * Prints a line for each failure, a table by folder, why tests were left out, and `N passed, N failed, N skipped`; exits with 1 if
 * one failed. A test passes if the certified bounds contain the published number, which for a decimal is all that rounds to it.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleSources } from './bundleSources.mjs';
import { prismTestJobs } from './conformance/prismTests.mjs';
import { pro2guardJobs } from './conformance/pro2guard.mjs';
import { qvbsJobs } from './conformance/qvbs.mjs';
import { Report } from './conformance/report.mjs';
import { runJobs } from './conformance/runJobs.mjs';

const { values } = parseArgs({
  options: {
    qvbs: { type: 'string', multiple: true, default: [] },
    'prism-tests': { type: 'string', multiple: true, default: [] },
    pro2guard: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: '' },
    'max-states': { type: 'string' },
    timeout: { type: 'string', default: '300' },
    parallel: { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

const number = (name, fallback) => {
  const text = values[name] ?? fallback;
  if (text === undefined) return undefined;
  if (Number(text) > 0) return Number(text);
  console.error(`--${name} is "${text}"; expected a number above 0`);
  process.exit(2);
};
const maxStates = number('max-states');

function findPrism() {
  const command = process.env.PRISM_HOME && join(process.env.PRISM_HOME, 'bin', 'prism');
  if (command && existsSync(command)) return command;
  console.log('PRISM is absent: answers are NOT compared with its (PRISM_HOME names its folder)');
  return undefined;
}

let jobs;
try {
  jobs = [
    ...values.qvbs.flatMap((folder) => qvbsJobs(folder, { maxStates, short: values.short })),
    ...values['prism-tests'].flatMap(prismTestJobs),
    ...values.pro2guard.flatMap((folder) => pro2guardJobs(folder, { prism: findPrism() })),
  ];
} catch (error) {
  console.error(error.message);
  process.exit(2);
}
if (jobs.length === 0) {
  console.error('nothing to test: give --qvbs DIR, --prism-tests DIR or --pro2guard DIR');
  process.exit(2);
}
const chosen = jobs.filter(({ folder, title }) => `${folder}/${title}`.includes(values.only));
if (chosen.length === 0) {
  const [{ folder, title }] = jobs;
  console.error(`no folder or title contains "${values.only}", of ${jobs.length}; one is ${folder}/${title}`);
  process.exit(2);
}

const report = new Report();
await bundleSources(`export * from './bindings/languages/logic/index.ts';`, 'out/conformance/logic.mjs');
await runJobs(
  chosen.map((job) => ({ ...job, ...(maxStates && { maxStates }) })),
  (test) => {
    report.add(test);
    if (values.verbose && test.outcome) {
      console.log(`${test.outcome} ${test.job.folder}/${test.job.title}: ${test.name}: ${test.detail}`);
    }
  },
  { timeoutSeconds: number('timeout'), parallel: number('parallel') },
);
console.log(report.toString());
process.exitCode = report.totals.failed > 0 ? 1 : 0;
