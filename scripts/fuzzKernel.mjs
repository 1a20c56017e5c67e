/**
 * Calls the kernel with random garbage for longer than the test suite does: models, sets and options that are nearly right or
 * not at all, handles after their end, and the module's own functions with random bytes in their blocks. Ends with 1 if
 * anything but a typed error comes back, a law breaks, memory grows, a block's guard is written over, or a call hangs.
 *
 *   node scripts/fuzzKernel.mjs [SECONDS for each of the tests, default 60] [SEED, default from the clock]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const seconds = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? Date.now() % 1e9);
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'foreguard-fuzz-'));
const journal = join(folder, 'journal');

/** Longer without a new round than any round takes: the call under way never ends. */
const HANG_MS = 60_000;

console.log(`${seconds} s for each test, seeds from ${seed}`);
const child = spawn(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    'test/kernel/fuzz.test.ts',
    '--pool=threads',
    '--reporter=verbose',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_SECONDS: String(seconds), FUZZ_SEED: String(seed), FUZZ_JOURNAL: journal },
  },
);

const round = () => {
  try {
    return readFileSync(journal, 'utf8');
  } catch {
    return 'no round yet';
  }
};
let last = '';
let since = performance.now();
const watch = setInterval(() => {
  if (round() !== last) [last, since] = [round(), performance.now()];
  else if (performance.now() - since > HANG_MS) {
    console.error(`hangs in ${last}`);
    child.kill('SIGKILL');
  }
}, 1000);

child.on('exit', (code) => {
  clearInterval(watch);
  if (code !== 0) console.error(`the last round was ${round()}`);
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});
