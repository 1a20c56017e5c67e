import { canonicalJson } from '../../../base/canonicalJson.js';
import { printableName } from '../../../base/words.js';
import {
  type Answer,
  type DecidingSession,
  type DecisionRange,
  overtaken,
  type ToolCall,
  type Verdict,
} from '../../enforcement/index.js';
import { denied, ending, messageOf, permission, refusal, toldOf } from './answers.js';
import type { CanUseTool, Hook, HookEvent, HookInput, HookMatcher, HookOutput, Permission } from './hooks.js';
import { isMeant, type OpenCall, OpenCalls } from './openCalls.js';

/** The session methods that this adapter needs. */
export interface ClaudeAgentSession extends DecidingSession, DecisionRange {
  /** Names of the declared tools, if known. */
  readonly tools?: readonly string[];
  /** Ends the run, at the SDK's SessionEnd. */
  end(): Promise<void>;
}

/** How a guard of the SDK answers. */
export interface ClaudeGuardOptions {
  readonly timeoutMs: number;
  readonly permitsAll: boolean;
  /** People are asked by the SDK. */
  readonly asksSdk: boolean;
  /** Names of tools that only answer questions. */
  readonly questions: readonly string[];
}

/** The guard's answers at each of the SDK's hooks. */
export class ClaudeGuard {
  readonly #calls: OpenCalls;
  readonly #session: ClaudeAgentSession;
  readonly #timeoutMs: number;
  readonly #permitsAll: boolean;
  readonly #asksSdk: boolean;
  /** Tools that only answer questions. */
  readonly #questions: ReadonlySet<string>;
  /** The agent's turn; null until the SDK has shown that it reports the ends of turns, without which all would be one. */
  #turn: string | null = null;

  constructor(
    session: ClaudeAgentSession,
    { timeoutMs, permitsAll, asksSdk, questions }: ClaudeGuardOptions,
  ) {
    this.#session = session;
    this.#timeoutMs = timeoutMs;
    this.#permitsAll = permitsAll;
    this.#asksSdk = asksSdk;
    this.#questions = new Set(questions);
    this.#calls = new OpenCalls(session);
  }

  get hooks(): Record<HookEvent, HookMatcher[]> {
    // The SDK gives up on a hook after the hook's time-out, and then lets the call proceed: the time-out must be longer.
    const timeout = Math.ceil(this.#timeoutMs / 1000) + 30;
    const after = (hook: (input: HookInput) => Promise<HookOutput>) => [{ hooks: [endingOnFailure(hook)] }];
    return {
      PreToolUse: [{ hooks: [this.#before], timeout, onFailure: 'block' }],
      PostToolUse: after((input) => this.#ran(input)),
      PostToolUseFailure: after((input) => this.#failed(input)),
      PostToolBatch: after((input) => this.#batchDone(input)),
      PermissionDenied: after((input) => this.#denied(input)),
      SessionEnd: after(async () => {
        await this.#session.end();
        return {};
      }),
    };
  }

  readonly #before: Hook = async (input, toolUseId, { signal }) => {
    try {
      const { tool_name: name, tool_input } = input;
      const id = input.tool_use_id ?? toolUseId;
      if (typeof id !== 'string' || typeof name !== 'string')
        throw new Error('the hook was given no tool, or no id of its call');
      if (this.#questions.has(name))
        return this.#permitsAll ? permission('allow', 'It only answers a question.') : {};
      // Only one call per id can be followed: the decision on a second would be taken for the first.
      if (this.#calls.get(id) !== undefined || this.#calls.isReserved(id))
        throw new Error(
          `another call of the id ${id} has not ended; expected an id of its own: look for hooks that are registered twice`,
        );
      return await this.#calls.reserve(id, async () =>
        this.#answerTo(await this.#decideInTime(callOf(id, name, tool_input), signal)),
      );
    } catch (cause) {
      return denied(`The call was withheld, since the guard could not decide on it: ${messageOf(cause)}`);
    }
  };

  /** Decides; a decision that comes too late is discarded, and the session is told. */
  async #decideInTime(call: ToolCall, signal: AbortSignal): Promise<Verdict> {
    const session = this.#session;
    const options = this.#turn === null ? {} : { turn: this.#turn };
    const deciding = this.#asksSdk ? session.check(call, options) : session.decide(call, options);
    let giveUp = (): void => undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      giveUp = () => reject(new Error('the SDK no longer waits for it'));
      timer = setTimeout(
        () => reject(new Error(`it took longer than ${this.#timeoutMs} ms`)),
        this.#timeoutMs,
      );
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

  async #answerTo(verdict: Verdict): Promise<HookOutput> {
    const { call, run, inspection } = verdict;
    if (run === null && inspection !== null && this.#asksSdk && !verdict.ends) {
      this.#calls.add(call.id, { call, verdict, inspection });
      return permission('ask', inspection.question);
    }
    if (run === null) return denied(toldOf(verdict), verdict);
    this.#calls.add(call.id, { call, verdict, inspection: null });
    // A hook can name the call to run only together with a permission.
    if (verdict.decision !== 'replace' && !isEdited(verdict))
      return this.#permitsAll
        ? permission('allow', verdict.explanation, { updatedInput: { ...run.arguments } })
        : {};
    if (run.name !== call.name) {
      const why = `${printableName(call.name)} would be replaced by ${printableName(run.name)}, which the Claude Agent SDK cannot run instead; it was withheld`;
      await this.#calls.withdraw(call.id);
      return denied(why);
    }
    const told = verdict.message === null ? {} : { additionalContext: verdict.message };
    return permission('allow', verdict.explanation, { updatedInput: { ...run.arguments }, ...told });
  }

  async #ran({ tool_use_id: id = '', tool_name, tool_response }: HookInput): Promise<HookOutput> {
    if (this.#questions.has(tool_name ?? '')) return {};
    const call = this.#calls.get(id);
    const isOpen = call?.call.name === tool_name;
    if (isOpen) await this.#calls.close(id, { result: tool_response });
    if (!isOpen || call?.verdict.run == null) {
      return ending(
        `${tool_name} ran though the guard had not permitted it; look for hooks and settings that overrule it`,
      );
    }
    return this.#session.stopped === null ? {} : ending(this.#session.stopped.explanation);
  }

  /** Handles a call that failed: it may have had effects. */
  async #failed({
    tool_use_id: id = '',
    tool_name,
    error = 'it failed',
    is_interrupt: isInterrupted = false,
  }: HookInput): Promise<HookOutput> {
    const open = this.#calls.get(id);
    if (open === undefined || open.call.name !== tool_name) return {};
    if (open.verdict.run === null) await this.#notRun(id, error);
    else await this.#calls.close(id, { error: new Error(error), ...(isInterrupted && { mayHaveRun: true }) });
    return {};
  }

  /** Handles a call that the SDK or its user did not permit. */
  async #denied({ tool_use_id: id = '', tool_name, reason }: HookInput): Promise<HookOutput> {
    if (this.#calls.get(id)?.call.name === tool_name) await this.#notRun(id, reason ?? 'it did not run');
    return {};
  }

  /** Calls still open when all calls of a turn are done did not run. */
  async #batchDone({ tool_calls = [] }: HookInput): Promise<HookOutput> {
    this.#turn = crypto.randomUUID();
    for (const { tool_use_id } of tool_calls) await this.#notRun(tool_use_id, 'it did not run');
    return {};
  }

  async #notRun(id: string, why: string): Promise<void> {
    const inspection = this.#calls.get(id)?.inspection;
    await this.#calls.withdraw(id);
    if (inspection) await this.#session.answer(inspection.id, { approved: false, comment: why });
  }

  /** Wraps the program's `canUseTool`, so that the session learns its answers before anything runs. */
  asking<Options extends { readonly toolUseID: string }>(
    canUseTool: CanUseTool<Options>,
  ): CanUseTool<Options, Permission | null> {
    return async (name, input, options) => {
      if (this.#questions.has(name)) return canUseTool(name, input, options);
      const id = options.toolUseID;
      try {
        const open = this.#calls.get(id);
        if (open === undefined) return refusal('The call was withheld: the guard has not decided on it.');
        if (!isMeant(open, name, input))
          return refusal(
            `The call was withheld: under its id the guard has decided on ${printableName(open.call.name)} with other arguments, or on another tool; look for hooks that change calls.`,
          );
        const shown = canonicalJson(input);
        const answer = await canUseTool(name, input, options);
        if (answer === null) return null;
        if (this.#calls.get(id) !== open || this.#calls.isReserved(id))
          return answer.behavior === 'allow'
            ? refusal('The call was withheld: it had ended, or was answered, before this answer came.')
            : answer;
        if (answer.behavior !== 'allow') {
          await this.#notRun(id, answer.message);
          return answer;
        }
        const { stopped } = this.#session;
        if (stopped !== null) {
          await this.#notRun(id, 'the run was stopped meanwhile');
          return refusal(toldOf(stopped));
        }
        const given = answer.updatedInput ?? input;
        const askAgain = (question: string) =>
          canUseTool(name, given, { ...options, decisionReason: question });
        const isSame = canonicalJson(given) === shown;
        const verdict =
          isSame || (this.#session.edits === true && open.inspection !== null)
            ? await this.#approved(id, open, isSame ? {} : { arguments: given })
            : await this.#changed(id, callOf(`${id}:changed`, name, given), askAgain);
        if (verdict.run === null) return refusal(toldOf(verdict));
        return { ...answer, updatedInput: { ...verdict.run.arguments } };
      } catch (cause) {
        return refusal(`The call was withheld, since nobody could be asked: ${messageOf(cause)}`);
      }
    };
  }

  /** Handles a person's yes. @param edit other arguments, if the session takes them */
  async #approved(
    id: string,
    { call, verdict, inspection }: OpenCall,
    edit: Pick<Answer, 'arguments'> = {},
  ): Promise<Verdict> {
    const approved =
      inspection === null ? verdict : await this.#session.answer(inspection.id, { approved: true, ...edit });
    if (approved.run !== null) this.#calls.add(id, { call, verdict: approved, inspection: null });
    return approved;
  }

  /** Handles a person's yes to other arguments: that is another call, which is decided anew. If the guard has a question about it, nobody has seen it yet, and it is asked. */
  async #changed(
    id: string,
    call: ToolCall,
    ask: (question: string) => Promise<Permission | null>,
  ): Promise<Verdict> {
    const asked = this.#calls.get(id)?.inspection;
    await this.#calls.withdraw(id);
    if (asked)
      await this.#session.answer(asked.id, { approved: false, comment: 'its arguments were changed' });
    return this.#calls.reserve(id, async () => {
      const verdict = await this.#session.check(call);
      const { inspection } = verdict;
      if (verdict.decision === 'replace' && verdict.run !== null) {
        await this.#session.withdraw(verdict);
        return { ...verdict, run: null };
      }
      if (inspection === null) return this.#approved(id, { call: verdict.call, verdict, inspection });
      const no = await this.#refusal(verdict.call, ask(inspection.question));
      if (no === null && this.#calls.isReserved(id))
        return this.#approved(id, { call: verdict.call, verdict, inspection });
      return this.#session.answer(inspection.id, {
        approved: false,
        comment: no ?? 'it had ended meanwhile',
      });
    });
  }

  /** The reason why an answer to the question about changed arguments is no yes to them; null if it is one. */
  async #refusal(call: ToolCall, asked: Promise<Permission | null>): Promise<string | null> {
    try {
      const answer = await asked;
      if (answer === null) return 'nobody answered whether it may run with changed arguments';
      if (answer.behavior !== 'allow') return answer.message;
      const given = answer.updatedInput ?? call.arguments;
      return canonicalJson(given) === canonicalJson(call.arguments)
        ? null
        : 'its arguments were changed once more; propose it again with those that are meant';
    } catch (cause) {
      return `nobody could be asked: ${messageOf(cause)}`;
    }
  }
}

/** Whether a person has changed the arguments of the call. */
function isEdited({ call, run, message }: Verdict): boolean {
  return run !== null && message !== null && canonicalJson(run.arguments) !== canonicalJson(call.arguments);
}

/** Passes input that is not an object on to the session, which refuses it. */
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
