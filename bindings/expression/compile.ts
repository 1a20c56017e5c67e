import { EvaluationError, ParseError } from '../errors.js';
import { checkPredicate } from './check.js';
import {
  type Cell,
  type Closure,
  condition,
  constantValue,
  type EvaluationContext,
  type FieldRead,
  fieldRead,
  isReserved,
} from './closure.js';
import { compareField, mirror } from './comparison.js';
import type { Expression, ExpressionNode, NodeOf } from './expression.js';
import { Failure, mismatch } from './failure.js';
import { compileMacro, type Selector } from './macro.js';
import { binaryOperations, element, functionOperations, type Operation } from './operators.js';
import { cachedPatterns, compilePattern } from './regex.js';
import { type Fields, hasField, isMap } from './values.js';

/** A compiled expression. */
export type Evaluate<T = unknown> = (state: Fields, context: EvaluationContext) => T;

/**
 * Compiles an expression to a function of a state (own fields only) and of what the step holds beside it. Comparisons,
 * Boolean operators, `exists` and `all` allocate nothing; the function is not re-entrant from getters of the state.
 *
 * @returns a function that returns the value, and throws EvaluationError where there is none: an absent field, a value of
 * the wrong type, an index out of range, not absorbed by `&&`, `||`, `exists` or `all`.
 * @throws ParseError where a pattern of `matches` is invalid; NotSupportedError where `matches` is used and
 * `loadRegexEngine` was not awaited.
 */
export function compileExpression(expression: Expression): Evaluate {
  return evaluator(expression, undefined, () => undefined);
}

/**
 * Compiles an expression that must be Boolean, as `compileExpression` does.
 *
 * @param predicate its name, for the `predicate` field of errors.
 * @throws ParseError also where the types of its parts cannot fit, or where it cannot be Boolean.
 */
export function compilePredicate(expression: Expression, predicate?: string): Evaluate<boolean> {
  checkPredicate(expression);
  const { place } = expression.root;
  return evaluator(expression, predicate, (value) => mismatch(place, 'the predicate', 'a Boolean', value));
}

/** `reject` gives the failure for a value that is neither Boolean nor a failure, where such a value is not wanted. */
function evaluator<T>(
  expression: Expression,
  predicate: string | undefined,
  reject: (value: unknown) => Failure | undefined,
): Evaluate<T> {
  const { name, root } = expression;
  const closure = new Compiler(name).compile(root, new Map());
  return (state, context) => {
    let value: unknown;
    try {
      value = closure(state, context);
    } catch (cause) {
      // Data nested too deep to compare, or a getter that throws.
      const details = predicate === undefined ? { cause } : { cause, predicate };
      throw new EvaluationError(`${name}: evaluation failed: ${(cause as Error).message}`, details);
    }
    if (typeof value === 'boolean') return value as T;
    const failure = value instanceof Failure ? value : reject(value);
    if (failure !== undefined) throw failure.toError(name, predicate, state);
    return value as T;
  };
}

/** Macro variables in scope. */
type Variables = ReadonlyMap<string, Cell>;

class Compiler {
  constructor(private readonly name: string) {}

  compile(node: ExpressionNode, variables: Variables): Closure {
    const constant = constantValue(node);
    if (constant !== undefined) return () => constant;
    const read = fieldRead(node, variables);
    if (read !== undefined) return readField(read, node);
    const part = (child: ExpressionNode) => this.compile(child, variables);
    switch (node.kind) {
      case 'name':
        return compileName(node, variables);
      case 'field':
        return accessField(part(node.object), node);
      case 'has':
        return compileHas(part(node.object), node, variables);
      case 'index':
        return compileIndex(part(node.object), part(node.index), node);
      case 'list':
        return compileList(node.elements.map(part));
      case 'map':
        return compileMap(node.keys.map(part), node.values.map(part), node);
      case 'unary':
        return compileUnary(part(node.operand), node);
      case 'binary':
        return this.binary(node, variables);
      case 'logical':
        return balanced(node.operands.map(part), node);
      case 'conditional':
        return compileConditional(part(node.condition), part(node.whenTrue), part(node.whenFalse), node);
      case 'call':
        return node.function === 'matches'
          ? this.matches(node, part)
          : compileCall(node, node.arguments.map(part));
      case 'macro':
        return this.macro(node, variables);
      default:
        throw new TypeError(`a literal of no value at ${node.place.line}:${node.place.column}`);
    }
  }

  private binary(node: NodeOf<'binary'>, variables: Variables): Closure {
    const { operator, left, right } = node;
    const a = this.compile(left, variables);
    const b = this.compile(right, variables);
    const general = applyOperation(binaryOperations[operator], `"${operator}"`, a, b, node);
    const leftRead = fieldRead(left, variables);
    if (leftRead !== undefined) return compareField(leftRead, operator, constantValue(right), general);
    const rightRead = fieldRead(right, variables);
    if (rightRead !== undefined)
      return compareField(rightRead, mirror(operator), constantValue(left), general);
    return general;
  }

  private macro(node: NodeOf<'macro'>, variables: Variables): Closure {
    const cell: Cell = { value: undefined };
    const inner = new Map(variables).set(node.variable, cell);
    const list = this.compile(node.list, variables);
    return compileMacro(node, list, cell, this.compile(node.body, inner), selectorOf(node));
  }

  private matches(node: NodeOf<'call'>, part: (child: ExpressionNode) => Closure): Closure {
    const [text, pattern] = node.arguments;
    let find: (pattern: string) => ReturnType<typeof compilePattern>;
    if (pattern.kind === 'literal' && typeof pattern.value === 'string') {
      const matcher = compilePattern(pattern.value);
      if (typeof matcher === 'string') {
        const { line, column } = pattern.place;
        const expected = 'a pattern in RE2 syntax';
        throw new ParseError(`found ${matcher}`, { source: this.name, line, column, expected });
      }
      find = () => matcher;
    } else find = cachedPatterns();
    const operation: Operation = {
      apply: (value, source) => {
        if (typeof value !== 'string' || typeof source !== 'string') return undefined;
        const matcher = find(source);
        return typeof matcher === 'string'
          ? new Failure(node.place, `"matches" found ${matcher}`)
          : matcher(value);
      },
      expected: 'two strings',
    };
    return applyOperation(operation, '"matches"', part(text), part(pattern), node);
  }
}

function applyOperation(
  { apply, expected }: Operation,
  name: string,
  left: Closure,
  right: Closure,
  { place }: ExpressionNode,
): Closure {
  return (state, context) => {
    const l = left(state, context);
    if (l instanceof Failure) return l;
    const r = right(state, context);
    if (r instanceof Failure) return r;
    const value = apply(l, r);
    return value === undefined ? mismatch(place, name, expected, l, r) : value;
  };
}

function compileCall(node: NodeOf<'call'>, [first, second]: readonly Closure[]): Closure {
  const operation = functionOperations[node.function as keyof typeof functionOperations];
  const name = `"${node.function}"`;
  if (second !== undefined) return applyOperation(operation, name, first, second, node);
  return (state, context) => {
    const value = first(state, context);
    const result = value instanceof Failure ? value : operation.apply(value, undefined);
    return result === undefined ? mismatch(node.place, name, operation.expected, value) : result;
  };
}

function compileName({ name, place }: NodeOf<'name'>, variables: Variables): Closure {
  const cell = variables.get(name);
  if (cell !== undefined) return () => cell.value;
  if (isReserved(name)) {
    const absent = new Failure(place, `the step has no ${name}`, { field: name, ofState: false });
    return (_, context) => context[name] ?? absent;
  }
  return accessField((state) => state, {
    kind: 'field',
    object: { kind: 'name', name, place },
    field: name,
    place,
  });
}

function readField({ cell, field }: FieldRead, node: ExpressionNode): Closure {
  const absent =
    cell === null
      ? new Failure(node.place, `the state has no field "${field}"`, { field, ofState: true })
      : new Failure(node.place, `found no field "${field}"`, { field, ofState: false });
  return (state) => {
    const object = (cell === null ? state : cell.value) as Fields | null | undefined;
    if (typeof object !== 'object' || object === null || Array.isArray(object)) {
      return mismatch(node.place, `".${field}"`, 'a map', object);
    }
    const value = object[field];
    return value !== undefined && Object.hasOwn(object, field) ? value : absent;
  };
}

function accessField(object: Closure, { field, place }: NodeOf<'field'>): Closure {
  const absent = new Failure(place, `found no field "${field}"`, { field, ofState: false });
  return (state, context) => {
    const map = object(state, context);
    if (map instanceof Failure || !isMap(map)) return mismatch(place, `".${field}"`, 'a map', map);
    return hasField(map, field) ? map[field] : absent;
  };
}

function compileHas(object: Closure, node: NodeOf<'has'>, variables: Variables): Closure {
  const { field, place } = node;
  const ofAction = node.object.kind === 'name' && node.object.name === 'action' && !variables.has('action');
  return (state, context) => {
    // Steps need no action, and an expression must be able to ask.
    if (ofAction && context.action === undefined) return false;
    const map = object(state, context);
    if (map instanceof Failure || !isMap(map)) return mismatch(place, '"has"', 'a map', map);
    return hasField(map, field);
  };
}

function compileIndex(object: Closure, index: Closure, { place }: NodeOf<'index'>): Closure {
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

function compileList(elements: readonly Closure[]): Closure {
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

function compileMap(
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

function compileUnary(operand: Closure, { operator, place }: NodeOf<'unary'>): Closure {
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

function compileConditional(
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

/** Both operators are associative, failures included; a balanced tree keeps calls shallow where chains are long. */
function balanced(operands: readonly Closure[], node: NodeOf<'logical'>): Closure {
  if (operands.length === 1) return operands[0];
  const middle = operands.length >> 1;
  return connective(balanced(operands.slice(0, middle), node), balanced(operands.slice(middle), node), node);
}

/** `||` is decided by true and `&&` by false, on either side and whatever the other side failed with. */
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

/**
 * A condition on a text field among those that a body joins by `&&`. One false condition makes the body false, whatever the
 * others fail with, and to `exists` an element with a false body adds nothing.
 */
function selectorOf({ macro, variable, body }: NodeOf<'macro'>): Selector | undefined {
  if (macro !== 'exists') return undefined;
  const conditions = body.kind === 'logical' && body.operator === '&&' ? body.operands : [body];
  for (const node of conditions) {
    if (node.kind !== 'binary' || node.operator !== '==') continue;
    const { left, right } = node;
    const ofElement = left.kind === 'field' && left.object.kind === 'name' && left.object.name === variable;
    if (ofElement && left.field !== 'length' && right.kind === 'literal' && typeof right.value === 'string') {
      return { field: left.field, text: right.value };
    }
  }
  return undefined;
}
