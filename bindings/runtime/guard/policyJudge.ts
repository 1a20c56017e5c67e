import {
  type DecidedCall,
  type Denial,
  describeDenial,
  loadNearestCalls,
  loadParts,
  type OnDeny,
  PolicyDecider,
  type PolicyDenial,
  type PolicySet,
} from '../policy/index.js';
import type { Judge, Judgement, RunJudge } from './judge.js';
import type { Decision, Strategy } from './strategy.js';

/** What the audit log keeps of a decision: the name of the tool, and why it was denied, if it was. No values of the call. */
interface PolicyReading {
  readonly tool: string | null;
  readonly denied: PolicyDenial | null;
}

type Nearest = (call: DecidedCall, state: Readonly<Record<string, unknown>>) => DecidedCall | null;

const BLOCK: OnDeny = { strategy: { kind: 'block' }, scope: 'call', escalate: [] };

/**
 * Policies as a judge of sessions: each call is permitted or denied by itself, whatever came before. What becomes of a denied call is said by the policy that
 * denies it; before any policy, and where several deny, the call is blocked unless the first of those that decide its tool says otherwise.
 *
 * @param set policies, as `parsePolicies` gives them; `verifyPolicies` proves them
 * @param hash SHA-256 of the set, for the audit log
 * @throws InvalidArgumentError, ParseError (rejects) if the set is damaged
 */
export async function policyJudge(set: PolicySet, hash: string): Promise<Judge> {
  await loadParts(set);
  if (set.policies.every(({ onDeny }) => onDeny.suggest !== true)) return judgeOfPolicies(set, hash);
  const NearestCalls = await loadNearestCalls();
  const nearest = new NearestCalls(set);
  return judgeOfPolicies(set, hash, (call, state) => nearest.of(call, state));
}

/** As `policyJudge`, of policies whose conditions need nothing that is not loaded. @param nearest the nearest permitted call; default: nothing is suggested @throws NotSupportedError, too */
export function judgeOfPolicies(set: PolicySet, hash: string, nearest: Nearest = () => null): Judge {
  const decider = new PolicyDecider(set);
  const read = new Set(
    set.inputs.flatMap(({ from }) => (from.startsWith('state.') ? [from.split('.')[1]] : [])),
  );
  const run: RunJudge = {
    propose(call, { state }) {
      if (call === null) return judgementOf(set, { tool: null, denied: null });
      const denied = decider.denial(call, state);
      const judgement = judgementOf(set, { tool: call.name, denied });
      if (denied === null || onDenyOf(set, denied.policy, call.name).suggest !== true) return judgement;
      return { ...judgement, suggestion: suggestionFor(nearest, call, state) };
    },
    decideAgain: (read) => judgementOf(set, readingOf(read)),
    permits: (tool) =>
      set.uncoveredTools === 'permit' || set.policies.some(({ tools }) => tools.includes(tool)),
    closes: (tool) =>
      set.uncoveredTools === 'deny' && !set.policies.some(({ tools }) => tools.includes(tool)),
  };
  return {
    name: 'policies',
    hash,
    decisions: decisionsOf(set),
    ...(set.policies.some(({ onDeny }) => onDeny.scope === 'turn') && { scope: 'turn' as const }),
    // A policy looks at one call: calls that are running change nothing.
    needs: { pending: Number.MAX_SAFE_INTEGER, reads: (field) => read.has(field) },
    begin: () => run,
  };
}

/** What fails in looking for a suggestion is none: the denial stands. */
function suggestionFor(nearest: Nearest, ...asked: Parameters<Nearest>): DecidedCall | null {
  try {
    return nearest(...asked);
  } catch {
    return null;
  }
}

/** All that policies may decide. */
function decisionsOf({ policies }: PolicySet): Strategy[] {
  return [BLOCK, ...policies.map(({ onDeny }) => onDeny)].flatMap(({ strategy, escalate }) => [
    strategy,
    ...escalate,
  ]);
}

function judgementOf(set: PolicySet, read: PolicyReading): Judgement {
  const { tool, denied } = read;
  if (denied === null)
    return { decision: 'allow', reason: 'permitted', explanation: 'The policies permit it.', read };
  const { strategy, scope, escalate } = onDenyOf(set, denied.policy, tool);
  const explanation = describeDenial(denied, set);
  return {
    decision: strategy.kind,
    reason: 'policy',
    rule: denied.policy === '' ? 'policies' : denied.policy,
    explanation,
    message: `This action is not permitted. ${explanation}`,
    scope,
    ...(strategy.kind === 'reflect' && { escalate: escalate.map(({ kind }): Decision => kind) }),
    wouldDecide: strategy.kind,
    read,
  };
}

function onDenyOf({ policies }: PolicySet, name: string, tool: string | null): OnDeny {
  const own = policies.find((policy) => policy.name === name);
  return (own ?? policies.find(({ tools }) => tool !== null && tools.includes(tool)))?.onDeny ?? BLOCK;
}

/** @throws TypeError for what no policy has read */
function readingOf(read: unknown): PolicyReading {
  const { tool, denied } = (read ?? {}) as Partial<PolicyReading>;
  const isDenial =
    denied === null || (typeof denied === 'object' && typeof (denied.denial as Denial)?.kind === 'string');
  if ((tool !== null && typeof tool !== 'string') || !isDenial)
    throw new TypeError('the record has no reading of policies: it lacks tool and denied');
  return { tool, denied };
}
