import { compileCondition, readExpressionTree } from '../../../languages/expression/index.js';
import type { PolicySpecification } from '../../../rules/specification/index.js';

/** The place of a return in the script of a policy, as FILE:LINE, by the name of its condition; undefined for a policy without a script. */
export function placeOfReturn(
  { scripts }: PolicySpecification,
  policy: string,
  rule: string,
): string | undefined {
  const script = scripts.get(policy);
  const line = script?.lines.get(rule);
  return line === undefined ? undefined : `${script?.source}:${line}`;
}

/** The place of the return that decides an input; undefined for a policy without a script, and where none decides. */
export function returnOf(
  specification: PolicySpecification,
  policy: string,
  input: Readonly<Record<string, unknown>>,
): string | undefined {
  if (!specification.scripts.has(policy)) return undefined;
  const found = specification.set.policies.find(({ name }) => name === policy);
  const decides = [...(found?.permit ?? []), ...(found?.forbid ?? [])].find(({ tree, expression, name }) => {
    try {
      return compileCondition(readExpressionTree(tree, expression, name))(input, {});
    } catch {
      return false;
    }
  });
  return decides && placeOfReturn(specification, policy, decides.name);
}
