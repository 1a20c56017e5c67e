/**
 * Breaks what proves policies on purpose, one place at a time, and says whether the tests' oracles notice. Works in a temporary copy of the repository. Ends with
 * 1 if anything survives that scripts/proofMutants.json does not explain.
 *
 *   node scripts/mutateProofs.mjs [--target translator|decider] [--sample N] [--seed S] [--only PATH] [--minutes M]
 *
 * --target   translator: claims to SMT-LIB (bindings/solvers/symbolic, smt); decider: what is built in (bindings/solvers/decide). Default: both
 * --sample   how many mutants of each; default 60. Which ones depends on the seed and on their text, so that edits elsewhere do not change the choice
 * --only     only files whose path contains PATH
 * --minutes  begins no further mutant after this time; default: no limit
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutantsOf, rank } from './mutants.mjs';

/** The source of each target, and rounds of the tests that look at it, the quickest first. */
const TARGETS = {
  translator: {
    folders: ['bindings/solvers/symbolic', 'bindings/solvers/smt'],
    rounds: [
      ['test/unit/smt/terms.test.ts', 'test/unit/symbolic'],
      ['test/unit/policy/solvers.test.ts', 'test/unit/smt/solverProcess.test.ts'],
    ],
  },
  decider: {
    folders: ['bindings/solvers/decide'],
    rounds: [
      ['test/unit/decide'],
      ['test/unit/policy/verify.test.ts', 'test/unit/policy/inputs.test.ts'],
      ['test/laws/recheck.test.ts', 'test/laws/policies.test.ts', 'test/unit/symbolic/smallLists.test.ts'],
    ],
  },
};

/** Milliseconds after which a round of tests counts as failed: a mutant may loop for ever. */
const MOST_TIME = 300_000;

const { values: options } = parseArgs({
  options: {
    target: { type: 'string' },
    sample: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    minutes: { type: 'string' },
  },
});
const targets = options.target === undefined ? Object.keys(TARGETS) : [options.target];
const unknown = targets.find((target) => !Object.hasOwn(TARGETS, target));
if (unknown !== undefined)
  throw new Error(`--target is ${unknown}; expected one of ${Object.keys(TARGETS).join(', ')}`);

const root = fileURLToPath(new URL('..', import.meta.url));
const explained = JSON.parse(readFileSync(join(root, 'scripts/proofMutants.json'), 'utf8'));
const copy = mkdtempSync(join(tmpdir(), 'foreguard-mutants-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
for (const name of [
  'bindings',
  'test',
  'scripts',
  'schema',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
])
  cpSync(join(root, name), join(copy, name), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

const began = performance.now();
const isOver = () =>
  options.minutes !== undefined && performance.now() - began > Number(options.minutes) * 60_000;
let isUnexplained = false;
for (const target of targets) isUnexplained = tryTarget(target) || isUnexplained;
process.exitCode = isUnexplained ? 1 : 0;

/** Tries mutants of a target. @returns whether one survives that is not explained */
function tryTarget(target) {
  const { folders, rounds } = TARGETS[target];
  const chosen = folders
    .flatMap((folder) => readdirSync(join(copy, folder)).map((name) => `${folder}/${name}`))
    .filter((path) => !path.endsWith('index.ts') && path.includes(options.only))
    .flatMap((path) => {
      const source = readFileSync(join(copy, path), 'utf8');
      return mutantsOf(path, source).map((mutant) => ({ ...mutant, path, source }));
    })
    .map((mutant) => ({ mutant, order: orderOf(mutant) }))
    .sort((a, b) => a.order.localeCompare(b.order))
    .slice(0, Number(options.sample))
    .map(({ mutant }) => mutant);
  if (isNoticed(rounds)) throw new Error(`the tests of the ${target} fail without a mutant`);
  const counts = { tried: 0, noticed: 0, equivalent: 0 };
  for (const { path, source, start, end, text } of chosen) {
    if (isOver()) break;
    writeFileSync(join(copy, path), source.slice(0, start) + text + source.slice(end));
    const noticed = isNoticed(rounds);
    writeFileSync(join(copy, path), source);
    counts.tried++;
    if (noticed) {
      counts.noticed++;
      continue;
    }
    const reason = reasonFor(path, source, { start, end, text });
    if (reason !== undefined) counts.equivalent++;
    const line = source.slice(0, start).split('\n').length;
    const change = `${JSON.stringify(source.slice(start, end))} → ${JSON.stringify(text)}`;
    console.log(
      `${path}:${line} ${reason === undefined ? 'survives' : `changes no answer, since ${reason}`}: ${change}`,
    );
  }
  const { tried, noticed, equivalent } = counts;
  console.log(
    `${target}: ${noticed} of ${tried} mutants noticed, ${equivalent} change no answer (of ${chosen.length} chosen)`,
  );
  return noticed + equivalent < tried;
}

function orderOf({ path, source, ...mutant }) {
  return createHash('sha256')
    .update(`${options.seed} ${rank(path, source, mutant)}`)
    .digest('hex');
}

/** Whether some test fails. */
function isNoticed(rounds) {
  return rounds.some((tests) => {
    const args = ['node_modules/vitest/vitest.mjs', 'run', ...tests, '--bail=1', '--pool=threads'];
    const { status } = spawnSync(process.execPath, args, {
      cwd: copy,
      stdio: 'ignore',
      timeout: MOST_TIME,
      env: { ...process.env, FOREGUARD_SMT_PYTHON: '' },
    });
    return status !== 0;
  });
}

/** Why a mutant changes no answer, if that is known: by its file and its line before and after. */
function reasonFor(path, source, { start, end, text }) {
  const [from, to] = [source.lastIndexOf('\n', start) + 1, source.indexOf('\n', end)];
  const line = source.slice(from, to).trim();
  const mutant = (source.slice(from, start) + text + source.slice(end, to)).trim();
  return explained.find((one) => one.file === path && one.line === line && one.mutant === mutant)?.reason;
}
