import type { Verdict } from '../../enforcement/index.js';
import type { HookOutput, Permission } from './hooks.js';

/** Withholds a call; ends the run if the verdict does. */
export function denied(reason: string, verdict?: Verdict): HookOutput {
  return { ...permission('deny', reason), ...(verdict?.ends && ending(verdict.explanation)) };
}

export function ending(stopReason: string): HookOutput {
  return { continue: false, stopReason };
}

export function permission(
  permissionDecision: 'allow' | 'deny' | 'ask',
  permissionDecisionReason: string,
  more: { updatedInput?: Record<string, unknown>; additionalContext?: string } = {},
): HookOutput {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision,
      permissionDecisionReason,
      ...more,
    },
  };
}

export function refusal(message: string): Permission {
  return { behavior: 'deny', message };
}

export function toldOf({ message, explanation }: Verdict): string {
  return message ?? explanation;
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'something that is not an error was thrown';
}
