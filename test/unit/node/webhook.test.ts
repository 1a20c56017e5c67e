import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openWebhook, signAnswer } from '../../../bindings/face/node/webhook.js';
import { inspectionOf } from '../enforcement/inspectionOf.js';
import { guardThat, RISKY, setting } from '../enforcement/setting.js';

const KEY = 'a key of the webhook that the agent does not have';
interface Asked {
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}
type Reply = {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
};
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server that answers as told, and what it was asked. */
async function receiver(reply: (asked: Asked, times: number) => Reply) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ body, headers: request.headers });
    const { status, body: text = '', headers = {} } = reply(asked[asked.length - 1], asked.length);
    response.writeHead(status, headers).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ask`, asked };
}
const answerTo = ({ body }: Asked, more: object = {}): string => {
  const { nonce, inspection } = JSON.parse(body);
  return JSON.stringify({ nonce, id: inspection.id, approved: true, by: 'Ada', ...more });
};
const signed = (asked: Asked, more: object = {}, key = KEY, now?: number): Reply => {
  const body = answerTo(asked, more);
  return { status: 200, body, headers: signAnswer(body, key, now) };
};
const ask = (url: string, signal = AbortSignal.timeout(300_000)) =>
  openWebhook({ url, key: KEY, retries: 2 }).ask(inspectionOf('q'), signal);

describe('a webhook', () => {
  it('posts the signed question, and takes the signed answer of the response', async () => {
    const { url, asked } = await receiver((one) =>
      signed(one, { comment: 'fine', arguments: { to: 'bob' } }),
    );
    expect(await ask(url)).toEqual({ approved: true, by: 'Ada', comment: 'fine', arguments: { to: 'bob' } });
    const { body, headers } = asked[0];
    expect(JSON.parse(body).inspection).toEqual(inspectionOf('q'));
    const own = createHmac('sha256', KEY).update(
      `foreguard question 1\n${headers['foreguard-timestamp']}\n${body}`,
    );
    expect(headers['foreguard-signature']).toBe(own.digest('hex'));
  });

  it('lets a session run what was approved, and nothing else', async () => {
    for (const approved of [true, false]) {
      const { url } = await receiver((one) => signed(one, { approved }));
      const { ask: asks } = openWebhook({ url, key: KEY });
      const run = setting({
        guard: guardThat({ strategy: { kind: 'inspect' } }),
        state: () => RISKY,
        ask: asks,
      });
      await run.propose('move');
      expect(run.ran).toEqual(approved ? ['move'] : []);
    }
  });

  it.each<[string, (asked: Asked) => Reply]>([
    ['unsigned', (one) => ({ status: 200, body: answerTo(one) })],
    ['signed with another key', (one) => signed(one, {}, KEY.toUpperCase())],
    ['signed long ago', (one) => signed(one, {}, KEY, Date.now() - 3_600_000)],
    ['signed for later', (one) => signed(one, {}, KEY, Date.now() + 3_600_000)],
    ['altered after it was signed', (one) => ({ ...signed(one, { approved: false }), body: answerTo(one) })],
    [
      'the question sent back',
      ({ body, headers }) => ({
        status: 200,
        body,
        headers: {
          'foreguard-timestamp': `${headers['foreguard-timestamp']}`,
          'foreguard-signature': `${headers['foreguard-signature']}`,
        },
      }),
    ],
    ['to another question', (one) => signed(one, { id: 'other' })],
    ['to an earlier asking', (one) => signed(one, { nonce: 'other' })],
    ['a redirection', () => ({ status: 307, headers: { location: 'http://127.0.0.1:1/' } })],
    ['no JSON', () => ({ status: 200, body: 'yes', headers: signAnswer('yes', KEY) })],
  ])('takes no answer that is %s', async (_, reply) => {
    const { url } = await receiver(reply);
    await expect(ask(url)).rejects.toThrow();
  });

  it('takes an answer that comes later, once, by whichever way it comes first', async () => {
    const { url, asked } = await receiver(() => ({ status: 202 }));
    const webhook = openWebhook({ url, key: KEY });
    const answered = webhook.ask(inspectionOf('q'), AbortSignal.timeout(300_000));
    await expect.poll(() => asked).toHaveLength(1);
    const body = answerTo(asked[0]);
    expect(() => webhook.answer(body, {})).toThrow(/not signed/);
    expect(() => webhook.answer(body.replace('Ada', 'Eve'), signAnswer(body, KEY))).toThrow(/not signed/);
    webhook.answer(body, new Headers(signAnswer(body, KEY)));
    expect(await answered).toMatchObject({ approved: true, by: 'Ada' });
    expect(() => webhook.answer(body, signAnswer(body, KEY))).toThrow(/no such question is open/);
  });

  it('posts again where the receiver is not well, as often as told and no more', async () => {
    const recovers = await receiver((one, times) => (times < 3 ? { status: 503 } : signed(one)));
    expect(await ask(recovers.url)).toMatchObject({ approved: true });
    const nonces = recovers.asked.map(({ body }) => JSON.parse(body).nonce);
    expect(new Set(nonces).size).toBe(1);
    const ill = await receiver(() => ({ status: 500 }));
    await expect(ask(ill.url)).rejects.toThrow(/no answer in 3 attempts: status 500/);
    expect(ill.asked).toHaveLength(3);
    const refuses = await receiver(() => ({ status: 400 }));
    await expect(ask(refuses.url)).rejects.toThrow(/in 1 attempts: status 400/);
  });

  it('ends with the deadline of the session, after which an answer comes too late', async () => {
    const { url, asked } = await receiver(() => ({ status: 202 }));
    const webhook = openWebhook({ url, key: KEY });
    const deadline = new AbortController();
    const unanswered = expect(webhook.ask(inspectionOf('q'), deadline.signal)).rejects.toThrow('too late');
    await expect.poll(() => asked).toHaveLength(1);
    deadline.abort(new Error('too late'));
    await unanswered;
    const body = answerTo(asked[0]);
    expect(() => webhook.answer(body, signAnswer(body, KEY))).toThrow(/no such question is open/);
  });

  it.each([
    [{ url: 'http://elsewhere.example/ask' }, /expected one of https/],
    [{ url: 'ask' }, /expected one of https/],
    [{ key: 'short' }, /the key of the webhook has 5 characters/],
    [{ retries: -1 }, /retries is -1/],
    [{ toleranceMs: 0 }, /toleranceMs is 0/],
    [{ secret: 'x' }, /secret/],
  ])('is refused with %j', (wrong, why) => {
    expect(() => openWebhook({ url: 'https://approve.example/', key: KEY, ...wrong } as never)).toThrow(why);
  });
});
