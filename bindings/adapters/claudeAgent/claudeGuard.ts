import { canonicalJson } from '../../canonicalJson.js';
import {
  type DecidingSession,
  type DecisionRange,
  overtaken,
  type ToolCall,
  type Verdict,
} from '../../enforcement/index.js';
import { denied, ending, messageOf, permission, refusal, toldOf } from './answers.js';
import type { CanUseTool, Hook, HookEvent, HookInput, HookMatcher, HookOutput, Permission } from './hooks.js';
import { OpenCalls } from './openCalls.js';

/** What this adapter needs of a session. */
export interface ClaudeAgentSession extends DecidingSession, DecisionRange {
  /** Ends the run, at the SDK's SessionEnd. */
  end(): Promise<void>;
}

/** What a guard says at each of the SDK's hooks. */
export class ClaudeGuard {
  private readonly calls: OpenCalls;

  constructor(
    private readonly session: ClaudeAgentSession,
    private readonly timeoutMs: number,
    private readonly permitsAll: boolean,
    private readonly asksSdk: boolean,
  ) {
    this.calls = new OpenCalls(session);
  }

  get hooks(): Record<HookEvent, HookMatcher[]> {
    // The SDK gives up on a hook after its own time-out, and then lets the call go ahead: it has to be longer.
    const timeout = Math.ceil(this.timeoutMs / 1000) + 30;
    const after = (hook: (input: HookInput) => Promise<HookOutput>) => [{ hooks: [endingOnFailure(hook)] }];
    return {
      PreToolUse: [{ hooks: [this.before], timeout, onFailure: 'block' }],
      PostToolUse: after((input) => this.ran(input)),
      PostToolUseFailure: after((input) => this.failed(input, input.error)),
      PostToolBatch: after((input) => this.batchDone(input)),
      PermissionDenied: after((input) => this.failed(input, input.reason)),
      SessionEnd: after(async () => {
        await this.session.end();
        return {};
      }),
    };
  }

  private readonly before: Hook = async (input, toolUseId, { signal }) => {
    try {
      const { tool_name: name, tool_input } = input;
      const id = input.tool_use_id ?? toolUseId;
      if (typeof id !== 'string' || typeof name !== 'string')
        throw new Error('the hook was given no tool, or no id of its call');
      return await this.answerTo(await this.decideInTime(callOf(id, name, tool_input), signal));
    } catch (cause) {
      return denied(`The call was withheld, since the guard could not decide on it: ${messageOf(cause)}`);
    }
  };

  /** Decides; a decision that comes too late is not acted on, and the session is told. */
  private async decideInTime(call: ToolCall, signal: AbortSignal): Promise<Verdict> {
    const { session } = this;
    const deciding = this.asksSdk ? session.check(call) : session.decide(call);
    let giveUp = (): void => undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      giveUp = () => reject(new Error('the SDK no longer waits for it'));
      timer = setTimeout(() => reject(new Error(`it took longer than ${this.timeoutMs} ms`)), this.timeoutMs);
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp);
    });
    try {
      const verdict = await Promise.race([tooLate, deciding]);
      return overtaken(session, verdict) ? await session.check(call) : verdict;
    } catch (cause) {
      deciding.then((late) => late.run && session.withdraw(late)).catch(() => undefined);
      throw cause;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  }

  private async answerTo(verdict: Verdict): Promise<HookOutput> {
    const { call, run, inspection } = verdict;
    if (run === null && inspection !== null && this.asksSdk && !verdict.ends) {
      this.calls.add(call.id, verdict, inspection);
      return permission('ask', inspection.question);
    }
    if (run === null) return denied(toldOf(verdict), verdict);
    this.calls.add(call.id, verdict, null);
    // Only together with a permission can a hook say what is to run.
    if (verdict.decision !== 'replace')
      return this.permitsAll
        ? permission('allow', verdict.explanation, { updatedInput: { ...run.arguments } })
        : {};
    if (run.name !== call.name) {
      const why = `${call.name} would be replaced by ${run.name}, which the Claude Agent SDK cannot run instead; it was withheld`;
      await this.calls.close(call.id, { error: new Error(why) });
      return denied(why);
    }
    const told = verdict.message === null ? {} : { additionalContext: verdict.message };
    return permission('allow', verdict.explanation, { updatedInput: { ...run.arguments }, ...told });
  }

  private async ran({ tool_use_id: id = '', tool_name, tool_response }: HookInput): Promise<HookOutput> {
    const call = this.calls.get(id);
    await this.calls.close(id, { result: tool_response });
    if (call?.verdict.run == null) {
      return ending(
        `${tool_name} ran though the guard had not permitted it; look for hooks and settings that overrule it`,
      );
    }
    return this.session.stopped === null ? {} : ending(this.session.stopped.explanation);
  }

  /** A call failed, or the SDK or its user did not permit it. */
  private async failed({ tool_use_id: id = '' }: HookInput, why: string | undefined): Promise<HookOutput> {
    await this.notRun(id, why ?? 'it did not run');
    return {};
  }

  /** What is still open when all calls of a turn are done did not run. */
  private async batchDone({ tool_calls = [] }: HookInput): Promise<HookOutput> {
    for (const { tool_use_id } of tool_calls) await this.notRun(tool_use_id, 'it did not run');
    return {};
  }

  private async notRun(id: string, why: string): Promise<void> {
    const inspection = this.calls.get(id)?.inspection;
    await this.calls.close(id, { error: new Error(why) });
    if (inspection) await this.session.answer(inspection.id, { approved: false, comment: why });
  }

  /** The program's `canUseTool`, whose answers the session hears of before anything runs. */
  asking<Options extends { readonly toolUseID: string }>(
    canUseTool: CanUseTool<Options>,
  ): CanUseTool<Options, Permission | null> {
    return async (name, input, options) => {
      const id = options.toolUseID;
      try {
        if (this.calls.get(id) === undefined)
          return refusal('The call was withheld: the guard has not decided on it.');
        const answer = await canUseTool(name, input, options);
        if (answer === null) return null;
        if (answer.behavior !== 'allow') {
          await this.notRun(id, answer.message);
          return answer;
        }
        const { stopped } = this.session;
        if (stopped !== null) {
          await this.notRun(id, 'the run was stopped meanwhile');
          return refusal(toldOf(stopped));
        }
        const given = answer.updatedInput ?? input;
        const verdict = await this.approved(
          id,
          callOf(`${id}:changed`, name, given),
          canonicalJson(given) !== canonicalJson(input),
        );
        if (verdict.run === null) return refusal(toldOf(verdict));
        return { ...answer, updatedInput: { ...verdict.run.arguments } };
      } catch (cause) {
        return refusal(`The call was withheld, since nobody could be asked: ${messageOf(cause)}`);
      }
    };
  }

  /** A person said yes. Arguments that they changed make it another call, to be decided anew; their yes holds for it, too. */
  private async approved(id: string, call: ToolCall, isChanged: boolean): Promise<Verdict> {
    const { session, calls } = this;
    const open = calls.get(id);
    let verdict = open?.verdict;
    let inspection = open?.inspection ?? null;
    if (verdict === undefined || isChanged) {
      await this.notRun(id, 'its arguments were changed');
      verdict = await session.check(call);
      if (verdict.decision === 'replace' && verdict.run !== null) {
        await session.withdraw(verdict);
        return { ...verdict, run: null };
      }
      inspection = verdict.inspection;
    }
    if (inspection !== null) verdict = await session.answer(inspection.id, { approved: true });
    if (verdict.run !== null) calls.add(id, verdict, null);
    return verdict;
  }
}

/** What is no object is left to the session, which refuses it. */
function callOf(id: string, name: string, input: unknown): ToolCall {
  return { id, name, arguments: input as ToolCall['arguments'] };
}

function endingOnFailure(hook: (input: HookInput) => Promise<HookOutput>): Hook {
  return async (input) => {
    try {
      return await hook(input);
    } catch (cause) {
      return ending(`the guard could not follow the run: ${messageOf(cause)}`);
    }
  };
}
