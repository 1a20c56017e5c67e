import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Writes a script in TypeScript, with what it imports from the sources (by paths from the checkout), as one file that Node runs as a process of its own. */
export async function writeBundledScript(path: string, contents: string): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('..', import.meta.url)), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['@duckdb/node-api'],
    write: false,
    logLevel: 'error',
  });
  await writeFile(path, outputFiles[0].contents);
}
