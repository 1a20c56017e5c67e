import { describeInput } from '../../languages/inputs/index.js';
import type { PolicyDenial } from './policyJudgement.js';
import type { PolicyRule, PolicySet } from './policySet.js';

/** Says in a sentence why a call is denied. Values of the call are not quoted. */
export function describeDenial({ policy, denial }: PolicyDenial, set: PolicySet): string {
  const ruleOf = (rule: string): PolicyRule | undefined => {
    const found = set.policies.find(({ name }) => name === policy);
    return [...(found?.permit ?? []), ...(found?.forbid ?? [])].find(({ name }) => name === rule);
  };
  const expressionOf = (rule: string): string => {
    const one = ruleOf(rule);
    return one === undefined ? '' : ` (${one.expression})`;
  };
  switch (denial.kind) {
    case 'uncovered':
      return 'No policy decides calls of this tool.';
    case 'extra':
      return `No input of the policies names the argument "${denial.argument}", so they cannot see it.`;
    case 'absent':
    case 'mistyped':
    case 'outside': {
      const input = set.inputs.find(({ name }) => name === denial.input);
      const expected = input === undefined ? '' : `; expected ${describeInput(input)}`;
      const found = {
        absent: 'is missing',
        mistyped: 'is of another kind',
        outside: 'is outside of its bounds',
      };
      if (input?.extract !== undefined && denial.kind === 'absent')
        return `No model answered the question for the input "${denial.input}" in time, so the call is denied.`;
      return `The input "${denial.input}" (${input?.from ?? ''}) ${found[denial.kind]}${expected}.`;
    }
    case 'unreadable':
      if (ruleOf(denial.rule)?.reason !== undefined)
        return `Policy "${policy}" has no value for the inputs of this call: a text is not of the form that it reads.`;
      return `Policy "${policy}": "${denial.rule}"${expressionOf(denial.rule)} has no value for the inputs of this call.`;
    case 'required':
      return `Policy "${policy}" requires: ${set.policies.find(({ name }) => name === policy)?.requires?.expression ?? ''}.`;
    case 'forbidden': {
      const reason = ruleOf(denial.rule)?.reason;
      if (reason !== undefined) return `Policy "${policy}": ${reason}`;
      return `Policy "${policy}" forbids it: "${denial.rule}"${expressionOf(denial.rule)}.`;
    }
    case 'notPermitted': {
      const found = set.policies.find(({ name }) => name === policy);
      const conditions = found?.permit.map(({ name }) => `"${name}"${expressionOf(name)}`).join(', ') ?? '';
      return `Policy "${policy}" permits it only if one of these holds: ${conditions || 'nothing'}.`;
    }
  }
}
