import { InvalidDataError } from '../../base/errors.js';
import { printable } from '../../base/words.js';
import type { PolicySpecification } from '../../rules/specification/index.js';
import type { Obligation } from './obligation.js';
import { verifyPolicies } from './verifyPolicies.js';

const SHOWN = 5;

/** Policies that may not guard, because of what is refuted or unproved of them. */
export class UnprovedPolicyError extends InvalidDataError {
  /** What is not proved. */
  readonly obligations: readonly Obligation[];

  constructor(message: string, obligations: readonly Obligation[]) {
    super(message);
    this.obligations = obligations;
  }
}

/**
 * Verifies policies before they guard. Refuted policies never guard; unproved ones do only if the specification says `unproved: report`.
 *
 * @param onNote told in words what is unproved and let through
 * @throws UnprovedPolicyError (rejects) with what is not proved
 */
export async function requireVerified(
  policies: PolicySpecification,
  onNote: (text: string) => void = () => undefined,
): Promise<void> {
  const { obligations } = await verifyPolicies(policies);
  const open = obligations.filter(({ verdict, isRemark }) => verdict !== 'proved' && !isRemark);
  if (open.length === 0) return;
  const { source, unproved } = policies;
  const lines = open
    .slice(0, SHOWN)
    .map(({ line, verdict, policy, kind, name, says }) =>
      printable(`${source}:${line}: ${verdict}: policy "${policy}", ${kind} "${name}": ${says}`),
    );
  const more = open.length > SHOWN ? `\n… and ${open.length - SHOWN} more` : '';
  const found = `${lines.join('\n')}${more}`;
  const isRefuted = open.some(({ verdict }) => verdict === 'refuted');
  if (!isRefuted && unproved === 'report')
    return onNote(`${source}: policies guard of which not all is proved: ${found}`);
  const advice = isRefuted
    ? 'mend the policy or what it must ensure'
    : 'rewrite what could not be followed, or let unproved policies guard by unproved: report';
  throw new UnprovedPolicyError(
    `${source}: policies are not verified, and guard nothing; ${advice} (foreguard policy verify shows all)\n${found}`,
    open,
  );
}
