import { defineConfig } from 'vitest/config';

/** Spark takes its time to start, and a second or more for each statement. */
// biome-ignore lint/style/noDefaultExport: Vitest asks for it.
export default defineConfig({
  test: {
    include: ['test/spark/*.spark.ts'],
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    globalSetup: ['test/globalSetup.ts'],
    setupFiles: ['test/setup.ts'],
  },
});
