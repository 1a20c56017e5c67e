import { generateText, isLoopFinished, ToolLoopAgent, tool } from 'ai';
import { guardToolSet, stoppedBy } from 'foreguard/ai-sdk';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mailbox, mailShield } from '../shared/mail.js';
import { mailSession } from '../shared/mailSession.js';
import { fetchPage, generate, sendMail, sessionWith, toolSet } from './assistant.js';
import { scripted, type Turn, toldModel } from './scripted.js';

type Model = ReturnType<typeof scripted>['model'];

let mail: ReturnType<typeof mailbox>;
beforeEach(() => {
  mail = mailbox();
});

function withReason(generate: Model['doGenerate'], unified: 'length'): Model['doGenerate'] {
  return async (options) => ({ ...(await generate(options)), finishReason: { unified, raw: unified } });
}

describe('a guarded tool set', () => {
  it('runs what was judged, frozen, though the tool asked for approval with other arguments', async () => {
    const got: unknown[] = [];
    const tools = {
      fetch: tool({
        inputSchema: z.object({ url: z.string(), tags: z.array(z.string()) }),
        needsApproval: (input) => {
          input.url = 'file:///etc/passwd';
          return false;
        },
        execute: (input) => {
          got.push([input, Object.isFrozen(input), Object.isFrozen(input.tags)]);
          return 'a page';
        },
      }),
    };
    const { model } = scripted([['fetch', { url: 'a.example', tags: ['x'] }]], 'done');
    const { session, records } = await mailSession();
    await generateText({
      model,
      tools: guardToolSet(session, tools),
      prompt: 'go',
      stopWhen: isLoopFinished(),
    });
    const judged = records.flatMap((record) => (record.kind === 'decision' ? [record.call.arguments] : []));
    // `ai` hands the changed input to `execute`, so that it is another call, decided anew.
    expect(got).toEqual([[judged.at(-1), true, true]]);
  });

  it('runs what is permitted and gives its result to the model', async () => {
    const { told, result } = await generate(
      mail,
      await sessionWith(mail),
      [['search', { query: 'rent' }]],
      'done',
    );
    expect(told['1.0']).toMatchObject({ type: 'text', value: '3 messages about rent' });
    expect(result.text).toBe('done');
  });

  it('withholds what is blocked and tells the model why', async () => {
    const { told } = await generate(mail, await sessionWith(mail), fetchPage, sendMail, 'done');
    expect(mail.ran).toEqual(['fetch']);
    expect(told['2.0']).toMatchObject({ type: 'error-text', value: expect.stringContaining('noLeak') });
  });

  it('gives a reflection to the model, which goes on', async () => {
    const { told, result } = await generate(
      mail,
      await sessionWith(mail, { strategy: 'reflect' }),
      fetchPage,
      sendMail,
      'I shall not',
    );
    expect(mail.ran).toEqual(['fetch']);
    expect(told['2.0']).toMatchObject({ type: 'error-text', value: expect.stringMatching(/noLeak/) });
    expect(result.text).toBe('I shall not');
  });

  it('runs the safe action instead, and tells the model of both', async () => {
    const session = await sessionWith(
      mail,
      { strategy: { replace: 'calm' } },
      { replacements: { calm: { name: 'forget', arguments: {} } } },
    );
    const { told } = await generate(mail, session, fetchPage, sendMail, 'done');
    expect(mail.ran).toEqual(['fetch', 'forget']);
    expect(told['2.0']).toMatchObject({
      type: 'json',
      value: { instead: { tool: 'forget', arguments: {} }, message: expect.any(String), result: 'forgotten' },
    });
  });

  it('does not hand what ran instead to the conversion of outputs of the tool that did not run', async () => {
    const session = await sessionWith(
      mail,
      { strategy: { replace: 'calm' } },
      { replacements: { calm: { name: 'forget', arguments: {} } } },
    );
    const { model, prompts } = scripted(fetchPage, sendMail, 'done');
    const tools = toolSet(mail);
    const send = {
      ...tools.send,
      toModelOutput: ({ output }: { output: string }) => ({
        type: 'text' as const,
        value: output.toUpperCase(),
      }),
    };
    await generateText({
      model,
      prompt: 'go',
      tools: guardToolSet(session, { ...tools, send }),
      stopWhen: isLoopFinished(),
    });
    expect(toldModel(prompts)['2.0']).toMatchObject({ type: 'json', value: { result: 'forgotten' } });
  });

  it('changes nothing where the rule only reports', async () => {
    const { told } = await generate(
      mail,
      await sessionWith(mail, { strategy: 'report' }),
      fetchPage,
      sendMail,
      'done',
    );
    expect(mail.ran).toEqual(['fetch', 'send']);
    expect(told['2.0']).toMatchObject({ type: 'text', value: 'sent to mallory' });
  });

  it('ends a run that is stopped: the model is not asked again', async () => {
    const session = await sessionWith(mail, { strategy: 'stop' });
    const { prompts } = await generate(mail, session, fetchPage, sendMail);
    expect(mail.ran).toEqual(['fetch']);
    expect(prompts).toHaveLength(2);
    expect(session.stopped).toMatchObject({ rule: 'noLeak', ends: true });
  });

  it('runs no call of a step of which another stops the run', async () => {
    mail.world.tainted = true;
    const session = await sessionWith(mail, { strategy: 'stop' });
    await generate(mail, session, [
      ['search', { query: 'a' }],
      ['forget', {}],
    ]);
    expect(mail.ran).toEqual([]);
  });

  it('decides on all calls of a step before the first of them runs', async () => {
    const session = await sessionWith(mail);
    const { told } = await generate(
      mail,
      session,
      [
        ['fetch', { url: 'u' }],
        ['search', { query: 'a' }],
        ['search', { query: 'b' }],
      ],
      'done',
    );
    // All were decided in the clean state: nothing had run.
    expect(mail.ran).toEqual(['fetch', 'search', 'search']);
    expect(Object.values(told)).toMatchObject([
      { value: 'the page at u' },
      { value: '3 messages about a' },
      { value: '3 messages about b' },
    ]);
  });

  it('judges a call where the calls of its step before it will have led', async () => {
    const session = await sessionWith(mail, undefined, { guard: await mailShield() });
    const step: Turn = [
      ['fetch', { url: 'u' }],
      ['send', { to: 'mallory' }],
      ['forget', {}],
    ];
    const { told } = await generate(mail, session, step, [['send', { to: 'ann' }]], 'done');
    expect(mail.ran).toEqual(['fetch', 'forget', 'send']);
    expect(told['1.1']).toMatchObject({ type: 'error-text', value: expect.stringContaining('noLeak') });
  });

  it('forgets calls that the framework dropped', async () => {
    const session = await sessionWith(mail, undefined, { guard: await mailShield() });
    const tools = guardToolSet(session, toolSet(mail));
    // The answer was cut off: `ai` does not run its calls.
    const cut = scripted([['fetch', { url: 'u' }]]);
    cut.model.doGenerate = withReason(cut.model.doGenerate, 'length');
    await generateText({ model: cut.model, prompt: 'go', tools });
    const { model } = scripted([['send', { to: 'ann' }]]);
    await generateText({ model, prompt: 'go on', tools });
    expect(mail.ran).toEqual(['send']);
  });

  it('tells the session of failures, which the model sees as ever', async () => {
    const failed: unknown[] = [];
    const session = await sessionWith(mail, undefined, {
      observers: [{ ran: (_, outcome) => void failed.push(outcome) }],
    });
    mail.tools.search = () => Promise.reject(new Error('no connection'));
    const { told } = await generate(mail, session, [['search', { query: 'a' }]], 'done');
    expect(told['1.0']).toMatchObject({
      type: 'error-text',
      value: expect.stringContaining('no connection'),
    });
    expect(failed).toEqual([{ error: new Error('no connection') }]);
  });

  it('guards the tools of an agent', async () => {
    const session = await sessionWith(mail);
    const { model } = scripted(fetchPage, sendMail, 'done');
    const agent = new ToolLoopAgent({
      model,
      tools: guardToolSet(session, toolSet(mail)),
      stopWhen: [isLoopFinished(), stoppedBy(session)],
    });
    expect((await agent.generate({ prompt: 'go' })).text).toBe('done');
    expect(mail.ran).toEqual(['fetch']);
  });

  it('guards each run of an agent that is made once by a session of its own', async () => {
    const { model } = scripted(fetchPage, 'done', sendMail, 'done');
    const sessions = [await sessionWith(mail), await sessionWith(mail)];
    const agent = new ToolLoopAgent({
      model,
      tools: toolSet(mail),
      prepareCall: (call) => {
        const session = sessions.shift()!;
        return {
          ...call,
          tools: guardToolSet(session, toolSet(mail)),
          stopWhen: [isLoopFinished(), stoppedBy(session)],
        };
      },
    });
    await agent.generate({ prompt: 'go' });
    await agent.generate({ prompt: 'go' });
    expect(mail.ran).toEqual(['fetch']);
  });

  it('decides again on arguments that changed between the decision and the run', async () => {
    const decided: unknown[] = [];
    const session = await sessionWith(mail, undefined, {
      observers: [{ decided: ({ call }) => void decided.push(call.arguments) }],
    });
    const { send } = guardToolSet(session, toolSet(mail));
    const options = { toolCallId: '1', messages: [], context: {} };
    const { needsApproval } = send;
    if (typeof needsApproval !== 'function') throw new Error('the tool does not ask');
    expect(await needsApproval({ to: 'ann' }, options)).toBe(false);
    expect(await send.execute?.({ to: 'mallory' }, options as never)).toBe('sent to mallory');
    expect(decided).toEqual([{ to: 'ann' }, { to: 'mallory' }]);
  });

  it('refuses tools that run where they cannot be withheld, unless told that they may', async () => {
    const session = await sessionWith(mail);
    const webSearch = { type: 'provider', id: 'openai.web_search', args: {}, inputSchema: z.object({}) };
    expect(() => guardToolSet(session, { webSearch })).toThrow(
      /"webSearch" has no `execute`: it runs at the provider/,
    );
    expect(() => guardToolSet(session, { ask: tool({ inputSchema: z.object({}) }) })).toThrow(
      /"ask" .* at a client/,
    );
    expect(guardToolSet(session, { webSearch }, { unguarded: ['webSearch'] }).webSearch).toBe(webSearch);
    expect(() => guardToolSet(session, toolSet(mail), { unguarded: ['fetsh' as 'fetch'] })).toThrow(
      /no tool "fetsh"/,
    );
  });
});
