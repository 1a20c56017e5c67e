import { InvalidArgumentError } from '../errors.js';
import { severity } from '../guard/index.js';
import type { Journal } from './journal.js';
import type { Position } from './position.js';
import type { Reactions } from './reactions.js';
import type { DecisionRecord, RunRecord } from './record.js';
import { stoppedBefore } from './stoppedRun.js';
import type { Verdict } from './verdict.js';

/** The parts of a session that a run leaves its marks in. */
interface Parts {
  readonly position: Position;
  readonly journal: Journal;
  readonly reactions: Reactions;
}

/** How far a run had come. */
export interface ResumedRun {
  /** Decisions so far. */
  number: number;
  stopped: Verdict | null;
  ended: boolean;
}

/**
 * Brings the guard, and what a session remembers beside it, to where the run was, by deciding again on all that was read. Calls that never came back count as not run.
 *
 * @throws InvalidArgumentError where the records are of another run, lack its beginning, or are of another guard file
 */
export function resumeRun(
  records: readonly RunRecord[],
  id: string,
  guardHash: string,
  parts: Parts,
): ResumedRun {
  requireBeginning(records, id);
  const { position, journal } = parts;
  const run: ResumedRun = { number: 0, stopped: null, ended: false };
  const decided = new Map<number, DecisionRecord>();
  let shadow = false;
  for (const record of records.filter((one) => one.run === id)) {
    switch (record.kind) {
      case 'begin':
        if (record.guard.file !== guardHash) {
          throw new InvalidArgumentError(
            `run ${id} began with the guard file ${record.guard.file}; this one is ${guardHash}`,
          );
        }
        shadow = record.options.shadow;
        journal.resume();
        break;
      case 'decision':
        decided.set(record.number, record);
        decideAgain(record, shadow, parts);
        run.number = record.number + 1;
        if (record.decision === 'stop') run.stopped = stoppedBefore(record);
        break;
      case 'observation':
        position.again(record.observed);
        if (record.decision === 'stop' && !shadow && !run.ended) run.stopped ??= stoppedBefore();
        break;
      case 'outcome':
        if (record.outcome === 'ran' || record.outcome === 'failed') position.wasBack();
        if (record.observed !== undefined) position.again(record.observed);
        if (record.outcome === 'withheld' && record.number === run.number - 1) position.guard.withhold();
        if (record.ends) run.stopped ??= stoppedBefore(decided.get(record.number));
        break;
      case 'end':
        run.ended = true;
    }
  }
  return run;
}

/** @param shadow whether the session that decided was in shadow mode, and recorded `report` in place of what it came to */
function decideAgain(record: DecisionRecord, shadow: boolean, { position, journal, reactions }: Parts): void {
  const { observed, replacement, reason } = record;
  // Of a run that had begun: a record before this one is not in the log.
  if (reason === 'log-failed' && journal.begun) journal.lose('before the run was resumed');
  if (observed !== null) position.again(observed);
  if (replacement !== undefined) position.again(replacement);
  const decision = shadow ? record.wouldDecide : record.decision;
  const ran = shadow || severity[decision] <= severity.report || decision === 'replace';
  if (observed !== null && !ran) position.guard.withhold();
  reactions.resume(decision, reason);
}

/** A run that is not in the records given would begin anew, its stop and its budget forgotten. */
function requireBeginning(records: readonly RunRecord[], id: string): void {
  if (records.some(({ kind, run }) => kind === 'begin' && run === id)) return;
  const runs = [...new Set(records.map(({ run }) => run))].slice(0, 5);
  throw new InvalidArgumentError(
    `the records to resume from do not say how run ${id} began; they are of ${runs.join(', ')}: give all records of the run, and its id or none`,
  );
}
