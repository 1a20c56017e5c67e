import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const bindings = fileURLToPath(new URL('../bindings/', import.meta.url));

/**
 * What entries need together, from the ground up: each is a chunk of all that its sources need and none before it has, so that Node, for which a file
 * costs more than what is in it, opens few. A guard that is loaded must find apart what not every guard needs: the parser, texts, constraints, the clock,
 * what a model needs, policies and what suggests a call, the shield and the watch for drift. What loads these is apart, too (`loading`), and so is what
 * other entries need of a guard's parts: esbuild follows each import() in its reach, used or not, and keeps what it leads to.
 */
const LAYERS = {
  base: [
    'base/errors.ts',
    'base/suggest.ts',
    'base/words.ts',
    'languages/expression/sql/dialect.ts',
    'solvers/kernel/sets.ts',
    'observations/trace/toolHistory.ts',
    'observations/trace/traceFormat.ts',
  ],
  predicates: [
    'languages/expression/compile.ts',
    'observations/abstraction/encoding.ts',
    'languages/automaton/stepper.ts',
  ],
  guard: ['runtime/guard/guard.ts', 'runtime/guard/checkFile.ts', 'runtime/guard/readTrees.ts'],
  loading: ['runtime/guard/loadGuard.ts'],
  tuples: ['observations/abstraction/valuationTable.ts'],
  model: ['runtime/guard/model/modelParts.ts'],
  constraints: ['observations/abstraction/constraint.ts'],
  stepClock: ['runtime/guard/stepClock.ts'],
  clock: ['runtime/guard/clockParts.ts'],
  texts: ['languages/expression/texts/index.ts'],
  policies: ['languages/inputs/index.ts', 'runtime/guard/guardPolicies.ts'],
  parser: ['runtime/guard/parseExpressions.ts', 'observations/abstraction/actionAbstraction.ts'],
  shield: ['runtime/guard/shield.ts', 'runtime/guard/checkActions.ts'],
  drift: ['runtime/guard/driftTest.ts', 'runtime/guard/checkDrift.ts'],
  createGuard: ['face/entries/guard.ts'],
  random: ['base/random.ts'],
  suggestions: ['runtime/policy/nearestCall.ts'],
  kernel: ['solvers/kernel/index.ts'],
  kernelModule: ['solvers/kernel/inlineModule.ts'],
  storage: ['base/storage/index.ts', 'base/canonicalJson.ts'],
  enforcement: ['face/entries/enforce.ts'],
  spans: ['runtime/adapters/opentelemetry.ts'],
  automata: [
    'languages/automaton/alternatives.ts',
    'languages/logic/printFormula.ts',
    'languages/logic/untilForm.ts',
    'languages/logic/walk.ts',
    'languages/logic/samplingPeriod.ts',
  ],
  building: ['languages/automaton/buildAutomaton.ts', 'languages/automaton/allows.ts'],
  clauses: ['languages/english/say/sayClause.ts'],
  english: ['languages/english/say/sayFormula.ts'],
  checking: [
    'solvers/checker/jointRisk.ts',
    'solvers/checker/violationTime.ts',
    'solvers/checker/solveEvent.ts',
    'solvers/checker/closedChain.ts',
    'solvers/checker/pathEvent.ts',
    'solvers/checker/start.ts',
    'solvers/model/createMdp.ts',
    'solvers/model/createDtmc.ts',
    'solvers/model/labelOf.ts',
    'solvers/model/virtualStart.ts',
  ],
  explanation: ['languages/expression/comparedTexts.ts', 'face/entries/explain.ts'],
  learning: ['estimation/learning/index.ts', 'observations/trace/index.ts'],
  core: ['face/entries/lists/foreguard.ts'],
  check: ['face/entries/lists/check.ts'],
  study: ['face/entries/lists/study.ts'],
};

/** What has no part in a page that reads no specification. */
const YAML = /\/node_modules\/yaml\//;

/**
 * Scripts are not minified, so that stacks can be read: functions, classes and public methods have their names, and statements their lines. Local
 * names are short: they took an eighth of the package.
 */
const SHORT_LOCALS = {
  compress: false,
  mangle: { toplevel: false, keepNames: { function: true, class: true } },
  codegen: { removeWhitespace: false },
};

/**
 * Bundles scripts and what they share. Whoever makes a page of them minifies everything. By Rolldown, which
 * leaves out what is not used before it makes chunks: those of esbuild follow imports alone, and foreguard/guard would load three times as much.
 *
 * @param {Record<string, string>} input sources by the names of their files
 * @param {{ dir: string, external: (specifier: string) => boolean }} options
 * @returns {Promise<{ exported: Map<string, Set<string>>, bundled: string[] }>} what each of them exports; the folders of packages whose code is in
 * them
 */
export async function writeScripts(input, { dir, external }) {
  const options = {
    platform: 'neutral',
    // What loadGuard loads on demand, createGuard has at once.
    checks: { ineffectiveDynamicImport: false },
    external,
    resolve: { extensionAlias: { '.js': ['.ts'] } },
    // The module that edge runtimes import lies in dist/, not where the source that imports it would have it.
    makeAbsoluteExternalsRelative: false,
    preserveEntrySignatures: 'allow-extension',
    // A constant that is inlined leaves an import of nothing behind, and that of a whole chunk.
    optimization: { inlineConst: false },
    // No comment before each source.
    experimental: { attachDebugInfo: 'none' },
    transform: { target: 'es2022' },
    treeshake: {
      // The same files as in package.json, `sideEffects`, and what registers the kernel for the command.
      moduleSideEffects: [
        {
          test: /\/bindings\/(face\/entries\/(index|check|study)(\.workerd)?|face\/cli\/(main|checkThread)|solvers\/kernel\/inline|.*\/threadsWorker)\.ts$/,
          sideEffects: true,
        },
        { test: /\/bindings\//, sideEffects: false },
      ],
    },
  };
  const layers = await layersOf(options);
  const build = await rolldown({ ...options, input });
  const { output } = await build.write({
    dir,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: { jsdoc: false, annotation: true, legal: false },
    minify: SHORT_LOCALS,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: 'layers', name: (id) => (YAML.test(id) ? 'yaml' : (layers.get(id) ?? null)) }],
    },
  });
  await build.close();
  refuseRenamedClasses(output);
  refuseCycles(output);
  const entries = output.filter(({ isEntry }) => isEntry);
  const modules = output.flatMap(({ moduleIds }) => moduleIds ?? []);
  return {
    exported: new Map(entries.map(({ name, exports }) => [name, new Set(exports)])),
    bundled: [...new Set(modules.flatMap((id) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []))],
  };
}

/** The layer of each module that is in one. */
async function layersOf(options) {
  const layers = new Map();
  for (const [layer, sources] of Object.entries(LAYERS))
    for (const source of sources)
      for (const id of await needed(bindings + source, options)) if (!layers.has(id)) layers.set(id, layer);
  return layers;
}

/** The modules of which a source needs anything, but for those that it loads on demand. */
async function needed(source, options) {
  const build = await rolldown({ ...options, input: source });
  const { output } = await build.generate();
  await build.close();
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const files = new Set([output.find(({ isEntry }) => isEntry).fileName]);
  for (const file of files) for (const imported of chunks.get(file)?.imports ?? []) files.add(imported);
  return [...files].flatMap((file) => chunks.get(file)?.moduleIds ?? []);
}

/** Errors and objects say their class, which must not have another name where two files of a chunk have a class of one name. */
function refuseRenamedClasses(output) {
  const renamed = output.flatMap(({ code }) => code?.match(/\bclass \w+\$\d+|\b\w+\$\d+ = class\b/g) ?? []);
  if (renamed.length > 0)
    throw new Error(
      `two classes have one name, which the bundler changed: ${renamed.join(', ')}: rename one in its source`,
    );
}

/** Modules of a chunk would run before what they need: a layer is below one that it uses. */
function refuseCycles(output) {
  const imports = new Map(output.map((chunk) => [chunk.fileName, chunk.imports ?? []]));
  const done = new Set();
  const visit = (file, path) => {
    if (path.includes(file))
      throw new Error(
        `chunks import each other: ${[...path.slice(path.indexOf(file)), file].join(' → ')}; change LAYERS in scripts/writeScripts.mjs`,
      );
    if (done.has(file)) return;
    for (const imported of imports.get(file) ?? []) visit(imported, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
}
