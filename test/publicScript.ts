import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const sources: Readonly<Record<string, string>> = {
  foreguard: 'index.ts',
  'foreguard/agentspec': 'agentspec/index.ts',
  'foreguard/claude-agent': 'adapters/claudeAgent.ts',
  'foreguard/enforce': 'enforcement/index.ts',
  'foreguard/guard': 'guard/index.ts',
  'foreguard/node': 'node/index.ts',
};

/** Runs a module that imports the package by its public names, as a process of its own on the sources, and gives what it prints. */
export async function printedBy(script: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: root, loader: 'js' },
    alias: Object.fromEntries(
      Object.entries(sources).map(([name, path]) => [name, `${root}bindings/${path}`]),
    ),
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
