import { severity } from '../guard/index.js';
import { editInWords } from './editing.js';
import type { Answer } from './inspection.js';
import { type Judged, JudgeFault, readsOf } from './judged.js';
import { type Judging, toRun } from './judging.js';
import { answerInWords } from './messages.js';
import type { PendingVerdict } from './pendingVerdict.js';
import { type OpenQuestion, readAnswer } from './questions.js';
import { type OutcomeRecord, readingsOf } from './record.js';
import { againstIt, isBeyond } from './refusals.js';
import type { RunParts } from './runParts.js';
import type { ToolCall } from './toolCall.js';

/** The world between calls, as judges found it. */
export interface Looked {
  readonly found: readonly Judged[];
  readonly isSeen: boolean;
}

/** The run to which an answer belongs. */
export interface AnsweredRun {
  isOver(): boolean;
  /** Observes the world before an approved call: what the judges found, and whether it could be observed. */
  lookAgain(approved: ToolCall): Promise<Looked>;
}

/** The consequences of an answer, beside the decision. */
export interface Answered {
  readonly outcome: OutcomeRecord['outcome'];
  /** Whether the world was observed again before the call. */
  readonly sawAgain: boolean;
  readonly more: Pick<OutcomeRecord, 'by' | 'edited' | 'observed' | 'beside' | 'excused' | 'unread' | 'ends'>;
}

/** The fate of an approval. */
interface Approval {
  counts: boolean;
  sawAgain: boolean;
  /** The judges' readings of the call. */
  observed: readonly unknown[];
  /** The rules whose violation it excuses. */
  excused: readonly string[];
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
    { verdict, counts, shown }: OpenQuestion,
    given: Answer | null,
    draft: PendingVerdict,
  ): Promise<Answered> {
    const { call, inspection } = verdict;
    const answer = readAnswer(given);
    let approval: Approval | null = null;
    let edited: ToolCall | null = null;
    draft.counts = counts;
    draft.rule = verdict.rule;
    draft.explanation = verdict.explanation;
    draft.shown = shown;
    const inTime = inspection !== null && this.#parts.journal.now() <= inspection.expiresAt;
    if (this.#run.isOver()) draft.fault(call, 'run-over', '');
    else if (answer === null || !inTime) {
      const failed = counts.onFailure;
      const lacking = given === null ? 'none came' : 'it cannot be read';
      draft.fault(call, 'no-answer', inTime ? lacking : 'the time is over', failed);
    } else if (!answer.approved) {
      draft.fault(call, 'refused', answerInWords(answer));
      draft.decision = 'block';
    } else if (this.#judging.isCrowded(call)) draft.block(call, 'calls-running');
    // Two questions about one call may be open, asked at different places of the run.
    else if (!this.#judging.blocksRepeated(draft, call)) {
      const edit = answer.arguments === undefined ? null : await this.#judging.edited(call, answer.arguments);
      // People may look at a question for long, in which the tool may become another.
      const wrong = edit === null ? this.#judging.faultOf(call) : null;
      if (wrong !== null) draft.fault(call, ...wrong);
      else if (edit !== null && !('call' in edit)) draft.block(call, ...edit);
      else {
        edited = edit?.call ?? null;
        approval = await this.#approve(edited ?? call, draft, edited !== null);
      }
    }
    const runsEdited = edited !== null && approval?.counts === true ? this.#recorded(edited) : null;
    if (runsEdited !== null) draft.message = editInWords(runsEdited.arguments);
    const refused = draft.reason === 'refused' ? 'refused' : 'no-answer';
    return {
      outcome: approval?.counts ? 'approved' : refused,
      sawAgain: approval?.sawAgain === true,
      more: {
        ...(answer?.by !== undefined && { by: answer.by }),
        ...(runsEdited && { edited: runsEdited }),
        ...readingsOf(approval?.observed ?? []),
        ...(approval && approval.excused.length > 0 && { excused: approval.excused }),
        ...(approval?.counts === false && { unread: true }),
        ...(draft.decision === 'stop' && { ends: true }),
      },
    };
  }

  #recorded(edited: ToolCall): NonNullable<OutcomeRecord['edited']> {
    const { journal, judges } = this.#parts;
    return {
      arguments: journal.redactArguments(edited.arguments),
      inputs: journal.inputs(judges.state, edited),
    };
  }

  /** Approves a call, as it was proposed or as the person changed it. The person was shown an earlier state, or other running calls: if more speaks against the call by now, the approval does not count. */
  async #approve(call: ToolCall, draft: PendingVerdict, isEdited: boolean): Promise<Approval> {
    const { judges, world } = this.#parts;
    const { moved: sawAgain, early } = await judges.hasMoved(world, call);
    if (early !== null) {
      draft.block(call, 'too-early', early);
      return { counts: false, sawAgain: false, observed: [], excused: [] };
    }
    const seen = sawAgain ? await this.#run.lookAgain(call) : NOT_LOOKED;
    const judged = judges.approve(world, call);
    const against = this.#against(draft, seen, judged);
    const counts = against === null && !this.#run.isOver();
    const shown = draft.shown.flatMap(({ name }) => (name === '' ? [] : [name]));
    const broken = counts ? judges.excuse(shown) : [];
    // Beside others the call is only read ahead: its violations show, and are excused, when its step comes.
    const excused = counts && judges.pending > 0 ? shown : broken;
    draft.excused = excused;
    draft.reads = readsOf(judged);
    if (counts) {
      draft.decision = 'allow';
      draft.reason = 'approved';
      draft.run = toRun(call);
    } else {
      // The judges' reading for the approval was not a step.
      draft.withhold();
      if (this.#run.isOver()) draft.fault(call, 'run-over', '');
      else
        draft.block(
          call,
          'no-answer',
          isEdited
            ? `with these arguments more is against it than was shown: ${against}; propose it as it is to run`
            : `the world has changed since the question: ${against}; propose it again`,
        );
    }
    return { counts, sawAgain, observed: draft.reads, excused };
  }

  /** The reason, in a word, why a yes no longer counts: more speaks against the call than the person was told; null if the yes counts. */
  #against({ shown }: PendingVerdict, seen: Looked, judged: readonly Judged[]): string | null {
    const failed = 'predicate-failed';
    if (!seen.isSeen) return failed;
    const all = [...seen.found, ...judged];
    if (all.some((one) => !(one instanceof JudgeFault) && one.reason === failed)) return failed;
    const gravest = Math.max(severity.report, ...shown.map(({ decision }) => severity[decision]));
    for (const one of judged) {
      if (one instanceof JudgeFault) return 'rule-failed';
      if (severity[one.decision] > gravest) return one.reason ?? one.decision;
    }
    for (const one of judged)
      if (!(one instanceof JudgeFault) && isBeyond(shown, againstIt(one))) return one.reason ?? one.decision;
    return null;
  }
}

const NOT_LOOKED: Looked = { found: [], isSeen: true };
