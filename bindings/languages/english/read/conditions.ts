import type { Formula, TemporalUnary } from '../../logic/index.js';
import { and, implies, not, or, predicate, unary } from '../core/index.js';
import type { Tree } from '../grammar/chart.js';
import type { Choices } from './choices.js';

/** What a condition says of one step. It may look ahead by operators of formulas, which are written as their kinds. */
export function conditionAt(tree: Tree): Formula {
  if (typeof tree === 'string') return predicate(tree);
  const [kind, ...parts] = tree as readonly Tree[];
  const formulas = parts.map(conditionAt);
  const [one, other] = formulas;
  switch (kind) {
    case 'not':
      return not(one);
    case '&':
      return formulas.reduce(and);
    case '|':
    case 'oneOf':
      return formulas.reduce(or);
    case 'single':
      return formulas
        .map((only, i) => formulas.reduce((all, next, j) => and(all, i === j ? next : not(next)), only))
        .reduce(or);
    case '->':
      return implies(one, other);
    default:
      return unary(kind as TemporalUnary, one);
  }
}

/** A condition with each "one of" taken as at least one of them, or as one and no other. */
export function settled(tree: Tree, choices: Choices): Tree {
  if (!Array.isArray(tree)) return tree;
  const [kind, ...parts] = (tree as readonly Tree[]).map((part) => settled(part, choices));
  return [
    kind === 'oneOf' ? (choices.pick('oneOf', ['some', 'single']) === 'some' ? '|' : 'single') : kind,
    ...parts,
  ];
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
