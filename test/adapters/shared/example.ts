import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, vi } from 'vitest';

/** Runs examples/<name>/main.mjs, which is to be at most 40 lines long, and gives the lines it prints. */
export async function printedBy(name: string): Promise<string[]> {
  const path = fileURLToPath(new URL(`../../../examples/${name}/main.mjs`, import.meta.url));
  expect(readFileSync(path, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  const printed: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((...values) => {
    printed.push(values.map(String).join(' '));
  });
  try {
    await import(path);
  } finally {
    log.mockRestore();
  }
  return printed;
}
