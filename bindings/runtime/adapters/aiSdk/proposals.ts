import { canonicalJson } from '../../../base/canonicalJson.js';
import type { DecidingSession, Inspection, ToolCall, Verdict } from '../../enforcement/index.js';
import { AskedQuestions, TO_ANOTHER } from '../askedQuestions.js';
import { type Approval, approvalsIn } from './approvals.js';

/** A call between the moment at which `ai` asks whether it needs approval and the moment at which it runs. */
interface Proposal {
  /** The call as it was judged. */
  readonly call: ToolCall;
  /** The messages of its step: each step has an array of its own. */
  messages: unknown;
  verdict: Verdict;
  /** The guard's question to a person, until there is an answer. */
  inspection: Inspection | null;
  /** Whether `ai` asks a person, for the guard or because the tool requires it. */
  asked: boolean;
}

const NOT_ASKED =
  'nobody could be asked, since `needsApproval` of the tool was not heeded: `ai` 5 ignores it, and so does `ai` 7 where `toolApproval` is given to generateText, streamText or an agent. Use `ai` 6 or 7, leave approvals to the tools, or give the session `ask`';
const NOT_ANSWERED = 'no answer is to this very call';
const NOT_RECORDED = 'nobody was asked, since it could not be recorded what they are asked';

/** The calls of a session that `ai` has proposed and not yet run. */
export class Proposals {
  readonly #session: DecidingSession;
  readonly #asked: AskedQuestions;
  readonly #open = new Map<string, Proposal>();
  /** Answers that were acted on: each counts once. */
  readonly #heard = new Set<string>();

  constructor(session: DecidingSession) {
    this.#session = session;
    this.#asked = new AskedQuestions(session, 'ai');
  }

  /**
   * Decides on a call before any call of its step runs, or, if a person was asked, on the answer.
   *
   * @param toolAsks whether the tool itself requires approval
   * @returns whether `ai` must ask for approval
   */
  async propose(
    call: ToolCall,
    messages: unknown,
    toolAsks: () => boolean | PromiseLike<boolean>,
  ): Promise<boolean> {
    if (this.#open.size > 0) await this.#beginStep(messages);
    const known = this.#open.get(call.id);
    const changed = known !== undefined && !isSame(known.call, call);
    if (changed) await this.#giveUp(known, NOT_ANSWERED);
    const proposal = known === undefined || changed ? await this.#decide(call) : known;
    proposal.messages = messages;
    const { inspection } = proposal;
    if (inspection !== null) {
      const given = approvalsIn(messages).filter(
        ({ toolCallId, current }) => current && toolCallId === call.id,
      );
      // Who answered may have seen other arguments, or, before a restart, another question.
      if (given.length > 0)
        await this.#hear(proposal, given, proposal === known || this.#asked.isCovered(inspection, call));
      else await this.#ask(proposal, inspection);
    }
    proposal.asked ||= proposal.verdict.run !== null && (await toolAsks());
    return proposal.asked;
  }

  /** The question to a person about a call, while there is no answer. */
  inspection(callId: string): Inspection | null {
    return this.#open.get(callId)?.inspection ?? null;
  }

  /** The verdict on a call that is about to run, if it was proposed and needs no further answer; else null, and `takeUnasked` returns the verdict. */
  take(call: ToolCall): Verdict | null {
    const proposal = this.#open.get(call.id);
    if (proposal === undefined || proposal.inspection !== null || !isSame(proposal.call, call)) return null;
    this.#open.delete(call.id);
    return proposal.verdict;
  }

  /** The verdict on a call that is about to run although it was not proposed, or has no answer: nobody can be asked any more. */
  async takeUnasked(call: ToolCall): Promise<Verdict> {
    const known = this.#open.get(call.id);
    const changed = known !== undefined && !isSame(known.call, call);
    if (changed) await this.#giveUp(known, NOT_ANSWERED);
    const proposal = known === undefined || changed ? await this.#decide(call) : known;
    this.#open.delete(call.id);
    if (proposal.inspection !== null)
      await this.#answer(proposal, false, proposal === known ? NOT_ANSWERED : NOT_ASKED);
    return proposal.verdict;
  }

  async #decide(call: ToolCall): Promise<Proposal> {
    const verdict = await this.#session.decide(call);
    const { inspection } = verdict;
    const proposal = { call: verdict.call, messages: null, verdict, inspection, asked: inspection !== null };
    this.#open.set(call.id, proposal);
    return proposal;
  }

  /** Reads refusals, on which `ai` acts without the tool, and forgets calls of earlier steps that `ai` did not run. */
  async #beginStep(messages: unknown): Promise<void> {
    for (const proposal of this.#open.values()) {
      if (proposal.messages === messages) continue;
      const refusal = approvalsIn(messages).find(
        ({ toolCallId, approved }) => toolCallId === proposal.call.id && !approved,
      );
      if (refusal !== undefined || !proposal.asked) await this.#giveUp(proposal, refusal?.comment);
    }
  }

  async #giveUp(proposal: Proposal, comment: string | undefined): Promise<void> {
    this.#open.delete(proposal.call.id);
    if (proposal.inspection !== null) await this.#answer(proposal, false, comment);
    else if (proposal.verdict.run !== null) await this.#session.withdraw(proposal.verdict);
  }

  /** `ai` will ask a person; which question, is recorded first. */
  async #ask(proposal: Proposal, inspection: Inspection): Promise<void> {
    try {
      await this.#asked.add(inspection, proposal.call);
    } catch {
      proposal.asked = false;
      await this.#answer(proposal, false, NOT_RECORDED);
    }
  }

  async #hear(proposal: Proposal, given: readonly Approval[], holds: boolean): Promise<void> {
    const approval = given.find(({ id }) => !this.#heard.has(id));
    if (approval === undefined) return;
    this.#heard.add(approval.id);
    // Another process may have acted on it before the run was resumed: the client may send the same messages again.
    const list = `ai ${approval.id}`;
    if ((this.#session.placed?.(list) ?? []).length > 0) return;
    let counts = holds;
    try {
      await this.#session.place?.(proposal.inspection!.id, list, 0);
    } catch {
      counts = false;
    }
    const { approved, comment } = approval.approved && !counts ? TO_ANOTHER : approval;
    await this.#answer(proposal, approved, comment);
  }

  async #answer(proposal: Proposal, approved: boolean, comment: string | undefined): Promise<void> {
    const { id } = proposal.inspection!;
    proposal.inspection = null;
    try {
      proposal.verdict = await this.#session.answer(id, {
        approved,
        ...(comment !== undefined && { comment }),
      });
    } catch {
      // The question is closed: the run is over, or the same question was asked about another call.
      const { inspection } = (proposal.verdict = await this.#session.check(proposal.call));
      proposal.inspection = inspection;
    }
  }
}

/** Compares canonical forms: histories return from stores and clients with their keys in another order. */
function isSame(one: ToolCall, other: ToolCall): boolean {
  if (one.name !== other.name) return false;
  if (one.arguments === other.arguments) return true;
  try {
    return canonicalJson(one.arguments) === canonicalJson(other.arguments);
  } catch {
    return false;
  }
}
