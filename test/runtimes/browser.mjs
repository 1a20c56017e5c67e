// Runs program.mjs, bundled for browsers, in headless Chromium on a page served on loopback, and then solves by two threads:
// the page is cross-origin isolated.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const options = { bundle: true, format: 'esm', platform: 'browser', minify: true, write: false };
const worker = await build({ ...options, entryPoints: [join(root, 'dist/kernel/threads/worker.js')] });
const { outputFiles } = await build({
  ...options,
  stdin: {
    contents: `import { BitSet } from 'foreguard';
import { openThreads } from 'foreguard/threads';
import { run } from './program.mjs';
async function shared() {
  const threads = await openThreads({ count: 2, leastStates: 2 });
  const fair = { rowStart: Uint32Array.of(0, 1, 3, 5, 6), columns: Uint32Array.of(0, 0, 2, 1, 3, 3), values: Float64Array.of(1, 0.5, 0.5, 0.5, 0.5, 1) };
  const { lower, upper } = await threads.until(fair, BitSet.full(4), BitSet.of(4, [0]), { method: 'interval-iteration' });
  await threads.close();
  if (!(lower[1] <= 2 / 3 && 2 / 3 <= upper[1])) throw new Error('threads: ' + lower[1] + ' to ' + upper[1]);
  return '; two threads';
}
run().then(async (seen) => seen + (await shared())).then((seen) => 'SEEN ' + seen,
           (error) => 'FAILED ' + error.stack).then((body) => fetch('/seen', { method: 'POST', body }));`,
    resolveDir: here,
  },
  alias: {
    foreguard: join(root, 'dist/index.js'),
    'foreguard/guard': join(root, 'dist/guard/index.js'),
    'foreguard/threads': join(root, 'dist/kernel/threads/index.js'),
  },
});

let tell;
const told = new Promise((resolve) => {
  tell = resolve;
});
const server = createServer(async (request, response) => {
  const script = { '/program.js': outputFiles[0], '/worker.js': worker.outputFiles[0] }[request.url];
  response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cross-origin-embedder-policy', 'require-corp');
  if (request.url === '/seen') tell(Buffer.concat(await request.toArray()).toString());
  response.end(
    script
      ? script.contents
      : '<!doctype html><meta charset="utf-8"><body><script type="module" src="/program.js"></script>',
  );
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));

const profile = mkdtempSync(join(tmpdir(), 'foreguard-chromium-'));
const chromium = process.env.CHROMIUM ?? 'chromium';
const quiet = [
  'disable-gpu',
  'disable-quic',
  'no-first-run',
  'disable-background-networking',
  'disable-component-update',
  'disable-sync',
];
const browser = spawn(
  chromium,
  [
    '--headless',
    '--no-sandbox',
    ...quiet.map((flag) => `--${flag}`),
    `--user-data-dir=${profile}`,
    `http://127.0.0.1:${server.address().port}/`,
  ],
  { stdio: 'ignore' },
);
browser.on('error', (error) => tell(`${chromium}: ${error.message}`));
browser.on('exit', (code) => tell(`${chromium} ended with code ${code}`));
const limit = setTimeout(() => tell('the page says nothing within two minutes'), 120_000);
const said = await told;
clearTimeout(limit);
const ended = new Promise((resolve) => browser.once('exit', resolve));
if (browser.exitCode === null && browser.kill()) await ended;
server.closeAllConnections();
server.close();
rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
if (!said.startsWith('SEEN ')) throw new Error(said);
console.log(
  `Chromium: ${said.slice(5)} (bundle ${(outputFiles[0].contents.length / 1024).toFixed(0)} KiB minified)`,
);
