import { InvalidArgumentError } from '../../base/errors.js';
import { type ReadAction, type RecordedStep, severity } from '../guard/index.js';
import type { Judges } from './judges.js';
import type { Questions } from './questions.js';
import type { BeginRecord, DecisionRecord, OutcomeRecord, RecordedGuard, RunRecord } from './record.js';
import type { RunParts } from './runParts.js';
import { stoppedBefore } from './stoppedRun.js';
import type { ToolCall } from './toolCall.js';
import type { Verdict } from './verdict.js';

/** Takes a call that came back before the run was resumed into the history of calls. */
type Recall = (decision: DecisionRecord, outcome: OutcomeRecord) => void;

/** The progress of a run. */
export interface ResumedRun {
  /** Number of decisions so far. */
  number: number;
  stopped: Verdict | null;
  ended: boolean;
}

/**
 * Restores the guard and the session's state of a run by repeating its recorded decisions. Calls that have no outcome may have run, and may still do so: a guard
 * that judges actions judges later calls beside them; other guards count them as not run.
 *
 * @throws InvalidArgumentError if the records belong to another run, lack its beginning, or stem from another guard file or other options
 */
export function resumeRun(
  records: readonly RunRecord[],
  id: string,
  { guard, beside = [], options }: Pick<BeginRecord, 'guard' | 'beside' | 'options'>,
  parts: RunParts & { readonly questions: Questions; readonly recall: Recall },
): ResumedRun {
  requireBeginning(records, id);
  const { judges, journal, questions } = parts;
  const run: ResumedRun = { number: 0, stopped: null, ended: false };
  const decided = new Map<number, DecisionRecord>();
  let shadow = false;
  const own = records.filter((one) => one.run === id);
  // A run that began again under its name keeps nothing of the earlier one.
  const begun = own.findLastIndex(({ kind }) => kind === 'begin');
  for (const record of own.slice(begun)) {
    switch (record.kind) {
      case 'begin':
        requireSameGuards([record.guard, ...(record.beside ?? [])], [guard, ...beside], id);
        requireSameOptions(record.options, options, id);
        shadow = record.options.shadow;
        journal.resume(record);
        break;
      case 'decision':
        decided.set(record.number, record);
        decideAgain(record, shadow, parts);
        // Doing nothing runs nothing; its replacement does run.
        if (ran(record, shadow) && (record.observed?.idle !== true || record.decision === 'replace'))
          judges.start({ number: record.number, run: callOf(record) }, actionsOf(record, judges));
        run.number = record.number + 1;
        if (record.decision === 'stop') run.stopped = stoppedBefore(record);
        break;
      case 'question': {
        const asking = decided.get(record.number);
        if (asking !== undefined) questions.resume(record, asking);
        break;
      }
      case 'observation':
        judges.runs[record.judge ?? 0].replay(record.observed, record.observed.call !== 'observe');
        // A step that is read again decides on nothing.
        if (record.decision === 'stop' && record.observed.call !== 'approve' && !shadow && !run.ended)
          run.stopped ??= stoppedBefore();
        break;
      case 'outcome':
        questions.placed.came(record.number, record.outcome);
        takeOutcome(record, decided.get(record.number), parts);
        if (record.ends) run.stopped ??= stoppedBefore(decided.get(record.number));
        break;
      case 'resume':
        judges.cut();
        break;
      case 'end':
        run.ended = true;
    }
  }
  if (judges.pending === 0) return run;
  judges.cut();
  if (!run.ended) journal.cut(judges.unsettled.map(({ number }) => number));
  return run;
}

function takeOutcome(
  record: OutcomeRecord,
  decision: DecisionRecord | undefined,
  { judges, recall }: Pick<RunParts, 'judges'> & { readonly recall: Recall },
): void {
  const { number, outcome, observed, beside = [], excused = [], unread } = record;
  if (outcome === 'ran' || outcome === 'failed') {
    judges.complete(number);
    if (decision !== undefined) recall(decision, record);
  }
  if (observed !== undefined)
    for (const [i, step] of [observed, ...beside].entries()) judges.runs[i].replay(step);
  judges.excuse(excused);
  if (unread) judges.withhold();
  if (outcome === 'approved' && decision) {
    if (decision.observed?.idle === true) judges.passed();
    else {
      const readings = observed === undefined ? readingsOf(decision) : [observed, ...beside];
      judges.start(
        { number, run: callOf(decision) },
        judges.runs.map((_, i) => actionIn(readings[i])),
      );
    }
  }
  if (outcome !== 'withheld') return;
  for (const [i, what] of judges.withdraw(number).entries())
    if (what === 'nothing-ran') judges.guards[i].withhold('all');
}

/** The guards' readings of the proposed call. */
function readingsOf({ observed, beside = [] }: DecisionRecord): (RecordedStep | null)[] {
  return [observed, ...beside.map((one) => one.observed)];
}

/** What each guard has read of the call that ran: the one proposed, or its replacement. */
function actionsOf(record: DecisionRecord, { runs }: Judges): ReadAction[] {
  const { decision, replacement, beside = [] } = record;
  const instead = [replacement, ...beside.map((one) => one.replacement)];
  const readings = decision === 'replace' ? instead : readingsOf(record);
  return runs.map((_, i) => actionIn(readings[i]));
}

/** The action of a recorded reading. One that the records lack, or that cannot be read there, may be any. */
function actionIn(observed: RecordedStep | null | undefined): ReadAction {
  const action: unknown = observed?.action;
  return typeof action === 'string' ? action : { failed: '?' };
}

/** A recorded call that ran. Its arguments may be hidden: guards judge others beside it by what they have read of it. */
function callOf({ call }: DecisionRecord): ToolCall {
  return { id: call.id, name: call.name, arguments: {} };
}

/** @param shadow whether the deciding session was in shadow mode, and recorded `report` in place of its decision */
function ran({ decision, wouldDecide }: DecisionRecord, shadow: boolean): boolean {
  const decided = shadow ? wouldDecide : decision;
  return shadow || severity[decided] <= severity.report || decided === 'replace';
}

function decideAgain(
  record: DecisionRecord,
  shadow: boolean,
  { judges, journal, reactions }: RunParts,
): void {
  const { observed, replacement, beside = [], reason } = record;
  // The run had begun: a record before this one is missing from the log.
  if (reason === 'log-failed' && journal.begun) journal.lose('before the run was resumed');
  for (const [i, one] of [{ observed, replacement }, ...beside].entries()) {
    if (one.observed !== null) judges.runs[i].replay(one.observed);
    if (one.replacement !== undefined) judges.runs[i].replay(one.replacement);
  }
  const decision = shadow ? record.wouldDecide : record.decision;
  if (observed !== null && !ran(record, shadow)) judges.withhold();
  else if (observed?.idle === true && decision !== 'replace') judges.passed();
  reactions.resume(decision, record);
}

/** Records are of the guards that the run began with. */
function requireSameGuards(begun: readonly RecordedGuard[], now: readonly RecordedGuard[], id: string): void {
  const files = (guards: readonly RecordedGuard[]): string => guards.map(({ file }) => file).join(' and ');
  if (files(begun) === files(now)) return;
  throw new InvalidArgumentError(
    `run ${id} began with the guard file ${files(begun)}; this one is ${files(now)}`,
  );
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
    `the records to resume from do not say how run ${id} began; they are of ${runs.join(', ')}: give all records of the run, and its id or none`,
  );
}
