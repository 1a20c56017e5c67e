import { InvalidArgumentError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import type { Judge, Judgement, ProposedCall, RunJudge } from '../../runtime/guard/index.js';
import type { CallSources, VerifiedPlan } from '../planProof/index.js';
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
  /** Of the call that the plan wants: its step, and the rounds around it from 0. Absent of other calls, as in logs of earlier releases. */
  readonly step?: string;
  readonly rounds?: readonly number[];
  /** Where its data may come from, by the proof: that of each argument, and what may have decided that it is made. */
  readonly from?: Readonly<Record<string, readonly string[]>>;
  readonly decidedBy?: readonly string[];
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
    readonly wanted: WantedCall;
    readonly broken: readonly string[];
  } | null = null;
  const sources = new Map(verified.sources.map((one) => [one.step, placeOf(one)]));
  const reasons = new Map(verified.questions.map(({ step, texts }) => [step, texts.join(' ')]));
  const judgementOf = (read: PlanReading): Judgement => judged(read, reasons);
  const run: RunJudge = {
    propose(call) {
      const isPlanned = call === null || (expected !== null && isSameCall(call, expected.call));
      const wanted = call === null ? null : (expected?.wanted ?? null);
      const asked = wanted !== null && reasons.has(wanted.step) ? wanted.step : null;
      const read = { isPlanned, asked, broken: (call && expected?.broken) ?? [] };
      if (wanted === null || !isPlanned) return judgementOf(read);
      return judgementOf({ ...read, step: wanted.step, rounds: wanted.rounds, ...sources.get(wanted.step) });
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
    about: {
      verdict: 'proved',
      contracts: verified.contracts.hash,
      assumes: verified.assumes.map(({ kind, of }) => `${kind} of ${of}`).join(', '),
      asked: [...reasons.keys()].join(', '),
    },
    needs: { reads: () => false },
    begin: () => run,
    expect(wanted, broken = []) {
      expected = wanted === null ? null : { call: proposed(wanted), wanted, broken };
    },
  };
}

/** What the log keeps of where data come from. */
function placeOf({ decided, arguments: given }: CallSources): Pick<PlanReading, 'from' | 'decidedBy'> {
  const from = given.filter(({ sources }) => sources.length > 0).map(({ name, sources }) => [name, sources]);
  return {
    ...(from.length > 0 && { from: Object.fromEntries(from) }),
    ...(decided.length > 0 && { decidedBy: decided }),
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
