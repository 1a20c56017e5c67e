import { InvalidArgumentError } from '../../base/errors.js';
import type { Under } from './journal.js';
import { type Principal, requireSamePrincipal } from './principal.js';
import type { Questions } from './questions.js';
import type { BeginRecord, DecisionRecord, OutcomeRecord, RecordedGuard, RunRecord } from './record.js';
import { actionsOf, approvedActions, isIdle, isLet, startsCall } from './runningCalls.js';
import type { RunParts } from './runParts.js';
import { stoppedBefore } from './stoppedRun.js';
import type { ToolCall } from './toolCall.js';
import type { Verdict } from './verdict.js';
import type { World } from './world.js';

/** The parts of a session that are restored. */
type Restored = RunParts & { readonly questions: Questions; readonly world: World };

/** The progress of a run. */
export interface ResumedRun {
  /** Number of decisions so far. */
  number: number;
  stopped: Verdict | null;
  ended: boolean;
}

/**
 * Restores the guards and the session's state of a run by repeating its recorded decisions. Calls that have no outcome may have run, and may still do so: guards
 * that judge actions judge later calls beside them, and the history of calls has them as made.
 *
 * @throws InvalidArgumentError if the records belong to another run, lack its beginning, or stem from another guard file, other options or another principal
 */
export function resumeRun(
  records: readonly RunRecord[],
  id: string,
  { guard, beside = [], options }: Pick<Under, 'guard' | 'beside' | 'options'>,
  principal: Principal | undefined,
  parts: Restored,
): ResumedRun {
  requireBeginning(records, id);
  const { judges, journal, letThrough, questions } = parts;
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
        requireSamePrincipal(record, principal, journal);
        shadow = record.options.shadow;
        journal.resume(record);
        break;
      case 'decision':
        decided.set(record.number, record);
        decideAgain(record, shadow, parts);
        if (startsCall(record, shadow)) {
          judges.start({ number: record.number, run: callOf(record) }, actionsOf(record, judges.runs.length));
          letThrough.add(record.call, record.number);
        }
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
        judges.guards[record.judge ?? 0].excuse(record.excused ?? []);
        // A step that is read again decides on nothing.
        if (record.decision === 'stop' && record.observed.call !== 'approve' && !shadow && !run.ended)
          run.stopped ??= stoppedBefore();
        break;
      case 'outcome':
        questions.placed.came(record.number, record.outcome, record.edited !== undefined);
        edit(decided, record);
        takeOutcome(record, decided.get(record.number), parts);
        if (record.ends) run.stopped ??= stoppedBefore(decided.get(record.number));
        break;
      case 'resume':
        cut(decided, parts);
        break;
      case 'end':
        run.ended = true;
    }
  }
  if (judges.pending === 0) return run;
  cut(decided, parts);
  if (!run.ended) journal.cut(judges.unsettled.map(({ number }) => number));
  return run;
}

/** The calls that were running are from now on unsettled: for the guards, and in the history of calls. */
function cut(decided: ReadonlyMap<number, DecisionRecord>, { judges, world }: Restored): void {
  judges.cut();
  for (const { number } of judges.unsettled) {
    const decision = decided.get(number);
    if (decision !== undefined) world.cut(decision);
  }
}

/** From the answer on the call is the one that the person made of it. */
function edit(decided: Map<number, DecisionRecord>, { number, edited }: OutcomeRecord): void {
  const decision = decided.get(number);
  if (edited === undefined || decision === undefined) return;
  decided.set(number, { ...decision, call: { ...decision.call, arguments: edited.arguments } });
}

function takeOutcome(
  record: OutcomeRecord,
  decision: DecisionRecord | undefined,
  { judges, letThrough, world }: Restored,
): void {
  const { number, outcome, observed, beside = [], excused = [], unread } = record;
  if (outcome === 'ran' || outcome === 'failed') {
    judges.complete(number);
    if (decision !== undefined) world.recall(decision, record);
  }
  if (observed !== undefined)
    for (const [i, step] of [observed, ...beside].entries()) judges.runs[i].replay(step);
  judges.excuse(excused);
  if (unread) judges.withhold();
  if (outcome === 'approved' && decision) {
    if (isIdle(decision)) judges.passed();
    else {
      judges.start({ number, run: callOf(decision) }, approvedActions(record, decision, judges.runs.length));
      letThrough.add(decision.call, number);
    }
  }
  if (outcome !== 'withheld') return;
  world.withdraw(number);
  letThrough.withdraw(number);
  for (const [i, what] of judges.withdraw(number).entries())
    if (what === 'nothing-ran') judges.guards[i].withhold('all');
}

/** A recorded call that ran. Its arguments may be hidden: guards judge others beside it by what they have read of it. */
function callOf({ call }: DecisionRecord): ToolCall {
  return { id: call.id, name: call.name, arguments: {} };
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
  if (observed !== null && !isLet(record, shadow)) judges.withhold();
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
