import { printable } from '../../../base/words.js';
import { comparePolicies, type PolicyComparison } from '../../../proofs/policyProof/index.js';
import type { Outcome } from '../terminal.js';
import { loadPolicies } from './load.js';

/** `foreguard policy compare`: how new policies stand to old ones. */
export async function compareSpecifications({
  before,
  after,
}: {
  readonly before: string;
  readonly after: string;
}): Promise<Outcome> {
  const comparisons = await comparePolicies(await loadPolicies(before), await loadPolicies(after));
  const isUnproved = comparisons.some(({ kind }) => kind === 'unproved');
  const isSame = comparisons.every(({ kind }) => kind === 'equivalent');
  return {
    json: { before, after, policies: comparisons },
    text: comparisons.map((one) => printable(describe(one))).join('\n'),
    exitCode: isUnproved ? 3 : isSame ? 0 : 1,
  };
}

function describe({ policy, kind, newlyPermitted, newlyDenied, reason }: PolicyComparison): string {
  const inputs = [
    ...(newlyPermitted === undefined ? [] : [`now permitted: ${JSON.stringify(newlyPermitted)}`]),
    ...(newlyDenied === undefined ? [] : [`now denied: ${JSON.stringify(newlyDenied)}`]),
    ...(reason === undefined ? [] : [reason]),
  ];
  return `${policy}: ${kind}${inputs.length > 0 ? `; ${inputs.join('; ')}` : ''}`;
}
