import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import 'foreguard';
import { afterAll, expect, it } from 'vitest';
import { pageBlock, runPageCommands } from '../../clerkPage.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-page-'));
afterAll(() => rmSync(folder, { recursive: true }));
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

it('what docs/opentelemetry.md shows guards by what its commands have made, and prints what it says', async () => {
  await runPageCommands(folder);
  const { outputFiles } = await build({
    stdin: { contents: pageBlock('js'), resolveDir: here('..'), loader: 'js' },
    alias: {
      'foreguard/enforce': here('../../../bindings/runtime/enforcement/index.ts'),
      'foreguard/guard': here('../../../bindings/runtime/guard/index.ts'),
      'foreguard/opentelemetry': here('../../../bindings/runtime/adapters/opentelemetry.ts'),
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const input = outputFiles[0].contents;
  const options = { input, cwd: folder, encoding: 'utf8' } as const;
  expect(execFileSync(process.execPath, ['--input-type=module', '-'], options)).toBe(pageBlock('text'));
});
