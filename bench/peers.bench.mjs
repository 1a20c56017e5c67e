// How long do three model checkers take, from PRISM source to an answer? Whole processes, on the instances of the Quantitative
// Verification Benchmark Set above 100,000 states, one query each, precision 1e-6 relative to the value; they take turns, and the
// best of the rounds counts, for other work on the machine can only add. Answers are checked against those published.
//
// Foreguard and Storm (`--sound`) certify. PRISM's engines iterate until values hardly change, which certifies nothing; the fastest
// of them counts. What is absent is said, and left out:
//
//   PRISM   PRISM_HOME is its folder
//   Storm   FOREGUARD_STORM_PYTHON is a Python that has the stormpy wheel; else python3, if it has; else a `storm` on the path
//   data    FOREGUARD_QVBS is the folder of instances.json; else ../shared/data/qvbs
//
//   npm run build && node bench/peers.bench.mjs [TEXT …]      only instances that contain one of the texts
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseProperties } from '../dist/index.js';

const SHORT = Boolean(process.env.BENCH_SHORT);
const ROUNDS = SHORT ? 1 : 3;
const LEAST_STATES = SHORT ? 10_000 : 100_000;
const MOST_STATES = SHORT ? 50_000 : Infinity;
const TIMEOUT_MS = 300_000;
const MIB = 2 ** 20;

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const data = process.env.FOREGUARD_QVBS ?? path('../../shared/data/qvbs');

/** The query asked of each family: the first published one otherwise. */
const QUERIES = { wlan: 'cost_max', csma: 'time_max', consensus: 'disagree', zeroconf: 'correct_min' };

/** Runs a process; its wall time and, by /usr/bin/time where that exists, its peak memory and that of those it waits for. */
function timed(command, words) {
  const meter = existsSync('/usr/bin/time') ? ['/usr/bin/time', '-f', 'peak %M'] : [];
  const [program, ...rest] = [...meter, command, ...words];
  const started = performance.now();
  const { status, stdout, stderr, error } = spawnSync(program, rest, {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    maxBuffer: 2 ** 28,
  });
  const seconds = (performance.now() - started) / 1000;
  if (error?.code === 'ETIMEDOUT')
    return { seconds: Infinity, failure: `not done in ${TIMEOUT_MS / 1000} s` };
  if (status !== 0)
    return { seconds: Infinity, failure: `${stdout}${stderr}`.trim().split('\n').slice(-3).join(' ') };
  const peak = /^peak (\d+)$/m.exec(stderr)?.[1];
  return { seconds, stdout, ...(peak && { bytes: Number(peak) * 1024 }) };
}

function fromJson(run, read) {
  return run.failure ? run : { ...run, ...read(JSON.parse(run.stdout)) };
}

function foreguard() {
  const command = path('../dist/cli/main.js');
  return {
    name: 'Foreguard',
    certified: true,
    run: ({ model, property, constants }) =>
      fromJson(
        timed(process.execPath, [
          ...[command, 'check', model, '--property', property, '--relative', '--json'],
          ...(constants ? ['--const', constants] : []),
        ]),
        ({ results: [{ value, lower, upper, error }], peakMemoryBytes }) =>
          error ? { failure: error.message } : { value, lower, upper, bytes: peakMemoryBytes },
      ),
  };
}

function storm() {
  const pythons = [process.env.FOREGUARD_STORM_PYTHON, 'python3'].filter(Boolean);
  const python = pythons.find(
    (candidate) => spawnSync(candidate, ['-c', 'import stormpy'], { stdio: 'ignore' }).status === 0,
  );
  if (python) {
    const { stdout } = spawnSync(python, ['-c', 'import stormpy; print(stormpy.__version__)'], {
      encoding: 'utf8',
    });
    return {
      name: `Storm (stormpy ${stdout.trim()}, sound)`,
      certified: true,
      run: ({ model, property, constants }) =>
        fromJson(
          timed(python, [path('peers/storm.py'), model, property, constants]),
          ({ value, peakMemoryBytes }) => ({
            value,
            bytes: peakMemoryBytes,
          }),
        ),
    };
  }
  if (spawnSync('storm', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined;
  return {
    name: 'Storm (--sound)',
    certified: true,
    run: ({ model, property, constants }) => {
      const words = ['--prism', model, '--prop', property, '--sound', '--precision', '1e-6'];
      const run = timed('storm', [...words, ...(constants ? ['--constants', constants] : [])]);
      const found = /^Result \(for initial states\): (\S+)/m.exec(run.stdout ?? '')?.[1];
      return { ...run, value: found === 'true' || found === 'false' ? found === 'true' : Number(found) };
    },
  };
}

function prism() {
  const command = process.env.PRISM_HOME && join(process.env.PRISM_HOME, 'bin', 'prism');
  if (!command || !existsSync(command)) return undefined;
  const engine = ({ model, property, constants }, name) => {
    const words = [
      model,
      '-pf',
      property,
      ...(constants ? ['-const', constants] : []),
      '-epsilon',
      '1e-6',
      name,
    ];
    const run = timed(command, [...words, '-javamaxmem', '4g', '-cuddmaxmem', '2g']);
    const found = /^Result: ([^\s(]+)/m.exec(run.stdout ?? '')?.[1];
    if (!run.failure && found === undefined) return { seconds: Infinity, failure: 'no result' };
    return {
      ...run,
      engine: name,
      value: found === 'true' || found === 'false' ? found === 'true' : Number(found),
    };
  };
  return {
    name: 'PRISM (fastest engine)',
    certified: false,
    run: (query) =>
      ['-hybrid', '-sparse', '-explicit']
        .map((name) => engine(query, name))
        .reduce((best, run) => (run.seconds < best.seconds ? run : best)),
  };
}

function instances() {
  const texts = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  return JSON.parse(readFileSync(join(data, 'instances.json'), 'utf8'))
    .filter(({ states }) => states >= LEAST_STATES && states <= MOST_STATES)
    .map(({ family, model, properties, constants, states, results }) => {
      const query =
        family in QUERIES && QUERIES[family] in results ? QUERIES[family] : Object.keys(results)[0];
      const file = parseProperties(readFileSync(join(data, properties), 'utf8'));
      const given = Object.entries(constants)
        .map(([name, value]) => `${name}=${value}`)
        .join(',');
      return {
        title: [model.replace(/^.*\/|\.prism$/g, ''), given, query].filter(Boolean).join(' '),
        model: join(data, model),
        property: file.properties.find(({ name }) => name === query).text,
        constants: given,
        states,
        published: results[query].approx,
      };
    })
    .filter(({ title }) => texts.length === 0 || texts.some((text) => title.includes(text)))
    .sort((a, b) => a.states - b.states);
}

/**
 * What a run comes to: certified answers must be as close as asked for, others are held to PRISM's own standard. A wrong answer of
 * ours is an error; one of a peer counts as a failure.
 */
function checked({ title, published }, { name, certified }, run) {
  const { value, lower, upper, failure } = run;
  if (failure) return { ...run, seconds: Infinity };
  const tolerance = (certified ? 2.1e-6 : 1e-4) * Math.abs(Number(published));
  const isRight =
    typeof published === 'boolean'
      ? value === published
      : Math.abs(value - published) <= tolerance &&
        (lower === undefined || (lower <= published * (1 + 1e-15) && published <= upper * (1 + 1e-15)));
  if (isRight) return run;
  const complaint = `${title}: ${name} answers ${value}, published is ${published}`;
  if (lower !== undefined) throw new Error(`${complaint}; its bounds are ${lower} and ${upper}`);
  return { seconds: Infinity, failure: complaint };
}

const geometricMean = (ratios) =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
const seconds = ({ seconds }) => (Number.isFinite(seconds) ? seconds.toFixed(2) : 'failed');
const megabytes = ({ bytes }) => (bytes === undefined ? '–' : (bytes / MIB).toFixed(0));

if (!existsSync(join(data, 'instances.json'))) {
  console.log(`${data} is absent: nothing was compared (FOREGUARD_QVBS names another folder)`);
} else {
  const peers = { Storm: storm(), PRISM: prism() };
  for (const [name, peer] of Object.entries(peers)) {
    console.log(
      peer
        ? `${name}: ${peer.name}`
        : `${name} is absent: Foreguard was NOT compared with it (bench/README.md says how to install it)`,
    );
  }
  const contestants = [foreguard(), ...Object.values(peers).filter(Boolean)];
  const ratios = contestants.map(() => ({ time: [], memory: [] }));
  console.log(`\n| instance | states | ${contestants.map(({ name }) => `${name}, s | MiB`).join(' | ')} |`);
  console.log(`| --- | ---: | ${contestants.map(() => '---: | ---:').join(' | ')} |`);
  for (const instance of instances()) {
    const best = contestants.map(() => ({ seconds: Infinity, failure: 'not run' }));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, contestant] of contestants.entries()) {
        const run = checked(instance, contestant, contestant.run(instance));
        if (run.seconds < best[i].seconds || best[i].failure) best[i] = run;
      }
    }
    for (const [i, run] of best.entries()) {
      if (Number.isFinite(run.seconds) && Number.isFinite(best[0].seconds)) {
        ratios[i].time.push(best[0].seconds / run.seconds);
        if (run.bytes && best[0].bytes) ratios[i].memory.push(best[0].bytes / run.bytes);
      } else console.log(`${instance.title}: ${contestants[i].name}: ${run.failure}`);
    }
    console.log(
      `| ${instance.title} | ${instance.states} | ${best.map((run) => `${seconds(run)} | ${megabytes(run)}`).join(' | ')} |`,
    );
  }
  console.log();
  for (const [i, { name }] of contestants.entries()) {
    const { time, memory } = ratios[i];
    if (i === 0 || time.length === 0) continue;
    const size =
      memory.length > 0
        ? `; peak memory ÷ its: geometric mean ${geometricMean(memory).toFixed(2)}, largest ${Math.max(...memory).toFixed(2)}`
        : '';
    console.log(
      `time ÷ ${name}: geometric mean ${geometricMean(time).toFixed(2)} over ${time.length} instances (${Math.min(...time).toFixed(2)} to ${Math.max(...time).toFixed(2)})${size}`,
    );
  }
}
