import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Compiles the kernel once where a test run was started without `npm test`. */
export function setup(): void {
  const generated = fileURLToPath(new URL('../bindings/kernel/generated/wasm.ts', import.meta.url));
  if (existsSync(generated)) return;
  execFileSync(process.execPath, [fileURLToPath(new URL('../scripts/buildKernel.mjs', import.meta.url))], {
    stdio: 'inherit',
  });
}
