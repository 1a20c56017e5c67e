import type { Comment, Expression, ForOfStatement, TryStatement, VariableDeclaration } from 'acorn';
import type { Action, Step } from '../plan.js';
import type { ToolTypes } from '../toolTypes.js';
import type { CodeScope } from './codeScope.js';
import { lowerIf } from './lowerBranch.js';
import { ANY, Lowering } from './lowering.js';
import { lowerFold, lowerForEach, lowerParallel } from './lowerLoop.js';
import { lowerRequire, requireOf } from './lowerRequire.js';
import {
  bodyOf,
  type CodeStatement,
  isForOf,
  parallelMap,
  plainDeclaration,
  pushOf,
  splitEnd,
} from './patterns.js';
import { type CodeProblems, Refusal } from './problems.js';
import { StepHeads } from './stepHeads.js';

/** Lowers statements to steps. Steps without an id of their own have the empty one. */
export class StepLowering extends Lowering {
  readonly #heads: StepHeads;

  constructor(problems: CodeProblems, scope: CodeScope, tools: ToolTypes, comments: readonly Comment[]) {
    super(problems, scope, tools);
    this.#heads = new StepHeads(problems, comments);
  }

  steps(statements: readonly CodeStatement[], from: number): Step[] {
    const steps: Step[] = [];
    let boundary = from;
    for (let i = 0; i < statements.length; ) {
      const statement = statements[i];
      const head = this.#heads.of(statement, boundary);
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

  /** What a refused statement declares is any value, so that each mistake is named once. */
  #giveAnyway(statement: CodeStatement): void {
    if (statement.type !== 'VariableDeclaration') return;
    for (const { id } of statement.declarations)
      if (id.type === 'Identifier' && !this.scope.isGivenHere(id.name)) this.scope.give(id.name, ANY);
  }

  /** Lowers a statement, or several that are one step. @returns how many */
  #group(statements: readonly CodeStatement[], at: number, add: (action: Action) => void): number {
    const lists = this.#filledLists(statements, at);
    if (lists !== undefined) {
      const loop = statements[at + lists.length] as ForOfStatement;
      for (const name of lists)
        this.scope.pending(name, 'a name that is known: this list is known after its loop');
      add(lowerForEach(this, loop, lists));
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
      add(lowerIf(this, after, variables));
      return next - at + 1;
    }
    if (isForOf(after) && variables.length === 1) {
      const [{ name, init }] = variables;
      if (init === null)
        return this.problems.refuse(
          statements[at],
          `let ${name} without a value`,
          `let ${name} = …, which the loop begins with`,
        );
      return next - at + 1 + lowerFold(this, after, name, init, statements[next + 1], add);
    }
    return this.problems.refuse(
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
        add(requireOf(this, node) ?? lowerIf(this, node, []));
        return;
      case 'ForOfStatement':
        add(lowerForEach(this, node, []));
        return;
      case 'ReturnStatement':
        add({
          kind: 'return',
          value: node.argument ? this.values.value(node.argument) : { kind: 'literal', value: null },
        });
        return;
      case 'TryStatement':
        add(this.#attempt(node));
        return;
      default:
        this.unknown(node);
    }
  }

  #declarations(node: VariableDeclaration, add: (action: Action) => void): void {
    if (node.kind !== 'const')
      this.problems.refuse(node, node.kind, node.kind === 'let' ? 'one name in each let, or const' : 'const');
    for (const { id, init } of node.declarations) {
      if (id.type !== 'Identifier') this.unknown(id);
      this.requireNew(id, id.name);
      if (init == null) this.problems.refuse(id, 'a const without a value', 'a value');
      if (init.type !== 'AwaitExpression') {
        this.calls.refuse(init);
        const be = this.values.value(init);
        const type = this.values.type(be);
        add({ kind: 'let', name: this.scope.give(id.name, type), be });
        continue;
      }
      const parallel = parallelMap(init.argument);
      if (parallel !== undefined) {
        add(lowerParallel(this, parallel.list, parallel.arrow, id.name));
        continue;
      }
      const { action, type } = this.calls.awaited(init.argument);
      const as = this.scope.give(id.name, type);
      add(action.kind === 'ask' ? { ...action, as } : { ...action, as });
    }
  }

  #expressionStatement(node: Expression): Action {
    if (node.type === 'AwaitExpression') {
      const parallel = parallelMap(node.argument);
      if (parallel !== undefined) return lowerParallel(this, parallel.list, parallel.arrow, null);
      const { action } = this.calls.awaited(node.argument);
      if (action.kind !== 'ask') return action;
      return this.problems.refuse(node, 'a question whose answer has no name', 'const answer = await ask(…)');
    }
    this.calls.refuse(node);
    if (
      node.type === 'CallExpression' &&
      node.callee.type === 'Identifier' &&
      this.scope.find(node.callee.name) === undefined
    ) {
      if (node.callee.name === 'require') return lowerRequire(this, node);
      if (node.callee.name === 'ask')
        return this.problems.refuse(node, 'a question without await', 'const answer = await ask(…)');
    }
    if (
      node.type !== 'CallExpression' &&
      node.type !== 'AssignmentExpression' &&
      node.type !== 'UpdateExpression'
    )
      return this.problems.refuse(
        node,
        'a value that nothing uses',
        'const name = value, or no such statement',
      );
    const push =
      node.type === 'CallExpression' &&
      node.callee.type === 'MemberExpression' &&
      (node.callee.property as { name?: string }).name === 'push';
    if (push)
      return this.problems.refuse(
        node,
        'a push',
        'it once at the end of the body of the loop that directly follows const list = []',
      );
    if (node.type === 'AssignmentExpression')
      return this.problems.refuse(
        node,
        'an assignment',
        'it at the end of each branch of the if, or of the body of the loop, that directly follows let',
      );
    if (node.type === 'CallExpression') this.values.expression(node);
    return this.problems.refuse(
      node,
      'a value that nothing uses',
      'const name = value, or no such statement',
    );
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
    if (!isPlain || others.length > 0 || call === undefined) return this.unknown(node);
    const { action } = this.calls.awaited(call);
    return action.kind === 'call' ? { ...action, onError: 'skip' } : this.unknown(node);
  }
}
