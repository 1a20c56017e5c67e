// The second paper's Table 1 on our own driving world: for each scenario a chain is learnt from drives, a guard compiled, and
// judged on drives that nothing was learnt from or chosen on (plan.mjs), beside a robustness baseline; then both supervise
// drives. `--short` takes few drives. Writes out/driving.json, .md and .html, which are the same every time.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { nodeStorage } from 'foreguard/node';
import { drivingScenarios } from 'foreguard-worlds';
import { progress } from '../household/terminal.mjs';
import { paperPredicates, predicatesOf } from './context.mjs';
import { learnScenario } from './learnt.mjs';
import { markdown } from './markdown.mjs';
import { page } from './page.mjs';
import { planOf } from './plan.mjs';
import { runAll } from './pool.mjs';
import { worstStates } from './words.mjs';

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } });
const began = performance.now();

const { at100Hz: fast, ...plan } = planOf(values.short);
/** The scenario of the paper's Table 2, and of the page's chain. */
const left = drivingScenarios.find(({ name }) => name === 'left-turn');

const jobs = [...drivingScenarios.map(({ name }) => ({ name, plan })), { name: 'red-light', plan: fast }];
const scenarios = await runAll(jobs, ({ name }) => progress(`driving ${name}`));
const at100Hz = scenarios.pop();
progress('the risk per abstract state in words');
const paper = await learnScenario(left, { predicates: paperPredicates, ...plan.learn });
const full = await learnScenario(left, { predicates: predicatesOf(left.name), ...plan.learn });
const words = { paper: worstStates(paper.risks()), full: worstStates(full.risks()) };
const results = { short: values.short, plan, scenarios, at100Hz, words };

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
mkdirSync(here('../../out'), { recursive: true });
const text = markdown(results);
await nodeStorage.write(here('../../out/driving.json'), `${JSON.stringify(results, null, 1)}\n`);
await nodeStorage.write(here('../../out/driving.md'), text);
await nodeStorage.write(here('../../out/driving.html'), page(results, paper));
progress('');
console.log(text);
console.log('Wrote out/driving.json, out/driving.md and out/driving.html.');
console.error(`${((performance.now() - began) / 1000).toFixed(1)} s`);

const problems = scenarios.flatMap(({ name, guard, enforcement }) => {
  const { violations, runs } = guard.thresholds[0];
  const alarms = guard.thresholds.map(({ detected, falseAlarms }) => detected + falseAlarms);
  const found = [];
  if (violations === 0 || violations === runs) found.push(`${violations} of ${runs} drives break the law`);
  if (alarms.some((count, i) => i > 0 && count < alarms[i - 1])) found.push('fewer alarms at a lower risk');
  if (enforcement[0].overridden.rate > 0) found.push('drives without supervision were overridden');
  return found.map((problem) => `${name}: ${problem}`);
});
for (const problem of problems) console.error(`Something is off: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
