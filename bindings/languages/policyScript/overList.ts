import type { ExpressionNode } from '../expression/index.js';
import { isElementType } from './annotation.js';
import type { Scope, Value } from './scope.js';
import type { Written } from './syntax.js';
import type { Translation } from './translation.js';

/** Names that variables of the expression language cannot have. */
const KEPT = new Set([
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
  'true',
  'false',
  'null',
  'time',
  'action',
  'state',
]);

/** `every`, `some` and `filter`. */
export function overList(
  script: Translation,
  of: Value,
  method: 'every' | 'some' | 'filter',
  argument: Written,
  scope: Scope,
): Value {
  if (argument.kind !== 'arrow')
    return script.wrong(
      argument.place,
      null,
      `no function as the argument of ${method}`,
      'one of one parameter: r => …',
    );
  const element = of.type.kind === 'list' ? of.type.of : of.type;
  const { parameter, type, place } = argument;
  if (scope.find(parameter) !== undefined || script.module.imported.has(parameter))
    return script.wrong(place, null, `a second "${parameter}"`, 'another name');
  if (type !== null && !isElementType(type, element))
    script.problems.add(type.place, 'another type of element', 'no type: it is known');
  const bodyOf = (node: ExpressionNode): ExpressionNode => {
    const inner = scope.within();
    inner.declare(parameter, { node, type: element });
    return script.condition(argument.body, inner).node;
  };
  const { node } = of;
  // A filter's elements are looked at in the list that is filtered, unless it may throw: it looks at all of them first.
  const isFilter =
    node.kind === 'macro' &&
    node.macro === 'filter' &&
    !script.trees.mayFail(node.body) &&
    !script.bound.includes(node.variable);
  const filter = isFilter && method !== 'filter' ? node : null;
  const variable = filter?.variable ?? variableFor(script, parameter);
  script.bound.push(variable);
  const body = bodyOf(script.trees.name(variable));
  script.bound.pop();
  if (method === 'filter') return { node: script.trees.macro('filter', node, variable, body), type: of.type };
  const isEvery = method === 'every';
  if (filter !== null) {
    const asked = isEvery
      ? script.trees.choose(filter.body, body, script.trees.true)
      : script.trees.and(filter.body, body);
    return script.truth(script.trees.macro(isEvery ? 'all' : 'exists', filter.list, variable, asked));
  }
  // Of a list that is written out, elements are looked at in their order.
  if (node.kind === 'list' && (script.trees.mayFail(body) || node.elements.length === 0)) {
    const start = isEvery ? script.trees.true : script.trees.false;
    const asked = node.elements
      .map(bodyOf)
      .reduceRight(
        (rest, one) => (isEvery ? script.trees.and(one, rest) : script.trees.or(one, rest)),
        start,
      );
    // The list is written out before any of its elements is looked at.
    const written = node.elements.reduceRight(
      (rest, one) => script.trees.and(script.computable({ node: one, type: element }), rest),
      asked,
    );
    return script.truth(written);
  }
  return script.truth(script.trees.macro(isEvery ? 'all' : 'exists', node, variable, body));
}

/** A name for a variable of the expression language, which no input has. */
function variableFor(script: Translation, parameter: string): string {
  const isFree = (name: string) =>
    /^[A-Za-z_]\w*$/.test(name) &&
    !Object.hasOwn(script.inputs, name) &&
    !KEPT.has(name) &&
    !script.bound.includes(name);
  let name = parameter;
  for (let i = 1; !isFree(name); i++) name = `element${i}`;
  return name;
}
