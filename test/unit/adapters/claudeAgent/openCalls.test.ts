import { describe, expect, it } from 'vitest';
import { guardClaudeAgent, type HookInput } from '../../../../bindings/runtime/adapters/claudeAgent.js';
import { hand, recorded } from './recorded.js';
import { inspectionOf, type Script, scriptedSession } from './scriptedSession.js';

const [search, searched] = recorded('one call');
const own = { toolUseID: 'toolu_01' };
const input = { query: 'invoice' };
/** Another call under the id of the first. */
const note: HookInput = { ...search, tool_name: 'mcp__mail__note', tool_input: { body: 'secret' } };

/** Asks a person about all but notes, who says yes unless told otherwise. */
function asking(
  answer: (
    name: string,
    input: Record<string, unknown>,
  ) => Promise<{ behavior: 'allow' } | null> = async () => ({
    behavior: 'allow',
  }),
) {
  const script: Script = (call) =>
    call.name === 'mcp__mail__note'
      ? {}
      : { run: null, decision: 'inspect', inspection: inspectionOf(call), message: 'wait' };
  const { session, heard } = scriptedSession(script, ['inspect']);
  const shown: unknown[] = [];
  const options = guardClaudeAgent<typeof own>(session, {
    canUseTool: async (name, input) => {
      shown.push([name, input]);
      return answer(name, input);
    },
  });
  const permit = (name: string, given: Record<string, unknown>) =>
    options.canUseTool?.(name, given, own) ?? Promise.reject();
  return { options, heard, shown, permit };
}

describe('a second call under the id of one that has not ended', () => {
  it('is denied, and what a person permits of the first is the first', async () => {
    const { options, heard, permit } = asking();
    expect((await hand(options, search)).hookSpecificOutput?.permissionDecision).toBe('ask');
    const { hookSpecificOutput: said } = await hand(options, note);
    expect(said?.permissionDecision).toBe('deny');
    expect(said?.permissionDecisionReason).toContain('another call of the id toolu_01 has not ended');
    expect(await permit('mcp__mail__search', input)).toEqual({ behavior: 'allow', updatedInput: input });
    expect(await hand(options, searched)).toEqual({});
    expect(heard).toEqual(['?toolu_01 approved', 'toolu_01 answered ran']);
  });

  it('is denied while the first is being decided on', async () => {
    let free = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      free = resolve;
    });
    const { session } = scriptedSession(async () => {
      await held;
      return {};
    });
    const options = guardClaudeAgent(session, { timeoutMs: 300_000 });
    const first = hand(options, search);
    const { hookSpecificOutput: said } = await hand(options, note);
    expect(said?.permissionDecision).toBe('deny');
    expect(said?.permissionDecisionReason).toContain('another call of the id toolu_01 has not ended');
    free();
    expect(await first).toEqual({});
  });

  it('changes nothing of the first by failing, and ends the run by running', async () => {
    const { options, heard, permit } = asking();
    await hand(options, search);
    await hand(options, note);
    await hand(options, { ...note, hook_event_name: 'PostToolUseFailure', error: 'denied' });
    expect(heard).toEqual([]);
    await permit('mcp__mail__search', input);
    const ran = await hand(options, { ...note, hook_event_name: 'PostToolUse', tool_response: 'noted' });
    expect(ran.continue).toBe(false);
    expect(heard).toEqual(['?toolu_01 approved']);
  });

  it('is decided on once the first has ended, or was denied', async () => {
    const { session } = scriptedSession(({ name }) => (name === 'mcp__mail__note' ? {} : { run: null }));
    const options = guardClaudeAgent(session);
    expect((await hand(options, search)).hookSpecificOutput?.permissionDecision).toBe('deny');
    expect(await hand(options, note)).toEqual({});
    await hand(options, { ...note, hook_event_name: 'PostToolUse' });
    expect(await hand(options, note)).toEqual({});
  });
});

describe('canUseTool', () => {
  it.each([
    ['another tool', 'mcp__mail__note', input],
    ['other arguments', 'mcp__mail__search', { query: '*' }],
    ['arguments that have no JSON', 'mcp__mail__search', { query: 1n }],
  ])('denies %s than was judged under the id, and shows it to nobody', async (_, name, given) => {
    const { options, heard, shown, permit } = asking();
    await hand(options, search);
    const answer = await permit(name, given);
    expect(answer).toMatchObject({ behavior: 'deny', message: expect.stringContaining('look for hooks') });
    expect([shown, heard]).toEqual([[], []]);
    expect(await permit('mcp__mail__search', input)).toEqual({ behavior: 'allow', updatedInput: input });
  });

  it('asks about what is to run in place of the proposed arguments', async () => {
    const narrow = { query: 'invoice', limit: 1 };
    const { session } = scriptedSession(
      (call) => ({ decision: 'replace', run: { ...call, arguments: narrow } }),
      ['replace'],
    );
    const options = guardClaudeAgent<typeof own>(session, {
      replacesArgumentsOnly: true,
      canUseTool: async () => ({ behavior: 'allow' }),
    });
    await hand(options, search);
    for (const given of [narrow, input])
      expect(await options.canUseTool?.('mcp__mail__search', given, own)).toEqual({
        behavior: 'allow',
        updatedInput: narrow,
      });
  });

  it('takes no yes that comes once the call has ended, also where its id has another by then', async () => {
    for (const next of [[], [note]]) {
      const { options, heard, permit } = asking(async () => {
        await hand(options, { ...search, hook_event_name: 'PostToolUseFailure', error: 'aborted' });
        for (const other of next) await hand(options, other);
        return { behavior: 'allow' };
      });
      await hand(options, search);
      expect(await permit('mcp__mail__search', input)).toMatchObject({
        behavior: 'deny',
        message: expect.stringContaining('before this answer came'),
      });
      expect(heard).toEqual(['?toolu_01 refused: aborted']);
    }
  });
});
