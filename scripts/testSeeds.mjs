/**
 * Runs the tests with other seeds than that of `npm test`: every case that is drawn at random is another one.
 *
 *   npm run test:seeds                       one seed, drawn at random
 *   npm run test:seeds -- 20                 twenty of them
 *   npm run test:seeds -- 20 test/laws       the test files whose paths contain test/laws
 *   npm run test:seeds -- --seed 7 --seed 9  these
 *
 * Prints each seed before it is tried. Of each test that fails it prints file, name, the shrunk case, and the command that repeats it. Ends with 1 where a
 * test failed, with 2 where the arguments are wrong. `--workers N` is how many processes vitest may use, `--log FOLDER` keeps the output
 * of each run that fails, `--config FILE` takes vitest's configuration from elsewhere.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const USAGE =
  'usage: npm run test:seeds -- [N] [FILE...] [--seed SEED]... [--workers N] [--log FOLDER] [--config FILE]';
const MOST = 2 ** 31 - 1;
const root = fileURLToPath(new URL('..', import.meta.url));

const { seeds, files, workers, log, config } = readArguments();
const folder = mkdtempSync(join(tmpdir(), 'foreguard-seeds-'));
let failed = 0;
try {
  for (const [i, seed] of seeds.entries()) {
    console.log(`seed ${seed} (${i + 1} of ${seeds.length})`);
    const began = performance.now();
    const { code, output, results } = await run(seed);
    const failures = failuresIn(results);
    const seconds = Math.round((performance.now() - began) / 1000);
    if (code === 0) {
      console.log(`  passed, ${results?.numPassedTests ?? 0} tests in ${seconds} s`);
      continue;
    }
    failed++;
    console.log(`  FAILED after ${seconds} s`);
    for (const failure of failures) console.log(described(failure, seed));
    // Nothing failed by name: a file that cannot be loaded at all, a crash, no such file.
    if (failures.length === 0) console.log(indented(output.trimEnd().split('\n').slice(-40).join('\n'), 4));
    if (log !== undefined) {
      mkdirSync(log, { recursive: true });
      writeFileSync(join(log, `${seed}.log`), output);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${seeds.length - failed} of ${seeds.length} seeds passed`);
process.exitCode = failed > 0 ? 1 : 0;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        seed: { type: 'string', multiple: true },
        workers: { type: 'string' },
        log: { type: 'string' },
        config: { type: 'string' },
      },
    });
    const counted = /^\d+$/.test(positionals[0] ?? '');
    const count = counted ? Number(positionals[0]) : 1;
    const given = values.seed?.map(seedOf);
    if (counted && given !== undefined)
      throw new Error('N and --seed both say what to try; expected one of them');
    if (counted && !(count >= 1)) throw new Error(`N is ${positionals[0]}; expected 1 or more`);
    if (values.workers !== undefined && !/^[1-9]\d*$/.test(values.workers)) {
      throw new Error(`--workers is ${values.workers}; expected a number of processes`);
    }
    return {
      seeds: given ?? Array.from({ length: count }, () => randomInt(1, MOST)),
      files: positionals.slice(counted ? 1 : 0),
      workers: values.workers,
      log: values.log && resolve(values.log),
      config: values.config,
    };
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    process.exit(2);
  }
}

function seedOf(text) {
  const seed = Number(text);
  if (/^-?\d+$/.test(text) && Math.abs(seed) <= MOST) return seed;
  throw new Error(`--seed is ${text}; expected a whole number of 32 bits`);
}

/** One run of vitest in a process of its own, its output kept. */
async function run(seed) {
  const report = join(folder, `${seed}.json`);
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...files,
      ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
      ...(config === undefined ? [] : ['--config', config]),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, FAST_CHECK_SEED: String(seed), NO_COLOR: '1' },
    },
  );
  // Who ends this ends the tests.
  const end = (signal) => {
    child.kill(signal);
    rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal).once(signal, end);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const code = await new Promise((done) => child.on('close', done));
  let results;
  try {
    results = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    // It ended before it wrote one.
  }
  return { code, output, results };
}

function failuresIn(results) {
  return (results?.testResults ?? []).flatMap(({ name: path, assertionResults, status, message }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed');
    const file = relative(root, path);
    if (tests.length === 0 && status === 'failed') return [{ file, name: 'cannot be run', message }];
    return tests.map(({ fullName, failureMessages }) => ({
      file,
      name: fullName,
      message: failureMessages.join('\n'),
    }));
  });
}

/** A failure with the case that fast-check shrank, or what the test says, without the stack. */
function described({ file, name, message }, seed) {
  const lines = message.split('\n').filter((line) => !/^\s+at /.test(line));
  const shown = lines.slice(0, 30).map((line) => (line.length > 2000 ? `${line.slice(0, 2000)} ...` : line));
  return [
    `  ${file}`,
    `    ${name}`,
    indented(shown.join('\n').trimEnd(), 6),
    `    again: FAST_CHECK_SEED=${seed} npx vitest run ${file}${config === undefined ? '' : ` --config ${config}`}`,
  ].join('\n');
}

function indented(text, spaces) {
  return text.replace(/^/gm, ' '.repeat(spaces));
}
