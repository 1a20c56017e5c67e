// Three model checkers as programs: each has a `name`, says whether its answers are `certified`, and has a function that runs one
// query, { model, property, constants }, and gives what `timed` does with the `value` found, and `lower` and `upper` if it has them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failed, timed } from './timed.mjs';

const TIMEOUT_SECONDS = 300;
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

function read(run, reader) {
  return run.failure ? run : { ...run, ...reader(run.stdout) };
}

/** A printed number or truth value; undefined if there is none. */
function valueIn(text, pattern) {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) return failed('no result');
  return { value: found === 'true' || found === 'false' ? found === 'true' : Number(found) };
}

export function foreguard() {
  const command = path('../../dist/cli.js');
  return {
    name: 'Foreguard',
    certified: true,
    run: ({ model, property, constants }) => {
      const words = [command, 'check', model, '--property', property, '--relative', '--json'];
      const run = timed(
        process.execPath,
        [...words, ...(constants ? ['--const', constants] : [])],
        TIMEOUT_SECONDS,
      );
      return read(run, (stdout) => {
        const { results, peakMemoryBytes } = JSON.parse(stdout);
        const [{ value, lower, upper, error }] = results;
        return error ? failed(error.message) : { value, lower, upper, bytes: run.bytes ?? peakMemoryBytes };
      });
    },
  };
}

/** Storm as FOREGUARD_STORM_PYTHON has it, or python3, or as a program; undefined where it is not installed. */
export function storm() {
  const pythons = [process.env.FOREGUARD_STORM_PYTHON, 'python3'].filter(Boolean);
  for (const python of pythons) {
    const probe = ['-c', 'import stormpy; print(stormpy.__version__)'];
    const { status, stdout } = spawnSync(python, probe, { encoding: 'utf8' });
    if (status !== 0) continue;
    return {
      name: `Storm (stormpy ${stdout.trim()}, sound)`,
      certified: true,
      run: ({ model, property, constants }) => {
        const run = timed(python, [path('storm.py'), model, property, constants], TIMEOUT_SECONDS);
        return read(run, (text) => {
          const { value, peakMemoryBytes } = JSON.parse(text);
          return { value, bytes: run.bytes ?? peakMemoryBytes };
        });
      },
    };
  }
  if (spawnSync('storm', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined;
  return {
    name: 'Storm (sound)',
    certified: true,
    run: ({ model, property, constants }) => {
      const words = ['--prism', model, '--prop', property, '--sound', '--precision', '1e-6'];
      const run = timed(
        'storm',
        [...words, ...(constants ? ['--constants', constants] : [])],
        TIMEOUT_SECONDS,
      );
      return read(run, (stdout) => valueIn(stdout, /^Result \(for initial states\): (\S+)/m));
    },
  };
}

const ENGINES = ['-sparse', '-hybrid', '-explicit', '-mtbdd'];

/**
 * PRISM in PRISM_HOME, by the engine that is fastest on the instance: all run when it is first asked, later that one alone. An
 * engine is cut once it has taken twice as long as another.
 */
export function prism() {
  const command = process.env.PRISM_HOME && join(process.env.PRISM_HOME, 'bin', 'prism');
  if (!command || !existsSync(command)) return undefined;
  const [version] = spawnSync(command, ['-version'], { encoding: 'utf8' }).stdout.match(/\d\S*/) ?? [];
  const runWith = (engine, { model, property, constants }, timeoutSeconds) => {
    const memory = ['-javamaxmem', '4g', '-cuddmaxmem', '2g'];
    const words = [model, '-pf', property, '-epsilon', '1e-6', engine, ...memory];
    const run = timed(command, [...words, ...(constants ? ['-const', constants] : [])], timeoutSeconds);
    return read(run, (stdout) => ({ engine, ...valueIn(stdout, /^Result: ([^\s(]+)/m) }));
  };
  const fastest = new Map();
  return {
    name: `PRISM ${version} (fastest engine)`,
    certified: false,
    run(query) {
      const engine = fastest.get(query.title);
      if (engine) return runWith(engine, query, TIMEOUT_SECONDS);
      let best = failed('not run');
      for (const engine of ENGINES) {
        const run = runWith(engine, query, Math.min(TIMEOUT_SECONDS, 2 * best.seconds));
        if (run.seconds < best.seconds || best.seconds === Infinity) best = run;
      }
      fastest.set(query.title, best.engine);
      return best;
    },
  };
}
