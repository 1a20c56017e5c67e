// Runs program.mjs, bundled for browsers, in headless Chromium on a page served on loopback, then solves by two threads (the page
// is cross-origin isolated), and uses the page of examples/browser-checker in a frame.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { publicEntries } from '../../scripts/publicNames.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const options = { bundle: true, format: 'esm', platform: 'browser', minify: true, write: false };
const worker = await build({ ...options, entryPoints: [join(root, 'dist/threadsWorker.js')] });
const alias = Object.fromEntries(
  publicEntries().map(({ name, file }) => [name, join(root, `dist/${file}.js`)]),
);
const example = join(root, 'examples/browser-checker');
const checker = await build({ ...options, entryPoints: [join(example, 'main.mjs')], alias });
const { outputFiles } = await build({
  ...options,
  stdin: {
    contents: `import { BitSet } from 'foreguard/check';
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
async function checker() {
  const frame = document.createElement('iframe');
  frame.src = '/checker/index.html';
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
  document.body.append(frame);
  await loaded;
  const element = (id) => frame.contentDocument.getElementById(id);
  const answers = () => {
    element('check').click();
    return element('answer').textContent;
  };
  const [, lower, upper] = /in \\[(.*), (.*)\\] \\(bounded/.exec(answers()) ?? [];
  if (!(lower <= 8 / 65 && 8 / 65 <= upper)) throw new Error('checker: ' + answers());
  if (element('graph').querySelectorAll('circle').length !== 5) throw new Error('checker: states are not drawn');
  element('constants').value = 'N=2000';
  element('property').value = 'P>=1 [ F x=0 | x=N ]';
  if (!answers().startsWith('true (exact')) throw new Error('checker: ' + answers());
  if (element('graph').querySelector('svg') !== null) throw new Error('checker: 2001 states are drawn');
  if (!element('graph').textContent.includes('2001 states')) throw new Error('checker: nothing says that 2001 states are not drawn');
  element('property').value = 'P=? [ F y=0 ]';
  if (!/1:9: y is not declared/.test(answers())) throw new Error('checker: ' + answers());
  return '; the page of the model checker';
}
run().then(async (seen) => seen + (await shared()) + (await checker())).then((seen) => 'SEEN ' + seen,
           (error) => 'FAILED ' + error.stack).then((body) => fetch('/seen', { method: 'POST', body }));`,
    resolveDir: here,
  },
  alias,
});

let tell;
const told = new Promise((resolve) => {
  tell = resolve;
});
const server = createServer(async (request, response) => {
  const script = {
    '/program.js': outputFiles[0],
    '/threadsWorker.js': worker.outputFiles[0],
    '/checker/main.js': checker.outputFiles[0],
  }[request.url];
  response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cross-origin-embedder-policy', 'require-corp');
  if (request.url === '/seen') tell(Buffer.concat(await request.toArray()).toString());
  response.end(
    script
      ? script.contents
      : request.url === '/checker/index.html'
        ? readFileSync(join(example, 'index.html'))
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
  // A group of its own: what the browser starts must be gone before its profile is.
  { stdio: 'ignore', detached: true },
);
browser.on('error', (error) => tell(`${chromium}: ${error.message}`));
browser.on('exit', (code) => tell(`${chromium} ended with code ${code}`));
const limit = setTimeout(() => tell('the page says nothing within two minutes'), 120_000);
const said = await told;
clearTimeout(limit);
const ended = new Promise((resolve) => browser.once('exit', resolve));
if (browser.exitCode === null && browser.pid !== undefined) {
  process.kill(-browser.pid, 'SIGKILL');
  await ended;
}
server.closeAllConnections();
server.close();
rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
if (!said.startsWith('SEEN ')) throw new Error(said);
console.log(
  `Chromium: ${said.slice(5)} (bundle ${(outputFiles[0].contents.length / 1024).toFixed(0)} KiB minified)`,
);
