import { InvalidArgumentError } from '../../base/errors.js';
import type { GuardFile, GuardProposal, RecordedStep } from '../guard/index.js';
import { hashInputs } from './inputs.js';
import { wordsOf } from './messages.js';
import type { PendingVerdict } from './pendingVerdict.js';
import type { BeginRecord, DecisionRecord, OutcomeRecord, QuestionRecord, RunRecord } from './record.js';
import { createRedaction } from './redaction.js';
import type { SessionOptions } from './sessionOptions.js';
import type { ToolCall } from './toolCall.js';
import type { Verdict } from './verdict.js';

/** What a run leaves behind: its records, in order, with what is named hidden. */
export class Journal {
  readonly run: string;
  readonly now: () => number;
  readonly redact: ReturnType<typeof createRedaction>;
  readonly #options: Pick<SessionOptions, 'log' | 'hashKey'>;
  /** Of this run alone, at random: a run of the same name asks other questions, to which answers to this one's say nothing. */
  #mark: string = crypto.randomUUID();
  #begun = false;
  /** Why a record of what has happened could not be kept; null while the log is whole. */
  #lost: string | null = null;

  constructor(run: string, options: Pick<SessionOptions, 'log' | 'hashKey' | 'redact' | 'now'>) {
    this.run = run;
    this.#options = options;
    this.now = options.now ?? Date.now;
    this.redact = createRedaction(withinArguments(options.redact ?? []));
  }

  /** Whether the run has a beginning in the log. */
  get begun(): boolean {
    return this.#begun;
  }

  /** What tells the run from others of its name. */
  get mark(): string {
    return this.#mark;
  }

  /** It was begun before. */
  resume({ mark = '' }: Pick<BeginRecord, 'mark'>): void {
    this.#begun = true;
    this.#mark = mark;
  }

  /**
   * Begins the run, unless it has begun.
   * @returns whether it does now
   * @throws what the log throws; an Error once a record was lost, for the log would not say what decisions were made on
   */
  async begin(under: Pick<BeginRecord, 'guard' | 'options'>): Promise<boolean> {
    this.requireWhole();
    if (this.#begun) return false;
    await this.append(() => ({ kind: 'begin', ...this.#stamp(), ...under, mark: this.#mark }));
    this.#begun = true;
    return true;
  }

  /** @throws what the log throws */
  async append(record: () => RunRecord): Promise<void> {
    const { log } = this.#options;
    if (log !== undefined) await log.append(record());
  }

  /** Records what has happened already. Where that fails, all decisions after it are faults. */
  async keep(record: () => RunRecord): Promise<void> {
    try {
      await this.append(record);
    } catch (error) {
      this.lose(error);
    }
  }

  /** A record could not be kept: all decisions from now on are faults. */
  lose(error: unknown): void {
    this.#lost ??= wordsOf(error);
  }

  /** @throws an Error once a record was lost */
  requireWhole(): void {
    if (this.#lost !== null) throw new Error(`an earlier record was lost: ${this.#lost}`);
  }

  decision(draft: PendingVerdict, verdict: Verdict): DecisionRecord {
    const { proposal, observed, replacement, reactive, inputs, action } = draft;
    const { id, name, arguments: given } = (verdict.call ?? {}) as Partial<ToolCall>;
    return {
      kind: 'decision',
      ...this.#stamp(),
      number: verdict.number,
      call: { id: textOf(id), name: textOf(name), arguments: this.redactArguments(given) },
      inputs,
      observed,
      ...(replacement && { replacement }),
      ...(reactive && { reactive }),
      ...numbersOf(proposal),
      rule: verdict.rule,
      decision: verdict.decision,
      reason: verdict.reason,
      wouldDecide: verdict.wouldDecide,
      action,
    };
  }

  question(asked: Omit<QuestionRecord, 'kind' | 'run' | 'time'>): QuestionRecord {
    return { kind: 'question', ...this.#stamp(), ...asked };
  }

  /** A call's arguments as they are stored and shown: paths to hide begin at `arguments`; `onCut` as of `createRedaction`. */
  redactArguments(given: unknown, onCut?: (why: string) => void): unknown {
    return (this.redact({ arguments: given ?? null }, onCut) as { arguments?: unknown }).arguments ?? null;
  }

  /** In hexadecimal, keyed where inputs are; null where there is none. */
  hash(value: unknown): string | null {
    const { hashKey } = this.#options;
    return hashInputs(value, hashKey === undefined ? {} : { hashKey });
  }

  /** Tells a call from others, with its own id; null where it has no hash. */
  hashOfCall({ id, name, arguments: given }: ToolCall): string | null {
    return this.hash([id, name, given]);
  }

  outcome(
    number: number,
    outcome: OutcomeRecord['outcome'],
    more: Pick<OutcomeRecord, 'by' | 'ends' | 'unread'> = {},
  ): OutcomeRecord {
    return { kind: 'outcome', ...this.#stamp(), number, outcome, ...more };
  }

  /** Keeps what the guard read of the world between calls, and found. */
  keepObservation(
    inputs: string | null,
    { observed, found }: { readonly observed: RecordedStep; readonly found: GuardProposal },
  ): Promise<void> {
    const { decision, reason, rule } = found;
    return this.keep(() => ({
      kind: 'observation',
      ...this.#stamp(),
      inputs,
      observed,
      decision,
      reason,
      rule,
    }));
  }

  end(decisions: number): RunRecord {
    return { kind: 'end', ...this.#stamp(), decisions };
  }

  /** Of what a decision is made on; null where nothing is logged, or it has no JSON. */
  inputs(state: unknown, call: ToolCall | null): string | null {
    if (this.#options.log === undefined) return null;
    return this.hash({ state, call: call && { name: call.name, arguments: call.arguments } });
  }

  #stamp(): { readonly run: string; readonly time: number } {
    return { run: this.run, time: this.now() };
  }
}

/** Of a call only the arguments hold what is hidden. @throws InvalidArgumentError where a path would hide nothing */
function withinArguments(fields: readonly string[]): readonly string[] {
  for (const field of fields) {
    if (!field.includes('.') || field.startsWith('arguments.')) continue;
    throw new InvalidArgumentError(
      `the path to redact ${JSON.stringify(field)} would hide nothing: a session's paths begin at arguments; write ${JSON.stringify(`arguments.${field}`)}, or a name alone, which is hidden at any depth`,
    );
  }
  return fields;
}

const hashes = new WeakMap<GuardFile, string>();

/** SHA-256 of a guard file's canonical JSON: large files take long, and many sessions have the same. */
export function hashOf(file: GuardFile): string {
  const known = hashes.get(file);
  if (known !== undefined) return known;
  const hash = hashInputs(file, { maxLength: Number.POSITIVE_INFINITY });
  if (hash === null) throw new InvalidArgumentError('the guard file is no JSON');
  hashes.set(file, hash);
  return hash;
}

/** As `hashOf`. @throws InvalidArgumentError where it is not the expected one */
export function requireHash(file: GuardFile, expected: string | undefined): string {
  const hash = hashOf(file);
  if (expected === undefined || expected === hash) return hash;
  throw new InvalidArgumentError(
    `the guard file's SHA-256 is ${hash}, expected ${expected}: it is another file, or was altered`,
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 1000) : `[${typeof value}]`;
}

/** What the guard found, in numbers; where it was not asked, none. NaN has no JSON. */
export function numbersOf(
  proposal: GuardProposal | null,
): Pick<DecisionRecord, 'state' | 'risk' | 'lower' | 'upper'> {
  const number = (value: number | undefined): number | null =>
    value === undefined || Number.isNaN(value) ? null : value;
  return {
    state: proposal?.state ?? -1,
    risk: number(proposal?.risk),
    lower: number(proposal?.lower),
    upper: number(proposal?.upper),
  };
}
