/**
 * Breaks the kernel on purpose, one place at a time, and shows which test notices: a test suite is worth what it finds. Works
 * in a temporary copy of the repository. Ends with 1 if anything survives that scripts/mutants.json does not explain.
 *
 *   node scripts/mutate.mjs [--only PATH]... [--per-function N] [--sample N] [--minutes M] [--limit SECONDS] [--tests TEXT]
 *
 * --only          files whose path contains PATH, or one of several, also the drivers in bindings/kernel; default: assembly/
 *                 and the reference
 * --per-function  how many mutants of each function besides all that drop an outward rounding; default 2, 0 for all
 * --sample        only N of them, spread over all files
 * --minutes       begins no further mutant after this time; default: no limit
 * --tests         only test files whose path contains TEXT; a survivor may then be known to others
 * --limit         seconds that a round of tests may take; default: five times what it takes unbroken, at least 20
 *
 * A mutant meets the test file that noticed the last one of its source file, then the quick half of the tests, then the others.
 */
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import asc from 'assemblyscript/asc';
import { moduleText } from './moduleText.mjs';
import { chooseMutants, mutantsOf, rank } from './mutants.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    'per-function': { type: 'string', default: '2' },
    sample: { type: 'string' },
    minutes: { type: 'string' },
    limit: { type: 'string' },
    tests: { type: 'string', default: '' },
  },
});

const root = fileURLToPath(new URL('..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'foreguard-mutants-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const explained = JSON.parse(readFileSync(join(root, 'scripts/mutants.json'), 'utf8'));

/** Copies what the kernel and its tests are made of; packages are linked. */
function copyRepository() {
  for (const entry of [
    'assembly',
    'bindings',
    'test',
    'scripts',
    'build',
    'asconfig.json',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
  ]) {
    const source = join(root, entry);
    if (existsSync(source))
      cpSync(source, join(copy, entry), {
        recursive: true,
        filter: (path) => !path.includes('node_modules'),
      });
  }
  mkdirSync(join(copy, 'node_modules'));
  for (const entry of readdirSync(join(root, 'node_modules'))) {
    if (!entry.startsWith('.vite'))
      symlinkSync(join(root, 'node_modules', entry), join(copy, 'node_modules', entry));
  }
}

/** Tests that compute with a kernel: those that take the backends or the module's bytes. */
function testFiles() {
  return ['test/kernel', 'test/laws', 'test/regressions']
    .filter((folder) => existsSync(join(copy, folder)))
    .flatMap((folder) => readdirSync(join(copy, folder)).map((name) => `${folder}/${name}`))
    .filter(
      (path) =>
        path.endsWith('.test.ts') &&
        path.includes(options.tests) &&
        /\/(backends|wasmBytes)\.js'/.test(readFileSync(join(copy, path), 'utf8')),
    );
}

/** Runs a program in the copy; its exit code, or undefined if it took longer than `seconds`. */
function run(args, seconds) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: copy,
      stdio: 'ignore',
      env: { ...process.env, CI: 'true' },
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
    child.on('exit', (code) => {
      clearTimeout(timer);
      resolve(code ?? undefined);
    });
  });
}

const builds = {
  simd: { constant: 'wasmText', file: 'build/foreguard.wasm', flags: ['--enable', 'simd'] },
  scalar: { constant: 'scalarWasmText', file: 'build/foreguard.scalar.wasm', flags: [] },
};

/** Both modules, or undefined if they do not compile. A compiler that stays warm is several times faster. */
async function compile() {
  const modules = {};
  for (const [name, { file, flags }] of Object.entries(builds)) {
    const { error } = await asc.main(
      ['--config', 'asconfig.json', '--baseDir', copy, '--outFile', file, ...flags],
      {
        writeFile(_, content) {
          modules[name] = Buffer.from(content);
        },
      },
    );
    if (error) return undefined;
  }
  return modules;
}

/** Puts modules where tests look for them. */
function install(modules) {
  const constants = Object.entries(builds).map(([name, { constant, file }]) => {
    writeFileSync(join(copy, file), modules[name]);
    return `export const ${constant}: string = '${moduleText(modules[name])}';\n`;
  });
  writeFileSync(join(copy, 'bindings/solvers/kernel/generated/wasm.ts'), constants.join(''));
}

const report = join(copy, 'report.json');
const testResults = () => JSON.parse(readFileSync(report, 'utf8')).testResults;

/** The first test that fails, 'time limit', or undefined where all pass. */
async function failingTest(tests, seconds) {
  rmSync(report, { force: true });
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...tests,
    '--bail=1',
    '--pool=threads',
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  const code = await run(args, seconds);
  if (code === undefined) return 'time limit';
  if (code === 0) return undefined;
  const results = testResults();
  for (const { name, assertionResults } of results) {
    const failed = assertionResults.find(({ status }) => status === 'failed');
    if (failed) return `${name.slice(copy.length + 1)} > ${failed.fullName}`;
  }
  return (
    results.find(({ status }) => status === 'failed')?.name.slice(copy.length + 1) ?? 'no test could run'
  );
}

/** Seconds that each test file takes unbroken. */
const durations = new Map();

/** Test files in two rounds, the quick half first. */
function roundsOf(tests) {
  const ordered = tests.toSorted((a, b) => durations.get(a) - durations.get(b));
  const half = Math.ceil(ordered.length / 2);
  return [ordered.slice(0, half), ordered.slice(half)].filter(({ length }) => length > 0);
}

/** The test file that noticed the last mutant of a source file, which is likely to notice the next. */
const noticed = new Map();

async function killerOf(path, tests) {
  const first = noticed.get(path);
  const rounds = [...(first ? [[first]] : []), ...roundsOf(tests.filter((test) => test !== first))];
  for (const round of rounds) {
    const usual = round.reduce((sum, test) => sum + durations.get(test), 0);
    const test = await failingTest(round, Number(options.limit) || Math.max(20, 5 * usual));
    if (test === undefined) continue;
    const file = test.split(' > ')[0];
    if (tests.includes(file)) noticed.set(path, file);
    return test;
  }
  return undefined;
}

/** The mutants to try, each with the path and the source it belongs to. */
function plan() {
  const folders = options.only ? ['assembly', 'bindings/solvers/kernel'] : ['assembly', 'test/oracle/engine'];
  const perFunction = Number(options['per-function']) || Number.POSITIVE_INFINITY;
  const mutants = folders
    .flatMap((folder) =>
      readdirSync(join(copy, folder), { recursive: true }).map((name) => `${folder}/${name}`),
    )
    .filter(
      (path) =>
        path.endsWith('.ts') &&
        !path.endsWith('.d.ts') &&
        !path.includes('/generated/') &&
        !path.includes('/threads/') && // another module, which is not built here
        (options.only ?? ['']).some((part) => path.includes(part)),
    )
    .sort()
    .flatMap((path) => {
      const source = readFileSync(join(copy, path), 'utf8');
      return chooseMutants(path, source, mutantsOf(path, source), perFunction).map((mutant) => ({
        ...mutant,
        path,
        source,
      }));
    });
  if (!options.sample) return mutants;
  const ranks = new Map(mutants.map((mutant) => [mutant, rank(mutant.path, mutant.source, mutant)]));
  return mutants
    .toSorted((a, b) => ranks.get(a).localeCompare(ranks.get(b)))
    .slice(0, Number(options.sample));
}

const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/** The lines that a mutant touches, before and after. */
function linesOf({ source, start, end, text }) {
  const from = source.lastIndexOf('\n', start) + 1;
  const to = source.indexOf('\n', end);
  return [source.slice(from, to), source.slice(from, start) + text + source.slice(end, to)].map(oneLine);
}

/** What becomes of one mutant, in words; the files of the copy are whole again afterwards. */
async function judge(mutant, tests, unbroken) {
  const { path, source, start, end, text } = mutant;
  writeFileSync(join(copy, path), source.slice(0, start) + text + source.slice(end));
  try {
    if (path.startsWith('assembly/')) {
      const modules = await compile();
      if (modules === undefined) return { verdict: 'does not compile' };
      if (Object.keys(builds).every((name) => modules[name].equals(unbroken[name])))
        return { verdict: 'same binary' };
      install(modules);
    }
    const test = await killerOf(path, tests);
    if (test !== undefined) return { verdict: 'killed', test };
    const [line, mutated] = linesOf(mutant);
    const reason = explained.find(
      (entry) => entry.file === path && entry.line === line && entry.mutant === mutated,
    )?.reason;
    return reason === undefined ? { verdict: 'SURVIVED' } : { verdict: 'equivalent', test: reason };
  } finally {
    writeFileSync(join(copy, path), source);
    install(unbroken);
  }
}

copyRepository();
const unbroken = await compile();
if (unbroken === undefined)
  throw new Error('the kernel does not compile unbroken: npm run build:kernel shows why');
install(unbroken);
const tests = testFiles();
const began = performance.now();
const failure = await failingTest(tests, 600);
if (failure !== undefined) throw new Error(`the tests fail unbroken: ${failure}`);
for (const { name, startTime, endTime } of testResults()) {
  durations.set(name.slice(copy.length + 1), (endTime - startTime) / 1000);
}
const mutants = plan();
console.log(`${mutants.length} mutants, ${tests.length} test files\n`);

const counts = new Map();
for (const mutant of mutants) {
  if (performance.now() - began > 60_000 * (Number(options.minutes) || Number.POSITIVE_INFINITY)) {
    console.log(`\nstopped after ${options.minutes} minutes`);
    break;
  }
  const { verdict, test } = await judge(mutant, tests, unbroken);
  counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const line = mutant.source.slice(0, mutant.start).split('\n').length;
  const [before, after] = linesOf(mutant);
  console.log(
    `${mutant.path}:${line} ${mutant.kind}\n    ${before}\n    ${after}\n    ${verdict}${test ? `: ${test}` : ''}`,
  );
}
console.log(`\n${[...counts].map(([verdict, count]) => `${count} ${verdict}`).join(', ')}`);
process.exitCode = counts.has('SURVIVED') ? 1 : 0;
