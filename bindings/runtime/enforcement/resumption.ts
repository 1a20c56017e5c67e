import { InvalidArgumentError } from '../../base/errors.js';
import { severity } from '../guard/index.js';
import type { Questions } from './questions.js';
import type { BeginRecord, DecisionRecord, OutcomeRecord, RunRecord } from './record.js';
import type { RunParts } from './runParts.js';
import type { RunState } from './runState.js';
import { stoppedBefore } from './stoppedRun.js';
import type { ToolCall } from './toolCall.js';
import type { Verdict } from './verdict.js';

/** The progress of a run. */
export interface ResumedRun {
  /** Number of decisions so far. */
  number: number;
  stopped: Verdict | null;
  ended: boolean;
}

/**
 * Restores the guard and the session's state of a run by repeating its recorded decisions. Calls that never came back count as not run.
 *
 * @throws InvalidArgumentError if the records belong to another run, lack its beginning, or stem from another guard file or other options
 */
export function resumeRun(
  records: readonly RunRecord[],
  id: string,
  { guard, options }: Pick<BeginRecord, 'guard' | 'options'>,
  parts: RunParts & { readonly questions: Questions },
): ResumedRun {
  requireBeginning(records, id);
  const { position, journal, questions } = parts;
  const run: ResumedRun = { number: 0, stopped: null, ended: false };
  const decided = new Map<number, DecisionRecord>();
  let shadow = false;
  const own = records.filter((one) => one.run === id);
  // A run that began again under its name keeps nothing of the earlier one.
  const begun = own.findLastIndex(({ kind }) => kind === 'begin');
  for (const record of own.slice(begun)) {
    switch (record.kind) {
      case 'begin':
        if (record.guard.file !== guard.file) {
          throw new InvalidArgumentError(
            `run ${id} began with the guard file ${record.guard.file}; this one is ${guard.file}`,
          );
        }
        requireSameOptions(record.options, options, id);
        shadow = record.options.shadow;
        journal.resume(record);
        break;
      case 'decision':
        decided.set(record.number, record);
        decideAgain(record, shadow, parts);
        // Doing nothing runs nothing; its replacement does run.
        if (ran(record, shadow) && (record.observed?.idle !== true || record.decision === 'replace'))
          position.start({ number: record.number, run: callOf(record) });
        run.number = record.number + 1;
        if (record.decision === 'stop') run.stopped = stoppedBefore(record);
        break;
      case 'question': {
        const asking = decided.get(record.number);
        if (asking !== undefined) questions.resume(record, asking);
        break;
      }
      case 'observation':
        position.replay(record.observed, record.observed.call !== 'observe');
        // A step that is read again decides on nothing.
        if (record.decision === 'stop' && record.observed.call !== 'approve' && !shadow && !run.ended)
          run.stopped ??= stoppedBefore();
        break;
      case 'outcome':
        questions.placed.came(record.number, record.outcome);
        takeOutcome(record, decided.get(record.number), position);
        if (record.ends) run.stopped ??= stoppedBefore(decided.get(record.number));
        break;
      case 'end':
        run.ended = true;
    }
  }
  // Calls that never came back count as not run, and the world is observed anew.
  position.forget();
  return run;
}

function takeOutcome(
  { number, outcome, observed, unread }: OutcomeRecord,
  decision: DecisionRecord | undefined,
  position: RunState,
): void {
  if (outcome === 'ran' || outcome === 'failed') position.complete(number);
  if (observed !== undefined) position.replay(observed);
  if (unread) position.guard.withhold();
  if (outcome === 'approved' && decision) {
    if (decision.observed?.idle === true) position.passed();
    else position.start({ number, run: callOf(decision) });
  }
  if (outcome === 'withheld' && position.withdraw(number) === 'nothing-ran') position.guard.withhold('all');
}

/** A recorded call that ran. Hidden arguments do not matter, because no call is judged beside it any more. */
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
  { position, journal, reactions }: RunParts,
): void {
  const { observed, replacement, reason } = record;
  // The run had begun: a record before this one is missing from the log.
  if (reason === 'log-failed' && journal.begun) journal.lose('before the run was resumed');
  if (observed !== null) position.replay(observed);
  if (replacement !== undefined) position.replay(replacement);
  const decision = shadow ? record.wouldDecide : record.decision;
  if (observed !== null && !ran(record, shadow)) position.guard.withhold();
  else if (observed?.idle === true && decision !== 'replace') position.passed();
  reactions.resume(decision, record);
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
