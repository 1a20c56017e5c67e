import { ForeguardError } from '../../base/errors.js';
import type { Verdict } from './verdict.js';

/** Thrown in place of a tool's result where its call was withheld; the message is what the agent is to be told. */
export class WithheldError extends ForeguardError {
  readonly verdict: Verdict;
  /** What the replacement gave, where one ran instead; else undefined. */
  readonly replacementResult: unknown;

  constructor(verdict: Verdict, replacementResult?: unknown) {
    super('withheld', verdict.message ?? verdict.explanation);
    this.verdict = verdict;
    this.replacementResult = replacementResult;
  }

  /** The message alone: some frameworks tell the agent what this gives. */
  override toString(): string {
    return this.message;
  }
}
