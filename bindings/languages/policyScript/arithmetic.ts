import type { ExpressionNode, Place } from '../expression/index.js';
import { boundsOf } from './numbers.js';
import type { Value } from './scope.js';
import type { Translation } from './translation.js';
import { describeType, TEXT } from './types.js';

/** A sum, a difference or a product. */
export function arithmetic(
  script: Translation,
  operator: '+' | '-' | '*',
  a: Value,
  b: Value,
  place: Place,
): Value {
  if (a.type.kind === 'wrong' || b.type.kind === 'wrong') return script.nothing;
  if (operator === '+' && a.type.kind === 'text' && b.type.kind === 'text')
    return joinedTexts(script, a.node, b.node);
  if (a.type.kind !== 'number' || b.type.kind !== 'number')
    return script.wrong(
      place,
      null,
      `${describeType(a.type)} ${operator} ${describeType(b.type)}`,
      operator === '+' ? 'two numbers or two texts' : 'two numbers',
    );
  const type = boundsOf(operator, a.type, b.type);
  if (type === null)
    return script.wrong(
      place,
      null,
      `"${operator}" whose result may be no number (NaN)`,
      'inputs with bounds, as integer: [0, 1000000]',
    );
  const mayFail = script.trees.mayFail(a.node) || script.trees.mayFail(b.node);
  const isKnown = type.least === type.most && Number.isFinite(type.least) && !mayFail;
  return {
    node: isKnown ? script.trees.literal(type.least) : script.trees.binary(operator, a.node, b.node),
    type,
  };
}

function joinedTexts(script: Translation, a: ExpressionNode, b: ExpressionNode): Value {
  const isKnown = a.kind === 'literal' && b.kind === 'literal';
  if (isKnown) return script.literal(String(a.value) + String(b.value));
  return { node: script.trees.binary('+', a, b), type: TEXT };
}
