// Runs every benchmark, or those named, one after the other: npm run bench [-- --short] [name ...]
// A benchmark checks its answers before it times anything, and fails only where an answer is wrong; goals that are missed
// are printed. --short is for CI: fewer rounds on smaller inputs, to see that everything runs.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const short = process.argv.includes('--short');

console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
);
let failed = 0;
for (const file of readdirSync(here).filter((name) => name.endsWith('.bench.mjs'))) {
  const name = file.replace('.bench.mjs', '');
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(`\n== ${name}`);
  const { status } = spawnSync(process.execPath, ['--expose-gc', here + file], {
    stdio: 'inherit',
    env: { ...process.env, BENCH_SHORT: short ? '1' : '' },
  });
  if (status !== 0) failed++;
}
process.exitCode = failed > 0 ? 1 : 0;
