import { InvalidArgumentError } from '../errors.js';
import type { GivenConstants } from '../logic/index.js';

/**
 * The values of `--const`, as PRISM writes them: `N=16,p=0.1,b=true`, in one or several of them.
 *
 * @returns The values as text, to be read by the types that constants are declared with
 * @throws InvalidArgumentError on anything else, on a constant given twice, and on a range such as `N=1:4`
 */
export function parseConstants(given: readonly string[] = []): GivenConstants {
  const values = new Map<string, string>();
  for (const pair of given.flatMap((text) => text.split(','))) {
    if (pair.trim() === '') continue;
    const [, name, value] = /^\s*([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    if (name === undefined || value === '') {
      throw new InvalidArgumentError(
        `--const is given "${pair}"; expected name=value, as in N=16,p=0.1,b=true`,
      );
    }
    if (value.includes(':')) {
      throw new InvalidArgumentError(
        `--const ${name}=${value} is a range; give one value, and run the command once for each`,
      );
    }
    if (values.has(name)) {
      throw new InvalidArgumentError(
        `--const gives ${name} twice, as ${values.get(name)} and as ${value}; expected one value`,
      );
    }
    values.set(name, value);
  }
  return Object.fromEntries(values);
}
