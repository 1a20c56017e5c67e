import { type ExpressionTree, readExpressionTree } from '../../languages/expression/runtime/index.js';
import type { EncodingExpressions } from '../../observations/abstraction/runtime/index.js';
import { fail } from './checks.js';
import type { ExpressionTrees, GuardFile } from './guardFile.js';

/**
 * Reads the expressions of a guard file from their trees.
 *
 * @throws InvalidArgumentError if a tree is missing, ParseError if one is damaged
 */
export function readTrees(file: GuardFile, trees: ExpressionTrees): EncodingExpressions {
  const read = (tree: ExpressionTree | undefined, source: string, name: string) =>
    tree === undefined ? fail('trees', trees, `a tree of ${name}`) : readExpressionTree(tree, source, name);
  return {
    predicates: file.predicates.map(({ name, expression }, i) => ({
      name,
      expression: read(trees.predicates?.[i], expression, `predicate "${name}"`),
    })),
    constraints: eachConstraint(file, (kind, source) =>
      read(trees.constraints?.[kind], source, `constraints.${kind}`),
    ),
  };
}

/** Applies `read` to each constraint that the file has. */
export function eachConstraint<T>(
  { constraints }: GuardFile,
  read: (kind: keyof GuardFile['constraints'], source: string) => T,
): { [kind in keyof GuardFile['constraints']]?: T } {
  const found: { -readonly [kind in keyof GuardFile['constraints']]?: T } = {};
  for (const kind of ['state', 'transition', 'end'] as const) {
    const source = constraints[kind];
    if (source !== undefined) found[kind] = read(kind, source);
  }
  return found;
}
