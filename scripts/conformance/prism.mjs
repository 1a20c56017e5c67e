/** PRISM as a program of its own, asked for reachability as the papers do: its default engine and accuracy. */
import { spawnSync } from 'node:child_process';

/**
 * @param command Path of PRISM's starter
 * @returns { values, milliseconds }: a number for each property, and how long the process took
 */
export function askPrism(command, model, properties) {
  const started = performance.now();
  const { stdout, status } = spawnSync(command, [model, '-pf', properties.join('; ')], { encoding: 'utf8' });
  const milliseconds = performance.now() - started;
  const values = [...stdout.matchAll(/^Result: (\S+)/gm)].map(([, text]) => Number(text));
  if (status !== 0 || values.length !== properties.length)
    throw new Error(`PRISM gave ${values.length} results for ${properties.length} properties of ${model}`);
  return { values, milliseconds };
}
