import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * Reads `--data PATH [--out FILE.json]`.
 *
 * @param {string} usage the line to show, as the user would type it
 * @param {(data: string) => string[]} needed files that must exist
 * @returns {{ data: string, out: string | undefined }}
 * @throws {Error} that says what is missing and how to call the example
 */
export function dataArgument(usage, needed, args = process.argv.slice(2)) {
  let values;
  try {
    values = parseArgs({ args, options: { data: { type: 'string' }, out: { type: 'string' } } }).values;
  } catch (error) {
    throw new Error(`${error.message}\nUsage: ${usage}`, { cause: error });
  }
  if (values.data === undefined) throw new Error(`--data is missing.\nUsage: ${usage}`);
  const absent = needed(values.data).filter((path) => !existsSync(path));
  if (absent.length > 0) throw new Error(`There is no ${absent.join(', no ')}.\nUsage: ${usage}`);
  return { data: values.data, out: values.out };
}

/** Runs an example; an error ends it with exit code 2 and its message alone. */
export async function runExample(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  }
}
