import { type Judgement, severity } from '../guard/index.js';
import type { PendingVerdict } from './pendingVerdict.js';
import type { DecisionRecord } from './record.js';
import type { SessionOptions } from './sessionOptions.js';

const MAX_REFLECTIONS = 2;

/** How often the agent of a run was asked to reflect since the last permitted call, by judges that leave counting to the session. */
export class Reflections {
  readonly most: number;
  #count = 0;
  /** The same before the turn in which a call was judged last: calls of one turn that are refused are one failure to heed the first refusal. */
  #beforeTurn = 0;

  constructor({ maxReflections = MAX_REFLECTIONS }: Pick<SessionOptions, 'maxReflections'>) {
    this.most = maxReflections;
  }

  /** Counts a decision on a call, and makes it more severe if the agent was asked to reflect often enough. */
  count(draft: PendingVerdict): void {
    const taken = this.take(draft.counts, draft.decision, draft.isSibling);
    if (taken === draft.decision) return;
    draft.decision = taken;
    draft.explanation += ` The agent was asked to reflect ${this.most} times.`;
    draft.message = draft.explanation;
  }

  /**
   * Counts a decision on a call: what becomes of it.
   *
   * @param counts the judgement that decided; null if none did, as after a fault
   * @param isSibling whether another call of its turn was refused before
   */
  take(
    counts: Judgement | null,
    decision: DecisionRecord['decision'],
    isSibling: boolean,
  ): DecisionRecord['decision'] {
    if (severity[decision] <= severity.report) this.#count = 0;
    if (!isSibling || this.#count === 0) this.#beforeTurn = this.#count;
    if (decision !== 'reflect' || counts?.escalate === undefined) return decision;
    this.#count = this.#beforeTurn + 1;
    const beyond = this.#count - this.most;
    return beyond <= 0 ? decision : (counts.escalate[Math.min(beyond, counts.escalate.length) - 1] ?? 'stop');
  }
}
