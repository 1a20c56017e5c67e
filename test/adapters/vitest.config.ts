import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = fileURLToPath(new URL('.', import.meta.url));
const bindings = fileURLToPath(new URL('../../bindings/', import.meta.url));
const folders: Readonly<Record<string, string>> = { enforce: 'enforcement', explain: 'explanation' };

/** `foreguard/ai-sdk` is adapters/aiSdk.ts; what is no adapter is a folder: tests run on the sources, built or not. */
function sourceOf(entry: string): string {
  const adapter = `${bindings}adapters/${entry.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}.ts`;
  return existsSync(adapter) ? adapter : `${bindings}${folders[entry] ?? entry}/index.ts`;
}

/** Examples and adapters lie outside this folder, and yet find the frameworks that are installed here; `ai` is one of two versions. */
function resolvePublicNames(ai: 'ai6' | 'ai7') {
  const frameworks =
    /^(@ai-sdk|@langchain|@modelcontextprotocol|@openai|@opentelemetry|ai|langchain|zod)(\/|$)/;
  return {
    name: 'public-names',
    enforce: 'pre' as const,
    resolveId(
      this: { resolve(source: string, importer: string, options: { skipSelf: boolean }): Promise<unknown> },
      source: string,
    ) {
      if (source === 'foreguard') return `${bindings}index.ts`;
      if (source.startsWith('foreguard/')) return sourceOf(source.slice('foreguard/'.length));
      if (!frameworks.test(source)) return null;
      return this.resolve(source.replace(/^ai(?=\/|$)/, ai), `${here}package.json`, { skipSelf: true });
    },
  };
}

// biome-ignore lint/style/noDefaultExport: what vitest reads
export default defineConfig({
  root: here,
  test: {
    testTimeout: 60_000,
    globalSetup: ['../globalSetup.ts'],
    projects: [
      {
        extends: true,
        plugins: [resolvePublicNames('ai6')],
        test: { name: 'frameworks', include: ['**/*.test.ts'] },
      },
      {
        // It declares Node 22; run.mjs starts it in Node 24.
        extends: true,
        plugins: [resolvePublicNames('ai7')],
        test: { name: 'ai 7', include: ['aiSdk/**/*.test.ts'] },
      },
    ],
  },
});
