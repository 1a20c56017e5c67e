import { readFileSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

/**
 * Bundles declarations, a file for each entry and chunks of what they share.
 *
 * @param {{ file: string, declarations: string, values: ReadonlySet<string> }[]} entries each with the names that its script exports
 * @param {{ dir: string, external: (specifier: string) => boolean }} options
 */
export async function writeDeclarations(entries, { dir, external }) {
  const build = await rolldown({
    input: Object.fromEntries(entries.map(({ file, declarations }) => [file, declarations])),
    external,
    // Most of the time is the plugin's by design, and is nothing that a user of `npm start` can change.
    checks: { bundlerTimings: false },
    plugins: [dts({ dtsInput: true, sourcemap: false, tsconfig: false })],
  });
  await build.write({ dir, entryFileNames: '[name].d.ts', chunkFileNames: '[name]-[hash].d.ts' });
  await build.close();
  for (const { file, values } of entries) markTypes(`${dir}${file}.d.ts`, values);
}

/** Says `type` of what is exported as a type alone, as the sources do and bundled declarations do not: a class would seem to be there. */
function markTypes(path, values) {
  const marked = readFileSync(path, 'utf8').replace(/^export \{ (.*) \};$/m, (_, list) => {
    const specifiers = list.split(', ').map((specifier) => {
      const name = specifier.split(' ').at(-1);
      return values.has(name) || specifier.startsWith('type ') ? specifier : `type ${specifier}`;
    });
    return `export { ${specifiers.join(', ')} };`;
  });
  writeFileSync(path, marked);
}
