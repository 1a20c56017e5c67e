import { canonicalJson } from '../../base/canonicalJson.js';
import { InvalidArgumentError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import type { Judge, Judgement, ProposedCall, RunJudge } from '../../runtime/guard/index.js';
import type { VerifiedPlan } from '../planProof/index.js';
import type { Wanted } from '../workflow/index.js';
import { callId } from './kept.js';

/** What the audit log keeps: whether the call is the one that the plan wants, and which conditions do not hold of it. */
interface PlanReading {
  readonly isPlanned: boolean;
  readonly broken: readonly string[];
}

/** The judge of one run of a plan: the next call may be what the plan wants, and nothing else. */
export interface PlanJudge extends Judge {
  /** Says what the plan wants next, and which conditions were found not to hold of it; null: nothing. */
  expect(wanted: (Wanted & { readonly kind: 'call' }) | null, broken?: readonly string[]): void;
}

/**
 * A proved plan as a judge of one session: it lets through the calls of the plan, in their order and with their arguments, and stops at any other. Its hash is that of the plan with its
 * contracts, so that the audit log names what was proved.
 */
export function planJudge(verified: VerifiedPlan): PlanJudge {
  let expected: { readonly call: string; readonly broken: readonly string[] } | null = null;
  const run: RunJudge = {
    propose: (call) =>
      call === null
        ? judgementOf({ isPlanned: true, broken: [] })
        : judgementOf({
            isPlanned: expected !== null && keyOf(call) === expected.call,
            broken: expected?.broken ?? [],
          }),
    decideAgain: (read) => judgementOf(readingOf(read)),
  };
  return {
    name: 'plan',
    hash: verified.hash,
    decisions: [{ kind: 'stop' }],
    needs: { reads: () => false },
    begin: () => run,
    expect(wanted, broken = []) {
      expected =
        wanted === null
          ? null
          : { call: keyOf({ id: callId(wanted), name: wanted.tool, arguments: wanted.arguments }), broken };
    },
  };
}

function keyOf({ id, name, arguments: given }: ProposedCall): string {
  return canonicalJson({ id, name, arguments: given });
}

function judgementOf(read: PlanReading): Judgement {
  if (read.isPlanned && read.broken.length === 0) return { decision: 'allow', reason: 'planned', read };
  const [rule = 'plan'] = read.broken;
  const explanation = read.isPlanned
    ? `The contract requires ${read.broken.map((name) => `"${name}"`).join(' and ')}, which does not hold of this call.`
    : 'This is not the call that the proved plan makes next.';
  return {
    decision: 'stop',
    reason: read.isPlanned ? 'contract' : 'not-planned',
    rule,
    explanation,
    message: explanation,
    read,
  };
}

function readingOf(read: unknown): PlanReading {
  if (isObject(read) && typeof read.isPlanned === 'boolean' && Array.isArray(read.broken))
    return read as unknown as PlanReading;
  throw new InvalidArgumentError('the record has no reading of a plan: it lacks isPlanned and broken');
}
