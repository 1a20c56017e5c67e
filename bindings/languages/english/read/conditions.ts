import type { Formula } from '../../logic/index.js';
import { and, not, or, predicate, unary } from '../core/index.js';
import type { Tree } from '../grammar/chart.js';
import type { Choices } from './choices.js';

/** What a condition says of one step. */
export function conditionAt(tree: Tree): Formula {
  if (typeof tree === 'string') return predicate(tree);
  const [kind, ...parts] = tree as readonly Tree[];
  const formulas = parts.map(conditionAt);
  if (kind === 'not') return not(formulas[0]);
  return formulas.reduce((one, other) => (kind === '&' ? and(one, other) : or(one, other)));
}

/** The parts of "a and b", else the condition itself. */
export function conjuncts(tree: Tree): Tree[] {
  if (typeof tree === 'string') return [tree];
  const [kind, ...parts] = tree as readonly Tree[];
  return kind === '&' ? parts.flatMap(conjuncts) : [tree];
}

/** What a condition says where "a and b" may mean that each has been so up to now. */
export function conditionSoFar(tree: Tree, choices: Choices): Formula {
  const parts = conjuncts(tree);
  if (parts.length === 1 || choices.pick('both', ['each', 'together']) === 'together')
    return conditionAt(tree);
  return parts.map((part) => unary('O', conditionAt(part))).reduce((one, other) => and(one, other));
}
