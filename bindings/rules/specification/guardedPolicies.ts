import type { GuardFile } from '../../runtime/guard/index.js';
import type { Specification } from './specification.js';

/** The policies of a specification, as a guard file has them. */
export function guardedPolicies({ policies }: Specification): Pick<GuardFile, 'policies'> {
  if (policies === null) return {};
  const { hash, set, unproved } = policies;
  return { policies: { hash, ...(unproved === 'report' && { unproved }), set } };
}
