import { nearestName } from '../../base/suggest.js';
import type { Place } from '../expression/index.js';
import { arithmetic } from './arithmetic.js';
import type { Scope, Value } from './scope.js';
import type { WrittenOf } from './syntax.js';
import type { Translation } from './translation.js';
import { describeType, type ValueType } from './types.js';

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** A value that two others give: a comparison, a sum, or one in place of null. */
export function binaryOf(script: Translation, written: WrittenOf<'binary'>, scope: Scope): Value {
  const { operator, left, right, place } = written;
  if (operator === '===' || operator === '!==') return equality(script, written, scope);
  if (operator === '??') return defaulted(script, written, scope);
  if (operator === '+' || operator === '-' || operator === '*')
    return arithmetic(script, operator, script.present(left, scope), script.present(right, scope), place);
  const found = [script.value(left, scope), script.value(right, scope)] as const;
  const length = emptiness(script, operator, found, place);
  if (length !== null) return length;
  const [a, b] = [
    script.required(found[0], left.place, scope),
    script.required(found[1], right.place, scope),
  ];
  for (const [value, part] of [
    [a, left],
    [b, right],
  ] as const)
    if (value.type.kind !== 'number')
      return script.wrong(
        part.place,
        value,
        `${describeType(value.type)} beside "${operator}"`,
        value.type.kind === 'text' ? 'numbers: JavaScript orders texts by UTF-16 units' : 'numbers',
      );
  return script.truth(script.trees.binary(operator, a.node, b.node));
}

function equality(
  script: Translation,
  { operator, left, right, place }: WrittenOf<'binary'>,
  scope: Scope,
): Value {
  const [a, b] = [script.value(left, scope), script.value(right, scope)];
  if (a.type.kind === 'wrong' || b.type.kind === 'wrong') return script.nothing;
  const isEqual = operator === '===';
  const length = emptiness(script, operator, [a, b], place);
  if (length !== null) return length;
  if (a.type.kind === 'null' || b.type.kind === 'null') return nullity(script, a, b, isEqual, place);
  const expected = incomparable(a.type, b.type);
  if (expected !== null)
    return script.wrong(place, null, `${describeType(a.type)} ${operator} ${describeType(b.type)}`, expected);
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const { type, node } = one;
    if (node.kind !== 'literal' || type.kind !== 'text' || other.type.kind !== 'text') continue;
    const { values } = other.type;
    if (values !== undefined && other.node.kind !== 'literal' && !values.includes(String(node.value)))
      return script.wrong(
        place,
        null,
        `a comparison with ${JSON.stringify(node.value)}, which is none of its values`,
        nearestName(String(node.value), values) ?? `one of ${values.join(', ')}`,
      );
  }
  const mayBeNull = [a, b].some((one) => one.optional !== undefined && !scope.isPresent(one.optional));
  const equal =
    a.type.kind === 'truth' && !mayBeNull
      ? script.trees.same(a.node, b.node)
      : script.trees.binary('==', a.node, b.node);
  const present = [a, b].flatMap((one, i) =>
    one.optional !== undefined && [b, a][i].optional === undefined ? [one.optional] : [],
  );
  const known = { whenTrue: isEqual ? present : [], whenFalse: isEqual ? [] : present };
  return script.truth(isEqual ? equal : script.trees.not(equal), known);
}

function incomparable(a: ValueType, b: ValueType): string | null {
  for (const { kind } of [a, b]) {
    if (kind === 'list') return 'every, some or includes: lists are equal only to themselves in JavaScript';
    if (kind === 'pattern') return '/…/u.test(text)';
  }
  return a.kind === b.kind ? null : 'two values of one kind';
}

/** A comparison with null. */
function nullity(script: Translation, a: Value, b: Value, isEqual: boolean, place: Place): Value {
  const value = a.type.kind === 'null' ? b : a;
  if (value.optional === undefined)
    return script.wrong(place, null, 'a comparison of null with what is never null', 'an optional input');
  const equal = script.trees.binary('==', value.node, script.trees.literal(null));
  const known = { whenTrue: isEqual ? [] : [value.optional], whenFalse: isEqual ? [value.optional] : [] };
  return script.truth(isEqual ? equal : script.trees.not(equal), known);
}

function defaulted(script: Translation, { left, right, place }: WrittenOf<'binary'>, scope: Scope): Value {
  const a = script.value(left, scope);
  const b = script.present(right, scope);
  if (a.type.kind === 'wrong' || b.type.kind === 'wrong') return script.nothing;
  if (a.optional !== undefined && scope.isPresent(a.optional)) return a;
  if (a.optional === undefined)
    return script.wrong(place, null, '"??" after what is never null', 'an optional input before it');
  const isNull = script.trees.binary('==', a.node, script.trees.literal(null));
  return script.chosen(isNull, b, a, place);
}

/** Whether a text is empty, if a comparison of its length asks so; null if no length is compared. */
function emptiness(
  script: Translation,
  operator: string,
  [a, b]: readonly [Value, Value],
  place: Place,
): Value | null {
  const text = a.lengthOf ?? b.lengthOf;
  if (text === undefined) return null;
  const bound = a.lengthOf === undefined ? a : b;
  const relation = a.lengthOf === undefined ? (MIRRORED[operator] ?? operator) : operator;
  const isNumber = bound.node.kind === 'literal' && bound.type.kind === 'number';
  const asked = isNumber && bound.lengthOf === undefined ? `${relation} ${bound.node.value}` : '';
  const isEmpty = ['=== 0', '< 1', '<= 0'].includes(asked);
  if (!isEmpty && !['!== 0', '> 0', '>= 1'].includes(asked))
    return script.wrong(
      place,
      null,
      'a comparison of the length of a text, which counts UTF-16 units',
      'size(text), which counts characters; length is for comparisons with 0',
    );
  return script.truth(script.trees.binary(isEmpty ? '==' : '!=', text, script.trees.literal('')));
}
