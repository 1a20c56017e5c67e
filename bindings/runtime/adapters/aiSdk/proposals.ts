import { printableName } from '../../../base/words.js';
import {
  type DecidingSession,
  type Inspection,
  type ToolCall,
  turnRefusal,
  type Verdict,
  withheldAlone,
  withheldBeside,
} from '../../enforcement/index.js';
import { AskedQuestions, TO_ANOTHER } from '../askedQuestions.js';
import { isSameCall } from '../sameCall.js';
import { type Approval, approvalsIn } from './approvals.js';

/** A step of the agent: the calls that the model proposes at once. */
interface Step {
  readonly turn: string;
  /** The verdict for which all its calls are withheld. */
  refused?: Verdict;
}

/** A call between the moment at which `ai` asks whether it needs approval and the moment at which it runs. */
interface Proposal {
  /** The call as it was judged. */
  readonly call: ToolCall;
  /** The messages of its step: each step has an array of its own. */
  messages: unknown;
  verdict: Verdict;
  /** The step that it was proposed in; null if none is known. */
  readonly step: Step | null;
  /** The guard's question to a person, until there is an answer. */
  inspection: Inspection | null;
  /** Whether `ai` asks a person, for the guard or because the tool requires it. */
  asked: boolean;
}

const NOT_ASKED =
  'nobody could be asked, since `needsApproval` of the tool was not heeded: `ai` 5 ignores it, and so does `ai` 7 where `toolApproval` is given to generateText, streamText or an agent. Use `ai` 6 or 7, leave approvals to the tools, or give the session `ask`';
const NOT_ANSWERED = 'no answer is to this very call';
const sharedId = ({ id }: ToolCall) =>
  `another call of this step has the id ${JSON.stringify(id)}; propose it again under an id of its own`;
const WITH_ITS_TURN = 'another call of its turn was refused, and with it all of them';
const NOT_RECORDED = 'nobody was asked, since it could not be recorded what they are asked';

/** The calls of a session that `ai` has proposed and not yet run. */
export class Proposals {
  readonly #session: DecidingSession;
  readonly #asked: AskedQuestions;
  readonly #steps = new WeakMap<object, Step>();
  readonly #open = new Set<Proposal>();
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
    const known = this.#find(call);
    const isRepeated = known === undefined && (await this.#giveUpOthers(call.id, messages));
    const proposal = known ?? (await this.#decide(call, messages));
    proposal.messages = messages;
    if (isRepeated) await this.#withhold(proposal);
    const { inspection } = proposal;
    const isDoomed = proposal.step?.refused !== undefined;
    if (inspection !== null && isDoomed) {
      await this.#answer(proposal, false, WITH_ITS_TURN);
      proposal.asked = false;
    } else if (inspection !== null) {
      const given = approvalsIn(messages).filter(
        ({ toolCallId, current }) => current && toolCallId === call.id,
      );
      // Who answered may have seen another call of the same id, or, before a restart, another question.
      const own = given.filter((one) => one.call !== null && isSameCall(one.call, call));
      if (own.length > 0)
        await this.#hear(proposal, own, proposal === known || this.#asked.isCovered(inspection, call));
      else if (given.length > 0) await this.#hear(proposal, given, false);
      else await this.#ask(proposal, inspection);
    }
    proposal.asked ||= proposal.verdict.run !== null && !isDoomed && (await toolAsks());
    return proposal.asked;
  }

  /** The question to a person about a call, while there is no answer. */
  inspection(callId: string): Inspection | null {
    return this.#of(callId).find(({ inspection }) => inspection !== null)?.inspection ?? null;
  }

  /** The verdict on a call that is about to run, if it was proposed and needs no further answer; else null, and `takeUnasked` returns the verdict. */
  take(call: ToolCall): Verdict | null {
    const proposal = this.#find(call);
    if (proposal === undefined || proposal.inspection !== null || proposal.step?.refused !== undefined)
      return null;
    this.#open.delete(proposal);
    return proposal.verdict;
  }

  /** The verdict on a call that is about to run although it was not proposed, or has no answer: nobody can be asked any more. */
  async takeUnasked(call: ToolCall, messages: unknown): Promise<Verdict> {
    const known = this.#find(call);
    if (known === undefined) await this.#giveUpOthers(call.id, null);
    const proposal = known ?? (await this.#decide(call, messages));
    this.#open.delete(proposal);
    const refused = proposal.step?.refused;
    if (proposal.inspection !== null)
      await this.#answer(proposal, false, proposal === known ? NOT_ANSWERED : NOT_ASKED);
    if (refused !== undefined) return withheldBeside(this.#session, proposal.verdict, refused);
    return proposal === known ? proposal.verdict : withheldAlone(this.#session, proposal.verdict);
  }

  async #decide(call: ToolCall, messages: unknown): Promise<Proposal> {
    const step = this.#stepOf(messages);
    const verdict = await this.#session.decide(call, step === null ? {} : { turn: step.turn });
    const { inspection } = verdict;
    const proposal = {
      call: verdict.call,
      messages: null,
      verdict,
      step,
      inspection,
      asked: inspection !== null,
    };
    this.#refuseTurn(proposal);
    this.#open.add(proposal);
    return proposal;
  }

  /** Each step of the agent has an array of messages of its own. */
  #stepOf(messages: unknown): Step | null {
    if (!Array.isArray(messages)) return null;
    const step = this.#steps.get(messages) ?? { turn: crypto.randomUUID() };
    this.#steps.set(messages, step);
    return step;
  }

  /** Withholds the other calls of the step, if this one is refused for all of them. */
  #refuseTurn({ step, verdict, inspection }: Proposal): void {
    const refused = inspection === null ? turnRefusal(this.#session, [verdict]) : undefined;
    if (step !== null && refused !== undefined) step.refused ??= refused;
  }

  #of(callId: string): Proposal[] {
    return [...this.#open].filter(({ call }) => call.id === callId);
  }

  #find(call: ToolCall): Proposal | undefined {
    return this.#of(call.id).find((one) => isSameCall(one.call, call));
  }

  /** Gives up other calls of this id that were proposed in other steps: `ai` runs only the last. @returns whether this step has one, too */
  async #giveUpOthers(callId: string, messages: unknown): Promise<boolean> {
    const others = this.#of(callId);
    for (const other of others) if (other.messages !== messages) await this.#giveUp(other, NOT_ANSWERED);
    return others.some((other) => other.messages === messages);
  }

  /** Withholds a call that has the id of another one of its step: `ai` would take an answer to the one for an answer to the other. */
  async #withhold(proposal: Proposal): Promise<void> {
    const { inspection, verdict, call } = proposal;
    if (inspection === null && verdict.run === null) return;
    if (inspection === null) await this.#session.withdraw(verdict);
    else await this.#answer(proposal, false, sharedId(call));
    proposal.inspection = null;
    proposal.asked = false;
    const told = `${printableName(call.name)}: ${sharedId(call)}`;
    const withheld = {
      decision: 'block',
      reason: 'refused',
      run: null,
      message: told,
      explanation: told,
    } as const;
    if (!proposal.verdict.ends) proposal.verdict = { ...proposal.verdict, ...withheld };
  }

  /** Reads refusals, on which `ai` acts without the tool, and forgets calls of earlier steps that `ai` did not run. */
  async #beginStep(messages: unknown): Promise<void> {
    for (const proposal of this.#open) {
      if (proposal.messages === messages) continue;
      const refusal = approvalsIn(messages).find(
        ({ toolCallId, call, approved }) =>
          !approved && toolCallId === proposal.call.id && (call === null || isSameCall(call, proposal.call)),
      );
      if (refusal !== undefined || !proposal.asked) await this.#giveUp(proposal, refusal?.comment);
    }
  }

  async #giveUp(proposal: Proposal, comment: string | undefined): Promise<void> {
    this.#open.delete(proposal);
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
    this.#refuseTurn(proposal);
  }
}
