// Cases of another checker of plans, judged by Foreguard: `node examples/workflows/guardians.mjs CASES.json`.
// The cases are those of https://github.com/metareflection/guardians, as data: tools and a policy become contracts, a workflow becomes a plan.
import { readFileSync } from 'node:fs';
import { readContracts, verifyPlan } from 'foreguard/workflow';
import { judgeAll, report } from './guardians/compare.mjs';
import { execute } from './guardians/execute.mjs';

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('which cases? node examples/workflows/guardians.mjs CASES.json');
  process.exitCode = 2;
} else {
  const judged = await judgeAll(JSON.parse(readFileSync(file, 'utf8')), {
    readContracts,
    verify: (plan, contracts) => verifyPlan(plan, contracts),
    execute,
  });
  console.log(report(judged).join('\n'));
  process.exitCode = judged.some(({ agrees, mayDiffer }) => !agrees && mayDiffer === null) ? 1 : 0;
}
