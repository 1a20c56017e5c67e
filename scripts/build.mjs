// Makes dist/: scripts for every entry of package.json and for the command, with what they share in chunks; declarations likewise, after
// TypeScript has checked the sources; and the kernel's modules, which scripts/buildKernel.mjs has compiled. Does nothing when dist/ is newer than
// the sources, unless it is given --force.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';
import { publicEntries } from './publicNames.mjs';
import { writeDeclarations } from './writeDeclarations.mjs';
import { writeLicences } from './writeLicences.mjs';
import { writeScripts } from './writeScripts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bindings = `${root}bindings/`;
const dist = `${root}dist/`;
const declarations = `${root}build/declarations/`;
const stamp = `${dist}index.js`;
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

/** Latest modification of a file, or below a folder, in milliseconds. */
function newest(path) {
  if (statSync(path).isFile()) return statSync(path).mtimeMs;
  return Math.max(
    ...readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(`${entry.parentPath}/${entry.name}`).mtimeMs),
  );
}

const inputs = [
  'bindings',
  'worlds/src',
  'package.json',
  'scripts/build.mjs',
  'scripts/publicNames.mjs',
  'scripts/writeDeclarations.mjs',
  'scripts/writeLicences.mjs',
  'scripts/writeScripts.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
];
const sources = Math.max(...inputs.map((path) => newest(root + path)));
if (existsSync(stamp) && statSync(stamp).mtimeMs > sources && !process.argv.includes('--force'))
  process.exit(0);

rmSync(dist, { recursive: true, force: true });
try {
  await build();
} catch (error) {
  rmSync(dist, { recursive: true, force: true }); // or the next build would think it is done
  if (error.status === undefined) throw error;
  process.exit(error.status); // TypeScript has said why
}

async function build() {
  rmSync(declarations, { recursive: true, force: true });
  execFileSync(
    process.execPath,
    // `npm run types` checks the sources: twice would take most of the build.
    [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}tsconfig.build.json`, '--noCheck'],
    { stdio: 'inherit' },
  );
  for (const file of ['foreguard.wasm', 'foreguard.scalar.wasm'])
    cpSync(`${root}build/${file}`, `${dist}${file}`);
  // The worlds of examples and benchmarks, beside the package and not in it.
  await bundle({
    entryPoints: [`${root}worlds/src/index.ts`],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    outfile: `${root}worlds/dist/index.js`,
    logLevel: 'error',
  });
  const entries = publicEntries();
  const { exported, bundled } = await writeScripts(
    {
      ...Object.fromEntries(
        entries
          .flatMap((entry) => (entry.workerd ? [entry, entry.workerd] : [entry]))
          .map(({ file, source }) => [file, source]),
      ),
      cli: `${bindings}face/cli/main.ts`,
      checkThread: `${bindings}face/cli/checkThread.ts`,
      threadsWorker: `${bindings}solvers/kernel/threads/threadsWorker.ts`,
    },
    { dir: dist, external },
  );
  writeLicences(bundled, `${dist}LICENSES.txt`);
  await writeDeclarations(
    entries.map(({ file, source }) => ({
      file,
      declarations: source.replace(bindings, declarations).replace(/\.ts$/, '.d.ts'),
      values: exported.get(file),
    })),
    { dir: dist, external },
  );
  chmodSync(`${dist}cli.js`, 0o755);
  // Where the command was before: npx keeps the link that it once made for a checkout.
  mkdirSync(`${dist}cli`, { recursive: true });
  writeFileSync(`${dist}cli/main.js`, "#!/usr/bin/env node\nimport '../cli.js';\n", { mode: 0o755 });
}

/**
 * Node itself and what the package depends on stay what they are; so does the module that edge runtimes import. `yaml` is bundled: Node would load
 * its seventy files of CommonJS in 0.04 s, and takes 0.01 for what is here.
 */
function external(specifier) {
  return (
    specifier.startsWith('node:') ||
    specifier.endsWith('.wasm') ||
    dependencies.some((name) => specifier === name || specifier.startsWith(`${name}/`))
  );
}
