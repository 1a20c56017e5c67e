/** The public names of the package, which package.json lists, and the source behind each. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bindings = `${root}bindings/`;

/**
 * The source behind a public name: `foreguard/ai-sdk` is runtime/adapters/aiSdk.ts, `foreguard` face/entries/index.ts; what is no adapter has a file among the
 * entries, too.
 *
 * @param {string} name
 * @returns {string | null} null for other names
 */
export function sourceOf(name) {
  if (name === 'foreguard') return `${bindings}face/entries/index.ts`;
  if (!name.startsWith('foreguard/')) return null;
  const entry = name.slice('foreguard/'.length);
  const adapter = `${bindings}runtime/adapters/${entry.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}.ts`;
  return existsSync(adapter) ? adapter : `${bindings}face/entries/${entry}.ts`;
}

/**
 * Every name that package.json exports code under, with its source and its file in dist, which is called as the name is: `foreguard/ai-sdk` is
 * dist/ai-sdk.js, `foreguard` dist/index.js. `workerd` is the same for edge runtimes, where they have another source.
 *
 * @returns {{ name: string, file: string, source: string, workerd: { file: string, source: string } | null }[]}
 */
export function publicEntries() {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  return Object.entries(exports)
    .filter(([, target]) => target.types !== undefined)
    .map(([path, target]) => {
      const name = path.replace(/^\./, 'foreguard');
      const file = target.types.replace(/^\.\/dist\/|\.d\.ts$/g, '');
      const source = sourceOf(name);
      const edge = { file: `${file}.workerd`, source: source.replace(/\.ts$/, '.workerd.ts') };
      return { name, file, source, workerd: target.workerd === undefined ? null : edge };
    });
}
