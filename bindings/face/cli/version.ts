import { existsSync, readFileSync } from 'node:fs';

// The built file lies one folder below package.json, this file two.
const [manifest] = ['../package.json', '../../../package.json']
  .map((path) => new URL(path, import.meta.url))
  .filter((address) => existsSync(address));

/** The package's version, read from its package.json. */
export const version: string = JSON.parse(readFileSync(manifest, 'utf8')).version;
