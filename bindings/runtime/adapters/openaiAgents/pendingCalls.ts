import {
  type Answer,
  type Carried,
  carryOut,
  type Inspection,
  type RunTool,
  type Session,
  type ToolCall,
  type ToolOutcome,
  type Verdict,
} from '../../enforcement/index.js';
import { AskedQuestions, TO_ANOTHER } from '../askedQuestions.js';
import { reporting } from '../reporting.js';
import { isApproved, type OpenAIRunContext } from './sdk.js';

export const REFUSED = 'refused by a person';
const NOT_RECORDED = 'nobody was asked, since it could not be recorded what they are asked';

export interface PendingCall {
  readonly call: ToolCall;
  verdict: Verdict;
  /** The open question to a person. */
  asked: Inspection | null;
  /** Whether the program was given the question, to show it. */
  shown: boolean;
}

/** The calls of one run that are decided and not yet carried out. Hooks that see the same call again, for example after an interruption, find it decided. */
export class PendingCalls {
  readonly #session: Session;
  readonly #asked: AskedQuestions;
  readonly #calls = new Map<string, { readonly call: ToolCall; readonly decided: Promise<PendingCall> }>();

  constructor(session: Session) {
    this.#session = session;
    this.#asked = new AskedQuestions(session, 'openai');
  }

  decide(call: ToolCall): Promise<PendingCall> {
    const known = this.#calls.get(call.id);
    if (known !== undefined && isSame(known.call, call)) return known.decided;
    const decided = this.#session
      .decide(call)
      .then((verdict) => ({ call, verdict, asked: verdict.inspection, shown: false }));
    this.#calls.set(call.id, { call, decided });
    return decided;
  }

  /** Takes the decision on a call that is about to run. It counts once: another call of the same id is decided anew. */
  take(call: ToolCall): Promise<PendingCall> {
    const decided = this.decide(call);
    this.#calls.delete(call.id);
    return decided;
  }

  /** Records the question before the SDK asks a person. If that fails, nobody is asked, and the call is refused. */
  async ask(pending: PendingCall): Promise<void> {
    if (pending.asked === null) return;
    try {
      await this.#asked.add(pending.asked, pending.call);
    } catch {
      await this.answer(pending, { approved: false, comment: NOT_RECORDED });
    }
  }

  /** Takes an approval that the SDK has kept. It counts for the question that was asked; one for always counts for all calls of a tool that a person was asked about. */
  approve(pending: PendingCall, run: OpenAIRunContext): Promise<Verdict> {
    const { call } = pending;
    const always =
      this.#asked.isAskedAbout(call.name) && isApproved(run, { ...call, id: crypto.randomUUID() });
    return this.answer(pending, always || this.#wasAsked(pending) ? { approved: true } : TO_ANOTHER);
  }

  /** Takes the answer of a person who has seen the question that was asked, or that the program was given since. */
  answerShown(pending: PendingCall, answer: Answer): Promise<Verdict> {
    const isKnown = pending.shown || this.#wasAsked(pending);
    return this.answer(pending, isKnown || !answer.approved ? answer : { ...answer, ...TO_ANOTHER });
  }

  #wasAsked({ asked, call }: PendingCall): boolean {
    return asked !== null && this.#asked.isCovered(asked, call);
  }

  async answer(pending: PendingCall, answer: Answer): Promise<Verdict> {
    const { asked } = pending;
    if (asked !== null) {
      pending.asked = null;
      pending.verdict = await this.#session.answer(asked.id, answer);
    }
    return pending.verdict;
  }

  /** Reads which calls the SDK was told to reject in the meantime: it does not run them, and tells no hook. */
  async readRefusals(run: OpenAIRunContext): Promise<void> {
    for (const { call, decided } of this.#calls.values()) {
      if (isApproved(run, call) !== false) continue;
      const pending = await decided;
      if (pending.asked !== null) await this.answer(pending, { approved: false });
      await this.withdraw(call.id);
    }
  }

  /** Withdraws a call that will not run. */
  async withdraw(callId: string): Promise<void> {
    const known = this.#calls.get(callId);
    this.#calls.delete(callId);
    const verdict = (await known?.decided)?.verdict;
    if (verdict !== undefined && verdict.run !== null) await this.#session.withdraw(verdict);
  }

  /**
   * Carries a decision out once all current calls are decided, and reports the outcome to the session once the tool has settled. The SDK goes on without a tool
   * that takes too long or whose run was aborted, while the tool may still be at work.
   */
  async carryOut(
    { verdict }: PendingCall,
    failed: (output: unknown) => boolean,
    run: RunTool<unknown>,
  ): Promise<Carried<unknown>> {
    await Promise.all(Array.from(this.#calls.values(), ({ decided }) => decided));
    const session = this.#session;
    const ran = (verdict: Verdict, outcome: ToolOutcome) =>
      session.ran(verdict, readFailure(outcome, failed));
    return carryOut(reporting(session, ran), verdict, run);
  }

  forget({ id }: ToolCall): void {
    this.#calls.delete(id);
  }
}

const PENDING = new WeakMap<Session, PendingCalls>();

export function pendingCalls(session: Session): PendingCalls {
  let pending = PENDING.get(session);
  if (pending === undefined) PENDING.set(session, (pending = new PendingCalls(session)));
  return pending;
}

function isSame(one: ToolCall, other: ToolCall): boolean {
  return one.name === other.name && JSON.stringify(one.arguments) === JSON.stringify(other.arguments);
}

function readFailure(outcome: ToolOutcome, failed: (output: unknown) => boolean): ToolOutcome {
  return 'result' in outcome && failed(outcome.result) ? { error: outcome.result } : outcome;
}
