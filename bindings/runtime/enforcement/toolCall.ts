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
export type ToolOutcome = { readonly result: unknown } | { readonly error: unknown };

/** Reads an outcome once; a tool may return any object, or nothing. */
export function readOutcome(outcome: ToolOutcome): ToolOutcome {
  try {
    const { result, error } = (outcome ?? {}) as Partial<Record<'result' | 'error', unknown>>;
    return typeof outcome === 'object' && outcome !== null && 'error' in outcome ? { error } : { result };
  } catch (error) {
    return { error };
  }
}
