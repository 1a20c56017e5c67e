import { printable } from '../../../base/words.js';
import {
  type Obligation,
  type PolicyReport,
  type SpecificationScore,
  verifyPolicies,
} from '../../../proofs/policyProof/index.js';
import type { PolicySet } from '../../../runtime/policy/index.js';
import { type Outcome, plural } from '../terminal.js';
import { loadPolicies } from './load.js';
import { type ProofChoices, withProofOptions } from './solvers.js';

interface VerifyChoices extends ProofChoices {
  readonly file: string;
  readonly mutants?: boolean;
}

/** `foreguard policy verify`: proves or refutes what policies must ensure. */
export async function verifySpecification({
  file,
  mutants = true,
  ...choices
}: VerifyChoices): Promise<Outcome> {
  const specification = await loadPolicies(file);
  const report = await withProofOptions(choices, (options) =>
    verifyPolicies(specification, { ...options, mutants }),
  );
  const counted = (verdict: Obligation['verdict']) =>
    report.obligations.filter((one) => one.verdict === verdict && !one.isRemark).length;
  const [proved, refuted, unproved] = [counted('proved'), counted('refuted'), counted('unproved')];
  const remarks = report.obligations.filter((one) => one.isRemark && one.verdict !== 'proved').length;
  const unasked = specification.set.policies
    .map(({ name }) => name)
    .filter((name) => !specification.ensures.some(({ policy }) => policy === name));
  const unread = unreadArguments(specification.set);
  const lines = [
    ...report.obligations.map((one) => describe(one, file)),
    ...unasked.map(
      (name) => `note: ${name} has no ensures, so nothing is proved about what it must never permit`,
    ),
    ...Object.entries(unread).map(
      ([tool, names]) =>
        `note: calls of ${tool} may have ${names.join(', ')}, which none of its policies reads: whatever they hold is let through`,
    ),
    ...(unproved > 0 && (choices.solver ?? []).length === 0
      ? ['note: an outside solver may decide what is unproved: give --solver z3']
      : []),
    `${plural(proved + refuted + unproved, 'obligation')}: ${proved} proved, ${refuted} refuted, ${unproved} unproved${remarks > 0 ? `; ${plural(remarks, 'remark')}` : ''}`,
    ...Object.entries(report.scores).map(describeScore),
    ...(report.verified ? [ASSUMED] : []),
  ];
  return {
    json: { file, ...report, unread },
    text: lines.map((line) => printable(line)).join('\n'),
    exitCode: exitCodeOf(report),
  };
}

/** By tool, the inputs that its calls may have as arguments, and that no policy of the tool reads. */
function unreadArguments({ inputs, policies }: PolicySet): Record<string, string[]> {
  const named = inputs.flatMap(({ name, from }) => (from.startsWith('action.arguments.') ? [name] : []));
  const tools = [...new Set(policies.flatMap((policy) => policy.tools))];
  return Object.fromEntries(
    tools.flatMap((tool) => {
      const read = policies.flatMap((policy) => (policy.tools.includes(tool) ? policy.reads : []));
      const unread = named.filter((name) => !read.includes(name));
      return unread.length === 0 ? [] : [[tool, unread]];
    }),
  );
}

/** What a proof takes for granted, said wherever one is reported. */
const ASSUMED =
  'Verified, given that every call passes through these policies, and that the properties say what is meant.';

/** What an obligation asks, in words. */
const ASKS: Readonly<Record<Obligation['kind'], (name: string) => string>> = {
  ensures: (name) => `ensures "${name}"`,
  requires: () => 'what is required can be so',
  permitsSomething: () => 'permits something',
  reachable: (name) => `"${name}" decides something`,
  bites: (name) => `some policy would break "${name}"`,
  example: (name) => `example ${name}`,
  needed: (name) => `"${name}" is needed`,
  readable: (name) => `"${name}" can always be read`,
  untrusted: (name) => `${name} decides nothing`,
  mutant: (name) => name,
  session: (name) => `ensures "${name}"`,
};

function describeScore([policy, { mutants, noticed, unproved }]: [string, SpecificationScore]): string {
  const rest = unproved > 0 ? `; of ${unproved} it is not known` : '';
  return `${policy}: its properties and examples notice ${noticed} of ${mutants} policies with one change that decide otherwise${rest}`;
}

/** What a refuted remark says, in words. */
const REMARKS: Partial<typeof ASKS> = {
  needed: (name) => `"${name}" is not needed`,
  readable: (name) => `"${name}" cannot always be read`,
  untrusted: (name) => `${name} decides`,
};

function describe(
  { policy, kind, name, line, source, verdict, isRemark, says, by, script }: Obligation,
  file: string,
): string {
  const isRefutedRemark = isRemark && verdict === 'refuted';
  const asked = (isRefutedRemark ? REMARKS[kind] : undefined) ?? ASKS[kind];
  const outside = script === undefined ? '' : ` [${describeSolvers(by)}script ${script.slice(0, 12)}]`;
  return `${source ?? file}:${line}: ${isRefutedRemark ? 'remark' : verdict}: ${policy} ${asked(name)}: ${says}${outside}`;
}

function describeSolvers(by: Obligation['by']): string {
  return by.map(({ name, version }) => `${name} ${version}, `).join('');
}

function exitCodeOf({ obligations, verified }: PolicyReport): 0 | 1 | 3 {
  if (verified) return 0;
  return obligations.some(({ verdict, isRemark }) => verdict === 'refuted' && !isRemark) ? 1 : 3;
}
