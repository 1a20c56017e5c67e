import { InvalidArgumentError } from '../../base/errors.js';
import type { GuardProposal } from '../guard/index.js';
import type { Answer, Inspection } from './inspection.js';
import type { Journal } from './journal.js';
import { questionOf, wordsOf } from './messages.js';
import type { PendingVerdict } from './pendingVerdict.js';
import { PlacedQuestions } from './placedQuestions.js';
import type { DecisionRecord, QuestionRecord } from './record.js';
import { type Refusal, refusalsOf } from './refusals.js';
import type { RunState } from './runState.js';
import type { ToolCall } from './toolCall.js';
import type { Verdict } from './verdict.js';

const ASK_TIMEOUT_MS = 300_000;

/** A question that is open, and what it is about. */
export interface OpenQuestion {
  readonly verdict: Verdict;
  readonly proposal: GuardProposal;
  /** The rules that the person was told would not let the call run. */
  readonly shown: readonly Refusal[];
}

/** The questions of a run that people have not answered yet. */
export class Questions {
  /** Those to which a framework has the answers by place. */
  readonly placed: PlacedQuestions;
  readonly #journal: Journal;
  readonly #timeoutMs: number;
  readonly #open = new Map<string, OpenQuestion>();

  constructor(journal: Journal, timeoutMs = ASK_TIMEOUT_MS) {
    this.#journal = journal;
    this.#timeoutMs = timeoutMs;
    this.placed = new PlacedQuestions(journal);
  }

  /**
   * What a person is asked about a call, if anything. It has the same id for the same question about the same call at the same place of the run, and another in another run of the same name.
   * Where the arguments cannot be shown whole, that is a fault: nobody is to approve what they do not see.
   */
  inspection(
    draft: PendingVerdict,
    call: ToolCall,
    position: Pick<RunState, 'place' | 'guard'>,
  ): Inspection | null {
    if (draft.decision !== 'inspect') return null;
    draft.shown = refusalsOf(draft, position.guard);
    try {
      return this.#inspection(draft, call, position.place);
    } catch (error) {
      draft.fault(call, 'no-answer', wordsOf(error));
      return null;
    }
  }

  #inspection(
    { proposal, explanation, rule, shown }: PendingVerdict,
    call: ToolCall,
    place: readonly number[],
  ): Inspection {
    const { run, mark, now } = this.#journal;
    const given = this.#journal.redactArguments(call.arguments, (why) => {
      throw new InvalidArgumentError(
        `the arguments have ${why}, so that they cannot be shown whole; propose the call with less`,
      );
    });
    const others = shown.filter(({ name }) => name !== rule);
    const question = questionOf(explanation, call.name, others);
    const at = [proposal?.step ?? -1, ...place];
    // A yes is for what was asked: where other rules are against the call, it is another question.
    const hash = this.#journal.hash([run, mark, ...at, call.name, call.arguments, question]);
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
      risk: proposal?.risk ?? 1,
      expiresAt: now() + this.#timeoutMs,
    };
  }

  /** The question of a verdict is open from now on. */
  ask(verdict: Verdict, { proposal, shown }: Pick<PendingVerdict, 'proposal' | 'shown'>): void {
    if (verdict.inspection === null || proposal === null) return;
    this.#open.set(verdict.inspection.id, { verdict, proposal, shown });
  }

  /**
   * The framework will have the answer there, which is recorded first: a place that a restart forgets would be taken for that of another question.
   * @throws InvalidArgumentError where no such question is open; what the log throws
   */
  async place(id: string, list: string, place: number): Promise<void> {
    const { verdict } = this.require(id);
    const { number, inspection } = verdict;
    if (inspection === null || this.placed.has({ number, list, place })) return;
    const call = this.#journal.hashOfCall(verdict.call);
    const record = this.#journal.question({ number, id, call, list, place });
    this.#journal.requireWhole();
    await this.#journal.append(() => record);
    this.placed.add(record, inspection);
  }

  /** It was asked before the run was resumed. */
  resume(record: QuestionRecord, { call, rule, risk, time }: DecisionRecord): void {
    const { id, name, arguments: given = null } = call;
    this.placed.add(record, {
      id: record.id,
      run: record.run,
      call: { id, name, arguments: given as ToolCall['arguments'] },
      question: questionOf('It was asked before the run was resumed.', name),
      rule,
      risk: risk ?? 1,
      expiresAt: time + this.#timeoutMs,
    });
  }

  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  /** @throws InvalidArgumentError where no such question is open */
  require(id: string): OpenQuestion {
    const found = this.#open.get(id);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(
      `no question "${id}" is open in run ${this.#journal.run}; open: ${[...this.#open.keys()].join(', ') || 'none'}`,
    );
  }

  /** Closes a question. @throws InvalidArgumentError where it is closed already */
  take(id: string): OpenQuestion {
    const found = this.#open.get(id);
    if (found === undefined) throw new InvalidArgumentError(`the question "${id}" has been answered already`);
    this.#open.delete(id);
    return found;
  }

  /** Nobody is asked any more. */
  close(): void {
    this.#open.clear();
  }
}

/** What a person said, as far as it can be read; null is no answer. */
export function readAnswer(answer: Answer | null): Answer | null {
  try {
    const { approved, by, comment } = (answer ?? {}) as Partial<Record<keyof Answer, unknown>>;
    if (typeof approved !== 'boolean') return null;
    return {
      approved,
      ...(typeof by === 'string' && { by: by.slice(0, 200) }),
      ...(typeof comment === 'string' && { comment }),
    };
  } catch {
    return null;
  }
}
