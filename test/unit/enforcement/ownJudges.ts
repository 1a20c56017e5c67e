import type { Judge, Judgement, RunJudge, StartedCall } from '../../../bindings/face/entries/enforce.js';

/**
 * A user's judge with a state: at most so many writes a run, the running ones counted, and none after a failed one until something else has run. A refusal is of the
 * whole turn and names what is permitted; the second of two refusals in a row asks a person.
 */
export function limit(most: number, writes: readonly string[] = ['send', 'pay']): Judge {
  return {
    name: 'limit',
    hash: `limit ${most} ${writes.join()}`,
    decisions: [{ kind: 'block' }, { kind: 'inspect' }, { kind: 'reflect' }],
    needs: { reads: () => false, pending: 6 },
    scope: 'turn',
    begin: () => new Limit(most, writes),
  };
}

interface Read {
  readonly writes: boolean;
  readonly idle: boolean;
}

class Limit implements RunJudge {
  readonly #most: number;
  readonly #writes: readonly string[];
  #made = 0;
  #failed = false;

  constructor(most: number, writes: readonly string[]) {
    this.#most = most;
    this.#writes = writes;
  }

  propose(call: { readonly name: string } | null): Judgement {
    return this.decideAgain({
      writes: call !== null && this.#writes.includes(call.name),
      idle: call === null,
    });
  }

  decideAgain(read: unknown): Judgement {
    const { writes } = read as Read;
    if (!writes) return { decision: 'allow', read };
    if (this.#failed)
      return {
        decision: 'reflect',
        read,
        rule: 'afterFailure',
        reason: 'failed-before',
        escalate: ['inspect'],
      };
    if (this.#made < this.#most) return { decision: 'allow', read };
    return {
      decision: 'block',
      read,
      rule: 'atMost',
      reason: 'too-many',
      explanation: `${this.#made} writes were made, and no more than ${this.#most} may be.`,
      suggestion: { name: 'look', arguments: { at: 'drafts' } },
      scope: 'turn',
    };
  }

  started({ read }: StartedCall): void {
    if ((read as Read).writes) this.#made++;
  }

  came({ read }: StartedCall, outcome: 'ran' | 'failed'): undefined {
    this.#failed = (read as Read).writes && outcome === 'failed';
  }

  withdrawn({ read }: StartedCall): undefined {
    if ((read as Read).writes) this.#made--;
  }
}

/** A user's judge that answers whatever it is told to. */
export function answering(
  answer: (call: unknown, world: unknown) => unknown,
  more: Partial<RunJudge> = {},
): Judge {
  return {
    name: 'hostile',
    hash: 'h',
    decisions: [{ kind: 'block' }, { kind: 'replace', action: 'look' }],
    begin: () => ({
      propose: (call, world) => answer(call, world) as Judgement,
      decideAgain: (read) => ({ decision: 'allow', read }),
      ...more,
    }),
  };
}
