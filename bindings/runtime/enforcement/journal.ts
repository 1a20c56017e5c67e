import { InvalidArgumentError } from '../../base/errors.js';
import type { Decision, GuardProposal, RecordedStep, RuleMessage } from '../guard/index.js';
import { recordOf } from './detected.js';
import { hashInputs } from './inputs.js';
import { readsOf } from './judged.js';
import type { Between } from './judges.js';
import { wordsOf } from './messages.js';
import type { PendingVerdict } from './pendingVerdict.js';
import type {
  AskedRecord,
  BeginRecord,
  DecisionRecord,
  OutcomeRecord,
  QuestionRecord,
  RecordedCall,
  ResumeRecord,
  RunRecord,
} from './record.js';
import { createRedaction } from './redaction.js';
import type { SessionOptions } from './sessionOptions.js';
import { IDLE, type ToolCall } from './toolCall.js';
import type { Verdict } from './verdict.js';

/** The guards, the options and the principal of a run, as its first record has them. */
export type Under = Pick<BeginRecord, 'guard' | 'beside' | 'options' | 'principal' | 'principalHash'>;

/** The records of a run, in order, with the named fields hidden. */
export class Journal {
  readonly run: string;
  readonly now: () => number;
  readonly redact: ReturnType<typeof createRedaction>;
  readonly #options: Pick<SessionOptions, 'log' | 'hashKey'>;
  /** A random mark of this run alone: another run of the same name asks other questions, which answers to this one's questions do not answer. */
  #mark: string = crypto.randomUUID();
  #begun = false;
  /** What was running when the run was interrupted, until it is recorded before the first record that follows. */
  #cutOff: ResumeRecord['unsettled'] | null = null;
  /** The reason why a record could not be kept; null while the log is complete. */
  #lost: string | null = null;
  /** Is told each record that was kept, and each that would be if there were a log. */
  #follower: ((record: RunRecord) => void) | null = null;
  #hasAppended = false;

  constructor(run: string, options: Pick<SessionOptions, 'log' | 'hashKey' | 'redact' | 'now'>) {
    this.run = run;
    this.#options = options;
    this.now = options.now ?? Date.now;
    this.redact = createRedaction(withinArguments(options.redact ?? []));
  }

  /** Whether the log has the beginning of the run. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Distinguishes the run from others of its name. */
  get mark(): string {
    return this.#mark;
  }

  /** From now on each record is told. @returns whether none was before, in this process */
  follow(follower: (record: RunRecord) => void): boolean {
    this.#follower = follower;
    return !this.#hasAppended;
  }

  /** Continues a run that began earlier. */
  resume({ mark = '' }: Pick<BeginRecord, 'mark'>): void {
    this.#begun = true;
    this.#mark = mark;
  }

  /** The run goes on after an interruption while calls were running. @param unsettled as `ResumeRecord` has them */
  cut(unsettled: ResumeRecord['unsettled']): void {
    this.#cutOff = unsettled;
  }

  /**
   * Begins the run, unless it has begun.
   * @returns whether it begins now
   * @throws any error of the log; an Error after a record was lost, because the log would lack the basis of later decisions
   */
  async begin(under: Under): Promise<boolean> {
    this.requireWhole();
    if (this.#begun) return false;
    await this.append(() => ({ kind: 'begin', ...this.#stamp(), ...under, mark: this.#mark }));
    this.#begun = true;
    return true;
  }

  /** @throws any error of the log */
  async append(record: () => RunRecord): Promise<void> {
    this.#hasAppended = true;
    if (this.#options.log === undefined && this.#follower === null) return;
    if (this.#cutOff !== null) {
      await this.#keep({ kind: 'resume', ...this.#stamp(), unsettled: this.#cutOff });
      this.#cutOff = null;
    }
    await this.#keep(record());
  }

  async #keep(record: RunRecord): Promise<void> {
    await this.#options.log?.append(record);
    this.#follower?.(record);
  }

  /** What was asked about the run; nobody depends on it, so that a log that fails loses nothing else. */
  async asked(what: Omit<AskedRecord, 'kind' | 'run' | 'time'>): Promise<void> {
    const { log } = this.#options;
    if (log !== undefined && this.#lost === null)
      await log.append({ kind: 'asked', ...this.#stamp(), ...what });
  }

  /** Records an event that has already happened. If that fails, all later decisions are faults. */
  async keep(record: () => RunRecord): Promise<void> {
    try {
      await this.append(record);
    } catch (error) {
      this.lose(error);
    }
  }

  /** Marks the log as incomplete: all later decisions are faults. */
  lose(error: unknown): void {
    this.#lost ??= wordsOf(error);
  }

  /** @throws an Error after a record was lost */
  requireWhole(): void {
    if (this.#lost !== null) throw new Error(`an earlier record was lost: ${this.#lost}`);
  }

  decision(draft: PendingVerdict, verdict: Verdict): DecisionRecord {
    const { counts, step, judged, replacement, inputs, action } = draft;
    const ofInstead = readsOf(replacement ?? []);
    const [first, ...beside] = readsOf(judged ?? []).map((observed, i) => ({
      observed: observed as RecordedStep | null,
      ...(ofInstead[i] != null && { replacement: ofInstead[i] as RecordedStep }),
    }));
    const instead = verdict.decision === 'replace' ? verdict.run : null;
    const { id, name, arguments: given, detected } = (verdict.call ?? {}) as Partial<ToolCall>;
    return {
      kind: 'decision',
      ...this.#stamp(),
      number: verdict.number,
      call: { id: textOf(id), ...this.#recorded(name, given) },
      ...(instead && { instead: this.#recorded(instead.name, instead.arguments) }),
      ...(detected && { detected: recordOf(detected) }),
      inputs,
      ...(first ?? { observed: null }),
      ...(beside.length > 0 && { beside }),
      ...numbersOf(step, counts?.risk),
      rule: verdict.rule,
      decision: verdict.decision,
      reason: verdict.reason,
      wouldDecide: verdict.wouldDecide,
      action,
      // A guard's reading has it.
      ...(draft.isSibling && judged !== null && step === null && { sibling: true }),
      ...toldOf(draft.told, verdict.decision),
    };
  }

  /** A call as it is shown: hidden fields are `REDACTED`. */
  shown(call: ToolCall): { readonly name: string | null; readonly arguments: unknown } {
    return { name: call === IDLE ? null : call.name, arguments: this.redactArguments(call.arguments) };
  }

  question(asked: Omit<QuestionRecord, 'kind' | 'run' | 'time'>): QuestionRecord {
    return { kind: 'question', ...this.#stamp(), ...asked };
  }

  /** A call's arguments as they are stored and shown: paths to hide begin at `arguments`; `onCut` and `onHidden` as in `createRedaction`. */
  redactArguments(given: unknown, onCut?: (why: string) => void, onHidden?: () => void): unknown {
    const shown = this.redact({ arguments: given ?? null }, onCut, onHidden) as { arguments?: unknown };
    return shown.arguments ?? null;
  }

  #recorded(name: unknown, given: unknown): RecordedCall {
    const [cuts, hides]: [RecordedCall[], RecordedCall[]] = [[], []];
    const called = { name: textOf(name) };
    const kept = this.redactArguments(
      given,
      () => cuts.push({ ...called, cut: true }),
      () => hides.push({ ...called, hidden: true }),
    );
    return { ...called, arguments: kept, ...cuts[0], ...hides[0] };
  }

  /** Hashes a value, in hexadecimal, with the session's key if it has one; null if the value has no hash. */
  hash(value: unknown): string | null {
    const { hashKey } = this.#options;
    return hashInputs(value, hashKey === undefined ? {} : { hashKey });
  }

  /** Distinguishes a call from others, by its own id too; null if it has no hash. */
  hashOfCall({ id, name, arguments: given }: ToolCall): string | null {
    return this.hash([id, name, given]);
  }

  outcome(
    number: number,
    outcome: OutcomeRecord['outcome'],
    more: Pick<
      OutcomeRecord,
      'at' | 'detected' | 'by' | 'edited' | 'ends' | 'observed' | 'beside' | 'excused' | 'unread'
    > = {},
  ): OutcomeRecord {
    return { kind: 'outcome', ...this.#stamp(), number, outcome, ...more };
  }

  /** Records a judge's reading of the world between calls, and its decision. */
  keepObservation(inputs: string | null, { judge, again, found }: Between): Promise<void> {
    const { decision, reason = 'judged', rule = '', excused = [], read } = found;
    return this.keep(() => ({
      kind: 'observation',
      ...this.#stamp(),
      ...(judge > 0 && { judge }),
      ...(again && { again }),
      inputs,
      observed: read as RecordedStep,
      decision,
      reason,
      rule,
      ...(excused.length > 0 && { excused }),
    }));
  }

  end(decisions: number): RunRecord {
    return { kind: 'end', ...this.#stamp(), decisions };
  }

  /** The hash of a decision's inputs; null if nothing is logged, or they are not JSON. */
  inputs(state: unknown, call: ToolCall | null): string | null {
    if (this.#options.log === undefined) return null;
    return this.hash({ state, call: call && { name: call.name, arguments: call.arguments } });
  }

  #stamp(): { readonly run: string; readonly time: number } {
    return { run: this.run, time: this.now() };
  }
}

/** The hidden fields are all within a call's arguments, or the principal. @throws InvalidArgumentError if a path would hide nothing */
function withinArguments(fields: readonly string[]): readonly string[] {
  for (const field of fields) {
    if (!field.includes('.') || /^(arguments|principal)\./.test(field)) continue;
    throw new InvalidArgumentError(
      `the path to redact ${JSON.stringify(field)} would hide nothing: a session's paths begin at arguments or principal; write ${JSON.stringify(`arguments.${field}`)}, or a name alone, which is hidden at any depth`,
    );
  }
  return fields;
}

/** An id or a name as records have it. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 1000) : `[${typeof value}]`;
}

/** What people and the agent were told in the words of the rule that decided; people only if they were asked. */
export function toldOf(message: RuleMessage | null, decision: Decision): Pick<DecisionRecord, 'told'> {
  const { people, agent } = message ?? {};
  const told = {
    ...(people !== undefined && decision === 'inspect' && { people }),
    ...(agent !== undefined && { agent }),
  };
  return Object.keys(told).length === 0 ? {} : { told };
}

/** The numbers of a guard's answer; none if no guard was asked. JSON has no NaN. @param risk that of another judge, if there is no guard */
export function numbersOf(
  proposal: GuardProposal | null,
  risk?: number,
): Pick<DecisionRecord, 'state' | 'risk' | 'lower' | 'upper'> {
  const number = (value: number | undefined): number | null =>
    value === undefined || Number.isNaN(value) ? null : value;
  return {
    state: proposal?.state ?? -1,
    risk: number(proposal === null ? risk : proposal.risk),
    lower: number(proposal?.lower),
    upper: number(proposal?.upper),
  };
}
