import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (entry: string) => fileURLToPath(new URL(`bindings/${entry}`, import.meta.url));

export default defineConfig({
  // Examples import the package by its public names; tests run them on the sources, built or not.
  resolve: {
    alias: [
      { find: /^foreguard$/, replacement: source('index.ts') },
      { find: /^foreguard\/(guard|node|simulation)$/, replacement: source('$1/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/runtimes/**', 'test/adapters/**', 'node_modules/**'],
    testTimeout: 30_000,
    globalSetup: ['test/globalSetup.ts'],
    setupFiles: ['test/setup.ts'],
  },
});
