import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { seedOfThisRun, USUAL_SEED } from './seed.js';

const root = fileURLToPath(new URL('..', import.meta.url));
mkdirSync(join(root, 'build'), { recursive: true });
const folder = mkdtempSync(join(root, 'build', 'seeds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What `npm run test:seeds` says and ends with. */
function testSeeds(...args: string[]): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/testSeeds.mjs', ...args], { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    );
  });
}

const LAW = `import fc from 'fast-check';
import { expect, it } from 'vitest';

it('numbers are small', () => {
  const limit = process.env.FAST_CHECK_SEED === '7' ? 1000 : Infinity;
  fc.assert(fc.property(fc.nat(), (n) => {
    expect(n).toBeLessThan(limit);
  }));
});
`;

describe('npm run test:seeds', () => {
  it('tries each seed, and shows what fails with its smallest case and the command that repeats it', async () => {
    writeFileSync(join(folder, 'small.test.ts'), LAW);
    const config = join(folder, 'vitest.config.mjs');
    const test = { root: folder, include: ['*.test.ts'], setupFiles: [join(root, 'test', 'setup.ts')] };
    writeFileSync(config, `export default { test: ${JSON.stringify(test)} };\n`);
    const log = join(folder, 'log');
    const { code, said } = await testSeeds('--seed', '8', '--seed', '7', '--config', config, '--log', log);
    const file = relative(root, join(folder, 'small.test.ts'));
    expect(said).toMatch(/^seed 8 \(1 of 2\)\n {2}passed, 1 tests in \d+ s\nseed 7 \(2 of 2\)\n {2}FAILED/);
    expect(said).toContain(`${file}\n    numbers are small\n`);
    expect(said).toContain('Counterexample: [1000]');
    expect(said).toContain(`again: FAST_CHECK_SEED=7 npx vitest run ${file}`);
    expect(said).toMatch(/1 of 2 seeds passed\n$/);
    expect(code).toBe(1);
    expect(readFileSync(join(log, '7.log'), 'utf8')).toContain('numbers are small');
  });

  it('fails where nothing could be run', async () => {
    const { code, said } = await testSeeds('--seed', '8', 'no/such/file');
    expect(said).toMatch(/FAILED[\s\S]*No test files found/);
    expect(code).toBe(1);
  });

  it.each([
    [['--seed', 'x'], /--seed is x; expected a whole number/],
    [['--seed', '4294967296'], /expected a whole number of 32 bits/],
    [['3', '--seed', '4'], /N and --seed both/],
    [['0'], /N is 0; expected 1 or more/],
    [['--workers', '0'], /--workers is 0; expected a number of processes/],
    [['--seeds', '4'], /Unknown option '--seeds'/],
  ])('refuses %j', async (args, message) => {
    const { code, said } = await testSeeds(...args);
    expect(said).toMatch(message);
    expect(said).toContain('usage: npm run test:seeds');
    expect(code).toBe(2);
  });
});

describe('the seed of a run', () => {
  it('is that of fast-check, and the usual one where none is given', () => {
    expect(fc.readConfigureGlobal().seed).toBe(seedOfThisRun());
    vi.stubEnv('FAST_CHECK_SEED', '');
    expect(seedOfThisRun()).toBe(USUAL_SEED);
    vi.stubEnv('FAST_CHECK_SEED', '-12');
    expect(seedOfThisRun()).toBe(-12);
    vi.stubEnv('FAST_CHECK_SEED', 'abc');
    expect(seedOfThisRun).toThrow(/FAST_CHECK_SEED is abc; expected a whole number/);
    vi.unstubAllEnvs();
  });
});
