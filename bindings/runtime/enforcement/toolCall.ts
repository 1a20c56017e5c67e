import type { Detected } from './detected.js';

/** A tool call that the agent proposes; `id` distinguishes it from other calls of the run. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the session's detectors answered about the arguments: the session sets it, and no proposal does. Absent if none was asked. */
  readonly detected?: Detected;
}

/** Stands in for a call when the agent does nothing. */
export const IDLE: ToolCall = Object.freeze({ id: 'idle', name: '', arguments: Object.freeze({}) });

/** The outcome of a call that ran. */
export type ToolOutcome = (
  | { readonly result: unknown }
  | {
      readonly error: unknown;
      /** Nobody waits for it any more, and it may have run to its end all the same: predicates cannot read whether it failed. Default: it has failed. */
      readonly mayHaveRun?: true;
    }
) & {
  /** What the agent reads, where that is more than the result or the error: detectors of results look at it as well. */
  readonly shown?: unknown;
};

/** Reads an outcome once; a tool may return any object, or nothing. */
export function readOutcome(outcome: ToolOutcome): ToolOutcome {
  try {
    const { result, error, shown, mayHaveRun } = (outcome ?? {}) as Partial<
      Record<'result' | 'error' | 'shown' | 'mayHaveRun', unknown>
    >;
    const more = shown === undefined ? {} : { shown };
    if (typeof outcome !== 'object' || outcome === null || !('error' in outcome)) return { result, ...more };
    return { error, ...(mayHaveRun === true && { mayHaveRun }), ...more };
  } catch (error) {
    return { error };
  }
}
