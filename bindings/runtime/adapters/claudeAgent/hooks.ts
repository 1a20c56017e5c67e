/** What the Claude Agent SDK hands to the hooks used here; it holds more. */
export interface HookInput {
  readonly hook_event_name: string;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_use_id?: string;
  readonly tool_response?: unknown;
  /** Of a tool that failed. */
  readonly error?: string;
  /** Of PermissionDenied. */
  readonly reason?: string;
  /** Of PostToolBatch: all calls of a turn. */
  readonly tool_calls?: readonly { readonly tool_use_id: string }[];
}

/** What a hook answers; nothing said leaves the SDK to go on as without it. */
export interface HookOutput {
  /** False ends the run. */
  continue?: boolean;
  /** Shown to the user where the run ends. */
  stopReason?: string;
  hookSpecificOutput?: {
    hookEventName: 'PreToolUse';
    permissionDecision: 'allow' | 'deny' | 'ask';
    permissionDecisionReason: string;
    updatedInput?: Record<string, unknown>;
    additionalContext?: string;
  };
}

/** What the SDK calls at an event: it waits for the answer until `signal` aborts. */
export type Hook = (
  input: HookInput,
  toolUseId: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<HookOutput>;

/** Hooks for every tool at one event, as the SDK takes them. */
export interface HookMatcher {
  hooks: Hook[];
  /** Seconds. */
  timeout?: number;
  /** What becomes of the call where the hook itself fails; the SDK lets it go ahead unless told otherwise. */
  onFailure?: 'block';
}

/** The events at which a guard comes in. */
export type HookEvent =
  | 'PreToolUse'
  | 'PostToolUse'
  | 'PostToolUseFailure'
  | 'PostToolBatch'
  | 'PermissionDenied'
  | 'SessionEnd';

/** Answers of the SDK's `canUseTool`. */
export type Permission =
  | { behavior: 'allow'; updatedInput?: Record<string, unknown> }
  | { behavior: 'deny'; message: string; interrupt?: boolean };

/** Asks the SDK's user whether a call may run; null where the answer goes another way. */
export type CanUseTool<Options = never, Answer = Permission | null> = (
  name: string,
  input: Record<string, unknown>,
  options: Options,
) => Promise<Answer>;
