import { printable } from '../../../base/words.js';
import type { Outcome } from '../terminal.js';
import { countPolicies, describePolicies, policyContents } from './contents.js';
import { loadPolicies } from './load.js';

/** `foreguard policy check`: whether a file of policies is well formed, and what it says. */
export async function checkPolicies({ file }: { readonly file: string }): Promise<Outcome> {
  const policies = await loadPolicies(file);
  const { source, hash } = policies;
  const lines = [`${source}: ${countPolicies(policies)}`, ...describePolicies(policies)];
  return {
    json: { file: source, hash, ...policyContents(policies) },
    text: lines.map((line) => printable(line)).join('\n'),
  };
}
