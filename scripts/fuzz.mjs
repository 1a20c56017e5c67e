/**
 * Runs the tests that draw random garbage for longer than the test suite does.
 *
 * `kernel`: models, sets and options that are nearly right or not at all, handles after their end, and the module's own functions
 * with random bytes in their blocks. Ends with 1 if anything but a typed error comes back, a law breaks, memory grows, a
 * block's guard is written over, or a call hangs.
 *
 * `readers`: models, properties, UMB, explicit files and specifications, valid ones with a few changes. Ends with 1 if one leads
 * to anything but a typed error, what was parsed is not what is printed, or a call hangs.
 *
 * `budget`: agents and frameworks that play against a shield's budget, with calls that run side by side, come back late, fail or are given up. Ends with 1 if an
 * attack comes to a larger probability of a violation than the threshold.
 *
 *   node scripts/fuzz.mjs kernel|readers|budget [SECONDS for each of the tests, default 60] [SEED, default from the clock]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TESTS = {
  kernel: 'test/kernel/fuzz.test.ts',
  readers: 'test/fuzz',
  budget: 'test/laws/sideBySide.test.ts',
};

const [, , what, seconds = '60', seed = String(Date.now() % 1e9)] = process.argv;
if (!Object.hasOwn(TESTS, what ?? '')) {
  console.error('usage: node scripts/fuzz.mjs kernel|readers|budget [SECONDS] [SEED]');
  process.exit(2);
}
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'foreguard-fuzz-'));
const journal = join(folder, 'journal');

/** Longer without a new round than any round takes: the call under way never ends. */
const HANG_MS = 60_000;

console.log(`${seconds} s for each test, seeds from ${seed}`);
const child = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', TESTS[what], '--pool=threads', '--reporter=verbose'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_SECONDS: seconds, FUZZ_SEED: seed, FUZZ_JOURNAL: journal },
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
