import { printable } from '../../../base/words.js';
import { type Obligation, type PolicyReport, verifyPolicies } from '../../../proofs/policyProof/index.js';
import { type Outcome, plural } from '../terminal.js';
import { loadPolicies } from './load.js';
import { chosenSolvers, type SolverChoices } from './solvers.js';

/** `foreguard policy verify`: proves or refutes what policies must ensure. */
export async function verifySpecification({
  file,
  ...choices
}: SolverChoices & { readonly file: string }): Promise<Outcome> {
  const specification = await loadPolicies(file);
  const { written, ...use } = await chosenSolvers(choices);
  let report: PolicyReport;
  try {
    report = await verifyPolicies(specification, use);
  } finally {
    await written();
  }
  const counted = (verdict: Obligation['verdict']) =>
    report.obligations.filter((one) => one.verdict === verdict && !one.isRemark).length;
  const [proved, refuted, unproved] = [counted('proved'), counted('refuted'), counted('unproved')];
  const remarks = report.obligations.filter((one) => one.isRemark && one.verdict !== 'proved').length;
  const lines = [
    ...report.obligations.map((one) => describe(one, file)),
    `${plural(proved + refuted + unproved, 'obligation')}: ${proved} proved, ${refuted} refuted, ${unproved} unproved${remarks > 0 ? `; ${plural(remarks, 'remark')}` : ''}`,
    ...(report.verified ? [ASSUMED] : []),
  ];
  return {
    json: { file, ...report },
    text: lines.map((line) => printable(line)).join('\n'),
    exitCode: exitCodeOf(report),
  };
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
};

function describe(
  { policy, kind, name, line, verdict, isRemark, says, by, script }: Obligation,
  file: string,
): string {
  const shown = isRemark && verdict === 'refuted' ? 'remark' : verdict;
  const outside = script === undefined ? '' : ` [${describeSolvers(by)}script ${script.slice(0, 12)}]`;
  return `${file}:${line}: ${shown}: ${policy} ${ASKS[kind](name)}: ${says}${outside}`;
}

function describeSolvers(by: Obligation['by']): string {
  return by.map(({ name, version }) => `${name} ${version}, `).join('');
}

function exitCodeOf({ obligations, verified }: PolicyReport): 0 | 1 | 3 {
  if (verified) return 0;
  return obligations.some(({ verdict, isRemark }) => verdict === 'refuted' && !isRemark) ? 1 : 3;
}
