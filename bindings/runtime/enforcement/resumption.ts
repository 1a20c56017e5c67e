import { InvalidArgumentError } from '../../base/errors.js';
import { type Judged, JudgeFault, mostSevereAt } from './judged.js';
import { type Principal, requireSamePrincipal } from './principal.js';
import type { Questions } from './questions.js';
import type { BeginRecord, DecisionRecord, OutcomeRecord, RunRecord } from './record.js';
import { hashesIn, RepeatedRun } from './repeatedRun.js';
import type { RunParts } from './runParts.js';
import { isIdle, isLet, isSibling, startsCall } from './startedCalls.js';
import { stoppedBefore } from './stoppedRun.js';
import type { Verdict } from './verdict.js';

/** The parts of a session that are restored. */
type Restored = RunParts & { readonly questions: Questions };

/** The progress of a run. */
export interface ResumedRun {
  /** Number of decisions so far. */
  number: number;
  stopped: Verdict | null;
  ended: boolean;
}

/**
 * Restores the judges and the session's state of a run by repeating its recorded decisions. Calls that have no outcome may have run, and may still do so: guards
 * that judge actions judge later calls beside them, and the history of calls has them as made.
 *
 * @throws InvalidArgumentError if the records belong to another run, lack its beginning, or stem from another guard file, other options or another principal
 */
export function resumeRun(
  records: readonly RunRecord[],
  id: string,
  options: BeginRecord['options'],
  principal: Principal | undefined,
  parts: Restored,
): ResumedRun {
  requireBeginning(records, id);
  const { judges, journal, letThrough, questions } = parts;
  const run: ResumedRun = { number: 0, stopped: null, ended: false };
  const own = records.filter((one) => one.run === id);
  // A run that began again under its name keeps nothing of the earlier one.
  const begun = own.findLastIndex(({ kind }) => kind === 'begin');
  const begin = own[begun] as BeginRecord;
  requireSameJudges(begin, parts, id);
  requireSameOptions(begin.options, options, id);
  requireSamePrincipal(begin, principal, journal);
  const { shadow } = begin.options;
  journal.resume(begin);
  const repeated = new RepeatedRun(judges, begin);
  for (const record of own.slice(begun + 1)) {
    const judged = repeated.take(record);
    switch (record.kind) {
      case 'decision':
        decided(record, judged, begin.options, parts);
        if (startsCall(record, shadow)) letThrough.add(record.call, record.number);
        run.number = record.number + 1;
        if (record.decision === 'stop') run.stopped = stoppedBefore(record);
        break;
      case 'question': {
        const asking = repeated.decision(record.number);
        if (asking !== undefined) questions.resume(record, asking);
        break;
      }
      case 'observation':
        // A step that is read again decides on nothing.
        if (record.decision === 'stop' && !repeated.isAgain(record) && !shadow && !run.ended)
          run.stopped ??= stoppedBefore();
        break;
      case 'outcome':
        questions.placed.came(record.number, record.outcome, record.edited !== undefined);
        takeOutcome(record, repeated.decision(record.number), parts);
        if (record.ends) run.stopped ??= stoppedBefore(repeated.decision(record.number));
        break;
      case 'resume':
        cut(repeated, parts);
        break;
      case 'end':
        run.ended = true;
    }
  }
  if (judges.pending === 0) return run;
  judges.cut();
  cut(repeated, parts);
  if (!run.ended) journal.cut(judges.unsettled.map(({ number }) => number));
  return run;
}

/** In the history of calls, those that were running are from now on unsettled. */
function cut(repeated: RepeatedRun, { judges, world }: Restored): void {
  for (const { number } of judges.unsettled) {
    const decision = repeated.decision(number);
    if (decision !== undefined) world.cut(decision);
  }
}

function takeOutcome(
  record: OutcomeRecord,
  decision: DecisionRecord | undefined,
  { letThrough, world }: Restored,
): void {
  const { number, outcome } = record;
  if (decision !== undefined && (outcome === 'ran' || outcome === 'failed')) world.recall(decision, record);
  if (decision !== undefined && outcome === 'approved' && !isIdle(decision))
    letThrough.add(decision.call, number);
  if (outcome !== 'withheld') return;
  world.withdraw(number);
  letThrough.withdraw(number);
}

function decided(
  record: DecisionRecord,
  judged: readonly (Judged | null)[],
  { shadow, onFault }: BeginRecord['options'],
  { journal, reflections }: Restored,
): void {
  // The run had begun: a record before this one is missing from the log.
  if (record.reason === 'log-failed' && journal.begun) journal.lose('before the run was resumed');
  if (isIdle(record)) return;
  const counts = judged[mostSevereAt(judged, onFault)] ?? null;
  const isCounted = counts !== null && !(counts instanceof JudgeFault) && counts.reason === record.reason;
  const decision = isLet(record, shadow) ? 'allow' : 'block';
  reflections.take(isCounted ? counts : null, isCounted ? counts.decision : decision, isSibling(record));
}

/** Records are of the judges that the run began with. */
function requireSameJudges(begin: BeginRecord, { judges }: Restored, id: string): void {
  const { begun, now } = hashesIn(
    begin,
    judges.seats.map(({ judge }) => judge),
  );
  if (begun.join() === now.join()) return;
  const [before, after] = [begun, now].map((hashes) => hashes.join(' and ') || 'none');
  throw new InvalidArgumentError(`run ${id} began with the guard file ${before}; this one is ${after}`);
}

/** Records must be read as they were decided: by the options that the run began with. */
function requireSameOptions(begun: BeginRecord['options'], now: BeginRecord['options'], id: string): void {
  for (const name of ['shadow', 'onFault', 'maxReflections'] as const) {
    if (begun[name] === now[name]) continue;
    throw new InvalidArgumentError(
      `run ${id} began with ${name}: ${begun[name]}, and this session has ${now[name]}; resume it with the same, or begin a new run`,
    );
  }
}

/** A run that the given records lack would begin anew, and its stop and its budget would be forgotten. */
function requireBeginning(records: readonly RunRecord[], id: string): void {
  if (records.some(({ kind, run }) => kind === 'begin' && run === id)) return;
  const runs = [...new Set(records.map(({ run }) => run))].slice(0, 5);
  throw new InvalidArgumentError(
    `the records to resume from do not contain the beginning of run ${id}; they are of ${runs.join(', ')}: give all records of the run, and its id or none`,
  );
}
