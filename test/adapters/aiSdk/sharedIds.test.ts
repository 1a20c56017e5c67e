import { generateText, isLoopFinished, type ModelMessage, streamText, tool } from 'ai';
import { guardToolSet, inspectionOf, stoppedBy } from 'foreguard/ai-sdk';
import type { RunRecord, Session } from 'foreguard/enforce';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mailbox } from '../shared/mail.js';
import { sessionWith, toolSet } from './assistant.js';
import { scripted, type Turn, toldModel } from './scripted.js';

// Ids of calls come from the model: nothing keeps two calls from having one.

const home = ['send', { to: 'home' }, 'c1'] as const;
const mallory = ['send', { to: 'mallory' }, 'c1'] as const;

let mail: ReturnType<typeof mailbox>;
let sent: string[];
let records: RunRecord[];
beforeEach(() => {
  mail = mailbox();
  mail.world.tainted = true;
  sent = [];
  records = [];
});

/** `send` tells to whom. */
const tools = () => ({
  ...toolSet(mail),
  send: tool({
    inputSchema: z.object({ to: z.string() }),
    execute: async ({ to }) => {
      sent.push(to);
      return `sent to ${to}`;
    },
  }),
});

const start = (strategy: string, resume?: RunRecord[]) =>
  sessionWith(
    mail,
    { strategy },
    { id: 'run', log: { append: (record) => void records.push(record) }, ...(resume && { resume }) },
  );

/** What was decided about whom, and what came of it. */
const happened = () =>
  records.flatMap((one) => {
    if (one.kind === 'decision')
      return [`${one.number} ${one.decision} ${JSON.stringify(one.call.arguments)}`];
    return one.kind === 'outcome' ? [`${one.number} ${one.outcome}`] : [];
  });

interface Request {
  readonly approvalId: string;
  readonly toolCall: { readonly toolCallId: string; readonly input: unknown };
}

/** A part of the run: what was said, and the requests for approval as they came, with what the open inspection was about. */
async function go(
  how: 'generates' | 'streams',
  session: Session,
  messages: ModelMessage[],
  ...turns: Turn[]
) {
  const { model, prompts } = scripted(...turns);
  const options = {
    model,
    messages,
    tools: guardToolSet(session, tools()),
    stopWhen: [isLoopFinished(), stoppedBy(session)],
  };
  const requests: { readonly request: Request; readonly about: unknown }[] = [];
  const see = (part: { readonly type: string }) => {
    if (part.type !== 'tool-approval-request') return;
    const request = part as unknown as Request;
    requests.push({ request, about: inspectionOf(session, request.toolCall.toolCallId)?.call.arguments });
  };
  if (how === 'streams') {
    const result = streamText(options);
    for await (const part of result.fullStream) see(part);
    return { requests, prompts, said: (await result.response).messages as ModelMessage[] };
  }
  const result = await generateText(options);
  result.content.forEach(see);
  return { requests, prompts, said: result.response.messages as ModelMessage[] };
}

const user: ModelMessage = { role: 'user', content: 'go' };
const answer = ({ approvalId }: Request, approved: boolean): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-approval-response', approvalId, approved }],
});
/** What `ai` needs before it goes on without an answer. */
const dropped: ModelMessage = {
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId: 'c1', toolName: 'send', output: { type: 'text', value: 'dropped' } },
  ],
};

describe.each(['generates', 'streams'] as const)(
  'two calls of a step under one id, in a run that %s',
  (how) => {
    it.each([
      { turn: [home, mallory], first: 'home' },
      { turn: [mallory, home], first: 'mallory' },
    ])(
      'a person is asked about the first alone, and a yes lets no other run: $first',
      async ({ turn, first }) => {
        const session = await start('inspect');
        const { requests, said } = await go(how, session, [user], turn, 'done');
        expect(requests.map(({ request }) => request.toolCall.input)).toEqual([{ to: first }]);
        expect(requests[0].about).toEqual({ to: first });

        const { prompts } = await go(
          how,
          session,
          [user, ...said, answer(requests[0].request, true)],
          'done',
        );
        // streamText gives the answer to the last call of the id; generateText gives both calls the input of the one that was asked about.
        expect(sent).toEqual(how === 'streams' ? [] : [first]);
        const told = how === 'streams' ? 'propose it again, to have a person asked anew' : `sent to ${first}`;
        expect(JSON.stringify(prompts.at(-1))).toContain(told);
        expect(happened().filter((what) => what.startsWith('1 '))[1]).toBe('1 refused');
        expect(happened()).not.toContain('2 approved');
      },
    );

    it('the first is decided as alone, and the second does not run, both on record', async () => {
      mail.world.tainted = false;
      const { prompts } = await go(how, await start('block'), [user], [home, mallory], 'done');
      expect(sent).toEqual(['home']);
      expect(JSON.stringify(prompts.at(-1))).toContain('another call of this step has the id');
      expect(happened()).toEqual([
        '0 allow {"to":"home"}',
        '1 allow {"to":"mallory"}',
        '1 withheld',
        '0 ran',
      ]);
    });

    it('a second call of another tool does not run either', async () => {
      mail.world.tainted = false;
      await go(how, await start('inspect'), [user], [['search', { query: 'rent' }, 'c1'], home], 'done');
      expect(mail.ran).toEqual(['search']);
      expect(sent).toEqual([]);
    });
  },
);

describe('an id that a later step has again', () => {
  it.each(['in the same session', 'after a restart'])(
    'lets no late yes to the earlier question count for the later call, %s',
    async (when) => {
      const session = await start('inspect');
      const before = await go('generates', session, [user], [home]);
      const later = [user, ...before.said, dropped, user];
      const after = await go('generates', session, later, [mallory]);
      expect(after.requests[0].about).toEqual({ to: 'mallory' });
      const messages = [...later, ...after.said, answer(before.requests[0].request, true)];
      const heir = when === 'after a restart' ? await start('inspect', [...records]) : session;
      const { prompts } = await go('generates', heir, JSON.parse(JSON.stringify(messages)), 'done');
      expect(sent).toEqual([]);
      expect(JSON.stringify(toldModel(prompts))).toContain('propose it again');
    },
  );

  it('counts a yes to the later question, though the earlier was refused', async () => {
    const session = await start('inspect');
    const before = await go('generates', session, [user], [home]);
    const refused = [user, ...before.said, answer(before.requests[0].request, false)];
    const after = await go('generates', session, refused, [mallory]);
    const messages = [...refused, ...after.said, answer(after.requests[0].request, true)];
    await go('generates', session, messages, 'done');
    expect(sent).toEqual(['mallory']);
  });

  it('counts the yes to the later question beside a yes to the earlier', async () => {
    const session = await start('inspect');
    const before = await go('generates', session, [user], [home]);
    const later = [user, ...before.said, dropped, user];
    const after = await go('generates', session, later, [mallory]);
    const [one, other] = [before, after].map(({ requests }) => requests[0].request);
    const both = { role: 'tool', content: [answer(one, true), answer(other, true)].flatMap(contentOf) };
    await go('generates', session, [...later, ...after.said, both as ModelMessage], 'done');
    expect(sent).toEqual(['mallory']);
  });
});

function contentOf({ content }: ModelMessage): readonly unknown[] {
  return content as readonly unknown[];
}
