import type { ExpressionNode } from '../../languages/expression/index.js';
import { Refused } from './refused.js';
import {
  constantValue,
  ELEMENT,
  FALSE,
  filledIn,
  isConstant,
  type Leaves,
  NONE,
  TRUE,
  type Tree,
  treeOf,
} from './trees.js';

/** Most summaries of lists, and most ways in which one element can be. */
const MOST_SUMMARIES = 200_000;

/** What a predicate says of a list: something about how many elements fulfil a body. */
export interface Count {
  readonly body: Tree;
  /** Number from which more elements make no difference. */
  readonly cap: number;
  /** The predicate's value, by the elements of which the body is false, true, and without a value. */
  readonly value: (no: number, yes: number, none: number) => number;
}

/** Reads a predicate over a list; undefined if it is another. @param leaves receives the predicates of an element */
export function countOf(node: ExpressionNode, list: string, leaves: Leaves): Count | undefined {
  const isList = (one: ExpressionNode) => one.kind === 'name' && one.name === list;
  const bodyOf = (variable: string, body: ExpressionNode) =>
    treeOf(filledIn(body, { [variable]: { name: ELEMENT } }), leaves);
  if (node.kind === 'macro' && isList(node.list)) {
    const body = bodyOf(node.variable, node.body);
    if (node.macro === 'all')
      return { body, cap: 1, value: (no, _, none) => (no ? FALSE : none ? NONE : TRUE) };
    if (node.macro === 'exists')
      return { body, cap: 1, value: (_, yes, none) => (yes ? TRUE : none ? NONE : FALSE) };
    if (node.macro === 'exists_one')
      return { body, cap: 2, value: (_, yes, none) => (none ? NONE : yes === 1 ? TRUE : FALSE) };
    return undefined;
  }
  if (node.kind !== 'binary') return undefined;
  const { left, right, place } = node;
  if (node.operator === 'in') {
    if (!isList(right) || !isConstant(left)) return undefined;
    const element: ExpressionNode = { kind: 'name', name: ELEMENT, place };
    const body = treeOf({ kind: 'binary', operator: '==', left: element, right: left, place }, leaves);
    return { body, cap: 1, value: (_, yes, none) => (yes ? TRUE : none ? NONE : FALSE) };
  }
  const isMirrored = isConstant(left);
  const [size, other] = isMirrored ? [right, left] : [left, right];
  const bound = isConstant(other) ? constantValue(other) : undefined;
  if (size.kind !== 'call' || size.function !== 'size' || typeof bound !== 'number') return undefined;
  const holds = relation(node.operator);
  if (holds === undefined) return undefined;
  const [of] = size.arguments;
  let body: Tree;
  if (isList(of)) body = { kind: 'constant', value: TRUE };
  else if (of.kind === 'macro' && of.macro === 'filter' && isList(of.list))
    body = bodyOf(of.variable, of.body);
  else return undefined;
  return {
    body,
    cap: Math.max(0, Math.ceil(bound) + 1),
    value: (_, yes, none) =>
      none ? NONE : (isMirrored ? holds(bound, yes) : holds(yes, bound)) ? TRUE : FALSE,
  };
}

function relation(operator: string): ((a: number, b: number) => boolean) | undefined {
  switch (operator) {
    case '==':
      return (a, b) => a === b;
    case '!=':
      return (a, b) => a !== b;
    case '<':
      return (a, b) => a < b;
    case '<=':
      return (a, b) => a <= b;
    case '>':
      return (a, b) => a > b;
    case '>=':
      return (a, b) => a >= b;
    default:
      return undefined;
  }
}

/**
 * All values that predicates can have of a list of at most `most` elements, by counting.
 *
 * @param kinds the values of all bodies that one element can have
 */
export function listValues(
  counts: readonly Count[],
  kinds: readonly (readonly number[])[],
  most: number,
): number[][] {
  const place = (value: number) => (value === FALSE ? 0 : value === TRUE ? 1 : 2);
  const empty = counts.flatMap(() => [0, 0, 0]);
  const seen = new Map([[empty.join(), empty]]);
  let last = [empty];
  for (let length = 1; length <= most && last.length > 0; length++) {
    const fresh: number[][] = [];
    for (const before of last)
      for (const kind of kinds) {
        const after = [...before];
        for (const [i, value] of kind.entries()) {
          const at = 3 * i + place(value);
          after[at] = Math.min(after[at] + 1, counts[i].cap);
        }
        const key = after.join();
        if (seen.has(key)) continue;
        if (seen.size >= MOST_SUMMARIES)
          throw new Refused(`lists have more than ${MOST_SUMMARIES} summaries`);
        seen.set(key, after);
        fresh.push(after);
      }
    last = fresh;
  }
  return [...seen.values()].map((summary) =>
    counts.map(({ value }, i) => value(summary[3 * i], summary[3 * i + 1], summary[3 * i + 2])),
  );
}
