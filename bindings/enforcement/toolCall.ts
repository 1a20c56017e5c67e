/** A tool that the agent proposes to call; `id` tells it from other calls of the run. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What came of a call that ran. */
export type ToolOutcome = { readonly result: unknown } | { readonly error: unknown };
