import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

it('what docs/agentspec.md shows runs, and prints what it says', async () => {
  const page = readFileSync(`${root}docs/agentspec.md`, 'utf8');
  const [, code, printed] = /```js\n(.*?)```\n\n```json\n(.*?)```/s.exec(page) ?? [];
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root, loader: 'js' },
    alias: { 'foreguard/agentspec': `${root}bindings/agentspec/index.ts` },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const input = outputFiles[0].contents;
  const out = execFileSync(process.execPath, ['--input-type=module', '-'], { input, encoding: 'utf8' });
  expect(out).toBe(printed);
});
