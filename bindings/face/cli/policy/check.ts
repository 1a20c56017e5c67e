import { printable } from '../../../base/words.js';
import { describeInput } from '../../../languages/inputs/index.js';
import { type Outcome, plural } from '../terminal.js';
import { loadPolicies } from './load.js';

/** `foreguard policy check`: whether a file of policies is well formed, and what it says. */
export async function checkPolicies({ file }: { readonly file: string }): Promise<Outcome> {
  const { source, hash, set, ensures, examples, scripts } = await loadPolicies(file);
  const { inputs, policies, uncoveredTools } = set;
  const json = {
    file: source,
    hash,
    uncoveredTools,
    inputs: inputs.map((input) => ({ name: input.name, from: input.from, type: describeInput(input) })),
    policies: policies.map(({ name, tools, permit, forbid, onDeny }) => ({
      ...{ name, tools, onDeny },
      ...(scripts.has(name) && { source: `${scripts.get(name)!.source}:${scripts.get(name)!.line}` }),
      permit: permit.map((rule) => rule.name),
      forbid: forbid.map((rule) => rule.name),
      ensures: ensures.filter(({ policy }) => policy === name).map((property) => property.name),
      examples: examples.filter(({ policy }) => policy === name).length,
    })),
  };
  const lines = [
    `${source}: ${plural(inputs.length, 'input')}, ${plural(policies.length, 'policy', 'policies')}; calls of other tools are ${uncoveredTools === 'deny' ? 'denied' : 'permitted'}`,
    ...inputs.map((input) => `  ${input.name}: ${input.from}, ${describeInput(input)}`),
    ...json.policies.map(
      (policy) =>
        `  ${policy.name} decides ${policy.tools.join(', ')}${policy.source === undefined ? '' : ` by ${policy.source}`}: permit ${policy.permit.join(', ')}${policy.forbid.length > 0 ? `; forbid ${policy.forbid.join(', ')}` : ''}; ${plural(policy.ensures.length, 'property', 'properties')}, ${plural(policy.examples, 'example')}`,
    ),
  ];
  return { json, text: lines.map((line) => printable(line)).join('\n') };
}
