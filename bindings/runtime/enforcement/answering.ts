import { type GuardProposal, type RecordedStep, severity } from '../guard/index.js';
import type { Answer } from './inspection.js';
import { type Judging, toRun } from './judging.js';
import { answerInWords } from './messages.js';
import type { PendingVerdict } from './pendingVerdict.js';
import { type OpenQuestion, readAnswer } from './questions.js';
import type { OutcomeRecord } from './record.js';
import { isBeyond, refusedBy } from './refusals.js';
import type { RunParts } from './runParts.js';
import { IDLE, type ToolCall } from './toolCall.js';

/** The run to which an answer belongs. */
export interface AnsweredRun {
  isOver(): boolean;
  /** Whether the guard still follows the run. */
  hasGuard(): boolean;
  /** Observes the world before an approved call; returns the guard's answer, or null if no guard follows the run. */
  lookAgain(approved: ToolCall): Promise<GuardProposal | null>;
}

/** The consequences of an answer, beside the decision. */
export interface Answered {
  readonly outcome: OutcomeRecord['outcome'];
  /** Whether the world was observed again before the call. */
  readonly sawAgain: boolean;
  readonly more: Pick<OutcomeRecord, 'by' | 'observed' | 'unread' | 'ends'>;
}

/** The fate of an approval. */
interface Approval {
  counts: boolean;
  sawAgain: boolean;
  /** The guard's reading of the call. */
  observed: RecordedStep | null;
}

/** Turns people's answers into decisions. */
export class Answering {
  readonly #judging: Judging;
  readonly #parts: RunParts;
  readonly #run: AnsweredRun;

  constructor(judging: Judging, parts: RunParts, run: AnsweredRun) {
    this.#judging = judging;
    this.#parts = parts;
    this.#run = run;
  }

  /** Takes an answer to a question into `draft`; null means no answer. */
  async take(
    { verdict, proposal, shown }: OpenQuestion,
    given: Answer | null,
    draft: PendingVerdict,
  ): Promise<Answered> {
    const { call, inspection } = verdict;
    const answer = readAnswer(given);
    let approval: Approval | null = null;
    draft.proposal = proposal;
    draft.rule = verdict.rule;
    draft.explanation = verdict.explanation;
    draft.shown = shown;
    const inTime = inspection !== null && this.#parts.journal.now() <= inspection.expiresAt;
    if (this.#run.isOver()) draft.fault(call, 'run-over', '');
    else if (answer === null || !inTime) {
      const failed =
        verdict.reason === 'reactive-rule' ? undefined : this.#parts.position.guard.failed(proposal);
      const lacking = given === null ? 'none came' : 'it cannot be read';
      draft.fault(call, 'no-answer', inTime ? lacking : 'the time is over', failed);
    } else if (!answer.approved) {
      draft.fault(call, 'refused', answerInWords(answer));
      draft.decision = 'block';
    } else if (this.#judging.isCrowded(call)) draft.block(call, 'calls-running');
    else approval = await this.#approve(call, draft);
    const refused = draft.reason === 'refused' ? 'refused' : 'no-answer';
    return {
      outcome: approval?.counts ? 'approved' : refused,
      sawAgain: approval?.sawAgain === true,
      more: {
        ...(answer?.by !== undefined && { by: answer.by }),
        ...(approval?.observed && { observed: approval.observed }),
        ...(approval?.counts === false && { unread: true }),
        ...(draft.decision === 'stop' && { ends: true }),
      },
    };
  }

  /** Approves a call. The person was shown an earlier state, or other running calls: if more speaks against the call by now, the approval does not count. */
  async #approve(call: ToolCall, draft: PendingVerdict): Promise<Approval> {
    const { moved: sawAgain, early } = await this.#parts.position.hasMoved(call);
    if (early !== null) {
      draft.block(call, 'too-early', early);
      return { counts: false, sawAgain: false, observed: null };
    }
    const seen = sawAgain ? await this.#run.lookAgain(call) : null;
    const judged = this.#run.hasGuard() ? this.#parts.position.approve(call) : null;
    const against = this.#against(call, draft, seen, judged?.found ?? seen);
    const counts = against === null && !this.#run.isOver();
    if (counts) {
      draft.decision = 'allow';
      draft.reason = 'approved';
      draft.run = toRun(call);
    } else {
      // The guard's reading for the approval was not a step.
      draft.withhold();
      if (this.#run.isOver()) draft.fault(call, 'run-over', '');
      else
        draft.block(
          call,
          'no-answer',
          `the world has changed since the question: ${against}; propose it again`,
        );
    }
    return { counts, sawAgain, observed: judged?.observed ?? null };
  }

  /** The reason, in a word, why a yes no longer counts: more speaks against the call than the person was told; null if the yes counts. */
  #against(
    call: ToolCall,
    { shown }: PendingVerdict,
    seen: GuardProposal | null,
    found: GuardProposal | null,
  ): string | null {
    if (seen?.reason === 'predicate-failed' || found?.reason === 'predicate-failed')
      return 'predicate-failed';
    const gravest = Math.max(severity.report, ...shown.map(({ decision }) => severity[decision]));
    if (found !== null && severity[found.decision] > gravest) return found.reason;
    if (found !== null && isBeyond(shown, refusedBy(this.#parts.position.guard))) return found.reason;
    if (call === IDLE) return null;
    try {
      const refusals = this.#parts.reactions.refusals(call, this.#parts.position.state);
      return isBeyond(shown, refusals) ? 'reactive-rule' : null;
    } catch {
      return 'rule-failed';
    }
  }
}
