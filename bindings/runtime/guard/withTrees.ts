import { expressionTree } from '../../languages/expression/index.js';
import type { EncodingExpressions } from '../../observations/abstraction/index.js';
import { fail } from './checks.js';
import type { ExpressionTrees, GuardFile } from './guardFile.js';
import { parseExpressions } from './parseExpressions.js';

/** Returns the file with its expressions as trees, too. @throws as `parseExpressions` */
export function withTrees(file: GuardFile): GuardFile {
  return { ...file, trees: treesOf(parseExpressions(file)) };
}

/** Checks that the trees in a file match its text. */
export function checkTrees(file: GuardFile): void {
  const { predicates, constraints } = treesOf(parseExpressions(file));
  const same = (found: unknown, expected: unknown, place: string): void => {
    if (JSON.stringify(found) !== JSON.stringify(expected)) fail(place, found, 'the tree of the expression');
  };
  predicates.forEach((tree, i) => {
    same(file.trees?.predicates?.[i], tree, `trees.predicates[${i}]`);
  });
  for (const [kind, tree] of Object.entries(constraints))
    same(file.trees?.constraints?.[kind as keyof typeof constraints], tree, `trees.constraints.${kind}`);
}

function treesOf({ predicates, constraints }: EncodingExpressions): ExpressionTrees {
  return {
    predicates: predicates.map(({ expression }) => expressionTree(expression)),
    constraints: Object.fromEntries(
      Object.entries(constraints).map(([kind, expression]) => [kind, expressionTree(expression)]),
    ),
  };
}
