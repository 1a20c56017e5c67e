/**
 * Breaks the translation of policies to SMT-LIB on purpose, one place at a time, and says whether a test notices. Works in a temporary copy.
 *
 *   node scripts/mutateSmt.mjs [--sample N] [--only PATH] [--minutes M] [--seed S]
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutantsOf } from './mutants.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    sample: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});
const copy = mkdtempSync(join(tmpdir(), 'foreguard-mutants-'));
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
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));

const folders = ['bindings/solvers/symbolic', 'bindings/solvers/smt'];
const rank = ({ path, start, text }) =>
  createHash('sha256').update(`${options.seed} ${path} ${start} ${text}`).digest('hex');
const mutants = folders
  .flatMap((folder) => readdirSync(join(copy, folder)).map((name) => `${folder}/${name}`))
  .filter((path) => !path.endsWith('index.ts') && path.includes(options.only))
  .flatMap((path) => {
    const source = readFileSync(join(copy, path), 'utf8');
    return mutantsOf(path, source).map((mutant) => ({ ...mutant, path, source }));
  })
  .sort((a, b) => rank(a).localeCompare(rank(b)))
  .slice(0, Number(options.sample));

/** Whether some test fails. Time out counts as noticed. */
function isNoticed() {
  const rounds = [
    ['test/unit/smt/terms.test.ts', 'test/unit/symbolic'],
    ['test/unit/policy/solvers.test.ts', 'test/unit/smt/solverProcess.test.ts'],
  ];
  return rounds.some((tests) => {
    const args = ['node_modules/vitest/vitest.mjs', 'run', ...tests, '--bail=1', '--pool=threads'];
    const { status } = spawnSync(process.execPath, args, {
      cwd: copy,
      stdio: 'ignore',
      timeout: 240_000,
      env: { ...process.env, FOREGUARD_SMT_PYTHON: '' },
    });
    return status !== 0;
  });
}

if (isNoticed()) throw new Error('the tests fail without a mutant');
const began = performance.now();
let [noticed, tried] = [0, 0];
for (const { path, source, start, end, text } of mutants) {
  if (performance.now() - began > Number(options.minutes) * 60_000) break;
  writeFileSync(join(copy, path), source.slice(0, start) + text + source.slice(end));
  const found = isNoticed();
  writeFileSync(join(copy, path), source);
  tried++;
  if (found) noticed++;
  else {
    const line = source.slice(0, start).split('\n').length;
    console.log(
      `${path}:${line} survives: ${JSON.stringify(source.slice(start, end))} → ${JSON.stringify(text)}`,
    );
  }
}
console.log(`${noticed} of ${tried} mutants noticed (${mutants.length} chosen)`);
