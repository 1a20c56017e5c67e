// Whole processes with what they cost.
import { spawnSync } from 'node:child_process';

/** GNU time inside, where it exists, of what coreutils' timeout cuts together with all it started. */
const HAS_METER =
  spawnSync('/usr/bin/time', ['-f', '', 'timeout', '9', 'true'], { stdio: 'ignore' }).status === 0;
const CUT = 124;

/**
 * Runs a process: { stdout, seconds } on the wall and, where GNU time is there, { processorSeconds, bytes }: user and system time
 * of the process and its children, and the largest memory of one of them; or { failure } with `seconds: Infinity`.
 */
export function timed(command, words, timeoutSeconds) {
  const meter = HAS_METER
    ? ['/usr/bin/time', '-q', '-f', 'cost %U %S %M', 'timeout', '-k', '5', String(timeoutSeconds)]
    : [];
  const [program, ...rest] = [...meter, command, ...words];
  const started = performance.now();
  const { status, stdout, stderr, error } = spawnSync(program, rest, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    ...(!HAS_METER && { timeout: 1000 * timeoutSeconds, killSignal: 'SIGKILL' }),
  });
  const seconds = (performance.now() - started) / 1000;
  if (error?.code === 'ETIMEDOUT' || (HAS_METER && status === CUT))
    return failed(`not done in ${timeoutSeconds.toFixed(0)} s`);
  if (status !== 0) return failed(`${stdout}${stderr}`.trim().split('\n').slice(-3).join(' '));
  const [, user, system, kibibytes] = /^cost (\S+) (\S+) (\d+)$/m.exec(stderr)?.map(Number) ?? [];
  return {
    stdout,
    seconds,
    ...(HAS_METER && { processorSeconds: user + system, bytes: 1024 * kibibytes }),
  };
}

export function failed(failure) {
  return { seconds: Infinity, failure };
}
