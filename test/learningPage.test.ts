import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

const SPECIFICATION = `
version: 1
predicates: { hot: heat > 2, open: 'lid == "open"' }
rules: { never: { formula: 'G !(hot & open)', threshold: 0.1 } }
learning: { smoothing: 0 }
`;

it('what docs/learning.md shows runs as it is, and goes on where it stopped', async () => {
  const [, code] = /```js\n(.*?)```/s.exec(readFileSync(join(root, 'docs/learning.md'), 'utf8')) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'foreguard-page-'));
  try {
    const { outputFiles } = await build({
      stdin: { contents: code, resolveDir: root, loader: 'js' },
      alias: {
        foreguard: `${root}bindings/face/entries/index.ts`,
        'foreguard/node': `${root}bindings/face/entries/node.ts`,
      },
      external: ['@mcap/*', '@foxglove/*'],
      // Packages of CommonJS ask for Node's own modules.
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
      // Those of package.json name what is built, not its sources.
      ignoreAnnotations: true,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      write: false,
      logLevel: 'error',
    });
    writeFileSync(join(folder, 'main.mjs'), outputFiles[0].contents);
    writeFileSync(join(folder, 'specification.yaml'), SPECIFICATION);
    const run = (): string => execFileSync(process.execPath, ['main.mjs'], { cwd: folder, encoding: 'utf8' });
    expect(run()).toMatch(/^never \{ lower: 0\.99999\d*, upper: 1 \}\n$/);
    const first = readFileSync(join(folder, 'agent.learner.1'), 'utf8');
    expect(first).toContain('"traces":1');
    expect(run()).toMatch(/^never \{ lower: 0\.99999\d*, upper: 1 \}\n$/);
    expect(readFileSync(join(folder, 'agent.learner.0'), 'utf8')).toContain('"traces":2');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
