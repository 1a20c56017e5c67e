import { InvalidArgumentError } from '../../base/errors.js';
import type { Judgement, Refusal } from '../guard/index.js';
import type { Answer, Inspection } from './inspection.js';
import type { Journal } from './journal.js';
import type { Judges } from './judges.js';
import { questionOf, wordsOf } from './messages.js';
import type { PendingVerdict } from './pendingVerdict.js';
import { PlacedQuestions } from './placedQuestions.js';
import type { DecisionRecord, QuestionRecord } from './record.js';
import { refusalsOf } from './refusals.js';
import type { SessionOptions } from './sessionOptions.js';
import { isIdle } from './startedCalls.js';
import { IDLE, type ToolCall } from './toolCall.js';
import type { Verdict } from './verdict.js';

const ASK_TIMEOUT_MS = 300_000;

/** An open question and its subject. */
export interface OpenQuestion {
  readonly verdict: Verdict;
  /** The answer that asks. */
  readonly counts: Judgement;
  /** The rules against the call that the person was told about. */
  readonly shown: readonly Refusal[];
}

/** The unanswered questions of a run. */
export class Questions {
  /** The questions whose answers a framework has by place. */
  readonly placed: PlacedQuestions;
  readonly #journal: Journal;
  readonly #timeoutMs: number;
  readonly #edits: boolean;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(
    journal: Journal,
    { askTimeoutMs = ASK_TIMEOUT_MS, edits = false }: Pick<SessionOptions, 'askTimeoutMs' | 'edits'>,
  ) {
    this.#journal = journal;
    this.#timeoutMs = askTimeoutMs;
    this.#edits = edits;
    this.placed = new PlacedQuestions(journal, (id) => this.#open.get(id)?.shown);
  }

  /**
   * Makes the question to a person about a call, if there is one. Its id is the same for the same question about the same call at the same place of the run,
   * and differs in another run of the same name. Arguments that cannot be shown in full are a fault: nobody may approve what they do not see.
   */
  inspection(draft: PendingVerdict, call: ToolCall, { place }: Pick<Judges, 'place'>): Inspection | null {
    if (draft.decision !== 'inspect') return null;
    try {
      draft.shown = refusalsOf(draft);
      return this.#inspection(draft, call, place);
    } catch (error) {
      draft.fault(call, 'no-answer', wordsOf(error));
      return null;
    }
  }

  #inspection(
    { counts, step, explanation, rule, shown, told }: PendingVerdict,
    call: ToolCall,
    place: readonly number[],
  ): Inspection {
    const { run, mark, now } = this.#journal;
    const given = this.#journal.redactArguments(call.arguments, (why) => {
      throw new InvalidArgumentError(
        `the arguments have ${why}, so they cannot be shown in full; propose the call with less`,
      );
    });
    const why = { rule, shown, said: told?.people ?? null };
    const question = questionOf(explanation, call === IDLE ? null : call.name, why);
    const at = [step?.step ?? -1, ...place];
    // A yes is for the question as it was asked: if other rules are against the call, or a risk differs where its words do not, it is another question.
    const exact = shown.map(({ risk }) => (risk === undefined || Number.isNaN(risk) ? null : risk));
    const hash = this.#journal.hash([run, mark, ...at, call.name, call.arguments, question, exact]);
    const name = (hash ?? crypto.randomUUID()).slice(0, 32);
    // Two calls of a turn may be equal: they are two questions.
    const isOther = (id: string) => (this.#open.get(id)?.verdict.call.id ?? call.id) !== call.id;
    let id = name;
    for (let next = 2; isOther(id); next++) id = `${name}-${next}`;
    return {
      id,
      run,
      call: { ...call, arguments: given as ToolCall['arguments'] },
      question,
      rule,
      risk: step?.risk ?? counts?.risk ?? 1,
      ...(this.#edits && call !== IDLE && { editable: true }),
      expiresAt: now() + this.#timeoutMs,
    };
  }

  /** Opens the question of a verdict. */
  ask(verdict: Verdict, { counts, shown }: Pick<PendingVerdict, 'counts' | 'shown'>): void {
    if (verdict.inspection === null || counts === null) return;
    this.#open.set(verdict.inspection.id, { verdict, counts, shown });
  }

  /**
   * Records the place at which the framework will have the answer, before anyone is asked: after a restart, an unrecorded place would be taken for that of
   * another question.
   * @throws InvalidArgumentError if no such question is open; any error of the log
   */
  async place(id: string, list: string, place: number): Promise<void> {
    const { verdict, shown } = this.require(id);
    const { number, inspection } = verdict;
    if (inspection === null || this.placed.has({ number, list, place })) return;
    const call = this.#journal.hashOfCall(verdict.call);
    const record = this.#journal.question({ number, id, call, list, place, shown });
    this.#journal.requireWhole();
    await this.#journal.append(() => record);
    this.placed.add(record, inspection);
  }

  /** Restores a question that was asked before the run was resumed. */
  resume(record: QuestionRecord, decision: DecisionRecord): void {
    const { call, rule, risk, time } = decision;
    const { id, name, arguments: given = null } = call;
    this.placed.add(record, {
      id: record.id,
      run: record.run,
      call: { id, name, arguments: given as ToolCall['arguments'] },
      question: questionOf('It was asked before the run was resumed.', isIdle(decision) ? null : name),
      rule,
      risk: risk ?? 1,
      expiresAt: time + this.#timeoutMs,
    });
  }

  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  /** @throws InvalidArgumentError if no such question is open */
  require(id: string): OpenQuestion {
    const found = this.#open.get(id);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(
      `no question "${id}" is open in run ${this.#journal.run}; open: ${[...this.#open.keys()].join(', ') || 'none'}`,
    );
  }

  /** Closes a question. @throws InvalidArgumentError if it is already closed */
  take(id: string): OpenQuestion {
    const found = this.#open.get(id);
    if (found === undefined) throw new InvalidArgumentError(`the question "${id}" has been answered already`);
    this.#open.delete(id);
    return found;
  }

  /** Closes all questions. */
  close(): void {
    this.#open.clear();
  }
}

/** Reads a person's answer; null if it cannot be read. */
export function readAnswer(answer: Answer | null): Answer | null {
  try {
    const {
      approved,
      by,
      comment,
      arguments: given,
    } = (answer ?? {}) as Partial<Record<keyof Answer, unknown>>;
    if (typeof approved !== 'boolean') return null;
    return {
      approved,
      ...(typeof by === 'string' && { by: by.slice(0, 200) }),
      ...(typeof comment === 'string' && { comment }),
      // What cannot be read as arguments is found to be so, not taken for none.
      ...(given !== undefined && { arguments: given as NonNullable<Answer['arguments']> }),
    };
  } catch {
    return null;
  }
}
