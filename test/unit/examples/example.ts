import { vi } from 'vitest';

const examples = new URL('../../../examples/', import.meta.url);

/** What an example's module exports. Examples are plain JavaScript, so nothing is known of the types. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export async function example(path: string): Promise<any> {
  return import(new URL(path, examples).href);
}

/** Runs an example's main program with arguments, as the command line would. */
export async function runMain(
  path: string,
  args: readonly string[],
): Promise<{ output: string; errors: string; exitCode: number }> {
  const lines: string[] = [];
  const errorLines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
  const error = vi.spyOn(console, 'error').mockImplementation((line) => void errorLines.push(line));
  const { argv, exitCode } = process;
  process.argv = ['node', path, ...args];
  try {
    vi.resetModules();
    await example(path);
    return {
      output: lines.join('\n'),
      errors: errorLines.join('\n'),
      exitCode: Number(process.exitCode ?? 0),
    };
  } finally {
    process.argv = argv;
    process.exitCode = exitCode;
    log.mockRestore();
    error.mockRestore();
  }
}
