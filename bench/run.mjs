// Runs every benchmark, or those whose names begin so, one after the other: npm run bench [-- --short] [name ...]
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
const all = readdirSync(here)
  .filter((file) => file.endsWith('.bench.mjs'))
  .map((file) => file.replace('.bench.mjs', ''));
const nobody = names.filter((beginning) => !all.some((name) => name.startsWith(beginning)));
if (nobody.length > 0) {
  console.error(`no benchmark begins with ${nobody.join(', ')}; there are ${all.join(', ')}`);
  process.exit(2);
}
let failed = 0;
for (const name of all) {
  if (names.length > 0 && !names.some((beginning) => name.startsWith(beginning))) continue;
  console.log(`\n== ${name}`);
  const { status } = spawnSync(process.execPath, ['--expose-gc', `${here}${name}.bench.mjs`], {
    stdio: 'inherit',
    env: { ...process.env, BENCH_SHORT: short ? '1' : '' },
  });
  if (status !== 0) failed++;
}
process.exitCode = failed > 0 ? 1 : 0;
