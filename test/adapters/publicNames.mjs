import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const bindings = fileURLToPath(new URL('../../bindings/', import.meta.url));
const folders = { enforce: 'enforcement', explain: 'explanation' };

/** Frameworks that are installed here; adapters and examples, which lie elsewhere, are to find them too. */
export const frameworks =
  /^(@ai-sdk|@langchain|@modelcontextprotocol|@openai|@opentelemetry|ai[67]?|langchain|zod)(\/|$)/;

/**
 * The source behind a public name of the package: `foreguard/ai-sdk` is adapters/aiSdk.ts; what is no adapter is a folder.
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
