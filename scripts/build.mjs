// Compiles bindings/ to dist/ with TypeScript and puts the kernel's binary beside it. The kernel itself is compiled
// before, by scripts/buildKernel.mjs.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${root}dist/index.js`;

/** Latest modification below a folder, in milliseconds. */
function newest(folder) {
  return Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(`${entry.parentPath}/${entry.name}`).mtimeMs),
  );
}

const sources = Math.max(
  newest(`${root}bindings`),
  newest(`${root}worlds/src`),
  statSync(`${root}tsconfig.json`).mtimeMs,
  statSync(`${root}tsconfig.build.json`).mtimeMs,
);
if (existsSync(stamp) && statSync(stamp).mtimeMs > sources && !process.argv.includes('--force'))
  process.exit(0);

rmSync(`${root}dist`, { recursive: true, force: true });
try {
  execFileSync(
    process.execPath,
    [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}tsconfig.build.json`],
    {
      stdio: 'inherit',
    },
  );
} catch (error) {
  rmSync(`${root}dist`, { recursive: true, force: true }); // or the next build would think it is done
  process.exit(error.status ?? 1);
}
for (const file of ['foreguard.wasm', 'foreguard.scalar.wasm'])
  cpSync(`${root}build/${file}`, `${root}dist/kernel/${file}`);
// The worlds of examples and benchmarks, beside the package and not in it.
await bundle({
  entryPoints: [`${root}worlds/src/index.ts`],
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  outfile: `${root}worlds/dist/index.js`,
  logLevel: 'error',
});
const command = `${root}dist/cli/main.js`;
if (existsSync(command)) chmodSync(command, 0o755);
