import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { sourceOf } from '../../scripts/publicNames.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
/** Frameworks that are installed here; adapters and examples, which lie elsewhere, are to find them too. */
const frameworks =
  /^(@ai-sdk|@andersmyrmel|@arcjet|@langchain|@modelcontextprotocol|@openai|@opentelemetry|@secretlint|ai[67]?|langchain|zod)(\/|$)/;

/** Examples and adapters lie outside this folder, and yet find the frameworks that are installed here; `ai` is one of two versions. */
function resolvePublicNames(ai: 'ai6' | 'ai7') {
  return {
    name: 'public-names',
    enforce: 'pre' as const,
    resolveId(
      this: { resolve(source: string, importer: string, options: { skipSelf: boolean }): Promise<unknown> },
      source: string,
    ) {
      if (!frameworks.test(source)) return sourceOf(source);
      return this.resolve(source.replace(/^ai(?=\/|$)/, ai), `${here}package.json`, { skipSelf: true });
    },
  };
}

// biome-ignore lint/style/noDefaultExport: what vitest reads
export default defineConfig({
  root: here,
  test: {
    // As in vitest.config.ts: what hangs is found out, and a busy machine is no fault.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
    // Loading a framework takes longer than most of what is tested in it.
    isolate: false,
    globalSetup: ['../globalSetup.ts'],
    setupFiles: ['../setup.ts'],
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
