import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';

const root = fileURLToPath(new URL('../../shared/data/', import.meta.url));

/** Absolute path of a file or folder of real data kept beside the checkout. */
export function sharedPath(path: string): string {
  return root + path;
}

/**
 * Tests on real data that is not part of the project. Absent data is shown as one skipped test naming the path; with
 * REQUIRE_SHARED=1 it is a failure.
 */
export function sharedData(path: string, tests: (absolutePath: string) => void): void {
  if (existsSync(sharedPath(path))) describe(`on ../shared/data/${path}`, () => tests(sharedPath(path)));
  else if (process.env.REQUIRE_SHARED === '1') {
    it(`needs ../shared/data/${path}`, () => {
      throw new Error(`../shared/data/${path} is absent, and REQUIRE_SHARED=1 asks for it`);
    });
  } else it.skip(`../shared/data/${path} is absent: not tested`, () => undefined);
}
