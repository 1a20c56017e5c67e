/** The public names of the package, which package.json lists, and the source behind each. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bindings = `${root}bindings/`;
/** Names that are neither an adapter nor a folder of bindings. */
const folders = { enforce: 'enforcement', explain: 'explanation', threads: 'kernel/threads' };

/**
 * The source behind a public name: `foreguard/ai-sdk` is adapters/aiSdk.ts; what is no adapter is a folder.
 *
 * @param {string} name
 * @returns {string | null} null for other names
 */
export function sourceOf(name) {
  if (name === 'foreguard') return `${bindings}index.ts`;
  if (!name.startsWith('foreguard/')) return null;
  const entry = name.slice('foreguard/'.length);
  const adapter = `${bindings}adapters/${entry.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}.ts`;
  return existsSync(adapter) ? adapter : `${bindings}${folders[entry] ?? entry}/index.ts`;
}

/**
 * Every name that package.json exports code under, with its source and its file in dist, which is called as the name is: `foreguard/ai-sdk` is
 * dist/ai-sdk.js, `foreguard` dist/index.js.
 *
 * @returns {{ name: string, file: string, source: string }[]}
 */
export function publicEntries() {
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  return Object.entries(exports)
    .filter(([, target]) => target.types !== undefined)
    .map(([path, target]) => {
      const name = path.replace(/^\./, 'foreguard');
      return { name, file: target.types.replace(/^\.\/dist\/|\.d\.ts$/g, ''), source: sourceOf(name) };
    });
}
