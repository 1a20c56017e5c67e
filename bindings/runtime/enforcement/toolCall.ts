/** A tool that the agent proposes to call; `id` tells it from other calls of the run. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Stands for doing nothing, where a call would. */
export const IDLE: ToolCall = Object.freeze({ id: 'idle', name: '', arguments: Object.freeze({}) });

/** What came of a call that ran. */
export type ToolOutcome = { readonly result: unknown } | { readonly error: unknown };

/** What comes back from a tool is anybody's object, or nothing. */
export function readOutcome(outcome: ToolOutcome): ToolOutcome {
  try {
    const { result, error } = (outcome ?? {}) as Partial<Record<'result' | 'error', unknown>>;
    return typeof outcome === 'object' && outcome !== null && 'error' in outcome ? { error } : { result };
  } catch (error) {
    return { error };
  }
}
