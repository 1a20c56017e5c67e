// Cases of another checker of plans, judged by Foreguard: `node examples/workflows/guardians.mjs CASES.json`.
// The cases are those of https://github.com/metareflection/guardians, as data: tools and a policy become contracts, a workflow becomes a plan.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { judge, KINDS } from './guardians/compare.mjs';

/** @param file `{ conditions, cases }` @param api as of `judge` */
export async function judgeAll({ cases, conditions }, api) {
  const judged = [];
  for (const one of cases) if (KINDS.includes(one.kind)) judged.push(await judge(one, conditions, api));
  return judged;
}

/** The results as lines: those that differ, and how many agree. */
export function report(judged) {
  const differing = judged.filter(({ agrees }) => !agrees);
  const lines = differing.flatMap(({ id, mayDiffer, differences, found }) => [
    `${id}${mayDiffer === null ? '' : ` (may differ: ${mayDiffer})`}`,
    ...differences.map((text) => `  ${text}`),
    ...[found].flat().map((text) => `  found: ${text}`),
  ]);
  const allowed = differing.filter(({ mayDiffer }) => mayDiffer !== null).length;
  return [
    ...lines,
    `${judged.length - differing.length} of ${judged.length} cases agree; ${differing.length} differ, of which ${allowed} may`,
  ];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [file] = process.argv.slice(2);
  if (file === undefined) {
    console.error('which cases? node examples/workflows/guardians.mjs CASES.json');
    process.exitCode = 2;
  } else {
    const { readContracts, verifyPlan } = await import('foreguard/workflow');
    const judged = await judgeAll(JSON.parse(readFileSync(file, 'utf8')), {
      readContracts,
      verify: verifyPlan,
    });
    console.log(report(judged).join('\n'));
    process.exitCode = judged.some(({ agrees, mayDiffer }) => !agrees && mayDiffer === null) ? 1 : 0;
  }
}
