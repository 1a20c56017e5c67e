import { nearestName } from '../../base/suggest.js';
import type { Place } from '../expression/index.js';
import { NAMES } from './advice.js';
import type { Scope, Value } from './scope.js';
import type { WrittenOf } from './syntax.js';
import type { Translation } from './translation.js';
import { describeType, typeOfInput, type ValueType, writeType } from './types.js';

/** The value of a name. */
export function nameOf(script: Translation, { name, place }: WrittenOf<'name'>, scope: Scope): Value {
  const found = scope.find(name);
  if (found === 'inputs')
    return script.wrong(
      place,
      null,
      'all inputs',
      `one of them: ${name}.${Object.keys(script.inputs)[0] ?? 'x'}`,
    );
  if (found !== undefined) return found;
  if (Object.hasOwn(NAMES, name)) return script.wrong(place, null, `"${name}"`, NAMES[name]);
  const isFunction =
    script.module.imported.has(name) || script.module.functions.some((one) => one.name === name);
  if (isFunction) return script.wrong(place, null, `the function "${name}" as a value`, `a call: ${name}(…)`);
  const nearest = nearestName(name, scope.names);
  return script.wrong(
    place,
    null,
    `the unknown name "${name}"`,
    nearest ?? 'an input or a const that stands above',
  );
}

/** The value of a field: an input, or the length of a list or a text. */
export function fieldOf(script: Translation, written: WrittenOf<'field'>, scope: Scope): Value {
  const { object, field, place } = written;
  if (object.kind === 'name' && scope.find(object.name) === 'inputs') return input(script, field, place);
  if (object.kind === 'name' && scope.find(object.name) === undefined && Object.hasOwn(NAMES, object.name))
    return nameOf(script, object, scope);
  const of = script.present(object, scope);
  if (field !== 'length' || (of.type.kind !== 'list' && of.type.kind !== 'text'))
    return script.wrong(
      place,
      of,
      `the field "${field}" of ${describeType(of.type)}`,
      'length of a list, or a method',
    );
  const type: ValueType = { kind: 'number', least: 0, most: Number.MAX_SAFE_INTEGER };
  if (of.type.kind === 'text') return { node: script.trees.literal(0), type, lengthOf: of.node };
  return { node: script.trees.call('size', [of.node], false), type };
}

/** The value of an input. */
export function input(script: Translation, name: string, place: Place): Value {
  const known = Object.keys(script.inputs);
  if (!Object.hasOwn(script.inputs, name)) {
    const nearest = nearestName(name, known);
    return script.wrong(
      place,
      null,
      `"${name}", which is no input`,
      nearest ?? (known.length > 0 ? `one of ${known.join(', ')}` : 'inputs in the file of policies'),
    );
  }
  const declared = script.inputs[name];
  if (declared.type.kind === 'list' && declared.type.of.kind === 'record')
    return script.wrong(
      place,
      null,
      `"${name}", a list of records`,
      'another policy for the tool, with permit: functions read no records',
    );
  if (script.fields !== null && !script.fields.has(name))
    return script.wrong(
      place,
      null,
      `"${name}", which the type of the inputs lacks`,
      `${name}: ${writeType(declared)} in it`,
    );
  return {
    node: script.trees.name(name),
    type: typeOfInput(declared.type),
    ...(declared.optional === true && { optional: name }),
  };
}
