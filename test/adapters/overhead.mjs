// What a guard adds to a call of a tool in each framework: the same mock loop with its tools as they are and guarded, by turns, in one process;
// and what telemetry adds to a guarded call.
//   node test/adapters/overhead.mjs [--short] [adapter …]
// Each file of overhead/ has a table `overheads`: by name a function of { session, tool, input, state }, `tool` being the program's own function, that gives
// the two loops { without, within }, each of which makes one call and gives its result. Goals that are missed are printed, and nothing fails for them.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { sourceOf } from '../../scripts/publicNames.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const files = readdirSync(here('overhead/')).filter(
  (file) => file.endsWith('.mjs') && file !== 'measure.mjs',
);

await build({
  stdin: {
    contents: `import { measure } from './overhead/measure.mjs';
${files.map((file, i) => `import { overheads as o${i} } from './overhead/${file}';`).join('\n')}
await measure({ ${files.map((_, i) => `...o${i}`).join(', ')} }, process.argv.slice(2));`,
    resolveDir: here('.'),
  },
  bundle: true,
  platform: 'node',
  packages: 'external',
  ignoreAnnotations: true, // those of the package speak of what is published
  format: 'esm',
  target: 'es2022',
  outfile: here('out/overhead.mjs'),
  plugins: [
    {
      name: 'public-names',
      setup(hooks) {
        hooks.onResolve({ filter: /^foreguard/ }, ({ path }) => ({ path: sourceOf(path) }));
      },
    },
  ],
});

console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`);
const { status } = spawnSync(process.execPath, [here('out/overhead.mjs'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
