import type { ValueType } from '../contract/index.js';

/** The types of the tools that a plan may call. `Contracts` are such types. */
export interface ToolTypes {
  readonly tools: ReadonlyMap<string, ToolType>;
}

/** The types of a tool's arguments and of its result. */
export interface ToolType {
  readonly description?: string | null;
  readonly arguments: ReadonlyMap<string, { readonly type: ValueType; readonly optional: boolean }>;
  readonly result: { readonly type: ValueType };
}
