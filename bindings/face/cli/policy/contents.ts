import { describeInput } from '../../../languages/inputs/index.js';
import type { PolicySpecification } from '../../../rules/specification/index.js';
import { plural } from '../terminal.js';

/** What policies say, for JSON. */
export function policyContents({ set, ensures, examples, scripts }: PolicySpecification) {
  const sourceOf = (name: string): { source?: string } => {
    const script = scripts.get(name);
    return script === undefined ? {} : { source: `${script.source}:${script.line}` };
  };
  return {
    uncoveredTools: set.uncoveredTools,
    inputs: set.inputs.map((input) => ({ name: input.name, from: input.from, type: describeInput(input) })),
    policies: set.policies.map(({ name, tools, permit, forbid, onDeny }) => ({
      ...{ name, tools, onDeny },
      ...sourceOf(name),
      permit: permit.map((rule) => rule.name),
      forbid: forbid.map((rule) => rule.name),
      ensures: ensures.filter(({ policy }) => policy === name).map((property) => property.name),
      examples: examples.filter(({ policy }) => policy === name).length,
    })),
  };
}

/** What policies say, in lines. */
export function describePolicies(specification: PolicySpecification): string[] {
  const { inputs, policies } = policyContents(specification);
  return [
    ...inputs.map(({ name, from, type }) => `  ${name}: ${from}, ${type}`),
    ...policies.map(
      ({ name, tools, source, permit, forbid, ensures, examples }) =>
        `  ${name} decides ${tools.join(', ')}${source === undefined ? '' : ` by ${source}`}: permit ${permit.join(', ')}${forbid.length > 0 ? `; forbid ${forbid.join(', ')}` : ''}; ${plural(ensures.length, 'property', 'properties')}, ${plural(examples, 'example')}`,
    ),
  ];
}

/** How many policies there are, and what becomes of calls that none decides. */
export function countPolicies({ set }: PolicySpecification): string {
  const { inputs, policies, uncoveredTools } = set;
  return `${plural(inputs.length, 'input')}, ${plural(policies.length, 'policy', 'policies')}; calls of other tools are ${uncoveredTools === 'deny' ? 'denied' : 'permitted'}`;
}
