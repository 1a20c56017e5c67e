import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readScript } from '../../languages/policyScript/index.js';
import type { ScriptSource } from '../../rules/specification/index.js';

/**
 * Scripts by the paths that a specification has, relative to its own file.
 *
 * @param seen receives what was read, by its path; null for what could not be read
 */
export function scriptsBeside(
  specification: string,
  seen: Map<string, string | null> = new Map(),
): ScriptSource {
  const read = (path: string): string => {
    const file = resolve(dirname(specification), path);
    seen.set(file, null);
    const text = readFileSync(file, 'utf8');
    seen.set(file, text);
    return text;
  };
  return { read, parse: readScript };
}
