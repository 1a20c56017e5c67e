import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { sourceOf } from '../../../scripts/publicNames.mjs';

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

const sources = {
  foreguard: here('../../../bindings/face/cli/main.ts'),
  mail: here('serveMail.ts'),
  ledger: here('serveLedger.ts'),
  latency: here('latency.ts'),
};

/**
 * Bundles programs into files that Node runs and that find what is installed here: the `foreguard` command, the mail server over standard input or
 * HTTP, the ledger, and the benchmark.
 *
 * @param {string} folder below out/, of whoever asks alone
 * @returns {Promise<Record<keyof typeof sources, string>>} the files
 */
export async function buildPrograms(folder) {
  const outdir = here(`../out/${folder}`);
  await build({
    entryPoints: sources,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    packages: 'external',
    ignoreAnnotations: true, // those of the package speak of what is published
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
    plugins: [
      {
        name: 'public-names',
        setup(hooks) {
          hooks.onResolve({ filter: /^foreguard/ }, ({ path }) => ({
            path: /** @type {string} */ (sourceOf(path)),
          }));
          // It reads a file that is not beside the bundle.
          hooks.onLoad({ filter: /cli.version\.ts$/ }, () => ({
            contents: "export const version = '0.0.0';",
          }));
        },
      },
    ],
  });
  const file = (/** @type {string} */ name) => `${outdir}/${name}.mjs`;
  return {
    foreguard: file('foreguard'),
    mail: file('mail'),
    ledger: file('ledger'),
    latency: file('latency'),
  };
}
