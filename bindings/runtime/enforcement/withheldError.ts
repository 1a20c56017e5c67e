import { ForeguardError } from '../../base/errors.js';
import type { Verdict } from './verdict.js';

/** Thrown in place of a tool's result if the call was withheld; the message is meant for the agent. */
export class WithheldError extends ForeguardError {
  readonly verdict: Verdict;
  /** The replacement's result, if one ran instead; else undefined. */
  readonly replacementResult: unknown;

  constructor(verdict: Verdict, replacementResult?: unknown) {
    super('withheld', verdict.message ?? verdict.explanation);
    this.verdict = verdict;
    this.replacementResult = replacementResult;
  }

  /** The message alone: some frameworks show this text to the agent. */
  override toString(): string {
    return this.message;
  }
}
