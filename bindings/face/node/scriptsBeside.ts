import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readScript } from '../../languages/policyScript/index.js';
import type { ScriptSource } from '../../rules/specification/index.js';

/** Scripts by the paths that a specification has, relative to its own file. */
export function scriptsBeside(specification: string): ScriptSource {
  return { read: (path) => readFileSync(resolve(dirname(specification), path), 'utf8'), parse: readScript };
}
