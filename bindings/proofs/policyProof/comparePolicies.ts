import { canonicalJson } from '../../base/canonicalJson.js';
import { InvalidArgumentError } from '../../base/errors.js';
import type { Inputs } from '../../languages/inputs/index.js';
import type { PolicySpecification } from '../../rules/specification/index.js';
import { loadParts, type Policy, type PolicyInput } from '../../runtime/policy/index.js';
import type { Assignment } from '../../solvers/decide/index.js';
import type { SolverIdentity } from '../../solvers/smt/index.js';
import { all, not, permitsOf } from './claims.js';
import { type Answered, type ProofOptions, Prover } from './prover.js';

/** How a new policy stands to an old one of the same name. */
export interface PolicyComparison {
  readonly policy: string;
  readonly kind: 'equivalent' | 'stricter' | 'looser' | 'different' | 'unproved' | 'new' | 'removed';
  /** An input that the new policy alone permits, and one that the old one alone permits. */
  readonly newlyPermitted?: Assignment;
  readonly newlyDenied?: Assignment;
  /** Why it is not proved. */
  readonly reason?: string;
  /** The outside solvers that decided it, if any did. */
  readonly by?: readonly SolverIdentity[];
}

/**
 * Compares policies of one name over the same inputs: whether one permits what the other denies, with an input of each kind.
 *
 * @param options as of `verifyPolicies`: steps of the decider, outside solvers for what it leaves open, and whether what holds for every input is looked through again
 * @throws InvalidArgumentError (rejects) if an input has another type or place in the two, or for a number of steps that is none; SolverError (rejects) if two
 * outside solvers contradict each other
 */
export async function comparePolicies(
  before: PolicySpecification,
  after: PolicySpecification,
  options: ProofOptions = {},
): Promise<PolicyComparison[]> {
  for (const { set } of [before, after]) await loadParts(set);
  const inputs: Record<string, Inputs[string]> = Object.create(null);
  for (const input of [...before.set.inputs, ...after.set.inputs].map(counted)) {
    const known = inputs[input.name];
    if (known !== undefined && canonicalJson(known) !== canonicalJson(input))
      throw new InvalidArgumentError(
        `input "${input.name}" is declared otherwise in ${before.source} and in ${after.source}; policies over other inputs are not compared`,
      );
    inputs[input.name] = input;
  }
  const names = new Set([...before.set.policies, ...after.set.policies].map(({ name }) => name));
  const uncovered: PolicyComparison[] =
    before.set.uncoveredTools === after.set.uncoveredTools
      ? []
      : [
          {
            policy: 'uncoveredTools',
            kind: after.set.uncoveredTools === 'permit' ? 'looser' : 'stricter',
            reason: `calls of tools that no policy decides: ${after.set.uncoveredTools}`,
          },
        ];
  const seen = comparedArguments(before, after);
  const compare = async (name: string): Promise<PolicyComparison> => {
    const [old, fresh] = [before, after].map(({ set }) =>
      set.policies.find((policy) => policy.name === name),
    );
    if (old === undefined || fresh === undefined)
      return { policy: name, kind: old === undefined ? 'new' : 'removed' };
    for (const [what, of] of [
      ['tools', (one: Policy) => one.tools],
      ['inputs', (one: Policy) => one.reads],
    ] as const)
      if (canonicalJson([...of(old)].sort()) !== canonicalJson([...of(fresh)].sort()))
        return {
          policy: name,
          kind: 'different',
          reason: `it decides by other ${what}: ${of(old).join(', ')} before, ${of(fresh).join(', ')} now`,
        };
    const [was, is] = [permitsOf(old), permitsOf(fresh)];
    const prover = new Prover(inputs, [was, is], options);
    const added = await prover.prove(all(is, not(was)));
    return { policy: name, ...relation(added, await prover.prove(all(was, not(is)))) };
  };
  const compared: PolicyComparison[] = [];
  for (const name of names) compared.push(await compare(name));
  return [...uncovered, ...seen, ...compared];
}

/** Calls are counted from 0: a difference at a count that no session has is none. */
function counted(input: PolicyInput): PolicyInput {
  const { from, type } = input;
  if (!/^state\.(calls|failures)\.[^.]+$/.test(from) || type.kind !== 'integer') return input;
  return { ...input, type: { ...type, least: Math.max(0, type.least), most: Math.max(0, type.most) } };
}

/** A call with an argument that no input names is denied: whatever policies say, one that is named only now passes. */
function comparedArguments(before: PolicySpecification, after: PolicySpecification): PolicyComparison[] {
  const namedBy = ({ set }: PolicySpecification): string[] =>
    set.inputs.flatMap(({ from }) => (from.startsWith('action.arguments.') ? [from] : []));
  const [old, fresh] = [namedBy(before), namedBy(after)];
  const added = fresh.filter((one) => !old.includes(one));
  const lost = old.filter((one) => !fresh.includes(one));
  if (added.length + lost.length === 0) return [];
  const says = [
    ...(added.length > 0 ? [`calls may have ${added.join(', ')} now`] : []),
    ...(lost.length > 0 ? [`no longer ${lost.join(', ')}`] : []),
  ];
  const kind = lost.length === 0 ? 'looser' : added.length === 0 ? 'stricter' : 'different';
  return [{ policy: 'inputs', kind, reason: says.join('; ') }];
}

function relation(added: Answered, lost: Answered): Omit<PolicyComparison, 'policy'> {
  const outside = [added, lost].flatMap(({ evidence }) => (evidence.script === undefined ? [] : evidence.by));
  const by = outside.filter(({ name }, i) => outside.findIndex((one) => one.name === name) === i);
  const found = {
    ...(by.length > 0 && { by }),
    ...(added.kind === 'some' && { newlyPermitted: added.input }),
    ...(lost.kind === 'some' && { newlyDenied: lost.input }),
  };
  if (added.kind === 'some' && lost.kind === 'some') return { kind: 'different', ...found };
  for (const answer of [added, lost])
    if (answer.kind === 'unknown') return { kind: 'unproved', ...found, reason: answer.reason };
  if (added.kind === 'some') return { kind: 'looser', ...found };
  return { kind: lost.kind === 'some' ? 'stricter' : 'equivalent', ...found };
}
