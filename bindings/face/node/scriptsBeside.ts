import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Reads scripts by the paths that a specification has, relative to its own file. */
export function scriptsBeside(specification: string): (path: string) => string {
  return (path) => readFileSync(resolve(dirname(specification), path), 'utf8');
}
