import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { seedOfThisRun } from './seed.js';

/** Vitest sets each of its projects up, from modules of their own, in one process. */
const said = globalThis as { foreguardSaysItsSeed?: boolean };

/** Says once which cases are drawn, and compiles the kernel once where a test run was started without `npm test`. */
export function setup(): void {
  if (!said.foreguardSaysItsSeed) {
    console.log(`seed ${seedOfThisRun()}: FAST_CHECK_SEED=${seedOfThisRun()} repeats this run`);
  }
  said.foreguardSaysItsSeed = true;
  const generated = fileURLToPath(new URL('../bindings/solvers/kernel/generated/wasm.ts', import.meta.url));
  if (existsSync(generated)) return;
  execFileSync(process.execPath, [fileURLToPath(new URL('../scripts/buildKernel.mjs', import.meta.url))], {
    stdio: 'inherit',
  });
}
