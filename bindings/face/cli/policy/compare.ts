import { printable } from '../../../base/words.js';
import { comparePolicies, type PolicyComparison } from '../../../proofs/policyProof/index.js';
import type { PolicySpecification } from '../../../rules/specification/index.js';
import type { Outcome } from '../terminal.js';
import { loadPolicies } from './load.js';
import { returnOf } from './returns.js';
import { type ProofChoices, withProofOptions } from './solvers.js';

/** `foreguard policy compare`: how new policies stand to old ones. */
export async function compareSpecifications({
  before,
  after,
  ...choices
}: ProofChoices & { readonly before: string; readonly after: string }): Promise<Outcome> {
  const [old, fresh] = [await loadPolicies(before), await loadPolicies(after)];
  const found = await withProofOptions(choices, (options) => comparePolicies(old, fresh, options));
  const comparisons = found.map((one) => ({ ...one, ...returnsOf(one, old, fresh) }));
  const isUnproved = comparisons.some(({ kind }) => kind === 'unproved');
  const isSame = comparisons.every(({ kind }) => kind === 'equivalent');
  return {
    json: { before, after, policies: comparisons },
    text: comparisons.map((one) => printable(describe(one))).join('\n'),
    exitCode: isUnproved ? 3 : isSame ? 0 : 1,
  };
}

/** Where scripts decide the inputs of a comparison. */
interface Returns {
  readonly permittedAt?: string;
  readonly deniedAt?: string;
}

/** The return that permits what was denied, and the return that denies what was permitted; where nothing denies it by a return, the one that permitted it. */
function returnsOf(
  { policy, newlyPermitted, newlyDenied }: PolicyComparison,
  old: PolicySpecification,
  fresh: PolicySpecification,
): Returns {
  const permittedAt = newlyPermitted && returnOf(fresh, policy, newlyPermitted);
  const deniedAt =
    newlyDenied && (returnOf(fresh, policy, newlyDenied) ?? returnOf(old, policy, newlyDenied));
  return { ...(permittedAt !== undefined && { permittedAt }), ...(deniedAt !== undefined && { deniedAt }) };
}

function describe(comparison: PolicyComparison & Returns): string {
  const { policy, kind, newlyPermitted, newlyDenied, permittedAt, deniedAt, reason, by } = comparison;
  const at = (place: string | undefined) => (place === undefined ? '' : ` (${place})`);
  const inputs = [
    ...(newlyPermitted === undefined
      ? []
      : [`now permitted: ${JSON.stringify(newlyPermitted)}${at(permittedAt)}`]),
    ...(newlyDenied === undefined ? [] : [`now denied: ${JSON.stringify(newlyDenied)}${at(deniedAt)}`]),
    ...(reason === undefined ? [] : [reason]),
    ...(by === undefined ? [] : [`by ${by.map(({ name, version }) => `${name} ${version}`).join(', ')}`]),
  ];
  return `${policy}: ${kind}${inputs.length > 0 ? `; ${inputs.join('; ')}` : ''}`;
}
