import type { ExpressionNode } from '../../languages/expression/index.js';
import type { ElementType, InputType } from '../../languages/inputs/index.js';
import { constantValue, isConstant } from './trees.js';

/** Most values of a type that are looked at one by one. */
const MOST_ENUMERATED = 64;

/** All values of a type, if they are few. */
export function allValues(type: InputType): (string | number | boolean)[] | undefined {
  if (type.kind === 'boolean') return [true, false];
  if (type.kind === 'enum') return [...type.values];
  if (type.kind !== 'integer' || type.most - type.least >= MOST_ENUMERATED) return undefined;
  const values: number[] = [];
  for (let value = type.least; value <= type.most; value++) values.push(value);
  return values;
}

/** The constants with which a predicate compares a number; undefined if it does anything else with it. */
export function comparedWith(node: ExpressionNode, name: string): number[] | undefined {
  if (node.kind !== 'binary') return undefined;
  const isInput = (side: ExpressionNode) => side.kind === 'name' && side.name === name;
  if (node.operator === 'in') {
    const list = isInput(node.left) && isConstant(node.right) ? constantValue(node.right) : undefined;
    return Array.isArray(list) ? list.filter((one) => typeof one === 'number') : undefined;
  }
  if (!['==', '!=', '<', '<=', '>', '>='].includes(node.operator)) return undefined;
  const other = isInput(node.left) ? node.right : isInput(node.right) ? node.left : undefined;
  if (other === undefined || !isConstant(other)) return undefined;
  const constant = constantValue(other);
  return typeof constant === 'number' ? [constant] : [];
}

/** Numbers of a type of which comparisons with constants have all values that they have of any: each constant, and one number between two neighbours. */
export function numbersAround(
  constants: readonly number[],
  type: Extract<ElementType, { kind: 'integer' | 'number' }>,
): number[] {
  const [least, most] =
    type.kind === 'integer' ? [type.least, type.most] : [-Number.MAX_VALUE, Number.MAX_VALUE];
  const isInside = (x: number) => least <= x && x <= most && (type.kind === 'number' || Number.isInteger(x));
  const sorted = [...new Set(constants)].filter((x) => !Number.isNaN(x)).sort((a, b) => a - b);
  const found = [least, most, ...sorted];
  const ends = [Number.NEGATIVE_INFINITY, ...sorted, Number.POSITIVE_INFINITY];
  for (const [i, high] of ends.slice(1).entries()) {
    const low = ends[i];
    // The ends of the type are inside of the first and the last gap, if anything is.
    if (type.kind === 'integer')
      found.push(Math.max(least, Math.floor(low) + 1), Math.min(most, Math.ceil(high) - 1));
    else if (Number.isFinite(low) && Number.isFinite(high)) found.push(low / 2 + high / 2);
  }
  return found.filter((x) => isInside(x)).map((x) => (x === 0 ? 0 : x));
}
