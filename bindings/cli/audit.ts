import { describeFault, readAudit, replayAudit, verifyAudit } from '../enforcement/index.js';
import { InvalidArgumentError } from '../errors.js';
import { loadGuard } from '../guard/index.js';
import { nodeSha256, nodeStorage } from '../node/index.js';
import { readText } from './load.js';
import { parseCount } from './numbers.js';
import { type Outcome, Progress, plural, type Terminal } from './terminal.js';

interface VerifyCommandOptions {
  readonly file: string;
  readonly head?: string;
  readonly count?: string;
}

/** `foreguard audit verify`: whether an audit file holds what was written to it, and if not, from which line on. */
export async function verifyAuditFile(options: VerifyCommandOptions, terminal: Terminal): Promise<Outcome> {
  const { file, head: hash } = options;
  const count = parseCount('--count', options.count);
  const progress = new Progress(terminal);
  const { head, fault } = await verifyAudit(nodeStorage.read(file), {
    sha256: nodeSha256,
    onProgress: ({ count }) => progress.show(() => `${plural(count, 'line')} checked`),
    ...(hash !== undefined && { hash }),
    ...(count !== undefined && { count }),
  }).finally(() => progress.clear());
  const anchored = hash !== undefined || count !== undefined;
  if (fault !== null) {
    const message = describeFault(fault);
    return {
      json: { file, valid: false, head, fault: { ...fault, message } },
      text: `${file}: ${message}`,
      exitCode: 1,
    };
  }
  const text = [
    `${file}: ${plural(head.count, 'line')}, as they were written`,
    `--head ${head.hash} --count ${head.count}`,
    ...(anchored
      ? []
      : ['Lines missing at the end show only against a head that was kept elsewhere, such as this one.']),
  ].join('\n');
  return { json: { file, valid: true, head, fault: null }, text };
}

interface ReplayCommandOptions {
  readonly file: string;
  readonly guard: string;
}

/** `foreguard audit replay`: whether what a guard file decides on what was read is what the audit file says was decided. */
export async function replayAuditFile(options: ReplayCommandOptions, terminal: Terminal): Promise<Outcome> {
  const { file } = options;
  const guard = await loadGuard(await readText(options.guard, 'a guard file, written by foreguard compile'));
  const progress = new Progress(terminal);
  const replay = await replayAudit(readAudit(nodeStorage.read(file), { sha256: nodeSha256 }), guard.file, {
    onProgress: ({ decisions }) => progress.show(() => `${plural(decisions, 'decision')} compared`),
  }).finally(() => progress.clear());
  const { runs, otherRuns, decisions, faults, reactive, drift, difference } = replay;
  if (runs === 0 && otherRuns > 0) {
    throw new InvalidArgumentError(
      `${file} has ${plural(otherRuns, 'run')}, none of which began with ${options.guard}: expected the guard file that they were decided with, unchanged`,
    );
  }
  const json = { file, guard: options.guard, identical: difference === null, ...replay };
  if (difference !== null) {
    const { line, run, number, field, recorded, replayed } = difference;
    const text = `${file}: line ${line}, decision ${number} of run ${JSON.stringify(run)}: ${field} is ${JSON.stringify(recorded)}, and ${JSON.stringify(replayed)} when it is decided again`;
    return { json, text, exitCode: 1 };
  }
  const text = [
    `${file}: ${plural(decisions, 'decision')} of ${plural(runs, 'run')}, the same to the last bit when they are decided again`,
    ...(faults > 0
      ? [`${plural(faults, 'decision')} of faults around the guard, of which only its numbers are compared`]
      : []),
    ...(reactive > 0
      ? [
          `${plural(reactive, 'decision')} of reactive rules, of which only the numbers of the guard are compared`,
        ]
      : []),
    ...(drift > 0
      ? [`${plural(drift, 'decision')} for drift, of which all but the evidence is compared`]
      : []),
    ...(otherRuns > 0 ? [`${plural(otherRuns, 'run')} under other guard files, passed over`] : []),
  ].join('\n');
  return { json, text };
}
