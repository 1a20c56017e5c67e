import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { script } from './script.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const { publicEntries } = await script('publicNames.mjs');
const alias: Record<string, string> = {};
for (const { name, source } of publicEntries()) alias[name] = source;

/** Runs a module that imports the package by its public names, as a process of its own on the sources, and gives what it prints. */
export async function printedBy(script: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: root, loader: 'js' },
    alias,
    // Packages of CommonJS ask for Node's own modules.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    external: ['@mcap/*', '@foxglove/*'],
    // Those of package.json name what is built, not its sources.
    ignoreAnnotations: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    write: false,
    logLevel: 'error',
  });
  const input = outputFiles[0].contents;
  return execFileSync(process.execPath, ['--input-type=module', '-'], { cwd: root, input, encoding: 'utf8' });
}
