import { InvalidArgumentError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import type { Judge, Judgement, ProposedCall, RunJudge } from '../../runtime/guard/index.js';
import type { VerifiedPlan } from '../planProof/index.js';
import type { Wanted } from '../workflow/index.js';
import { callId } from './kept.js';
import { sameJson } from './sameJson.js';

type WantedCall = Wanted & { readonly kind: 'call' };

/** What the audit log keeps of a call. */
interface PlanReading {
  /** Whether it is the one that the plan wants. */
  readonly isPlanned: boolean;
  /** The step of the plan, if a person must approve it. */
  readonly asked: string | null;
  /** The conditions of the contract that do not hold of it. */
  readonly broken: readonly string[];
}

/** The judge of one run of a plan: the next call may be what the plan wants, and nothing else. */
export interface PlanJudge extends Judge {
  /** Says what the plan wants next, and which conditions were found not to hold of it; null: nothing. */
  expect(wanted: WantedCall | null, broken?: readonly string[]): void;
}

/**
 * A proved plan as a judge of one session: it lets through the calls of the plan, in their order and with their arguments, asks a person about those that are proved but for that, and stops at
 * any other. Its hash is that of the plan with its contracts, so that the audit log names what was proved.
 */
export function planJudge(verified: VerifiedPlan): PlanJudge {
  let expected: {
    readonly call: ProposedCall;
    readonly step: string;
    readonly broken: readonly string[];
  } | null = null;
  const reasons = new Map(verified.questions.map(({ step, texts }) => [step, texts.join(' ')]));
  const judgementOf = (read: PlanReading): Judgement => judged(read, reasons);
  const run: RunJudge = {
    propose(call) {
      const isPlanned = call === null || (expected !== null && isSameCall(call, expected.call));
      const asked = call !== null && expected !== null && reasons.has(expected.step) ? expected.step : null;
      return judgementOf({ isPlanned, asked, broken: (call && expected?.broken) ?? [] });
    },
    decideAgain: (read) => judgementOf(readingOf(read)),
    // The judge that replaces a call answers for the other one; the run of the plan ends with it.
    instead: () => null,
  };
  return {
    name: 'plan',
    hash: verified.hash,
    decisions: [{ kind: 'stop' }, ...(reasons.size > 0 ? [{ kind: 'inspect' } as const] : [])],
    idleDecisions: [],
    needs: { reads: () => false },
    begin: () => run,
    expect(wanted, broken = []) {
      expected = wanted === null ? null : { call: proposed(wanted), step: wanted.step, broken };
    },
  };
}

/** The call that a plan wants, as it is proposed to a session. */
export function proposed(wanted: WantedCall): ProposedCall {
  return { id: callId(wanted), name: wanted.tool, arguments: wanted.arguments };
}

/** Whether two calls have the same id, tool and arguments. */
function isSameCall(one: ProposedCall, other: ProposedCall): boolean {
  return one.id === other.id && one.name === other.name && sameJson(one.arguments, other.arguments);
}

function judged(read: PlanReading, reasons: ReadonlyMap<string, string>): Judgement {
  const { isPlanned, asked, broken } = read;
  if (!isPlanned)
    return refused('not-planned', 'plan', 'This is not the call that the proved plan makes next.', read);
  if (broken.length > 0) {
    const names = broken.map((name) => `"${name}"`).join(' and ');
    return refused(
      'contract',
      broken[0],
      `The contract requires ${names}, which does not hold of this call.`,
      read,
    );
  }
  if (asked === null) return { decision: 'allow', reason: 'planned', read };
  const explanation = reasons.get(asked) ?? 'The proof of the plan leaves this call to a person.';
  return {
    decision: 'inspect',
    reason: 'not-proved',
    rule: `step ${asked}`,
    explanation,
    read,
    onFailure: 'stop',
  };
}

function refused(reason: string, rule: string, explanation: string, read: PlanReading): Judgement {
  return { decision: 'stop', reason, rule, explanation, message: explanation, read };
}

function readingOf(read: unknown): PlanReading {
  if (
    isObject(read) &&
    typeof read.isPlanned === 'boolean' &&
    (read.asked === null || typeof read.asked === 'string') &&
    Array.isArray(read.broken)
  )
    return read as unknown as PlanReading;
  throw new InvalidArgumentError('the record has no reading of a plan: it lacks isPlanned, asked and broken');
}
