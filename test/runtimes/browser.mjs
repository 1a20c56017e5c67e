// Runs program.mjs, bundled for browsers, in headless Chromium on a page served on loopback.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const { outputFiles } = await build({
  stdin: {
    contents: `import { run } from './program.mjs';
run().then((seen) => { document.title = 'done'; document.body.textContent = 'SEEN ' + seen; },
           (error) => { document.title = 'done'; document.body.textContent = 'FAILED ' + error.stack; });`,
    resolveDir: here,
  },
  bundle: true,
  format: 'esm',
  platform: 'browser',
  minify: true,
  write: false,
  alias: { foreguard: join(root, 'dist/index.js'), 'foreguard/guard': join(root, 'dist/guard/index.js') },
});

const server = createServer((request, response) => {
  const script = request.url === '/program.js';
  response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
  response.end(
    script
      ? outputFiles[0].contents
      : '<!doctype html><meta charset="utf-8"><body><script type="module" src="/program.js"></script>',
  );
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));

const profile = mkdtempSync(join(tmpdir(), 'foreguard-chromium-'));
const chromium = process.env.CHROMIUM ?? 'chromium';
try {
  const dom = await new Promise((resolve, reject) => {
    const quiet = [
      'disable-gpu',
      'disable-quic',
      'no-first-run',
      'disable-background-networking',
      'disable-component-update',
      'disable-sync',
    ];
    execFile(
      chromium,
      [
        '--headless',
        '--no-sandbox',
        ...quiet.map((flag) => `--${flag}`),
        `--user-data-dir=${profile}`,
        '--virtual-time-budget=20000',
        '--dump-dom',
        `http://127.0.0.1:${server.address().port}/`,
      ],
      { timeout: 120_000 },
      (error, stdout, stderr) =>
        error && !stdout ? reject(new Error(`${chromium}: ${error.message}\n${stderr}`)) : resolve(stdout),
    );
  });
  const seen = /SEEN [^<]*/.exec(dom)?.[0];
  if (!seen) throw new Error(`the page shows:\n${dom}`);
  console.log(
    `Chromium: ${seen.slice(5)} (bundle ${(outputFiles[0].contents.length / 1024).toFixed(0)} KiB minified)`,
  );
} finally {
  server.close();
  rmSync(profile, { recursive: true, force: true });
}
