import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { AskReplay } from '../../rules/questions/index.js';
import {
  type AuditEntry,
  type ChainFault,
  type ChainHead,
  describeFault,
  readAudit,
  replayAudit,
  verifyAudit,
} from '../../runtime/enforcement/index.js';
import type { GuardFile, Judge } from '../../runtime/guard/index.js';
import { nodeSha256, nodeStorage, readHeadFile } from '../node/index.js';
import { parseCount } from './numbers.js';
import { type GuardSource, openGuards } from './openGuards.js';
import { type Outcome, Progress, plural, type Terminal } from './terminal.js';
import type { ProvingChoices } from './workflow/load.js';

interface KeptHeadOptions {
  readonly file: string;
  readonly head?: string;
  readonly count?: string;
  readonly headFile?: string;
}

/** The head that was kept elsewhere, as given by options. @throws InvalidArgumentError if it is given twice, or the file is missing */
async function keptHead({
  head,
  count,
  headFile,
}: KeptHeadOptions): Promise<{ hash?: string; count?: number }> {
  if (headFile === undefined) {
    const lines = parseCount('--count', count);
    return { ...(head !== undefined && { hash: head }), ...(lines !== undefined && { count: lines }) };
  }
  if (head !== undefined || count !== undefined)
    throw new InvalidArgumentError('--head-file replaces --head and --count; give one or the other');
  const kept = await readHeadFile(headFile);
  if (kept !== null) return kept;
  throw new InvalidArgumentError(
    `there is no ${headFile}; expected the file in which --head-file kept the head`,
  );
}

const UNANCHORED =
  'Only a head that was kept elsewhere, such as this one, shows whether lines are missing at the end.';

/** `foreguard audit verify`: checks whether an audit file holds what was written to it, and if not, from which line on. */
export async function verifyAuditFile(options: KeptHeadOptions, terminal: Terminal): Promise<Outcome> {
  const { file } = options;
  const kept = await keptHead(options);
  const progress = new Progress(terminal);
  const { head, fault } = await verifyAudit(nodeStorage.read(file), {
    sha256: nodeSha256,
    onProgress: ({ count }) => progress.show(() => `${plural(count, 'line')} checked`),
    ...kept,
  }).finally(() => progress.clear());
  const anchored = Object.keys(kept).length > 0;
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
    ...(anchored ? [] : [UNANCHORED]),
  ].join('\n');
  return { json: { file, valid: true, head, fault: null }, text };
}

interface ReplayCommandOptions extends KeptHeadOptions, GuardSource, Partial<ProvingChoices> {}

/** The plan that runs followed, proved again. @throws InvalidArgumentError if only one of plan and contracts is given */
async function plannedJudges({ plan, contracts, ...choices }: ReplayCommandOptions): Promise<Judge[]> {
  if (plan === undefined && contracts === undefined) return [];
  if (plan === undefined || contracts === undefined)
    throw new InvalidArgumentError('--plan and --contracts belong together: give both');
  const { judgeOfPlan } = await import('./workflow/judge.js');
  return [await judgeOfPlan({ ...choices, plan, contracts })];
}

/** `foreguard audit replay`: checks whether a guard file makes the decisions recorded in the audit file on the observations recorded there. */
export async function replayAuditFile(options: ReplayCommandOptions, terminal: Terminal): Promise<Outcome> {
  const { file } = options;
  const judges = await plannedJudges(options);
  const { guard, spec, plan } = options;
  const isGuarded = judges.length === 0 || guard !== undefined || spec !== undefined;
  const opened = isGuarded ? await openGuards(options) : null;
  const [first = null, ...beside] = (opened?.guards ?? []).map((one) => one.file);
  const asked =
    opened?.specification == null
      ? null
      : new AskReplay(opened.specification, [first as GuardFile, ...beside]);
  const source = [guard, spec, plan].filter((path) => path !== undefined).join(' and ');
  const kept = await keptHead(options);
  const anchored = Object.keys(kept).length > 0;
  if (anchored) {
    const { fault } = await verifyAudit(nodeStorage.read(file), { ...kept, sha256: nodeSha256 });
    if (fault !== null && fault.kind !== 'torn')
      throw new InvalidDataError(`${file} does not match the head that was kept: ${describeFault(fault)}`);
  }
  let head: ChainHead = { count: 0, hash: '' };
  let torn: ChainFault | null = null;
  const onTorn = (fault: ChainFault): void => {
    torn = fault;
  };
  const entries = async function* (): AsyncGenerator<AuditEntry> {
    for await (const entry of readAudit(nodeStorage.read(file), { sha256: nodeSha256, onTorn })) {
      head = { count: entry.sequence + 1, hash: entry.hash };
      const { record } = entry;
      if (record.kind !== 'header' && record.kind !== 'repair') asked?.take(record, head.count);
      yield entry;
    }
  };
  const progress = new Progress(terminal);
  const replay = await replayAudit(entries(), first, {
    beside,
    ...(judges.length > 0 && { judges }),
    ...(opened !== null && { optional: opened.beside }),
    onProgress: ({ decisions }) => progress.show(() => `${plural(decisions, 'decision')} compared`),
  }).finally(() => progress.clear());
  const { runs, otherRuns, decisions, faults, reactive, drift, missing, difference } = replay;
  if (runs === 0 && otherRuns > 0) {
    throw new InvalidArgumentError(
      `${file} has ${plural(otherRuns, 'run')}, none of which began with ${source} alone: expected all that they were decided with, unchanged: the guard file or the specification${plan === undefined ? ', and with --plan the plan of a run that had one' : ' as well, if the run of the plan had one (--guard, --spec)'}`,
    );
  }
  const notReplayed = torn === null ? null : `${describeFault(torn)}. It was not replayed`;
  const json = {
    ...{ file, guard: source, identical: difference === null && head.count > 0, head },
    ...{ torn: notReplayed, ...replay },
    ...(asked !== null && {
      asked: { same: asked.same, passedOver: asked.passedOver, difference: asked.difference },
    }),
  };
  if (head.count === 0) return { json, text: `${file}: ${notReplayed ?? 'it holds no lines'}`, exitCode: 1 };
  if (difference !== null) {
    const { line, run, number, field, recorded, replayed } = difference;
    const where = number < 0 ? 'between decisions' : `decision ${number}`;
    const text = `${file}: line ${line}, ${where} of run ${JSON.stringify(run)}: ${field} is ${JSON.stringify(recorded)}, and ${JSON.stringify(replayed)} when it is decided again`;
    return { json, text, exitCode: 1 };
  }
  if (asked?.difference) {
    const { line, run, recorded, replayed } = asked.difference;
    const text = `${file}: line ${line}, a question in run ${JSON.stringify(run)}: the answer is ${JSON.stringify(recorded)}, and ${JSON.stringify(replayed)} when it is given again`;
    return { json: { ...json, identical: false }, text, exitCode: 1 };
  }
  const text = [
    `${file}: ${plural(decisions, 'decision')} of ${plural(runs, 'run')}, the same to the last bit when they are decided again`,
    ...(faults > 0
      ? [
          `${plural(faults, 'decision')} of faults around the guard, of which only the guard's numbers are compared`,
        ]
      : []),
    ...(reactive > 0
      ? [
          `${plural(reactive, 'decision')} of reactive rules, of which only the numbers of the guard are compared`,
        ]
      : []),
    ...(drift > 0
      ? [`${plural(drift, 'decision')} for drift, of which all but the evidence is compared`]
      : []),
    ...(missing > 0
      ? [`${plural(missing, 'decision')} missing: the log could not take them, or they were removed from it`]
      : []),
    ...(asked !== null && asked.same > 0
      ? [`${plural(asked.same, 'answer')} to questions, the same when they are given again`]
      : []),
    ...(notReplayed === null ? [] : [notReplayed]),
    ...(otherRuns > 0 ? [`${plural(otherRuns, 'run')} under other guard files, skipped`] : []),
    `--head ${head.hash} --count ${head.count}`,
    ...(anchored ? [] : [UNANCHORED]),
  ].join('\n');
  return { json, text };
}
