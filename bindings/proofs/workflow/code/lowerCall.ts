import type { AnyNode, CallExpression, Expression } from 'acorn';
import { ForeguardError } from '../../../base/errors.js';
import { nearestName } from '../../../base/suggest.js';
import { typeOfSchema, type ValueType } from '../../contract/index.js';
import type { Action } from '../plan.js';
import { quoted } from '../reading.js';
import type { ToolTypes } from '../toolTypes.js';
import type { CodeScope } from './codeScope.js';
import type { ValueLowering } from './lowerValue.js';
import type { CodeProblems } from './problems.js';

const CALL_EXPECTED = 'a call of a tool: await tool({ name: value })';

/** Lowers calls of tools, and questions to models. */
export class CallLowering {
  readonly #problems: CodeProblems;
  readonly #scope: CodeScope;
  readonly #tools: ToolTypes;
  readonly #values: ValueLowering;

  constructor(problems: CodeProblems, scope: CodeScope, tools: ToolTypes, values: ValueLowering) {
    this.#problems = problems;
    this.#scope = scope;
    this.#tools = tools;
    this.#values = values;
  }

  /** What is awaited, and the type of what it gives. */
  awaited(node: Expression): {
    readonly action: Extract<Action, { kind: 'call' | 'ask' }>;
    readonly type: ValueType;
  } {
    if (node.type !== 'CallExpression')
      return this.#problems.refuse(node, 'an await of what is no call', CALL_EXPECTED);
    const { callee } = node;
    const isFree = callee.type === 'Identifier' && this.#scope.find(callee.name) === undefined;
    if (isFree && callee.name === 'ask' && !this.#tools.tools.has('ask')) return this.#ask(node);
    const tool = this.#toolName(node);
    const names = [...this.#tools.tools.keys()];
    if (tool === undefined || !this.#tools.tools.has(tool)) {
      const written = tool ?? (callee.type === 'Identifier' ? callee.name : undefined);
      if (written === undefined)
        return this.#problems.refuse(callee, 'an await of what is no tool', CALL_EXPECTED);
      const expected = `one of ${names.slice(0, 30).join(', ') || 'no tool'}`;
      const near = nearestName(written, names);
      return this.#problems.refuse(
        callee,
        `the unknown tool ${quoted(written)}`,
        expected,
        near && quoted(near),
      );
    }
    const [given] = node.arguments;
    if (node.arguments.length > 1 || (given !== undefined && given.type !== 'ObjectExpression'))
      return this.#problems.refuse(
        given,
        `an argument of ${tool} without its name`,
        `one record with the arguments by name: ${tool}({ ${this.#argumentsOf(tool)} })`,
      );
    const values =
      given === undefined
        ? []
        : this.#values.fields(given as Extract<Expression, { type: 'ObjectExpression' }>);
    const type = this.#tools.tools.get(tool)!.result.type;
    return { action: { kind: 'call', tool, with: Object.fromEntries(values) }, type };
  }

  /** Refuses a call of a tool without await. */
  refuse(node: Expression): void {
    const tool = node.type === 'CallExpression' ? this.#toolName(node) : undefined;
    if (tool !== undefined)
      this.#problems.refuse(node, `a call of ${tool} without await`, `await ${tool}({…})`);
  }

  /** The name of the tool that a call names; undefined if it names none. */
  #toolName({ callee }: CallExpression): string | undefined {
    if (callee.type === 'Identifier')
      return this.#scope.find(callee.name)?.kind !== 'name' && this.#tools.tools.has(callee.name)
        ? callee.name
        : undefined;
    if (
      callee.type !== 'MemberExpression' ||
      callee.object.type !== 'Identifier' ||
      callee.object.name !== 'tools'
    )
      return undefined;
    if (this.#scope.find('tools') !== undefined) return undefined;
    if (!callee.computed) return callee.property.type === 'Identifier' ? callee.property.name : undefined;
    return callee.property.type === 'Literal' && typeof callee.property.value === 'string'
      ? callee.property.value
      : undefined;
  }

  #argumentsOf(tool: string): string {
    const names = [...(this.#tools.tools.get(tool)?.arguments.keys() ?? [])];
    return names
      .slice(0, 6)
      .map((name) => `${name}: …`)
      .join(', ');
  }

  #ask(node: CallExpression): {
    readonly action: Extract<Action, { kind: 'ask' }>;
    readonly type: ValueType;
  } {
    const expected = "ask('question', [values], { type: 'string' })";
    const [question, about, schema] = node.arguments;
    if (node.arguments.length !== 3)
      return this.#problems.refuse(node, `${node.arguments.length} arguments of ask`, expected);
    if (question.type !== 'Literal' || typeof question.value !== 'string')
      return this.#problems.refuse(
        question,
        'a question that is no text',
        `${expected}; data go into the list`,
      );
    if (about.type !== 'ArrayExpression') return this.#problems.refuse(about, 'what is no list', expected);
    const values = about.elements.map((one) =>
      one === null ? this.#problems.refuse(about, 'an empty place', 'a value') : this.#values.value(one),
    );
    const type = this.type(schema);
    return { action: { kind: 'ask', question: question.value, about: values, type, as: '' }, type };
  }

  /** A type: a JSON Schema that is written out. */
  type(node: AnyNode): ValueType {
    const value = this.#values.value(node as Expression);
    if (value.kind !== 'literal')
      return this.#problems.refuse(node, 'a schema with names in it', 'a JSON Schema that is written out');
    const schema = typeof value.value === 'string' ? { type: value.value } : value.value;
    try {
      return typeOfSchema(schema, { name: 'the schema' });
    } catch (error) {
      if (!(error instanceof ForeguardError)) throw error;
      return this.#problems.refuse(node, error.message, "a JSON Schema, such as { type: 'string' }");
    }
  }
}
