import type {
  AnyNode,
  ArrowFunctionExpression,
  BinaryExpression,
  CallExpression,
  Expression,
  MemberExpression,
  ObjectExpression,
  SpreadElement,
  TemplateLiteral,
} from 'acorn';
import { nearestName } from '../../../base/suggest.js';
import {
  type ExpressionNode,
  FUNCTIONS,
  type FunctionName,
  type MacroName,
} from '../../../languages/expression/index.js';
import { describeType, type ValueType } from '../../contract/index.js';
import { listOf, literal, recordOf, textOf, valueOfExpression } from '../canonical.js';
import type { Value } from '../plan.js';
import { quoted } from '../reading.js';
import { typeOfTree, typeOfValue } from '../typeOf.js';
import { adviceFor, METHODS_ADVICE } from './advice.js';
import type { CodeScope } from './codeScope.js';
import type { CodeProblems } from './problems.js';

type Variables = ReadonlyMap<string, { readonly name: string; readonly type: ValueType }>;

/** Nodes get their places when the expression is printed and parsed again. */
const place = { line: 1, column: 1, offset: 0 };
const NO_VARIABLES: Variables = new Map();
const MACROS: Readonly<Record<string, MacroName>> = {
  map: 'map',
  filter: 'filter',
  some: 'exists',
  every: 'all',
};
const OPERATORS: Readonly<
  Record<string, '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%'>
> = {
  '===': '==',
  '!==': '!=',
  ...Object.fromEntries((['<', '<=', '>', '>=', '+', '-', '*', '/', '%'] as const).map((one) => [one, one])),
};

/** Lowers values and expressions. */
export class ValueLowering {
  readonly #problems: CodeProblems;
  readonly #scope: CodeScope;
  readonly #tools: Iterable<string>;

  constructor(problems: CodeProblems, scope: CodeScope, tools: Iterable<string>) {
    this.#problems = problems;
    this.#scope = scope;
    this.#tools = tools;
  }

  /** A value: literals, records, lists, templates and paths as such, and anything else as an expression. */
  value(node: Expression | SpreadElement): Value {
    switch (node.type) {
      case 'TemplateLiteral': {
        const parts = node.quasis.flatMap((quasi, i): Value[] => {
          const words = literal(quasi.value.cooked ?? '');
          return i < node.expressions.length ? [words, this.value(node.expressions[i])] : [words];
        });
        return textOf(parts);
      }
      case 'ArrayExpression':
        if (node.elements.some((one) => one?.type === 'SpreadElement')) break;
        return listOf(
          node.elements.map((one) =>
            this.value(one ?? this.#refuse(node, 'an empty place in a list', 'a value')),
          ),
        );
      case 'ObjectExpression':
        return recordOf(this.fields(node));
    }
    return valueOfExpression(this.expression(node));
  }

  /** The fields of a record that is written out. */
  fields(node: ObjectExpression): [string, Value][] {
    const fields = new Map<string, Value>();
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') this.#unknown(property);
      const name = this.#key(property);
      if (fields.has(name))
        this.#refuse(property, `the field ${quoted(name)} a second time`, 'each field once');
      fields.set(name, this.value(property.value));
    }
    return [...fields];
  }

  #key(property: ObjectExpression['properties'][number] & { type: 'Property' }): string {
    const { key, computed, kind, method } = property;
    if (kind !== 'init' || method) this.#refuse(property, 'a function in a record', 'a value');
    if (key.type === 'Literal' && typeof key.value === 'string') return key.value;
    if (computed) return this.#refuse(key, 'a computed name', 'a name that is written out');
    const name = key.type === 'Identifier' ? key.name : String((key as { value?: unknown }).value);
    if (name === '__proto__' && !property.shorthand)
      this.#refuse(key, 'the field __proto__, which would be the prototype', '["__proto__"]');
    return name;
  }

  type(value: Value): ValueType {
    return typeOfValue(value, this.#scope, () => {});
  }

  /** An expression of the expression language. */
  expression(
    node: Expression | SpreadElement | AnyNode,
    variables: Variables = NO_VARIABLES,
  ): ExpressionNode {
    const of = (inner: Expression | SpreadElement) => this.expression(inner, variables);
    switch (node.type) {
      case 'ParenthesizedExpression':
        return of(node.expression);
      case 'Literal':
        return this.#literal(node);
      case 'Identifier':
        return this.#name(node, variables);
      case 'TemplateLiteral':
        return this.#template(node, variables);
      case 'ArrayExpression':
        return this.#list(node.elements, node, variables);
      case 'ObjectExpression': {
        const keys: ExpressionNode[] = [];
        const values: ExpressionNode[] = [];
        for (const property of node.properties) {
          if (property.type === 'SpreadElement') this.#unknown(property);
          const isComputed = property.computed && property.key.type !== 'Literal';
          keys.push(
            isComputed
              ? of(property.key as Expression)
              : { kind: 'literal', value: this.#key(property), place },
          );
          values.push(of(property.value));
        }
        return { kind: 'map', keys, values, place };
      }
      case 'MemberExpression':
        return this.#member(node, variables);
      case 'UnaryExpression': {
        const { operator } = node;
        if (operator !== '!' && operator !== '-')
          return this.#refuse(
            node,
            `the operator ${operator}`,
            operator === 'typeof' ? 'has(a.b), or a type that is known' : '! or -',
          );
        const operand = of(node.argument);
        return { kind: 'unary', operator, operand, place };
      }
      case 'BinaryExpression':
        return this.#binary(node, variables);
      case 'LogicalExpression': {
        const { operator } = node;
        if (operator === '??') return this.#refuse(node, 'the operator ??', 'has(a.b) ? a.b : otherwise');
        return { kind: 'logical', operator, operands: [of(node.left), of(node.right)], place };
      }
      case 'ConditionalExpression': {
        const [condition, whenTrue, whenFalse] = [node.test, node.consequent, node.alternate].map(of);
        return { kind: 'conditional', condition, whenTrue, whenFalse, place };
      }
      case 'CallExpression':
        return this.#call(node, variables);
      default:
        return this.#unknown(node);
    }
  }

  /** A template within an expression: a sum of texts. A sum of other values would add up, not write them one behind another. */
  #template({ quasis, expressions }: TemplateLiteral, variables: Variables): ExpressionNode {
    const text = (value: string): ExpressionNode => ({ kind: 'literal', value, place });
    const parts: ExpressionNode[] = [];
    for (const [i, { value }] of quasis.entries()) {
      if (value.cooked) parts.push(text(value.cooked));
      if (i === expressions.length) break;
      const part = this.expression(expressions[i], variables);
      const type = this.#typeOf(part, variables);
      const isOpen = type.kind === 'any' || type.kind === 'either';
      if (type.kind !== 'text' && !isOpen)
        this.#refuse(
          expressions[i],
          `${describeType(type)} in a template within an expression`,
          'a text; or a const of its own for the template: const t = `…`',
        );
      // Beside a text, what turns out to be none has no value, which ends the run.
      if (parts.length === 0 && isOpen) parts.push(text(''));
      parts.push(part);
    }
    if (parts.length === 0) return text('');
    return parts.reduce((left, right) => ({ kind: 'binary', operator: '+', left, right, place }));
  }

  #refuse(node: AnyNode, found: string, expected: string, hint?: string): never {
    return this.#problems.refuse(node, found, expected, hint);
  }

  #unknown(node: AnyNode): never {
    const [found, expected] = adviceFor(node);
    return this.#refuse(node, found, expected);
  }

  #literal(node: AnyNode & { type: 'Literal' }): ExpressionNode {
    if (node.regex) return this.#refuse(node, 'a regular expression', 'matches(text, "pattern")');
    if (node.bigint != null) return this.#refuse(node, 'a big number', 'a number');
    const { value } = node;
    if (value === null || typeof value === 'string' || typeof value === 'boolean')
      return { kind: 'literal', value, place };
    if (typeof value === 'number' && Number.isFinite(value)) return { kind: 'literal', value, place };
    return this.#refuse(node, node.raw ?? 'a literal', 'a text, a finite number, true, false or null');
  }

  #name(node: AnyNode & { type: 'Identifier' }, variables: Variables): ExpressionNode {
    const variable = variables.get(node.name);
    if (variable !== undefined) return { kind: 'name', name: variable.name, place };
    const binding = this.#scope.find(node.name);
    if (binding?.kind === 'name') return { kind: 'name', name: binding.name, place };
    if (binding?.kind === 'pending') return this.#refuse(node, node.name, binding.reason);
    if (node.name === 'undefined')
      return this.#refuse(node, 'undefined', 'null, or has(a.b) to ask whether there is a field');
    const known = [...variables.keys(), ...this.#scope.written()];
    const isTool = [...this.#tools].includes(node.name);
    const expected =
      known.length === 0 ? 'a name: none is known here' : `one of ${known.slice(-20).join(', ')}`;
    const what = isTool ? `the tool ${node.name} as a value` : `the unknown name ${quoted(node.name)}`;
    return this.#refuse(
      node,
      what,
      isTool ? `a call of its own: const x = await ${node.name}({…})` : expected,
      nearestName(node.name, known),
    );
  }

  #typeOf(node: ExpressionNode, variables: Variables): ValueType {
    const types = new Map([...variables.values()].map(({ name, type }) => [name, type]));
    return typeOfTree(node, (name) => types.get(name) ?? this.#scope.type(name));
  }

  #list(
    elements: readonly (Expression | SpreadElement | null)[],
    node: AnyNode,
    variables: Variables,
  ): ExpressionNode {
    const parts: ExpressionNode[] = [];
    let plain: ExpressionNode[] = [];
    const close = (): void => {
      if (plain.length > 0) parts.push({ kind: 'list', elements: plain, place });
      plain = [];
    };
    for (const element of elements) {
      if (element === null) return this.#refuse(node, 'an empty place in a list', 'a value');
      if (element.type !== 'SpreadElement') {
        plain.push(this.expression(element, variables));
        continue;
      }
      close();
      const list = this.expression(element.argument, variables);
      const type = this.#typeOf(list, variables);
      if (type.kind !== 'list') this.#refuse(element, `a spread of ${describeType(type)}`, 'a list');
      parts.push(list);
    }
    close();
    if (parts.length === 0) return { kind: 'list', elements: [], place };
    return parts.reduce((left, right) => ({ kind: 'binary', operator: '+', left, right, place }));
  }

  #member(node: MemberExpression, variables: Variables): ExpressionNode {
    const object = this.expression(node.object, variables);
    const { property } = node;
    if (node.computed) {
      const index = this.expression(property, variables);
      return { kind: 'index', object, index, place };
    }
    if (property.type !== 'Identifier') return this.#unknown(property);
    if (property.name !== 'length') return { kind: 'field', object, field: property.name, place };
    const type = this.#typeOf(object, variables);
    if (type.kind === 'list') return { kind: 'call', function: 'size', arguments: [object], place };
    if (type.kind === 'record' && Object.hasOwn(type.fields, 'length'))
      return { kind: 'field', object, field: 'length', place };
    return this.#refuse(
      property,
      `the length of ${describeType(type)}`,
      'size(x), which counts characters or elements; or x["length"] for the field',
    );
  }

  #binary(node: BinaryExpression, variables: Variables): ExpressionNode {
    const { operator } = node;
    if (node.left.type === 'PrivateIdentifier') return this.#unknown(node.left);
    const sides = [node.left, node.right];
    if (operator === '==' || operator === '!=')
      return this.#refuse(node, `the operator ${operator}`, `${operator}=`);
    const isEquality = operator === '===' || operator === '!==';
    const other = isEquality
      ? sides.findIndex((side) => side.type === 'Identifier' && side.name === 'undefined')
      : -1;
    if (other !== -1) {
      const asked = this.#has(sides[1 - other], variables);
      return operator === '!==' ? asked : { kind: 'unary', operator: '!', operand: asked, place };
    }
    const [left, right] = sides.map((side) => this.expression(side, variables));
    if (operator === 'in') return this.#in(node, left, right, variables);
    if (!Object.hasOwn(OPERATORS, operator))
      return this.#refuse(node, `the operator ${operator}`, 'one of === !== < <= > >= + - * / % && ||');
    if (isEquality) {
      const types = [left, right].map((one) => this.#typeOf(one, variables));
      if (types.every(({ kind }) => kind === 'list' || kind === 'record'))
        this.#refuse(
          node,
          `${describeType(types[0])} compared by ${operator}`,
          'a comparison of their fields or sizes',
        );
    }
    return { kind: 'binary', operator: OPERATORS[operator], left, right, place };
  }

  #in(
    node: BinaryExpression,
    left: ExpressionNode,
    right: ExpressionNode,
    variables: Variables,
  ): ExpressionNode {
    const { kind } = this.#typeOf(right, variables);
    if (kind === 'list')
      return this.#refuse(node, '"in" of a list, which asks for positions', 'list.includes(x)');
    return { kind: 'binary', operator: 'in', left, right, place };
  }

  #has(node: AnyNode, variables: Variables): ExpressionNode {
    const field = node.type === 'MemberExpression' ? this.#field(node) : undefined;
    if (node.type !== 'MemberExpression' || field === undefined)
      return this.#refuse(node, 'a value that is no field', 'a field that may be missing: has(a.b)');
    return { kind: 'has', object: this.expression(node.object, variables), field, place };
  }

  /** The name of the field that a member expression reads. */
  #field({ property, computed }: MemberExpression): string | undefined {
    if (!computed) return property.type === 'Identifier' ? property.name : undefined;
    return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined;
  }

  #call(node: CallExpression, variables: Variables): ExpressionNode {
    const { callee } = node;
    if (callee.type === 'Identifier') return this.#function(node, callee.name, variables);
    if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier')
      return callee.type === 'MemberExpression'
        ? this.#refuse(callee, 'a method of a computed name', 'its name')
        : this.#unknown(callee);
    const method = callee.property.name;
    if (
      callee.object.type === 'Identifier' &&
      callee.object.name === 'tools' &&
      this.#scope.find('tools') === undefined
    )
      return this.#refuse(
        node,
        `a call of a tool within a value`,
        `a name for it first: const x = await tools.${method}({…})`,
      );
    const object = this.expression(callee.object, variables);
    if (Object.hasOwn(MACROS, method))
      return this.#macro(node, MACROS[method], object, this.#only(node, method), variables);
    if (method === 'startsWith' || method === 'endsWith') {
      const part = this.expression(this.#only(node, method), variables);
      return { kind: 'call', function: method, arguments: [object, part], place };
    }
    if (method !== 'includes')
      return this.#refuse(
        callee.property,
        `the method ${quoted(method)}`,
        METHODS_ADVICE[method] ?? 'one of includes, startsWith, endsWith, map, filter, some, every',
      );
    const part = this.expression(this.#only(node, method), variables);
    const type = this.#typeOf(object, variables);
    if (type.kind === 'list') return { kind: 'binary', operator: 'in', left: part, right: object, place };
    if (type.kind === 'text') return { kind: 'call', function: 'contains', arguments: [object, part], place };
    return this.#refuse(node, `includes of ${describeType(type)}`, 'isIn(x, list), or contains(text, part)');
  }

  #only(node: CallExpression, of: string): Expression {
    const [first] = node.arguments;
    if (node.arguments.length !== 1) this.#refuse(node, `${node.arguments.length} arguments of ${of}`, '1');
    return first.type === 'SpreadElement' ? this.#unknown(first) : first;
  }

  #function(node: CallExpression, name: string, variables: Variables): ExpressionNode {
    const given = node.arguments;
    const demand = (count: number): void => {
      if (given.length !== count) this.#refuse(node, `${given.length} arguments of ${name}`, `${count}`);
    };
    if (variables.has(name) || this.#scope.find(name) !== undefined)
      return this.#refuse(
        node,
        `a call of ${quoted(name)}, which is a value here`,
        `a function or a tool: tools.${name}`,
      );
    if (name === 'has') {
      demand(1);
      return this.#has(given[0], variables);
    }
    if (name === 'isIn') {
      demand(2);
      const [left, right] = given.map((one) => this.expression(one, variables));
      return { kind: 'binary', operator: 'in', left, right, place };
    }
    if (name === 'existsOne') {
      demand(2);
      const [list, arrow] = given;
      return this.#macro(node, 'exists_one', this.expression(list, variables), arrow, variables);
    }
    if (Object.hasOwn(FUNCTIONS, name)) {
      demand(FUNCTIONS[name as FunctionName].arguments.length);
      const parts = given.map((one) => this.expression(one, variables));
      return { kind: 'call', function: name as FunctionName, arguments: parts, place };
    }
    const tools = [...this.#tools];
    if (tools.includes(name))
      return this.#refuse(
        node,
        `a call of the tool ${name} within a value`,
        `a name for it first: const x = await ${name}({…})`,
      );
    if (name === 'String' || name === 'Number')
      return this.#refuse(
        node,
        `the function ${quoted(name)}`,
        name === 'String' ? 'a template' : 'a number',
      );
    const known = [...Object.keys(FUNCTIONS), 'has', 'isIn', 'existsOne', ...tools];
    return this.#refuse(
      node,
      `the unknown function ${quoted(name)}`,
      'a tool, or a function of the expression language',
      nearestName(name, known),
    );
  }

  #macro(
    node: CallExpression,
    macro: MacroName,
    list: ExpressionNode,
    arrow: AnyNode,
    variables: Variables,
  ): ExpressionNode {
    const { param, body } = this.#arrow(node, arrow);
    const type = this.#typeOf(list, variables);
    const of: ValueType = type.kind === 'list' ? type.of : { kind: 'any' };
    const variable = this.#scope.variable(param);
    const inner = new Map(variables).set(param, { name: variable, type: of });
    return { kind: 'macro', macro, list, variable, body: this.expression(body, inner), place };
  }

  #arrow(node: AnyNode, arrow: AnyNode): { readonly param: string; readonly body: Expression } {
    const expected = 'an arrow that is one expression: (x) => x.size > 3';
    if (arrow.type !== 'ArrowFunctionExpression') return this.#refuse(arrow, 'what is no arrow', expected);
    const { params, body, async } = arrow as ArrowFunctionExpression;
    if (async)
      return this.#refuse(
        arrow,
        'an async arrow within a value',
        'const xs = await Promise.all(list.map(async (x) => …)), or a loop',
      );
    const [param] = params;
    if (params.length !== 1 || param.type !== 'Identifier')
      return this.#refuse(
        params[1] ?? param ?? node,
        'an arrow with other than one plain parameter',
        expected,
      );
    if (body.type === 'BlockStatement') return this.#refuse(body, 'an arrow with a block', expected);
    return { param: param.name, body };
  }
}
