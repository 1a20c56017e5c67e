import { readdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { publicEntries } from './scripts/publicNames.mjs';

/**
 * Test files that change what modules remember, or measure memory or what the engine optimises: each gets a process of its own. The
 * others share processes, so that modules are compiled once: a process for each file took longer than what most of them test. Who loads the engine of regular
 * expressions disturbs only a test that it is refused while it is not loaded.
 */
const ALONE = /\bvi\.(?!fn\()|\binit\(|'loadRegexEngine'|garbage\.js'|memoryUsage|\.\/example\.js'/;

const outside = ['runtimes', 'adapters'];
const inTest = (path: string) => new URL(`test/${path}`, import.meta.url);
const alone = readdirSync(inTest(''))
  .filter((entry) => !outside.includes(entry))
  .flatMap((entry) =>
    statSync(inTest(entry)).isDirectory()
      ? readdirSync(inTest(entry), { recursive: true }).map((path) => `${entry}/${path}`)
      : [entry],
  )
  .filter((path) => path.endsWith('.test.ts') && ALONE.test(readFileSync(inTest(path), 'utf8')))
  .map((path) => `test/${path}`);

export default defineConfig({
  // Examples import the package by its public names; tests run them on the sources, built or not.
  resolve: {
    alias: [
      ...publicEntries().map(({ name, source }) => ({ find: new RegExp(`^${name}$`), replacement: source })),
      {
        find: /^foreguard-worlds$/,
        replacement: fileURLToPath(new URL('worlds/src/index.ts', import.meta.url)),
      },
    ],
  },
  test: {
    // Far more than any test takes: a machine may be busy. What hangs is found out all the same.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
    maxWorkers: availableParallelism(),
    globalSetup: ['test/globalSetup.ts'],
    setupFiles: ['test/setup.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'alone', include: alone },
      },
      {
        extends: true,
        test: {
          name: 'shared',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...outside.map((folder) => `test/${folder}/**`), ...alone],
        },
      },
    ],
  },
});
