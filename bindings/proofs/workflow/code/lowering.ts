import type { AnyNode, Expression } from 'acorn';
import type { ValueType } from '../../contract/index.js';
import { expressionOf } from '../canonical.js';
import type { PlanExpression, Step } from '../plan.js';
import { MOST_NESTED, quoted } from '../reading.js';
import type { ToolTypes } from '../toolTypes.js';
import { adviceFor } from './advice.js';
import type { CodeScope } from './codeScope.js';
import { CallLowering } from './lowerCall.js';
import { ValueLowering } from './lowerValue.js';
import type { CodeStatement } from './patterns.js';
import type { CodeProblems } from './problems.js';

export const ANY: ValueType = { kind: 'any' };

/** What the lowering of all statements shares: the code's names, values and problems, and the steps within steps. */
export abstract class Lowering {
  readonly problems: CodeProblems;
  readonly scope: CodeScope;
  readonly values: ValueLowering;
  readonly calls: CallLowering;
  /** Where each step stands. */
  readonly places = new WeakMap<Step, AnyNode>();
  #nested = 0;

  constructor(problems: CodeProblems, scope: CodeScope, tools: ToolTypes) {
    this.problems = problems;
    this.scope = scope;
    this.values = new ValueLowering(problems, scope, [...tools.tools.keys()]);
    this.calls = new CallLowering(problems, scope, tools, this.values);
  }

  /** @param from where the list of statements begins: comments before it belong to others */
  abstract steps(statements: readonly CodeStatement[], from: number): Step[];

  /** Runs what lowers the steps of a branch or of a round. */
  within<T>(node: AnyNode, run: () => T): T {
    if (this.#nested >= MOST_NESTED)
      return this.problems.refuse(node, `steps nested deeper than ${MOST_NESTED} levels`, 'flatter steps');
    this.#nested++;
    try {
      return this.scope.within(run);
    } finally {
      this.#nested--;
    }
  }

  condition(node: Expression): PlanExpression {
    return expressionOf(this.values.expression(node));
  }

  requireNew(node: AnyNode, name: string): void {
    if (this.scope.isGivenHere(name))
      this.problems.refuse(node, `the name ${quoted(name)} a second time`, 'another name');
  }

  /** Refuses what plans do not have, with what to write in its place. */
  unknown(node: AnyNode): never {
    const [found, expected] = adviceFor(node);
    return this.problems.refuse(node, found, expected);
  }
}
