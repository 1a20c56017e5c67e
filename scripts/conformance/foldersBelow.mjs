import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A folder and all those in it, at any depth, in the order of their names. */
export function foldersBelow(root) {
  const inner = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(root, name))
    .sort();
  return [root, ...inner.flatMap(foldersBelow)];
}
