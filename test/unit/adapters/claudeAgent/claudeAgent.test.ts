import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../../bindings/base/errors.js';
import {
  type ClaudeAgentOptions,
  guardClaudeAgent,
  type HookInput,
} from '../../../../bindings/runtime/adapters/claudeAgent.js';
import type { ToolCall } from '../../../../bindings/runtime/enforcement/index.js';
import { hand, play, recorded } from './recorded.js';
import { inspectionOf, type Script, scriptedSession } from './scriptedSession.js';

const [search, searched, searchBatch] = recorded('one call');

const denial = (permissionDecisionReason: string) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason },
});

describe('a guarded agent of the Claude Agent SDK', () => {
  it('runs what is permitted, under the permissions of the SDK', async () => {
    const calls: ToolCall[] = [];
    const { session, heard } = scriptedSession((call) => {
      calls.push(call);
      return {};
    });
    expect(await play(guardClaudeAgent(session), recorded('one call'))).toEqual([{}, {}, {}]);
    expect(calls).toEqual([{ id: 'toolu_01', name: 'mcp__mail__search', arguments: { query: 'invoice' } }]);
    expect(heard).toEqual(['toolu_01 mcp__mail__search ran']);
  });

  it('runs what is permitted without other permission where told so', async () => {
    const { session } = scriptedSession(() => ({}));
    const output = await hand(guardClaudeAgent(session, { permitsAll: true }), search);
    expect(output.hookSpecificOutput).toMatchObject({
      permissionDecision: 'allow',
      permissionDecisionReason: 'rule r decided allow',
    });
  });

  it('is told why a call is withheld, and goes on', async () => {
    const { session, heard } = scriptedSession(() => ({
      run: null,
      message: 'mail may leak; permitted: forget',
    }));
    expect(await hand(guardClaudeAgent(session), search)).toEqual(denial('mail may leak; permitted: forget'));
    expect(heard).toEqual([]);
  });

  it('is ended by a stop, parallel calls and all', async () => {
    const ends = {
      run: null,
      decision: 'stop',
      ends: true,
      message: 'stopped',
      explanation: 'risk 0.9',
    } as const;
    const { session, heard } = scriptedSession(({ name }) => (name === 'mcp__mail__send' ? ends : {}));
    const options = guardClaudeAgent(session);
    const [fetch, send, fetched, batch] = recorded('parallel calls');
    const before = await Promise.all([hand(options, fetch), hand(options, send)]);
    expect(before).toEqual([{}, { ...denial('stopped'), continue: false, stopReason: 'risk 0.9' }]);
    expect(await play(options, [fetched, batch])).toEqual([{ continue: false, stopReason: 'risk 0.9' }, {}]);
    expect(heard).toEqual(['toolu_02 mcp__mail__fetch ran']);
  });

  it('runs nothing that a later call of the same turn has overtaken', async () => {
    let free = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      free = resolve;
    });
    let fetches = 0;
    const { session } = scriptedSession(async ({ name }) => {
      if (name === 'mcp__mail__send') return { run: null, ends: true };
      if (fetches++ > 0) return { run: null, message: 'the run is over' };
      await held;
      return {};
    });
    const options = guardClaudeAgent(session);
    const [fetch, send] = recorded('parallel calls');
    const first = hand(options, fetch);
    await hand(options, send);
    free();
    expect(await first).toEqual(denial('the run is over'));
  });

  it('runs a call with other arguments in place of the proposed ones', async () => {
    const script: Script = (call) => ({
      decision: 'replace',
      run: { ...call, arguments: { query: 'invoice', limit: 1 } },
      message: 'a narrower search ran instead',
    });
    const { session, heard } = scriptedSession(script, ['replace']);
    const [before] = await play(
      guardClaudeAgent(session, { replacesArgumentsOnly: true }),
      recorded('one call'),
    );
    expect(before.hookSpecificOutput).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      permissionDecisionReason: 'rule r decided replace',
      updatedInput: { query: 'invoice', limit: 1 },
      additionalContext: 'a narrower search ran instead',
    });
    expect(heard).toEqual(['toolu_01 mcp__mail__search ran']);
  });

  it('runs no other tool in place of the proposed one, and says so when configured', async () => {
    const script: Script = (call) => ({ decision: 'replace', run: { ...call, name: 'brake' } });
    const { session, heard } = scriptedSession(script, ['replace']);
    expect(() => guardClaudeAgent(session)).toThrow(InvalidArgumentError);
    expect(() => guardClaudeAgent(session)).toThrow(
      /can only change the arguments of a call.*replacesArgumentsOnly/,
    );
    const output = await hand(guardClaudeAgent(session, { replacesArgumentsOnly: true }), search);
    const why =
      'mcp__mail__search would be replaced by brake, which the Claude Agent SDK cannot run instead; it was withheld';
    expect(output).toEqual(denial(why));
    expect(heard).toEqual(['toolu_01 brake withdrawn']);
  });

  it('tells the session of calls that fail, or that the SDK does not run', async () => {
    const { session, heard } = scriptedSession(() => ({}));
    const options = guardClaudeAgent(session);
    await play(options, [...recorded('failing call'), ...recorded('call that the SDK denies')]);
    await play(options, [search, searchBatch]);
    expect(heard).toEqual([
      'toolu_04 Bash failed: Command failed with exit code 1',
      'toolu_05 Bash withdrawn',
      'toolu_01 mcp__mail__search withdrawn',
    ]);
  });

  it('is guarded in its subagents, and ends with its session', async () => {
    const { session, heard } = scriptedSession(() => ({ run: null, message: 'no' }));
    const outputs = await play(guardClaudeAgent(session), [
      ...recorded('call of a subagent'),
      ...recorded('end'),
    ]);
    expect(outputs).toEqual([denial('no'), {}]);
    expect(heard).toEqual(['end']);
  });

  it('is ended where a call ran that was not permitted', async () => {
    const { session } = scriptedSession(() => ({ run: null, message: 'no' }));
    const options = guardClaudeAgent(session);
    const [, after] = await play(options, [search, searched]);
    expect(after).toMatchObject({
      continue: false,
      stopReason: expect.stringContaining('ran though the guard had not permitted it'),
    });
    expect(await hand(guardClaudeAgent(session), searched)).toMatchObject({ continue: false });
  });
});

describe('people asked through the Claude Agent SDK', () => {
  const asking: Script = (call) => ({
    run: null,
    decision: 'inspect',
    inspection: inspectionOf(call),
    message: 'wait',
  });
  const call = { toolUseID: 'toolu_01' };
  const input = { query: 'invoice' };
  type Answer = Awaited<ReturnType<NonNullable<ClaudeAgentOptions<typeof call>['canUseTool']>>>;

  /** Has the first call of a run decided, and then answered as said. */
  async function answered(answer: Answer | Error, script: Script = asking) {
    const { session, heard } = scriptedSession(script, ['inspect']);
    const options = guardClaudeAgent<typeof call>(session, {
      canUseTool: async () => {
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    const before = await hand(options, search);
    return { options, heard, before, answer: await options.canUseTool?.('mcp__mail__search', input, call) };
  }

  it('see the question, and what they permit runs', async () => {
    const { options, heard, before, answer } = await answered({
      behavior: 'allow',
      updatedInput: { ...input },
    });
    expect(before.hookSpecificOutput).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: 'may mcp__mail__search run?',
    });
    expect(answer).toEqual({ behavior: 'allow', updatedInput: input });
    expect(await hand(options, searched)).toEqual({});
    expect(heard).toEqual(['?toolu_01 approved', 'toolu_01 answered ran']);
  });

  it('have to be asked by somebody, which is said when configured', () => {
    const { session } = scriptedSession(asking, ['inspect']);
    expect(() => guardClaudeAgent(session)).toThrow(
      /may decide inspect.*without canUseTool.*give the session `ask`/,
    );
    expect(() => guardClaudeAgent({ ...session, asks: true })).not.toThrow();
  });

  it('may refuse', async () => {
    const { heard, answer } = await answered({ behavior: 'deny', message: 'not now' });
    expect(answer).toEqual({ behavior: 'deny', message: 'not now' });
    expect(heard).toEqual(['?toolu_01 refused: not now']);
  });

  it('may refuse by not answering: a turn that is over answers for them', async () => {
    const { session, heard } = scriptedSession(asking, ['inspect']);
    const options = guardClaudeAgent<typeof call>(session, { canUseTool: async () => null });
    await play(options, [search, searchBatch]);
    expect(heard).toEqual(['?toolu_01 refused: it did not run']);
  });

  it('cannot be passed over: a call that ran without their answer ends the run', async () => {
    const { session } = scriptedSession(asking, ['inspect']);
    const options = guardClaudeAgent<typeof call>(session, { canUseTool: async () => null });
    const [, after] = await play(options, [search, searched]);
    expect(after.continue).toBe(false);
  });

  it('have no say where a call of the same turn has stopped the run meanwhile', async () => {
    const ends = { run: null, ends: true, message: 'stopped' };
    const { session, heard } = scriptedSession(({ name }) => (name === 'Bash' ? ends : {}));
    const options = guardClaudeAgent<typeof call>(session, {
      canUseTool: async () => {
        await hand(options, recorded('failing call')[0]);
        return { behavior: 'allow' };
      },
    });
    await hand(options, search);
    const answer = await options.canUseTool?.('mcp__mail__search', input, call);
    expect(answer).toEqual({ behavior: 'deny', message: 'stopped' });
    expect(heard).toEqual(['toolu_01 mcp__mail__search withdrawn']);
  });

  it('may change arguments, which are decided on anew', async () => {
    const seen: unknown[] = [];
    const script: Script = (proposed) => {
      seen.push(proposed.arguments);
      return seen.length === 1 ? {} : { run: null, message: 'too many' };
    };
    const { heard, answer } = await answered({ behavior: 'allow', updatedInput: { query: '*' } }, script);
    expect(seen).toEqual([{ query: 'invoice' }, { query: '*' }]);
    expect(answer).toEqual({ behavior: 'deny', message: 'too many' });
    expect(heard).toEqual(['toolu_01 mcp__mail__search withdrawn']);
  });

  it('have agreed to the arguments that they gave', async () => {
    const { options, heard, answer } = await answered({ behavior: 'allow', updatedInput: { query: 'tax' } });
    expect(answer).toMatchObject({ behavior: 'allow' });
    await hand(options, searched);
    expect(heard).toEqual([
      '?toolu_01 refused: its arguments were changed',
      '?toolu_01:changed approved',
      'toolu_01:changed answered ran',
    ]);
  });

  describe('who changed arguments that the guard asks about', () => {
    type CanUse = NonNullable<ClaudeAgentOptions<typeof call>['canUseTool']>;
    const shown: unknown[] = [];
    const change = { behavior: 'allow', updatedInput: { query: 'tax' } } as const;
    async function changed(...answers: (Awaited<ReturnType<CanUse>> | Error)[]) {
      shown.length = 0;
      const { session, heard } = scriptedSession(
        (proposed) => (proposed.arguments?.query === 'invoice' ? {} : asking(proposed)),
        ['inspect'],
      );
      const options = guardClaudeAgent<{ toolUseID: string; decisionReason?: string }>(session, {
        canUseTool: async (_, given, { decisionReason }) => {
          shown.push([given, decisionReason]);
          const answer = answers[shown.length - 1];
          if (answer instanceof Error) throw answer;
          return answer;
        },
      });
      await hand(options, search);
      const answer = await options.canUseTool?.('mcp__mail__search', input, call);
      return { answer, heard, options };
    }

    it('see the question, and only then run the call', async () => {
      const { answer, heard } = await changed(change, { behavior: 'allow' });
      expect(shown).toEqual([
        [{ query: 'invoice' }, undefined],
        [{ query: 'tax' }, expect.stringContaining('?')],
      ]);
      expect(answer).toMatchObject({ behavior: 'allow', updatedInput: { query: 'tax' } });
      expect(heard).toEqual(['toolu_01 mcp__mail__search withdrawn', '?toolu_01:changed approved']);
    });

    it.each([
      ['no', { behavior: 'deny', message: 'not that' } as const, 'not that'],
      ['nothing', null, 'nobody answered'],
      ['a failure', new Error('no terminal'), 'no terminal'],
      [
        'a third kind of arguments',
        { behavior: 'allow', updatedInput: { query: '*' } } as const,
        'once more',
      ],
    ])('refuse by %s', async (_, second, why) => {
      const { answer, heard } = await changed(change, second);
      expect(answer?.behavior).toBe('deny');
      expect(heard.at(-1)).toMatch(`?toolu_01:changed refused`);
      expect(heard.at(-1)).toContain(why);
    });
  });

  it('are not asked for what was not decided, and refuse by failing', async () => {
    const { options, answer } = await answered(new Error('no terminal'));
    expect(answer).toMatchObject({ behavior: 'deny', message: expect.stringContaining('no terminal') });
    expect(await options.canUseTool?.('Bash', {}, { toolUseID: 'toolu_99' })).toMatchObject({
      behavior: 'deny',
    });
  });
});

describe('what goes wrong around the Claude Agent SDK', () => {
  const broken = () => {
    throw new Error('disk full');
  };

  it('withholds the call, whatever throws', async () => {
    for (const script of [broken, async () => broken(), () => null as never]) {
      const { session } = scriptedSession(script);
      const output = await hand(guardClaudeAgent(session), search);
      expect(output.hookSpecificOutput?.permissionDecision).toBe('deny');
    }
  });

  it('withholds the call where the SDK says nothing of it', async () => {
    const { session } = scriptedSession(() => ({}));
    for (const input of [
      {},
      { tool_name: 'Bash' },
      { tool_use_id: 'x' },
      { tool_name: 1, tool_use_id: 'x' },
    ]) {
      const given = { hook_event_name: 'PreToolUse', ...input } as HookInput;
      expect((await hand(guardClaudeAgent(session), given)).hookSpecificOutput?.permissionDecision).toBe(
        'deny',
      );
    }
  });

  it('ends the run where the session cannot hear of it', async () => {
    const { session } = scriptedSession(() => ({}));
    const deaf = { ...session, ran: async () => broken(), end: async () => broken() };
    const outputs = await play(guardClaudeAgent(deaf), [
      ...recorded('one call').slice(0, 2),
      ...recorded('end'),
    ]);
    const ended = { continue: false, stopReason: 'the guard could not follow the run: disk full' };
    expect(outputs).toEqual([{}, ended, ended]);
  });

  it('withholds calls that are not decided in time, before the SDK gives up on the hook, and tells the session', async () => {
    let free = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      free = resolve;
    });
    const { session, heard } = scriptedSession(async () => {
      await held;
      return {};
    });
    const options = guardClaudeAgent(session, { timeoutMs: 20 });
    expect(options.hooks.PreToolUse[0]).toMatchObject({ timeout: 31, onFailure: 'block' });
    const late = await hand(options, search);
    expect(late.hookSpecificOutput?.permissionDecisionReason).toContain('it took longer than 20 ms');
    const aborted = await hand(options, search, AbortSignal.abort());
    expect(aborted.hookSpecificOutput?.permissionDecisionReason).toContain('no longer waits');
    free();
    await held;
    await new Promise((resolve) => setTimeout(resolve));
    expect(heard).toEqual(['toolu_01 mcp__mail__search withdrawn', 'toolu_01 mcp__mail__search withdrawn']);
  });

  it('is said at once where options are wrong', () => {
    const { session } = scriptedSession(() => ({}));
    for (const timeoutMs of [0, -1, Number.NaN, 2 ** 31]) {
      expect(() => guardClaudeAgent(session, { timeoutMs })).toThrow(InvalidArgumentError);
    }
    expect(() => guardClaudeAgent(session, { timeout: 1 } as never)).toThrow(
      /no option timeout; did you mean timeoutMs\?/,
    );
  });
});
