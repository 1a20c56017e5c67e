import type {
  AnyNode,
  ArrowFunctionExpression,
  CallExpression,
  Comment,
  Expression,
  ForOfStatement,
  IfStatement,
  Pattern,
  Statement,
  TryStatement,
  VariableDeclaration,
} from 'acorn';
import { ForeguardError } from '../../../base/errors.js';
import { nearestName } from '../../../base/suggest.js';
import type { ExpressionNode } from '../../../languages/expression/index.js';
import { typeOfSchema, type ValueType } from '../../contract/index.js';
import { expressionOf } from '../canonical.js';
import { either, widened } from '../fitness.js';
import { ID_EXPECTED, isStepId } from '../names.js';
import type { Action, PlanExpression, Step, Value } from '../plan.js';
import { MOST_NESTED, quoted } from '../reading.js';
import type { ToolTypes } from '../toolTypes.js';
import { adviceFor } from './advice.js';
import type { Binding, CodeScope } from './codeScope.js';
import { ValueLowering } from './lowerValue.js';
import {
  assignmentOf,
  bodyOf,
  type CodeStatement,
  countAwaits,
  isForOf,
  parallelMap,
  plainDeclaration,
  pushOf,
  splitEnd,
} from './patterns.js';
import { type CodeProblems, Refusal } from './problems.js';

const ANY: ValueType = { kind: 'any' };
const CALL_EXPECTED = 'a call of a tool: await tool({ name: value })';

/** Lowers statements to steps. Steps without an id of their own have the empty one. */
export class StepLowering {
  readonly #problems: CodeProblems;
  readonly #scope: CodeScope;
  readonly #tools: ToolTypes;
  readonly #values: ValueLowering;
  readonly #comments: readonly Comment[];
  #nextComment = 0;
  readonly #ids = new Set<string>();
  #nested = 0;
  /** Where each step stands. */
  readonly places = new WeakMap<Step, AnyNode>();

  constructor(problems: CodeProblems, scope: CodeScope, tools: ToolTypes, comments: readonly Comment[]) {
    this.#problems = problems;
    this.#scope = scope;
    this.#tools = tools;
    this.#comments = comments;
    this.#values = new ValueLowering(problems, scope, [...tools.tools.keys()]);
  }

  /** @param from where the list of statements begins: comments before it belong to others */
  steps(statements: readonly CodeStatement[], from: number): Step[] {
    const steps: Step[] = [];
    let boundary = from;
    for (let i = 0; i < statements.length; ) {
      const statement = statements[i];
      const head = this.#head(statement, boundary);
      let used = 1;
      try {
        used = this.#group(statements, i, (action) => {
          const step = { ...head(), ...action } as Step;
          this.places.set(step, statement);
          steps.push(step);
        });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.#giveAnyway(statement);
      }
      i += used;
      boundary = statements[i - 1].end;
    }
    return steps;
  }

  /** Id and note, from the comments before a statement; of several steps of one statement the first has them. */
  #head(statement: CodeStatement, boundary: number): () => { id: string; note?: string } {
    let id = '';
    let note: string | undefined;
    for (; this.#nextComment < this.#comments.length; this.#nextComment++) {
      const comment = this.#comments[this.#nextComment];
      if (comment.end > statement.start) break;
      if (comment.start < boundary) continue;
      const [, word, rest] = /^\s*(id|note):\s*(.*?)\s*$/s.exec(comment.value) ?? [];
      if (word === 'note') note = textIn(rest) ?? note;
      if (word === 'id') id = this.#id(rest, comment) ?? id;
    }
    return () => {
      const head = { id, ...(note !== undefined && { note }) };
      id = '';
      note = undefined;
      return head;
    };
  }

  #id(id: string, comment: Comment): string | undefined {
    const at = comment as Pick<AnyNode, 'loc'>;
    if (!isStepId(id)) this.#problems.add(at, `the id ${quoted(id)}`, ID_EXPECTED);
    else if (this.#ids.has(id))
      this.#problems.add(at, `the id ${quoted(id)} a second time`, 'an id that no other step has');
    else {
      this.#ids.add(id);
      return id;
    }
    return undefined;
  }

  /** What a refused statement declares is any value, so that each mistake is named once. */
  #giveAnyway(statement: CodeStatement): void {
    if (statement.type !== 'VariableDeclaration') return;
    for (const { id } of statement.declarations)
      if (id.type === 'Identifier' && !this.#scope.isGivenHere(id.name)) this.#scope.give(id.name, ANY);
  }

  /** Lowers a statement, or several that are one step. @returns how many */
  #group(statements: readonly CodeStatement[], at: number, add: (action: Action) => void): number {
    const lists = this.#filledLists(statements, at);
    if (lists !== undefined) {
      const loop = statements[at + lists.length] as ForOfStatement;
      for (const name of lists)
        this.#scope.pending(name, 'a name that is known: this list is known after its loop');
      add(this.#forEach(loop, lists));
      return lists.length + 1;
    }
    let next = at;
    while (plainDeclaration(statements[next], 'let') !== undefined) next++;
    if (next === at) {
      this.#statement(statements[at], add);
      return 1;
    }
    const variables = statements.slice(at, next).map((one) => plainDeclaration(one, 'let')!);
    const after = statements[next];
    if (after?.type === 'IfStatement') {
      add(this.#if(after, variables));
      return next - at + 1;
    }
    if (isForOf(after) && variables.length === 1) {
      const [{ name, init }] = variables;
      if (init === null)
        return this.#problems.refuse(
          statements[at],
          `let ${name} without a value`,
          `let ${name} = …, which the loop begins with`,
        );
      return next - at + 1 + this.#fold(after, name, init, statements[next + 1], add);
    }
    return this.#problems.refuse(
      statements[at],
      'let',
      'const; let stands directly before an if whose branches give it a value, or one let before a loop whose body ends with its next value',
    );
  }

  /** The names of empty lists that stand directly before a loop that fills them; undefined if there are none. */
  #filledLists(statements: readonly CodeStatement[], at: number): string[] | undefined {
    const names: string[] = [];
    let next = at;
    for (; ; next++) {
      const declared = plainDeclaration(statements[next], 'const');
      if (declared?.init?.type !== 'ArrayExpression' || declared.init.elements.length > 0) break;
      names.push(declared.name);
    }
    const loop = statements[next];
    if (names.length === 0 || !isForOf(loop)) return undefined;
    const { end } = splitEnd(bodyOf(loop.body), pushOf);
    const filled = names.filter((name) => end.some((push) => push.name === name));
    return filled.length === names.length ? names : undefined;
  }

  #statement(node: CodeStatement, add: (action: Action) => void): void {
    switch (node.type) {
      case 'EmptyStatement':
        return;
      case 'VariableDeclaration':
        this.#declarations(node, add);
        return;
      case 'ExpressionStatement':
        add(this.#expressionStatement(node.expression));
        return;
      case 'IfStatement':
        add(this.#requireOf(node) ?? this.#if(node, []));
        return;
      case 'ForOfStatement':
        add(this.#forEach(node, []));
        return;
      case 'ReturnStatement':
        add({
          kind: 'return',
          value: node.argument ? this.#values.value(node.argument) : { kind: 'literal', value: null },
        });
        return;
      case 'TryStatement':
        add(this.#attempt(node));
        return;
      default:
        this.#unknown(node);
    }
  }

  #unknown(node: AnyNode): never {
    const [found, expected] = adviceFor(node);
    return this.#problems.refuse(node, found, expected);
  }

  #declarations(node: VariableDeclaration, add: (action: Action) => void): void {
    if (node.kind !== 'const')
      this.#problems.refuse(
        node,
        node.kind,
        node.kind === 'let' ? 'one name in each let, or const' : 'const',
      );
    for (const { id, init } of node.declarations) {
      if (id.type !== 'Identifier') this.#unknown(id);
      this.#requireNew(id, id.name);
      if (init == null) this.#problems.refuse(id, 'a const without a value', 'a value');
      if (init.type !== 'AwaitExpression') {
        this.#refuseCall(init);
        const be = this.#values.value(init);
        const type = this.#values.type(be);
        add({ kind: 'let', name: this.#scope.give(id.name, type), be });
        continue;
      }
      const parallel = parallelMap(init.argument);
      if (parallel !== undefined) {
        add(this.#parallel(parallel.list, parallel.arrow, id.name));
        continue;
      }
      const { action, type } = this.#awaited(init.argument);
      const as = this.#scope.give(id.name, type);
      add(action.kind === 'ask' ? { ...action, as } : { ...action, as });
    }
  }

  #requireNew(node: AnyNode, name: string): void {
    if (this.#scope.isGivenHere(name))
      this.#problems.refuse(node, `the name ${quoted(name)} a second time`, 'another name');
  }

  /** A call of a tool without await. */
  #refuseCall(node: Expression): void {
    const tool = node.type === 'CallExpression' ? this.#toolName(node) : undefined;
    if (tool !== undefined)
      this.#problems.refuse(node, `a call of ${tool} without await`, `await ${tool}({…})`);
  }

  #expressionStatement(node: Expression): Action {
    if (node.type === 'AwaitExpression') {
      const parallel = parallelMap(node.argument);
      if (parallel !== undefined) return this.#parallel(parallel.list, parallel.arrow, null);
      const { action } = this.#awaited(node.argument);
      if (action.kind !== 'ask') return action;
      return this.#problems.refuse(
        node,
        'a question whose answer has no name',
        'const answer = await ask(…)',
      );
    }
    this.#refuseCall(node);
    if (
      node.type === 'CallExpression' &&
      node.callee.type === 'Identifier' &&
      this.#scope.find(node.callee.name) === undefined
    ) {
      if (node.callee.name === 'require') return this.#require(node);
      if (node.callee.name === 'ask')
        return this.#problems.refuse(node, 'a question without await', 'const answer = await ask(…)');
    }
    if (
      node.type !== 'CallExpression' &&
      node.type !== 'AssignmentExpression' &&
      node.type !== 'UpdateExpression'
    )
      return this.#problems.refuse(
        node,
        'a value that nothing uses',
        'const name = value, or no such statement',
      );
    const push =
      node.type === 'CallExpression' &&
      node.callee.type === 'MemberExpression' &&
      (node.callee.property as { name?: string }).name === 'push';
    if (push)
      return this.#problems.refuse(
        node,
        'a push',
        'it once at the end of the body of the loop that directly follows const list = []',
      );
    if (node.type === 'AssignmentExpression')
      return this.#problems.refuse(
        node,
        'an assignment',
        'it at the end of each branch of the if, or of the body of the loop, that directly follows let',
      );
    if (node.type === 'CallExpression') this.#values.expression(node);
    return this.#problems.refuse(
      node,
      'a value that nothing uses',
      'const name = value, or no such statement',
    );
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

  #awaited(node: Expression): {
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

  #attempt(node: TryStatement): Action {
    const [inner, ...others] = node.block.body;
    const isPlain =
      node.handler !== null &&
      node.handler !== undefined &&
      node.handler.body.body.length === 0 &&
      !node.finalizer;
    const call =
      inner?.type === 'ExpressionStatement' && inner.expression.type === 'AwaitExpression'
        ? inner.expression.argument
        : undefined;
    if (!isPlain || others.length > 0 || call === undefined) return this.#unknown(node);
    const { action } = this.#awaited(call);
    return action.kind === 'call' ? { ...action, onError: 'skip' } : this.#unknown(node);
  }

  #condition(node: Expression): PlanExpression {
    return expressionOf(this.#values.expression(node));
  }

  #require(node: CallExpression): Action {
    const [condition, otherwise] = node.arguments;
    const isText = otherwise?.type === 'Literal' && typeof otherwise.value === 'string';
    if (node.arguments.length !== 2 || !isText || condition.type === 'SpreadElement')
      return this.#problems.refuse(
        node,
        'a call of require',
        "require(condition, 'what to say if it does not hold')",
      );
    return { kind: 'require', condition: this.#condition(condition), otherwise: otherwise.value as string };
  }

  /** `if (condition) throw new Error('…')`. */
  #requireOf(node: IfStatement): Action | undefined {
    const [only, ...others] = bodyOf(node.consequent);
    if (only?.type !== 'ThrowStatement' || others.length > 0 || node.alternate) return undefined;
    const { argument } = only;
    const words =
      argument.type === 'NewExpression' && (argument.callee as { name?: string }).name === 'Error'
        ? argument.arguments[0]
        : undefined;
    if (words?.type !== 'Literal' || typeof words.value !== 'string') return undefined;
    const holds = this.#values.expression(node.test);
    const condition: ExpressionNode =
      holds.kind === 'unary' && holds.operator === '!'
        ? holds.operand
        : { kind: 'unary', operator: '!', operand: holds, place: holds.place };
    return { kind: 'require', condition: expressionOf(condition), otherwise: words.value };
  }

  #within<T>(node: AnyNode, run: () => T): T {
    if (this.#nested >= MOST_NESTED)
      return this.#problems.refuse(node, `steps nested deeper than ${MOST_NESTED} levels`, 'flatter steps');
    this.#nested++;
    try {
      return this.#scope.within(run);
    } finally {
      this.#nested--;
    }
  }

  #if(
    node: IfStatement,
    variables: readonly { readonly name: string; readonly init: Expression | null }[],
  ): Action {
    const given = variables.map(({ name, init }) => {
      this.#requireNew(node, name);
      const value = init && this.#values.value(init);
      this.#scope.pending(name, 'a name that is known: this one has its value after the if');
      return { name, value };
    });
    const condition = this.#condition(node.test);
    const branches = ([node.consequent, node.alternate] as const).map((branch) =>
      this.#branch(node, branch ?? null, given),
    );
    const yields = given.map(({ name }, i): [string, readonly [Value, Value], ValueType] => {
      const [then, otherwise] = branches.map(({ values }) => values[i]);
      return [name, [then.value, otherwise.value], either([then.type, otherwise.type])];
    });
    const named = yields.map(([name, pair, type]) => [this.#scope.give(name, type), pair] as const);
    const [then, otherwise] = branches.map(({ steps }) => steps);
    return {
      kind: 'if',
      condition,
      then,
      else: otherwise,
      ...(named.length > 0 && { yields: Object.fromEntries(named) }),
    };
  }

  /** A branch: its steps, and the value of each variable that it gives at its end. */
  #branch(
    node: IfStatement,
    branch: Statement | null,
    variables: readonly { readonly name: string; readonly value: Value | null }[],
  ): {
    readonly steps: Step[];
    readonly values: readonly { readonly value: Value; readonly type: ValueType }[];
  } {
    return this.#within(node, () => {
      const body = branch === null ? [] : bodyOf(branch);
      const names = new Set(variables.map(({ name }) => name));
      const { before, end } = splitEnd(body, (one) => {
        const found = assignmentOf(one);
        return found !== undefined &&
          found.operator === '=' &&
          names.has((found.left as { name: string }).name)
          ? found
          : undefined;
      });
      const steps = this.steps(before, branch?.start ?? node.end);
      const values = variables.map(({ name, value }) => {
        const assigned = end.filter(({ left }) => (left as { name: string }).name === name);
        if (assigned.length > 1)
          return this.#problems.refuse(assigned[1], `${name} a second time`, 'one value in each branch');
        const given = assigned.length === 1 ? this.#values.value(assigned[0].right) : value;
        if (given === null)
          return this.#problems.refuse(
            branch ?? node,
            `a branch that gives ${name} no value`,
            `${name} = … at its end, in both branches`,
          );
        return { value: given, type: this.#values.type(given) };
      });
      return { steps, values };
    });
  }

  #loopHead(node: ForOfStatement): {
    readonly item: string;
    readonly list: Expression;
    readonly atMost: number | undefined;
  } {
    if (node.await) return this.#problems.refuse(node, 'for await', 'for (const x of list)');
    const { left, right } = node;
    const target: Pattern | undefined =
      left.type === 'VariableDeclaration' ? left.declarations[0].id : undefined;
    if (left.type !== 'VariableDeclaration' || left.kind === 'var')
      return this.#problems.refuse(left, 'a loop without const', 'for (const x of list)');
    if (target?.type !== 'Identifier') return this.#unknown(target ?? left);
    const isAtMost =
      right.type === 'CallExpression' && right.callee.type === 'Identifier' && right.callee.name === 'atMost';
    if (!isAtMost || this.#scope.find('atMost') !== undefined)
      return { item: target.name, list: right, atMost: undefined };
    const [most, list] = right.arguments;
    const isCount =
      most?.type === 'Literal' && Number.isSafeInteger(most.value) && (most.value as number) >= 0;
    if (!isCount || right.arguments.length !== 2 || list.type === 'SpreadElement')
      return this.#problems.refuse(right, 'a call of atMost', 'atMost(5, list)');
    return { item: target.name, list, atMost: most.value as number };
  }

  #elementOf(list: Value): ValueType {
    const type = this.#values.type(list);
    return type.kind === 'list' ? type.of : ANY;
  }

  #forEach(node: ForOfStatement, lists: readonly string[]): Action {
    const head = this.#loopHead(node);
    const list = this.#values.value(head.list);
    const { item, steps, collected } = this.#within(node, () => {
      const given = this.#scope.give(head.item, this.#elementOf(list));
      const { before, end } = splitEnd(bodyOf(node.body), (one) => {
        const push = pushOf(one);
        return push !== undefined && lists.includes(push.name) ? push : undefined;
      });
      const inner = this.steps(before, node.body.start);
      const values = lists.map((name) => {
        const [first, second] = end.filter((push) => push.name === name);
        if (second !== undefined)
          return this.#problems.refuse(second.value, `a second push to ${name}`, 'one push in each round');
        const value = this.#values.value(first.value);
        return [name, value, this.#values.type(value)] as const;
      });
      return { item: given, steps: inner, collected: values };
    });
    const collect = collected.map(([name, value, of]) => {
      this.#requireNew(node, name);
      return [this.#scope.give(name, { kind: 'list', of }), value] as const;
    });
    const most = head.atMost === undefined ? {} : { atMost: head.atMost };
    return {
      kind: 'forEach',
      in: list,
      item,
      ...most,
      do: steps,
      ...(collect.length > 0 && { collect: Object.fromEntries(collect) }),
    };
  }

  /** @returns how many statements after the loop belong to it: `const total = sum` */
  #fold(
    node: ForOfStatement,
    name: string,
    init: Expression,
    after: AnyNode | undefined,
    add: (action: Action) => void,
  ): number {
    this.#requireNew(node, name);
    const head = this.#loopHead(node);
    if (head.atMost !== undefined)
      return this.#problems.refuse(node, 'atMost of a loop with a sum', 'the list itself');
    const from = this.#values.value(init);
    const list = this.#values.value(head.list);
    const type = widened(this.#values.type(from));
    const declared = plainDeclaration(after, 'const');
    const isNamed = declared?.init?.type === 'Identifier' && declared.init.name === name;
    const result = isNamed ? declared.name : name;
    const accumulator = this.#scope.reserve(name, !isNamed);
    const { item, steps, next } = this.#within(node, () => {
      this.#scope.bind(name, accumulator, type);
      const given = this.#scope.give(head.item, this.#elementOf(list));
      const { before, end } = splitEnd(bodyOf(node.body), assignmentOf);
      const [last, ...others] = end;
      const isOne =
        last !== undefined && others.length === 0 && (last.left as { name: string }).name === name;
      if (!isOne || (last.operator !== '=' && last.operator !== '+='))
        return this.#problems.refuse(
          node,
          `a loop after let ${name} whose body does not end with its next value alone`,
          `${name} = … as the last statement of the body`,
        );
      const inner = this.steps(before, node.body.start);
      const sum = {
        type: 'BinaryExpression',
        operator: '+',
        left: last.left,
        right: last.right,
        start: 0,
        end: 0,
      } as Expression;
      return {
        item: given,
        steps: inner,
        next: this.#values.value(last.operator === '=' ? last.right : sum),
      };
    });
    const as = this.#scope.give(result, type);
    const binding: Binding = { kind: 'name', name: as };
    if (isNamed) this.#scope.alias(name, binding);
    add({ kind: 'fold', in: list, item, from, accumulator, do: steps, next, as });
    return isNamed ? 1 : 0;
  }

  /** `Promise.all(list.map(async (x) => …))`: rounds of a loop, of one call each, so that their order is that of the calls. */
  #parallel(list: Expression, arrow: Expression, name: string | null): Action {
    const { params, body, async } = arrow as ArrowFunctionExpression;
    if (
      arrow.type !== 'ArrowFunctionExpression' ||
      !async ||
      params.length !== 1 ||
      params[0].type !== 'Identifier'
    )
      return this.#problems.refuse(
        arrow,
        'what is no async arrow of one parameter',
        'Promise.all(list.map(async (x) => …))',
      );
    if (countAwaits(body) > 1)
      return this.#problems.refuse(
        arrow,
        'several calls in each round, all rounds at once',
        'const xs = []; for (const x of list) { …; xs.push(value); }',
      );
    const [{ name: param }] = params;
    const value = this.#values.value(list);
    const { item, steps, collected, type } = this.#within(arrow, () => {
      const given = this.#scope.give(param, this.#elementOf(value));
      const statements = body.type === 'BlockStatement' ? body.body : [];
      const last = statements.at(-1);
      const isReturn = last?.type === 'ReturnStatement';
      const inner = this.steps(isReturn ? statements.slice(0, -1) : statements, body.start);
      const given1 = body.type === 'BlockStatement' ? (isReturn ? last.argument : null) : body;
      if (!given1) {
        if (name !== null)
          return this.#problems.refuse(arrow, 'an arrow that gives nothing', 'return value at its end');
        return { item: given, steps: inner, collected: null, type: ANY };
      }
      if (given1.type !== 'AwaitExpression') {
        const result = this.#values.value(given1);
        return { item: given, steps: inner, collected: result, type: this.#values.type(result) };
      }
      const { action, type: of } = this.#awaited(given1.argument);
      const as = this.#scope.give(`${param}Result`, of);
      const step = { id: '', ...action, as } as Step;
      this.places.set(step, given1);
      return {
        item: given,
        steps: [...inner, step],
        collected: { kind: 'reference', name: as, path: [] } as Value,
        type: of,
      };
    });
    const collect =
      name === null || collected === null
        ? {}
        : { collect: { [this.#scope.give(name, { kind: 'list', of: type })]: collected } };
    return { kind: 'forEach', in: value, item, do: steps, ...collect };
  }
}

/** The text that a comment says in JSON. */
function textIn(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    // Other comments are for people.
    return undefined;
  }
}
