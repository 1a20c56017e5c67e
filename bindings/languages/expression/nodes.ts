import { isObject } from '../../base/objectKind.js';
import { type Cell, type Closure, condition, type FieldRead, isReserved } from './closure.js';
import type { ExpressionNode, NodeOf, Place } from './expression.js';
import { Failure, mismatch } from './failure.js';
import { FUNCTIONS, isTextFunction } from './functions.js';
import { element, type Operation } from './operators.js';
import { printExpression } from './print.js';
import { textOperations } from './textOperations.js';
import { type Fields, hasField, isMap } from './values.js';

/*
 * Builds the closure of each kind of node from the closures of its parts.
 */

export function applyOperation(
  { apply, expected }: Operation,
  name: string,
  left: Closure,
  right: Closure,
  node: ExpressionNode,
): Closure {
  return (state, context) => {
    const l = left(state, context);
    if (l instanceof Failure) return l;
    const r = right(state, context);
    if (r instanceof Failure) return r;
    const value = apply(l, r);
    if (value !== undefined) return value;
    return comparedNaN(node, l, r) ?? mismatch(node.place, name, expected, l, r);
  };
}

/** The failure of comparing NaN, which names the operand that is NaN. */
function comparedNaN(node: ExpressionNode, left: unknown, right: unknown): Failure | undefined {
  if (node.kind !== 'binary' || !(Number.isNaN(left) || Number.isNaN(right))) return undefined;
  const operand = printExpression({ name: '', root: Number.isNaN(left) ? node.left : node.right });
  const message = `"${node.operator}" found that ${operand} is NaN, expected a number`;
  return new Failure(node.place, message, undefined, `"${node.operator}" expected a number`);
}

export function compileCall(node: NodeOf<'call'>, [first, second]: readonly Closure[]): Closure {
  const operation = isTextFunction(node.function)
    ? textOperations()[node.function]
    : FUNCTIONS[node.function].operation;
  if (operation === null) throw new TypeError(`${node.function} is compiled apart`);
  const name = `"${node.function}"`;
  if (second !== undefined) return applyOperation(operation, name, first, second, node);
  return (state, context) => {
    const value = first(state, context);
    const result = value instanceof Failure ? value : operation.apply(value, undefined);
    return result === undefined ? mismatch(node.place, name, operation.expected, value) : result;
  };
}

export function compileName({ name, place }: NodeOf<'name'>, variables: ReadonlyMap<string, Cell>): Closure {
  const cell = variables.get(name);
  if (cell !== undefined) return () => cell.value;
  if (isReserved(name)) {
    const absent = new Failure(place, `the step has no ${name}`, {
      field: name,
      path: name,
      ofState: false,
    });
    return (_, context) => context[name] ?? absent;
  }
  return accessField((state) => state, name, place, name);
}

export function readField({ cell, field }: FieldRead, node: ExpressionNode, path: string): Closure {
  const absent =
    cell === null
      ? new Failure(node.place, `the state has no field "${field}"`, { field, path, ofState: true })
      : new Failure(node.place, `found no field "${field}"`, { field, path, ofState: false });
  return (state) => {
    const object = (cell === null ? state : cell.value) as Fields | null | undefined;
    if (typeof object !== 'object' || object === null || Array.isArray(object)) {
      return mismatch(node.place, `".${field}"`, 'a map', object);
    }
    const value = object[field];
    return value !== undefined && Object.hasOwn(object, field) ? value : absent;
  };
}

export function accessField(object: Closure, field: string, place: Place, path: string): Closure {
  const absent = new Failure(place, `found no field "${field}"`, { field, path, ofState: false });
  return (state, context) => {
    const map = object(state, context);
    if (map instanceof Failure) return map;
    if (hasField(map, field)) return map[field];
    // Reading a field that an object lacks fails, whatever the kind of object.
    return isObject(map) ? absent : mismatch(place, `".${field}"`, 'a map', map);
  };
}

export function compileHas(
  object: Closure,
  node: NodeOf<'has'>,
  variables: ReadonlyMap<string, Cell>,
): Closure {
  const { field, place } = node;
  const ofAction = node.object.kind === 'name' && node.object.name === 'action' && !variables.has('action');
  return (state, context) => {
    // A step may lack an action, and `has` must be able to test this; null stands for none as well.
    if (ofAction && (context.action ?? null) === null) return false;
    const map = object(state, context);
    if (map instanceof Failure) return map;
    if (hasField(map, field)) return true;
    return isMap(map) ? false : mismatch(place, '"has"', 'a map', map);
  };
}

export function compileIndex(object: Closure, index: Closure, { place }: NodeOf<'index'>): Closure {
  return (state, context) => {
    const container = object(state, context);
    if (container instanceof Failure) return container;
    const key = index(state, context);
    if (key instanceof Failure) return key;
    const value = element(container, key);
    if (value !== undefined) return value;
    const fits = Array.isArray(container)
      ? Number.isInteger(key)
      : isMap(container) && typeof key === 'string';
    return fits
      ? mismatch(place, '"[]"', 'an element there is', container, key)
      : mismatch(place, '"[]"', 'a list and an integral number, or a map and a string', container, key);
  };
}

export function compileList(elements: readonly Closure[]): Closure {
  return (state, context) => {
    const list: unknown[] = [];
    for (const element of elements) {
      const value = element(state, context);
      if (value instanceof Failure) return value;
      list.push(value);
    }
    return list;
  };
}

export function compileMap(
  keys: readonly Closure[],
  values: readonly Closure[],
  { place }: ExpressionNode,
): Closure {
  return (state, context) => {
    // Without a prototype, "__proto__" is a key like any other.
    const map: Record<string, unknown> = Object.create(null);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i](state, context);
      if (typeof key !== 'string' || Object.hasOwn(map, key)) {
        return mismatch(place, 'a map', 'string keys, each once', key);
      }
      const value = values[i](state, context);
      if (value instanceof Failure) return value;
      map[key] = value;
    }
    return map;
  };
}

export function compileUnary(operand: Closure, { operator, place }: NodeOf<'unary'>): Closure {
  if (operator === '!') {
    return (state, context) => {
      const value = operand(state, context);
      return typeof value === 'boolean' ? !value : mismatch(place, '"!"', 'a Boolean', value);
    };
  }
  return (state, context) => {
    const value = operand(state, context);
    return typeof value === 'number' ? -value : mismatch(place, '"-"', 'a number', value);
  };
}

export function compileConditional(
  test: Closure,
  whenTrue: Closure,
  whenFalse: Closure,
  { place }: ExpressionNode,
): Closure {
  return (state, context) => {
    const holds = test(state, context);
    if (typeof holds !== 'boolean') return mismatch(place, '"?:"', 'a Boolean', holds);
    return holds ? whenTrue(state, context) : whenFalse(state, context);
  };
}

/** Both operators are associative, failures included; a balanced tree keeps calls shallow for long chains. */
export function balanced(operands: readonly Closure[], node: NodeOf<'logical'>): Closure {
  if (operands.length === 1) return operands[0];
  const middle = operands.length >> 1;
  return connective(balanced(operands.slice(0, middle), node), balanced(operands.slice(middle), node), node);
}

/** True on either side decides `||`, and false decides `&&`, even if the other side failed. */
function connective(left: Closure, right: Closure, { operator, place }: NodeOf<'logical'>): Closure {
  const deciding = operator === '||';
  const name = `"${operator}"`;
  return (state, context) => {
    const l = left(state, context);
    if (l === deciding) return deciding;
    const r = right(state, context);
    if (r === deciding) return deciding;
    return l === !deciding ? condition(r, place, name) : condition(l, place, name);
  };
}
