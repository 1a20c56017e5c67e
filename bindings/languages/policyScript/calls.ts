import { nearestName } from '../../base/suggest.js';
import { FUNCTIONS, type FunctionName, GLOB_EXPECTED, isGlob } from '../expression/index.js';
import { METHODS, NAMES } from './advice.js';
import { nameOf } from './names.js';
import { overList } from './overList.js';
import type { Scope, Value } from './scope.js';
import { SCRIPT_FUNCTIONS } from './scriptFunctions.js';
import type { Written, WrittenOf } from './syntax.js';
import type { Translation } from './translation.js';
import { describeType, joinTypes, TEXT } from './types.js';

/** A call of a named function. */
export function call(
  script: Translation,
  { name, arguments: given, place }: WrittenOf<'call'>,
  scope: Scope,
): Value {
  const refuse = (found: string, expected: string) => {
    for (const one of given) if (one.kind !== 'arrow') script.value(one, scope);
    return script.wrong(place, null, found, expected);
  };
  if (name === 'permit' || name === 'deny')
    return refuse(`${name}(…) within an expression`, `return ${name}(…)`);
  if (script.module.functions.some((one) => one.name === name))
    return refuse(
      `a call of "${name}"`,
      'its condition itself: functions of scripts call none of each other, nor themselves',
    );
  if (scope.find(name) !== undefined)
    return refuse(`a call of "${name}", which is no function`, 'one of the named functions');
  if (Object.hasOwn(NAMES, name)) return refuse(`"${name}"`, NAMES[name]);
  if (!script.module.imported.has(name)) {
    const isKnown = (SCRIPT_FUNCTIONS as readonly string[]).includes(name);
    const nearest = nearestName(name, SCRIPT_FUNCTIONS);
    return refuse(
      isKnown ? `"${name}", which is not imported` : `the unknown function "${name}"`,
      isKnown
        ? `import { ${name} } from 'foreguard/policy'`
        : (nearest ?? `one of ${SCRIPT_FUNCTIONS.join(', ')}`),
    );
  }
  const of = name as (typeof SCRIPT_FUNCTIONS)[number];
  const { arguments: kinds, returns } = FUNCTIONS[of];
  if (given.length !== kinds.length) return refuse(`${given.length} arguments of ${name}`, `${kinds.length}`);
  const values = given.map((one, i) => argumentOf(script, one, kinds[i] === 'pattern', scope));
  if (values.some(({ type }) => type.kind === 'wrong')) return script.nothing;
  const node = script.trees.call(
    of,
    values.map((value) => value.node),
    returns === 'boolean',
  );
  if (returns === 'boolean') return script.truth(node);
  if (returns === 'number')
    return { node, type: { kind: 'number', least: 0, most: Number.MAX_SAFE_INTEGER } };
  return { node, type: returns === 'string' ? TEXT : { kind: 'list', of: TEXT } };
}

function argumentOf(script: Translation, written: Written, isPattern: boolean, scope: Scope): Value {
  const value = script.present(written, scope);
  if (value.type.kind !== 'text')
    return script.wrong(written.place, value, describeType(value.type), 'a text');
  const { node } = value;
  if (isPattern && (node.kind !== 'literal' || !isGlob(String(node.value))))
    return script.wrong(written.place, value, 'such a pattern', GLOB_EXPECTED);
  return value;
}

/** A call of a method of a text, a list or a pattern. */
export function method(script: Translation, written: WrittenOf<'method'>, scope: Scope): Value {
  const { object, method, methodPlace, arguments: given } = written;
  if (object.kind === 'name' && scope.find(object.name) === undefined && Object.hasOwn(NAMES, object.name))
    return nameOf(script, object, scope);
  const of = script.present(object, scope);
  const { kind } = of.type;
  if (kind === 'wrong') {
    for (const one of given) if (one.kind !== 'arrow') script.value(one, scope);
    return script.nothing;
  }
  const known =
    {
      text: ['startsWith', 'endsWith', 'includes'],
      list: ['includes', 'every', 'some', 'filter'],
      pattern: ['test'],
    }[kind as 'text'] ?? [];
  if (!known.includes(method)) {
    const nearest = nearestName(method, known);
    const advice = Object.hasOwn(METHODS, method)
      ? METHODS[method]
      : (nearest ?? (known.length > 0 ? `one of ${known.join(', ')}` : 'no method'));
    return script.wrong(methodPlace, of, `the method "${method}" of ${describeType(of.type)}`, advice);
  }
  if (given.length !== 1) return script.wrong(methodPlace, of, `${given.length} arguments of ${method}`, '1');
  const [argument] = given;
  if (method === 'every' || method === 'some' || method === 'filter')
    return overList(script, of, method, argument, scope);
  const value = script.present(argument, scope);
  if (value.type.kind === 'wrong') return script.nothing;
  const wanted = of.type.kind === 'list' ? of.type.of : TEXT;
  if (joinTypes(wanted, value.type) === null)
    return script.wrong(argument.place, value, describeType(value.type), describeType(wanted));
  if (of.type.kind === 'list') return script.truth(script.trees.binary('in', value.node, of.node));
  if (kind === 'pattern') return script.truth(script.trees.call('matches', [value.node, of.node], true));
  const name = method === 'includes' ? 'contains' : (method as FunctionName);
  return script.truth(script.trees.call(name, [of.node, value.node], true));
}
