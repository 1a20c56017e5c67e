import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { sourceOf } from '../publicNames.mjs';
import { mailGuard } from '../shared/mail.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A program of this folder, or the package's command, as a file that Node runs and that finds what is installed here. */
async function program(source: string, name: string): Promise<string> {
  const outfile = here(`../out/mcp/${name}.mjs`);
  await build({
    entryPoints: [source],
    outfile,
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
          // It reads a file that is not beside the bundle.
          hooks.onLoad({ filter: /cli.version\.ts$/ }, () => ({
            contents: "export const version = '0.0.0';",
          }));
          hooks.onResolve({ filter: /^foreguard/ }, ({ path }) => ({ path: sourceOf(path) as string }));
        },
      },
    ],
  });
  return outfile;
}

/** The `foreguard` command, the mail server over standard input or HTTP, and a file of the mail guard. */
export async function buildPrograms(name: string, rule?: Readonly<Record<string, unknown>>) {
  const [foreguard, server] = await Promise.all([
    program(here('../../../bindings/cli/main.ts'), `foreguard-${name}`),
    program(here('serveMail.ts'), `mail-${name}`),
  ]);
  return { foreguard, server, guard: await guardFile(name, rule) };
}

/** Compiles the mail guard into a file. */
export async function guardFile(name: string, rule?: Readonly<Record<string, unknown>>): Promise<string> {
  const path = here(`../out/mcp/${name}.json`);
  writeFileSync(path, JSON.stringify((await mailGuard(rule)).file));
  return path;
}
