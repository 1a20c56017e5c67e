import { ParseError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import type { Expression, ExpressionNode, NodeOf, Place } from './expression.js';
import { FUNCTIONS } from './functions.js';
import {
  comparable,
  describeType,
  type FieldsSchema,
  isFieldsSchema,
  isListSchema,
  join,
  type Schema,
} from './schema.js';
import { GLOB_EXPECTED, isGlob } from './texts/index.js';

/** The type of `action`; that of its arguments depends on its name, and what detectors answer about them on the specification. */
const actionType: FieldsSchema = { name: 'string', arguments: 'any', detected: 'any' };

/**
 * Computes the static type of an expression over states of a schema. Without a schema, the types of the state's fields are unknown, and
 * only literals and operators are checked.
 *
 * @throws ParseError at the first part whose type cannot fit, and at a field that is not in the schema, with the nearest field that is.
 */
export function checkExpression(expression: Expression, schema?: FieldsSchema): Schema {
  return new Checker(expression.name, schema ?? 'any').typeOf(expression.root, new Map());
}

/**
 * Like `checkExpression`, for an expression that must be Boolean.
 *
 * @throws ParseError also if it cannot be Boolean.
 */
export function checkPredicate(expression: Expression, schema?: FieldsSchema): void {
  const checker = new Checker(expression.name, schema ?? 'any');
  checker.expect(expression.root, new Map(), ['boolean'], 'a Boolean');
}

/** Types of the macro variables in scope. */
type Scope = ReadonlyMap<string, Schema>;

class Checker {
  readonly #name: string;
  readonly #state: Schema;
  constructor(name: string, state: Schema) {
    this.#name = name;
    this.#state = state;
  }

  typeOf(node: ExpressionNode, scope: Scope): Schema {
    switch (node.kind) {
      case 'literal':
        return node.value === null ? 'null' : (typeof node.value as 'number' | 'string' | 'boolean');
      case 'name':
        return this.#nameType(node, scope);
      case 'field':
        return this.#fieldType(this.typeOf(node.object, scope), node.field, node.place);
      case 'has':
        this.#fieldType(this.typeOf(node.object, scope), node.field, node.place);
        return 'boolean';
      case 'index':
        return this.#indexType(node, scope);
      case 'list':
        return [
          node.elements.map((element) => this.typeOf(element, scope)).reduce(joinAll, undefined) ?? 'any',
        ];
      case 'map':
        for (const key of node.keys) this.expect(key, scope, ['string'], 'a string as key');
        for (const value of node.values) this.typeOf(value, scope);
        return 'any';
      case 'unary':
        return node.operator === '!'
          ? this.expect(node.operand, scope, ['boolean'], 'a Boolean')
          : this.expect(node.operand, scope, ['number'], 'a number');
      case 'binary':
        return this.#binaryType(node, scope);
      case 'logical':
        for (const operand of node.operands) this.expect(operand, scope, ['boolean'], 'a Boolean');
        return 'boolean';
      case 'conditional':
        this.expect(node.condition, scope, ['boolean'], 'a Boolean');
        return join(this.typeOf(node.whenTrue, scope), this.typeOf(node.whenFalse, scope));
      case 'call':
        return this.#callType(node, scope);
      case 'macro':
        return this.#macroType(node, scope);
    }
  }

  /** The type of a node, which must be one of the given types (`list` and `map` of any kind) or unknown. */
  expect(
    node: ExpressionNode,
    scope: Scope,
    accepted: readonly ('number' | 'string' | 'boolean' | 'list' | 'map')[],
    expected: string,
  ): Schema {
    const type = this.typeOf(node, scope);
    const kind = isListSchema(type) ? 'list' : isFieldsSchema(type) ? 'map' : type;
    const fits = kind === 'any' || (accepted as readonly string[]).includes(kind);
    return fits ? type : this.#fail(node.place, `found ${describeType(type)}`, expected);
  }

  #fail(place: Place, found: string, expected: string): never {
    const { line, column } = place;
    throw new ParseError(`${found}, expected ${expected}`, { source: this.#name, line, column, expected });
  }

  #nameType({ name, place }: NodeOf<'name'>, scope: Scope): Schema {
    const bound = scope.get(name);
    if (bound !== undefined) return bound;
    if (name === 'time') return 'number';
    return name === 'action' ? actionType : this.#fieldType(this.#state, name, place);
  }

  #fieldType(type: Schema, field: string, place: Place): Schema {
    if (type === 'any') return 'any';
    if (!isFieldsSchema(type))
      return this.#fail(place, `found field "${field}" of ${describeType(type)}`, 'a map');
    if (Object.hasOwn(type, field)) return type[field];
    const known = Object.keys(type);
    const nearest = nearestName(field, known);
    const found = `found unknown field "${field}"${nearest === undefined ? '' : ` (did you mean "${nearest}"?)`}`;
    return this.#fail(place, found, known.length === 0 ? 'no field' : `one of ${known.join(', ')}`);
  }

  #indexType(node: NodeOf<'index'>, scope: Scope): Schema {
    const type = this.expect(node.object, scope, ['list', 'map'], 'a list or a map');
    if (isListSchema(type)) {
      this.expect(node.index, scope, ['number'], 'a number as index');
      return type[0];
    }
    const accepted = type === 'any' ? (['number', 'string'] as const) : (['string'] as const);
    this.expect(node.index, scope, accepted, 'a string as key');
    const isLiteral = node.index.kind === 'literal' && typeof node.index.value === 'string';
    return isLiteral
      ? this.#fieldType(type, String((node.index as NodeOf<'literal'>).value), node.place)
      : 'any';
  }

  #binaryType(node: NodeOf<'binary'>, scope: Scope): Schema {
    const { operator, left, right, place } = node;
    switch (operator) {
      case '==':
      case '!=': {
        const [a, b] = [this.typeOf(left, scope), this.typeOf(right, scope)];
        if (!comparable(a, b)) {
          this.#fail(
            place,
            `found ${describeType(a)} ${operator} ${describeType(b)}`,
            'two values of one type',
          );
        }
        return 'boolean';
      }
      case 'in': {
        const element = this.typeOf(left, scope);
        const container = this.expect(right, scope, ['list', 'map'], 'a list or a map');
        if (isListSchema(container) && !comparable(element, container[0])) {
          const found = `found ${describeType(element)} in a list of ${describeType(container[0])} each`;
          this.#fail(place, found, 'a value of their type');
        }
        if (isFieldsSchema(container)) this.expect(left, scope, ['string'], 'a string as key');
        return 'boolean';
      }
      case '+':
        return this.#same(node, scope, ['number', 'string', 'list'], 'a number, a string or a list');
      case '-':
      case '*':
      case '/':
      case '%':
        return this.#same(node, scope, ['number'], 'a number');
      default:
        this.#same(node, scope, ['number', 'string', 'boolean'], 'a number, a string or a Boolean');
        return 'boolean';
    }
  }

  /** The type of two operands that must agree. */
  #same(
    { operator, left, right, place }: NodeOf<'binary'>,
    scope: Scope,
    accepted: readonly ('number' | 'string' | 'boolean' | 'list')[],
    expected: string,
  ): Schema {
    const a = this.expect(left, scope, accepted, expected);
    const b = this.expect(right, scope, accepted, expected);
    if (!isListSchema(a) && !comparable(a, b)) {
      this.#fail(place, `found ${describeType(a)} ${operator} ${describeType(b)}`, 'two values of one type');
    }
    if (a === 'any') return b;
    return b === 'any' ? a : join(a, b);
  }

  #callType(node: NodeOf<'call'>, scope: Scope): Schema {
    const { arguments: kinds, returns } = FUNCTIONS[node.function];
    for (const [i, argument] of node.arguments.entries()) {
      if (kinds[i] === 'pattern') this.#requirePattern(argument);
      else if (kinds[i] === 'numbers') this.#requireNumbers(argument, scope);
      else if (kinds[i] === 'text') this.expect(argument, scope, ['string'], 'a string');
      else this.expect(argument, scope, ['string', 'list', 'map'], 'a string, a list or a map');
    }
    return returns;
  }

  #requireNumbers(node: ExpressionNode, scope: Scope): void {
    const type = this.expect(node, scope, ['list'], 'a list of numbers');
    if (isListSchema(type) && !comparable(type[0], 'number'))
      this.#fail(node.place, `found a list of ${describeType(type[0])} each`, 'a list of numbers');
  }

  /** A pattern is a constant, so that what the call accepts is known before it runs. */
  #requirePattern(node: ExpressionNode): void {
    const found = node.kind === 'literal' ? JSON.stringify(node.value) : 'a pattern that is not a literal';
    const fits = node.kind === 'literal' && typeof node.value === 'string' && isGlob(node.value);
    if (!fits) this.#fail(node.place, `found ${found}`, GLOB_EXPECTED);
  }

  #macroType({ macro, list, variable, body }: NodeOf<'macro'>, scope: Scope): Schema {
    const type = this.expect(list, scope, ['list', 'map'], 'a list or a map');
    const element: Schema = isListSchema(type) ? type[0] : isFieldsSchema(type) ? 'string' : 'any';
    const inner = new Map(scope).set(variable, element);
    if (macro === 'map') return [this.typeOf(body, inner)];
    this.expect(body, inner, ['boolean'], 'a Boolean');
    return macro === 'filter' ? [element] : 'boolean';
  }
}

function joinAll(joined: Schema | undefined, type: Schema): Schema {
  return joined === undefined ? type : join(joined, type);
}
