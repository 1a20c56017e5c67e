import { InvalidArgumentError } from '../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/suggest.js';
import { requireCallScope, requireStrategies } from '../enforcement/index.js';
import { type ClaudeAgentSession, ClaudeGuard } from './claudeAgent/claudeGuard.js';
import type { CanUseTool, HookEvent, HookMatcher, Permission } from './claudeAgent/hooks.js';
import { requireOtherNames } from './questionTools.js';

export type { ClaudeAgentSession } from './claudeAgent/claudeGuard.js';
export type {
  CanUseTool,
  Hook,
  HookEvent,
  HookInput,
  HookMatcher,
  HookOutput,
  Permission,
} from './claudeAgent/hooks.js';

/**
 * Options of `guardClaudeAgent`: who answers the guard's questions and within what time, what replacements change, and whether the SDK's permissions still
 * apply.
 */
export interface ClaudeAgentOptions<Options = never> {
  /** The program's `canUseTool` of the SDK, if it has one. It is asked if the guard says `inspect`; if omitted, the session's `ask` is. */
  readonly canUseTool?: CanUseTool<Options>;
  /**
   * True: all replacements of the session call the same tool with other arguments, which is all that this SDK can run instead of a call. Any other replacement
   * is withheld like `block`.
   */
  readonly replacesArgumentsOnly?: boolean;
  /** True: calls that the guard permits need no other permission. Omitted: the SDK's permissions decide on them as without a guard. */
  readonly permitsAll?: boolean;
  /**
   * Milliseconds within which a call must be decided, including the answers of people; otherwise it is withheld. Default 6 minutes, longer than a session waits
   * for answers.
   */
  readonly timeoutMs?: number;
  /**
   * The names, as the SDK has them, of tools that only answer questions about the rules (`askTools` of `foreguard/ask`), such as `mcp__foreguard__foreguard_may` of a
   * server that you name `foreguard`. No guard decides on their calls; the SDK's permissions apply. Default none.
   */
  readonly questions?: readonly string[];
}

const optionNames: OptionNames<ClaudeAgentOptions> = {
  canUseTool: true,
  replacesArgumentsOnly: true,
  permitsAll: true,
  timeoutMs: true,
  questions: true,
};

/** The options for the SDK's `query`. */
export interface GuardedOptions<Options> {
  readonly hooks: Record<HookEvent, HookMatcher[]>;
  readonly canUseTool?: CanUseTool<Options, Permission | null>;
}

/**
 * Guards all tools of the Claude Agent SDK, including those of its subagents: `query({ prompt, options: { ...guardClaudeAgent(session) } })`. A withheld call
 * is denied, with the message for the agent as the reason; a stop ends the run. Any failure withholds the call; a call that ran without permission ends the
 * run.
 *
 * The SDK runs hooks concurrently, and the last one that changes arguments wins: no other hook may change them.
 *
 * @throws InvalidArgumentError if the guard may replace calls and `replacesArgumentsOnly` is not set, or may ask a person and neither the session nor the
 * program can
 */
export function guardClaudeAgent<Options extends { readonly toolUseID: string } = never>(
  session: ClaudeAgentSession,
  options: ClaudeAgentOptions<Options> = {},
): GuardedOptions<Options> {
  refuseUnknownOptions('guardClaudeAgent', options, optionNames);
  requireCallScope(session, 'the Claude Agent SDK');
  const { canUseTool, replacesArgumentsOnly = false } = options;
  if (session.strategies.has('replace') && !replacesArgumentsOnly) {
    throw new InvalidArgumentError(
      'the guard may replace calls, and the Claude Agent SDK can only change the arguments of a call, not run another tool instead; ' +
        'give the session replacements that keep the tool, (call) => ({ name: call.name, arguments: … }), and say so by replacesArgumentsOnly: true, or choose block or reflect',
    );
  }
  if (canUseTool === undefined)
    requireStrategies(session, 'the Claude Agent SDK without canUseTool', ['inspect']);
  const timeoutMs = options.timeoutMs ?? 360_000;
  if (!(timeoutMs > 0 && timeoutMs <= 2 ** 31 - 1)) {
    throw new InvalidArgumentError(`timeoutMs is ${timeoutMs}; expected milliseconds above 0 and below 2^31`);
  }
  const { questions = [] } = options;
  requireOtherNames(questions, session.tools ?? []);
  const guard = new ClaudeGuard(session, {
    timeoutMs,
    permitsAll: options.permitsAll === true,
    asksSdk: canUseTool !== undefined,
    questions,
  });
  return { hooks: guard.hooks, ...(canUseTool && { canUseTool: guard.asking(canUseTool) }) };
}
