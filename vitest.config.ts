import { readdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (entry: string) => fileURLToPath(new URL(`bindings/${entry}`, import.meta.url));

/**
 * Test files that change what modules remember, or measure memory or what the engine optimises: each gets a process of its own. The
 * others share processes, so that modules are compiled once: a process for each file took longer than what most of them test.
 */
const ALONE = /\bvi\.|\binit\(|loadRegexEngine|garbage\.js'|memoryUsage|\.\/example\.js'/;

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
      { find: /^foreguard$/, replacement: source('index.ts') },
      { find: /^foreguard\/(agentspec|guard|node)$/, replacement: source('$1/index.ts') },
      {
        find: /^foreguard-worlds$/,
        replacement: fileURLToPath(new URL('worlds/src/index.ts', import.meta.url)),
      },
      { find: /^foreguard\/explain$/, replacement: source('explanation/index.ts') },
      { find: /^foreguard\/enforce$/, replacement: source('enforcement/index.ts') },
      { find: /^foreguard\/ai-sdk$/, replacement: source('adapters/aiSdk.ts') },
      { find: /^foreguard\/openai-agents$/, replacement: source('adapters/openaiAgents.ts') },
      { find: /^foreguard\/claude-agent$/, replacement: source('adapters/claudeAgent.ts') },
      { find: /^foreguard\/(langchain|mcp|opentelemetry|plain)$/, replacement: source('adapters/$1.ts') },
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
