// What Foreguard adds to a page: bundled by esbuild for browsers, split into chunks, minified and gzipped (level 9), without its peers
// (re2js too, which is loaded only where a predicate uses `matches`). Bytes are those of the entry and of the chunks that it imports statically;
// "on demand" is what only some files load, such as guards that shield actions. Bundles are of dist/: build first.
//
//   npm run build && node scripts/size.mjs [--check]    with --check it fails above a budget
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const kilobytes = (bytes) => (bytes / 1000).toFixed(1).padStart(7);

/**
 * Goals are those of the project, budgets what has been reached: a bundle may not grow above them unnoticed. Both in kB of 1000 bytes.
 *
 * A guard file that `foreguard compile` wrote holds its expressions as trees, so that a guard of rules alone loads nothing on demand, unless its predicates call functions on
 * texts or `matches`, it has constraints, or its steps have a period. One of a model loads 7 kB more.
 *
 * Policies (4 kB) are loaded on demand by `loadGuard`, and the decider that suggests calls only where a policy says so; `createGuard` and whatever contains it carry policies.
 *
 * Whatever reads specifications says their rules in English where predicates have words (6 kB); guards hold the sentences, and so none of it.
 *
 * Functions on texts (2.4 kB) are loaded on demand by guards alone. Whatever parses predicates compiles them without waiting, so it carries them;
 * their names and types (0.3 kB) are in all.
 */
const bundles = [
  {
    name: "{ loadGuard } of 'foreguard/guard', all that a guard of rules alone loads",
    goal: 14,
    budget: 28,
    source: `import { loadGuard } from 'foreguard/guard'; globalThis.use = loadGuard;`,
  },
  {
    name: "all of 'foreguard/guard'",
    budget: 61,
    source: `export * from 'foreguard/guard';`,
  },
  {
    name: "{ loadGuard } and { createSession } of 'foreguard/enforce'",
    goal: 30,
    budget: 63,
    source: `import { createSession } from 'foreguard/enforce';
      import { loadGuard } from 'foreguard/guard';
      globalThis.use = [createSession, loadGuard];`,
  },
  {
    name: "rules of 'foreguard/rules' with a session",
    budget: 172,
    source: `import { createSession } from 'foreguard/enforce';
      import { createGuard } from 'foreguard/guard';
      import { compileRules, parseSpecification } from 'foreguard/rules';
      globalThis.use = [compileRules, createGuard, createSession, parseSpecification];`,
  },
  {
    // Policies that were read before: at most 6 kB more than the row above.
    name: "the same with { policyJudge } of 'foreguard/policy'",
    goal: 158,
    budget: 173,
    source: `import { createSession } from 'foreguard/enforce';
      import { createGuard } from 'foreguard/guard';
      import { policyJudge } from 'foreguard/policy';
      import { compileRules, parseSpecification } from 'foreguard/rules';
      globalThis.use = [compileRules, createGuard, createSession, parseSpecification, policyJudge];`,
  },
  {
    name: '{ loadGuard } and { getKernel }, with the kernel',
    goal: 50,
    budget: 80,
    source: `import { loadGuard } from 'foreguard/guard';
      import { getKernel } from 'foreguard/check';
      globalThis.use = [loadGuard, getKernel];`,
  },
  {
    name: "{ parseSpecification, learn, compileGuard, loadGuard } of 'foreguard'",
    budget: 222,
    source: `import { compileGuard, learn, loadGuard, parseSpecification } from 'foreguard';
      globalThis.use = [compileGuard, learn, loadGuard, parseSpecification];`,
  },
  {
    name: "all of 'foreguard'",
    goal: 200,
    budget: 295,
    source: `export * from 'foreguard';`,
  },
  {
    name: "{ checkProperty } of 'foreguard/check'",
    budget: 90,
    source: `import { checkProperty } from 'foreguard/check'; globalThis.use = checkProperty;`,
  },
  {
    // Bundled from the sources it has 39 kB: the shared files of dist bring what plans do not use.
    name: "all of 'foreguard/workflow'",
    goal: 45,
    budget: 183,
    source: `export * from 'foreguard/workflow';`,
  },
  {
    name: "all of 'foreguard/workflow' and 'foreguard/workflow/run'",
    goal: 65,
    budget: 219,
    source: `export * from 'foreguard/workflow';
      export * from 'foreguard/workflow/run';`,
  },
  {
    name: "all of 'foreguard/workflow' and 'foreguard/workflow/code'",
    goal: 90,
    budget: 228,
    source: `export * from 'foreguard/workflow';
      export * from 'foreguard/workflow/code';`,
  },
  {
    // Comparing alone has 25 kB: checks of a specification's rules bring its predicates and constraints, and with them the parser of expressions.
    name: "all of 'foreguard/compare'",
    budget: 74,
    source: `export * from 'foreguard/compare';`,
  },
  {
    name: "all of 'foreguard/ask'",
    budget: 184,
    source: `export * from 'foreguard/ask';`,
  },
  {
    name: "all of 'foreguard/english'",
    goal: 40,
    budget: 70,
    source: `export * from 'foreguard/english';`,
  },
  {
    name: "all of 'foreguard/translate'",
    budget: 125,
    source: `export * from 'foreguard/translate';`,
  },
  {
    name: "all of 'foreguard/check'",
    budget: 155,
    source: `export * from 'foreguard/check';`,
  },
  {
    name: "all of 'foreguard/study'",
    budget: 208,
    source: `export * from 'foreguard/study';`,
  },
];

async function measure({ source }) {
  const { metafile, outputFiles } = await build({
    stdin: { contents: source, resolveDir: root },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    external: ['re2js', 'node:*', '@duckdb/*', '@foxglove/*', '@mcap/*', '@opentelemetry/*'],
    outdir: `${root}build/size`,
    absWorkingDir: root,
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const sizes = outputFiles.map(({ contents, path }) => ({
    path: path.slice(root.length),
    minified: contents.length,
    gzipped: gzipSync(contents, { level: 9 }).length,
  }));
  const entry = Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === '<stdin>');
  const loaded = new Set();
  const load = (path) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { path: imported, kind, external } of metafile.outputs[path].imports)
      if (kind === 'import-statement' && !external) load(imported);
  };
  load(entry);
  const sum = (which, unit) => sizes.filter(which).reduce((total, size) => total + size[unit], 0);
  const isLoaded = ({ path }) => loaded.has(path);
  return {
    minified: sum(isLoaded, 'minified'),
    gzipped: sum(isLoaded, 'gzipped'),
    onDemand: sum((size) => !isLoaded(size), 'gzipped'),
  };
}

console.log('kB minified  gzipped  on demand     goal   budget');
let failed = false;
for (const bundle of bundles) {
  const { minified, gzipped, onDemand } = await measure(bundle);
  const { name, goal, budget } = bundle;
  console.log(
    `${kilobytes(minified).padStart(11)}  ${kilobytes(gzipped)}    ${kilobytes(onDemand)}  ${String(goal ?? '').padStart(7)}  ${String(budget).padStart(7)}  ${name}`,
  );
  if (gzipped > 1000 * budget) failed = true;
}
if (failed && process.argv.includes('--check')) {
  console.error(
    'a bundle is larger than its budget: see what came in by esbuild --analyze, or raise the budget in scripts/size.mjs',
  );
  process.exit(1);
}
