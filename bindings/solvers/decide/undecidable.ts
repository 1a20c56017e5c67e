import { InvalidArgumentError, NotSupportedError } from '../../base/errors.js';
import { type ExpressionNode, printExpression } from '../../languages/expression/index.js';
import { OutOfSteps } from './steps.js';

/** Says that a part of an expression is outside what the built-in decider follows. */
export class Undecidable extends Error {
  /** The part, printed, and why. */
  readonly part: string;
  readonly why: string;

  constructor(node: ExpressionNode, why: string) {
    const part = printExpression({ name: '', root: node });
    super(`${part}: ${why}`);
    this.part = part;
    this.why = why;
  }
}

/** Why a part of an expression is not followed, of an error that says so. @throws any other error */
export function reasonOf(error: unknown): string {
  const isReason =
    error instanceof Undecidable ||
    error instanceof OutOfSteps ||
    error instanceof NotSupportedError ||
    error instanceof InvalidArgumentError;
  if (!isReason) throw error;
  return error.message;
}
