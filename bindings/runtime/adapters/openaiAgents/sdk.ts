import type { ToolCall } from '../../enforcement/index.js';

/** The part used of the context that the SDK passes to a run's hooks. */
export interface OpenAIRunContext {
  readonly context: unknown;
  /** Whether this call may run; undefined if nobody has answered. */
  isToolApproved(call: { readonly toolName: string; readonly callId: string }): boolean | undefined;
}

/** Whether the SDK was told to run the call. */
export function isApproved(run: OpenAIRunContext, { id, name }: ToolCall): boolean | undefined {
  return run.isToolApproved({ toolName: name, callId: id });
}

/** The part that is read of an agent. */
export interface OpenAIAgent {
  readonly name: string;
  readonly tools: readonly { readonly type: string; readonly name: string }[];
  readonly handoffs: readonly object[];
  readonly mcpServers: readonly { readonly name: string }[];
  readonly modelSettings?: { readonly providerData?: Readonly<Record<string, unknown>> };
  /** What a `SandboxAgent` may do in its sandbox: each brings tools of its own at run time. */
  readonly capabilities?: readonly { readonly type: string }[];
  /** Returns a new agent in which the fields of `config` replace its own. */
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own configuration type
  clone(config: any): unknown;
}

/** The part that is read of an interruption: a call about which a run waits for an answer. */
export interface OpenAIInterruption {
  readonly rawItem: object;
}

/** The part used of a paused run's state: its interruptions are answered in it before the run continues. */
export interface OpenAIRunState<Interruption extends OpenAIInterruption> {
  /** Lets the call run. */
  approve(interruption: Interruption): void;
  /** Withholds the call; `message` becomes its result for the agent. */
  reject(interruption: Interruption, options: { message: string }): void;
}

export interface FunctionTool {
  readonly type: 'function';
  readonly name: string;
  readonly outputSchema?: unknown;
  readonly errorFunction?: unknown;
  readonly inputGuardrails?: readonly InputGuardrail[];
  readonly needsApproval: (run: OpenAIRunContext, input: unknown, callId?: string) => Promise<boolean>;
  readonly invoke: (run: OpenAIRunContext, input: string, details?: InvokeDetails) => Promise<unknown>;
}

export interface ProposedCall {
  readonly callId: string;
  readonly arguments: string;
}

export interface InputGuardrail {
  readonly type: 'tool_input';
  readonly name: string;
  readonly run: (data: {
    readonly context: OpenAIRunContext;
    readonly toolCall: ProposedCall;
  }) => Promise<{ readonly behavior: Behavior; readonly outputInfo?: unknown }>;
}

export type Behavior =
  | { readonly type: 'allow' | 'throwException' }
  | { readonly type: 'rejectContent'; readonly message: string };

export interface InvokeDetails {
  readonly toolCall?: ProposedCall;
  readonly signal?: AbortSignal;
}

export function isFunctionTool(tool: { readonly type: string }): tool is FunctionTool {
  return tool.type === 'function';
}

export function readCall(name: string, { callId, arguments: text }: ProposedCall): ToolCall {
  let values: unknown = text;
  try {
    values = JSON.parse(text);
  } catch {
    // The session refuses arguments that are not an object.
  }
  return { id: callId, name, arguments: values as ToolCall['arguments'] };
}

export function readInterruption({ rawItem }: OpenAIInterruption): ToolCall {
  const {
    name = '',
    callId = '',
    arguments: text = '',
  } = rawItem as Partial<ProposedCall> & { name?: string };
  return readCall(name, { callId, arguments: text });
}
