import { isLoopFinished, streamText, tool } from 'ai';
import { guardToolSet, stoppedBy } from 'foreguard/ai-sdk';
import type { Session } from 'foreguard/enforce';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mailbox } from '../shared/mail.js';
import { fetchPage, sendMail, sessionWith, toolSet } from './assistant.js';
import { scripted, type Turn } from './scripted.js';

let mail: ReturnType<typeof mailbox>;
beforeEach(() => {
  mail = mailbox();
});

describe('streaming', () => {
  async function stream(session: Session, tools: ReturnType<typeof toolSet>, ...turns: Turn[]) {
    const { model, prompts } = scripted(...turns);
    const result = streamText({
      model,
      prompt: 'go',
      tools: guardToolSet(session, tools),
      stopWhen: [isLoopFinished(), stoppedBy(session)],
    });
    const parts = [];
    for await (const part of result.fullStream) parts.push(part);
    return { parts, prompts, text: await result.text };
  }

  it('withholds and tells in streamText as in generateText', async () => {
    const { parts, text } = await stream(await sessionWith(mail), toolSet(mail), fetchPage, sendMail, 'done');
    expect(mail.ran).toEqual(['fetch']);
    expect(parts).toContainEqual(expect.objectContaining({ type: 'tool-error', toolCallId: '2.0' }));
    expect(text).toBe('done');
  });

  it('ends a streamed run that is stopped', async () => {
    const { prompts } = await stream(
      await sessionWith(mail, { strategy: 'stop' }),
      toolSet(mail),
      fetchPage,
      sendMail,
    );
    expect(prompts).toHaveLength(2);
  });

  it('passes on results of tools that stream them, and reports the last', async () => {
    const outcomes: unknown[] = [];
    const session = await sessionWith(mail, undefined, {
      observers: [{ ran: (_, outcome) => void outcomes.push(outcome) }],
    });
    const search = tool({
      inputSchema: z.object({ query: z.string() }),
      async *execute({ query }) {
        yield `looking for ${query}`;
        yield `found ${query}`;
      },
    });
    const { parts } = await stream(
      session,
      { ...toolSet(mail), search } as never,
      [['search', { query: 'a' }]],
      'done',
    );
    const results = parts.filter((part) => part.type === 'tool-result');
    expect(results.map(({ output, preliminary }) => [output, preliminary ?? false])).toEqual([
      ['looking for a', true],
      ['found a', true],
      ['found a', false],
    ]);
    expect(outcomes).toEqual([{ result: 'found a' }]);
  });
});
