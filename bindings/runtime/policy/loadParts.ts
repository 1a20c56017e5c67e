import {
  type Expression,
  loadRegexEngine,
  loadTextOperations,
  readExpressionTree,
  usesMatches,
  usesTexts,
} from '../../languages/expression/runtime/index.js';
import type { PolicyRule, PolicySet } from './policySet.js';

/** Loads what the conditions of policies, and further expressions, need to be compiled: the engine of `matches`, and the functions on texts. */
export async function loadParts({ policies }: PolicySet, more: readonly Expression[] = []): Promise<void> {
  const rules = policies.flatMap(({ requires, permit, forbid }) => [
    ...(requires === null ? [] : [requires]),
    ...permit,
    ...forbid,
  ]);
  const read = ({ name, expression, tree }: PolicyRule): Expression =>
    readExpressionTree(tree, expression, name);
  const expressions = [...rules.map(read), ...more];
  if (expressions.some(usesMatches)) await loadRegexEngine();
  if (expressions.some(usesTexts)) await loadTextOperations();
}
