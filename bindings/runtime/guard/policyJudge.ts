import {
  answerOf,
  type DecidedCall,
  type Denial,
  describeDenial,
  extractionsOf,
  loadNearestCalls,
  loadParts,
  type OnDeny,
  PolicyDecider,
  type PolicyDenial,
  type PolicySet,
} from '../policy/index.js';
import type { Judge, Judgement, Refusal, RunJudge } from './judge.js';
import { type Decision, type Strategy, severity } from './strategy.js';

/** What the audit log keeps of a decision: the name of the tool, and why it was denied, if it was. No values of the call. */
interface PolicyReading {
  readonly tool: string | null;
  readonly denied: PolicyDenial | null;
  /** What else was against the call. Absent if nothing was, as in logs of earlier releases, which named the first alone. */
  readonly others?: readonly PolicyDenial[];
}

type Nearest = (call: DecidedCall, state: Readonly<Record<string, unknown>>) => DecidedCall | null;

const BLOCK: OnDeny = { strategy: { kind: 'block' }, scope: 'call', escalate: [] };

/**
 * Policies as a judge of sessions: each call is permitted or denied by itself, whatever came before. What becomes of a denied call is said by the policy that
 * denies it, the most severe of several; where it is denied before any policy, by all that decide its tool.
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
  const extracted = extractionsOf(set).filter(({ tools }) => tools.length > 0);
  const run: RunJudge = {
    propose(call, { state }) {
      if (call === null) return judgementOf(set, { tool: null, denied: null });
      const [denied = null, ...others] = decider.denials(call, state);
      const judgement = judgementOf(set, {
        tool: call.name,
        denied,
        ...(others.length > 0 && { others }),
      });
      const suggests =
        denied !== null &&
        onDenyOf(set, denied.policy, call.name).some(([, onDeny]) => onDeny.suggest === true);
      return suggests ? { ...judgement, suggestion: suggestionFor(nearest, call, state) } : judgement;
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
    needs: {
      // What running calls change of the state, as their number, a policy sees once they have come back. Who is asking stays the same throughout.
      pending: [...read].some((field) => field !== 'principal') ? 0 : Number.MAX_SAFE_INTEGER,
      reads: (field) => read.has(field),
      ...(extracted.length > 0 && {
        detectors: Object.fromEntries(
          extracted.map(({ name, type }) => [name, { answer: answerOf(type), on: 'arguments' as const }]),
        ),
      }),
    },
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
  const { tool, denied, others = [] } = read;
  if (denied === null)
    return { decision: 'allow', reason: 'permitted', explanation: 'The policies permit it.', read };
  const all = [denied, ...others].flatMap((one) =>
    onDenyOf(set, one.policy, tool).map(([name, onDeny]) => ({ one, name, onDeny })),
  );
  const severityOf = ({ onDeny }: (typeof all)[number]) => severity[onDeny.strategy.kind];
  const { one, onDeny } = all.reduce((worst, next) => (severityOf(next) > severityOf(worst) ? next : worst));
  const { strategy, escalate } = onDeny;
  const reasons = all.filter(({ one: { policy } }) => policy === one.policy).map((each) => each.one);
  const explanation = [...new Set(reasons)].map((each) => describeDenial(each, set)).join(' ');
  return {
    decision: strategy.kind,
    reason: 'policy',
    rule: nameOf(one.policy),
    explanation,
    message: `This action is not permitted. ${explanation}`,
    // A turn is withheld for each policy that says so, also where another decides what becomes of the call.
    scope: all.some((each) => each.onDeny.scope === 'turn') ? 'turn' : 'call',
    ...(strategy.kind === 'reflect' && { escalate: escalate.map(({ kind }): Decision => kind) }),
    wouldDecide: strategy.kind,
    against: all.map(
      ({ one: { denial }, name, onDeny: own }): Refusal => ({
        name,
        part: partOf(denial),
        decision: own.strategy.kind,
      }),
    ),
    read,
  };
}

/** What of a policy is against a call, told apart from all else that may be: a yes to one is none to another. */
function partOf(denial: Denial): string {
  switch (denial.kind) {
    case 'uncovered':
      return 'no policy decides it';
    case 'extra':
      return `the argument ${denial.argument}`;
    case 'absent':
    case 'mistyped':
    case 'outside':
      return `the input ${denial.input} is ${denial.kind}`;
    case 'required':
      return 'what it requires';
    case 'notPermitted':
      return 'nothing permits it';
    default:
      return denial.rule;
  }
}

function nameOf(policy: string): string {
  return policy === '' ? 'policies' : policy;
}

/** What becomes of a denial, by the policy that denies; by all that decide the tool where it comes before any of them, so that none of them was asked. */
function onDenyOf(
  { policies }: PolicySet,
  name: string,
  tool: string | null,
): readonly (readonly [string, OnDeny])[] {
  const own = policies.filter((policy) =>
    name === '' ? tool !== null && policy.tools.includes(tool) : policy.name === name,
  );
  return own.length === 0 ? [[nameOf(name), BLOCK]] : own.map((policy) => [policy.name, policy.onDeny]);
}

/** @throws TypeError for what no policy has read */
function readingOf(read: unknown): PolicyReading {
  const { tool, denied, others } = (read ?? {}) as Partial<PolicyReading>;
  const areDenials = [...(denied === null ? [] : [denied]), ...(others ?? [])].every(
    (one) => typeof one === 'object' && one !== null && typeof (one.denial as Denial)?.kind === 'string',
  );
  if ((tool !== null && typeof tool !== 'string') || denied === undefined || !areDenials)
    throw new TypeError('the record has no reading of policies: it lacks tool and denied');
  return { tool, denied, ...(others && { others }) };
}
