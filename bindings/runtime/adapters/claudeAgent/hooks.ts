/** The part used of the Claude Agent SDK's hook input; the SDK passes more. */
export interface HookInput {
  readonly hook_event_name: string;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_use_id?: string;
  readonly tool_response?: unknown;
  /** The error of a tool that failed. */
  readonly error?: string;
  /** Whether it was interrupted. */
  readonly is_interrupt?: boolean;
  /** The reason in PermissionDenied. */
  readonly reason?: string;
  /** All calls of a turn, in PostToolBatch. */
  readonly tool_calls?: readonly { readonly tool_use_id: string }[];
}

/** A hook's answer; an empty answer lets the SDK proceed as without the hook. */
export interface HookOutput {
  /** False ends the run. */
  continue?: boolean;
  /** Shown to the user if the run ends. */
  stopReason?: string;
  hookSpecificOutput?: {
    hookEventName: 'PreToolUse';
    permissionDecision: 'allow' | 'deny' | 'ask';
    permissionDecisionReason: string;
    updatedInput?: Record<string, unknown>;
    additionalContext?: string;
  };
}

/** A function that the SDK calls at an event: it waits for the answer until `signal` aborts. */
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
  /** The effect on the call if the hook itself fails; by default the SDK lets the call proceed. */
  onFailure?: 'block';
}

/** The events that a guard hooks into. */
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

/** Asks the SDK's user whether a call may run; null if the answer comes another way. */
export type CanUseTool<Options = never, Answer = Permission | null> = (
  name: string,
  input: Record<string, unknown>,
  options: Options,
) => Promise<Answer>;
