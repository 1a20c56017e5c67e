import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles sources for studies and benchmarks that need more of them than the package exports.
 *
 * @param {string} contents a module in TypeScript whose imports are relative to the checkout
 * @param {string} path of the bundle, from the checkout
 * @returns the address of the bundle, for `import()`
 */
export async function bundleSources(contents, path) {
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Those of package.json name files of dist/.
    ignoreAnnotations: true,
    outfile: root + path,
    logLevel: 'error',
  });
  return new URL(`../${path}`, import.meta.url).href;
}
