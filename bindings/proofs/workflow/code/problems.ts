import type { AnyNode } from 'acorn';
import { MOST_PROBLEMS, type PlanProblem, planProblem } from '../planError.js';

/** Leaves a statement that is refused: its problem is recorded. */
export class Refusal extends Error {}

/** What is wrong with code. */
export class CodeProblems {
  readonly list: PlanProblem[] = [];

  add(node: Pick<AnyNode, 'loc'>, found: string, expected: string, hint?: string): void {
    const { line = 1, column = 0 } = node.loc?.start ?? {};
    if (this.list.length < MOST_PROBLEMS)
      this.list.push(
        planProblem({
          kind: 'shape',
          step: null,
          pointer: '',
          line,
          column: column + 1,
          found,
          expected,
          hint,
        }),
      );
  }

  refuse(node: Pick<AnyNode, 'loc'>, found: string, expected: string, hint?: string): never {
    this.add(node, found, expected, hint);
    throw new Refusal();
  }
}
