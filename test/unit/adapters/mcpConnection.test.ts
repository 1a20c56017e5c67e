import { describe, expect, it } from 'vitest';
import type { McpWorld } from '../../../bindings/runtime/adapters/mcp.js';
import type { Answer, ToolCall, Verdict } from '../../../bindings/runtime/enforcement/index.js';
import { settled } from '../../settled.js';
import { connect, type Decide, type End } from './mcpWire.js';

/** Asks whoever the connection can ask, with a time for the answer. */
const asking =
  (told: Answer[], signal: AbortSignal = new AbortController().signal): Decide =>
  async (call, { ask }) => {
    const inspection = {
      ...{ id: 'i', run: 'r', call, question: `Shall ${call.name} run?` },
      rule: 'noLeak',
    };
    const answer = await ask?.({ ...inspection, risk: 0.3, expiresAt: Infinity }, signal).catch(
      (error: Error) => ({ approved: false, comment: error.message }),
    );
    if (answer !== undefined) told.push(answer);
    return answer?.approved ? {} : refused;
  };

const refused: Partial<Verdict> = { decision: 'block', reason: 'refused', run: null, message: 'Refused.' };
const forms = { capabilities: { elicitation: {} } };

async function question(client: End) {
  const { id } = await client.first(({ method }) => method === 'elicitation/create');
  return id;
}

describe('a person at the client', () => {
  it.each([
    ['approves', { action: 'accept', content: { approve: true } }, true],
    ['does not approve', { action: 'accept', content: { approve: false, comment: 'not to him' } }, false],
    ['accepts without a word', { action: 'accept' }, false],
    ['approves by text', { action: 'accept', content: { approve: 'true' } }, false],
    ['declines', { action: 'decline', content: { approve: true } }, false],
    ['cancels', { action: 'cancel' }, false],
    ['answers nothing that can be read', { action: ['accept'], content: null }, false],
  ])('%s', async (_, result, approved) => {
    const told: Answer[] = [];
    const { client, server } = await connect(asking(told), forms);
    client.answers.set('elicitation/create', () => result);
    const { result: response } = await client.call(4, 'echo');
    expect(told).toEqual([expect.objectContaining({ approved })]);
    expect(response?.isError === true).toBe(!approved);
    expect(server.methods().includes('tools/call')).toBe(approved);
    const { params } = await client.first(({ method }) => method === 'elicitation/create');
    expect(params).toMatchObject({
      message: 'Shall echo run?\necho {}',
      requestedSchema: { type: 'object', required: ['approve'] },
    });
    expect(client.related[client.methods().indexOf('elicitation/create')]).toBe(4);
    expect(server.methods()).not.toContain('response');
  });

  it('sees the arguments of the call, which cannot turn the text around', async () => {
    const { client } = await connect(asking([]), forms);
    const args = { to: 'the king\u202e', note: 'a\nb', amount: 1e9 };
    client.say({ id: 4, method: 'tools/call', params: { name: 'echo', arguments: args } });
    await question(client);
    const { params } = await client.first(({ method }) => method === 'elicitation/create');
    expect(params?.message).toBe(
      String.raw`Shall echo run?${'\n'}echo {"to":"the king\u{202e}","note":"a\nb","amount":1000000000}`,
    );
  });

  it('is not asked about arguments that are too long to be read', async () => {
    const told: Answer[] = [];
    const { client, server } = await connect(asking(told), forms);
    client.answers.set('elicitation/create', () => ({ action: 'accept', content: { approve: true } }));
    expect((await client.call(4, 'echo', { text: 'a'.repeat(20_000) })).result?.isError).toBe(true);
    expect(told).toEqual([expect.objectContaining({ approved: false })]);
    expect(told[0].comment).toContain('too long');
    expect(server.methods()).not.toContain('tools/call');
  });

  it('is asked no longer than there is time, and told so', async () => {
    const told: Answer[] = [];
    const time = new AbortController();
    const { client } = await connect(asking(told, time.signal), forms);
    const called = client.call(1, 'echo');
    const id = await question(client);
    time.abort(new DOMException('over', 'TimeoutError'));
    expect((await called).result?.isError).toBe(true);
    expect(client.received).toContainEqual({
      ...{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } },
    });
    expect(told[0].approved).toBe(false);
  });

  it('who answers too late, or twice, changes nothing', async () => {
    const time = new AbortController();
    const { client, server } = await connect(asking([], time.signal), forms);
    const called = client.call(1, 'echo');
    const id = await question(client);
    time.abort(new DOMException('over', 'TimeoutError'));
    await called;
    client.say({ id, result: { action: 'accept', content: { approve: true } } });
    await client.call(2, 'echo');
    expect(server.methods()).not.toContain('tools/call');
    expect(server.methods()).not.toContain('response');
  });

  it.each([
    ['no elicitation', {}],
    ['addresses only', { elicitation: { url: {} } }],
    ['elicitation that is no object', { elicitation: true }],
  ])('cannot be asked by a client with %s', async (_, capabilities) => {
    const { client, world } = await connect(() => refused, { capabilities });
    await client.call(1, 'echo');
    expect(world().ask).toBeUndefined();
    const needing = await connect(() => refused, { needsElicitation: true, begin: false });
    needing.client.say({ id: 1, method: 'initialize', params: { capabilities } });
    expect((await needing.client.responseTo(1)).error?.message).toContain('elicitation');
    expect(needing.server.received).toEqual([]);
  });
});

describe('a call that the client cancels', () => {
  const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } };

  it('is cancelled at the server where it runs there, and has come back only once the server says so', async () => {
    const { client, server, outcomes } = await connect();
    server.answers.delete('tools/call');
    client.say({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    await server.first(({ method }) => method === 'tools/call');
    client.say(cancel);
    expect(server.received.at(-1)).toEqual({ jsonrpc: '2.0', ...cancel });
    server.answers.set('tools/call', () => ({ content: [] }));
    await client.call(2, 'brake');
    expect(outcomes).toHaveLength(1);
    server.say({ id: 1, error: { code: 1, message: 'interrupted' } });
    await client.call(3, 'brake');
    expect(outcomes).toHaveLength(3);
    expect(outcomes[1]).toEqual({ error: expect.anything() });
    expect(client.received.filter(({ id }) => id === 1)).toEqual([]);
  });

  it('keeps its id until the server has answered: a late answer is not that of another call', async () => {
    const { client, server, decided } = await connect();
    server.answers.delete('tools/call');
    client.say({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    await server.first(({ method }) => method === 'tools/call');
    client.say(cancel);
    await settled();
    expect((await client.call(1, 'brake')).error?.message).toContain('under way');
    expect(decided).toHaveLength(1);
    server.say({ id: 1, result: { content: [] } });
    await settled();
    server.answers.set('tools/call', () => ({ content: [] }));
    client.received.length = 0;
    expect((await client.call(1, 'brake')).error).toBeUndefined();
  });

  it.each(['cancelled', 'unanswered'])(
    'and one under the id of a request of another kind, which was %s, does not take its answer',
    async (how) => {
      const { client, server, proxy, decided, outcomes } = await connect();
      server.answers.delete('tools/call');
      client.say({ id: 1, method: 'ping' });
      if (how === 'cancelled') client.say(cancel);
      else proxy.unanswered(1, 'the connection broke');
      await proxy.drained(300_000);
      client.received.length = 0;
      client.say({ id: 1, method: 'tools/call', params: { name: 'echo' } });
      await settled();
      server.say({ id: 1, result: {} });
      await settled();
      expect(decided).toEqual([]);
      expect(outcomes).toEqual([]);
      expect((await client.responseTo(1)).error?.message).toContain('under way');
      client.received.length = 0;
      client.say({ id: 1, method: 'tools/call', params: { name: 'echo' } });
      await server.first(({ method }) => method === 'tools/call');
      expect(outcomes).toEqual([]);
      server.say({ id: 1, result: { content: [] } });
      expect((await client.responseTo(1)).result).toEqual({ content: [] });
      expect(outcomes).toHaveLength(1);
    },
  );

  it('never runs where it waited for a person, who is told', async () => {
    const { client, server } = await connect(asking([]), forms);
    client.say({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    const id = await question(client);
    client.say(cancel);
    await client.first(({ params }) => params?.requestId === id);
    client.say({ id, result: { action: 'accept', content: { approve: true } } });
    client.answers.set('elicitation/create', () => ({ action: 'accept', content: { approve: true } }));
    await client.call(2, 'echo');
    expect(server.received.filter(({ method }) => method === 'tools/call').map(({ id }) => id)).toEqual([2]);
    expect(server.methods()).not.toContain('notifications/cancelled');
    expect(client.received.filter(({ id }) => id === 1)).toEqual([]);
  });

  it('is withdrawn from the session where it was let through', async () => {
    let decide: (verdict: Partial<Verdict>) => void = () => undefined;
    const { client, server, withdrawn, outcomes } = await connect((call) =>
      call.id === '1' ? new Promise((resolve) => (decide = resolve)) : {},
    );
    await client.call(0, 'echo');
    client.say({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    await settled();
    client.say(cancel);
    decide({});
    await client.call(2, 'echo');
    expect(withdrawn.map(({ id }) => id)).toEqual(['1']);
    expect(outcomes).toHaveLength(2);
    expect(server.received.filter(({ method }) => method === 'tools/call').map(({ id }) => id)).toEqual([
      0, 2,
    ]);
  });

  it('leaves the replacement that runs in its place alone', async () => {
    const replacing = (call: ToolCall) => ({ run: { ...call, name: 'brake' }, message: 'brake instead' });
    const { client, server, outcomes } = await connect(replacing);
    server.answers.delete('tools/call');
    client.say({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    const { id } = await server.first(({ method }) => method === 'tools/call');
    client.say(cancel);
    server.say({ id, result: { content: [] } });
    server.answers.set('tools/call', () => ({ content: [] }));
    await client.call(2, 'echo');
    expect(server.methods()).not.toContain('notifications/cancelled');
    expect(outcomes[0]).toEqual({ result: expect.anything() });
  });

  it('is a request of another kind: the server hears of it', async () => {
    const { client, server } = await connect();
    client.say({ id: 1, method: 'resources/read' });
    client.say(cancel);
    expect(server.methods().slice(-2)).toEqual(['resources/read', 'notifications/cancelled']);
  });
});

describe('the server that ends', () => {
  it('leaves errors for all that wait, and tells of no call that it came back', async () => {
    const { client, server, proxy, outcomes, ends } = await connect();
    server.answers.delete('tools/call');
    client.say({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    client.say({ id: 2, method: 'resources/read' });
    await server.first(({ method }) => method === 'tools/call');
    server.transport.onclose?.();
    expect(await proxy.closed).toBe('server gone');
    for (const id of [1, 2]) expect((await client.responseTo(id)).error?.message).toContain('may have been');
    expect(outcomes).toEqual([]);
    expect(ends).toEqual(['end']);
  });

  it('runs nothing that is decided only then', async () => {
    let decide: (verdict: Partial<Verdict>) => void = () => undefined;
    const { client, server, proxy } = await connect(() => new Promise((resolve) => (decide = resolve)));
    client.say({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    while (server.methods().at(-1) !== 'tools/list') await server.first(({ id }) => id !== undefined);
    await settled();
    server.transport.onclose?.();
    decide({});
    await proxy.closed;
    expect((await client.responseTo(1)).error).toBeDefined();
    expect(server.methods()).not.toContain('tools/call');
  });

  it('ends the questions that it left', async () => {
    const { client, server, proxy } = await connect(asking([]), forms);
    client.say({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    await question(client);
    server.transport.onclose?.();
    expect(await proxy.closed).toBe('server gone');
    expect((await client.responseTo(1)).result?.isError).toBe(true);
  });

  it('or does not take a request, leaves an error for it alone', async () => {
    const { client, server } = await connect();
    const { send } = server.transport;
    server.transport.send = async () => Promise.reject(new Error('broken pipe'));
    client.say({ id: 1, method: 'resources/read' });
    expect((await client.responseTo(1)).error?.message).toContain('broken pipe');
    expect((await client.call(2, 'echo')).error?.message).toContain('broken pipe');
    server.transport.send = send;
    expect((await client.call(3, 'echo')).error).toBeUndefined();
  });

  it('or does not answer one any more, leaves an error for it alone, and the call among those that may run', async () => {
    const { client, server, proxy, outcomes } = await connect();
    server.answers.delete('tools/call');
    for (const id of [1, 2]) client.say({ id, method: 'resources/read' });
    client.say({ id: 3, method: 'tools/call', params: { name: 'echo' } });
    await server.first(({ method }) => method === 'tools/call');
    for (const id of [1, 3, 77]) proxy.unanswered(id, 'the connection broke');
    for (const id of [1, 3])
      expect((await client.responseTo(id)).error?.message).toBe('the connection broke');
    expect(client.received.filter(({ id }) => id === 2 || id === 77)).toEqual([]);
    expect(outcomes).toEqual([]);
    server.say({ id: 3, result: { content: [] } });
    server.answers.set('tools/call', () => ({ content: [] }));
    await client.call(4, 'echo');
    expect(outcomes).toHaveLength(2);
    expect(client.received.filter(({ id }) => id === 3)).toHaveLength(1);
    // What the server answers after all is not passed on: the client may have used the id again.
    server.say({ id: 1, result: { contents: [] } });
    await client.call(5, 'echo');
    expect(client.received.filter(({ id }) => id === 1)).toHaveLength(1);
  });

  it('or does not answer what runs in place of a call, leaves it among those that may run, too', async () => {
    const replacing = (call: ToolCall) => ({ run: { ...call, name: 'brake' }, message: 'brake instead' });
    const { client, server, proxy, outcomes } = await connect(replacing);
    server.answers.delete('tools/call');
    client.say({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    const { id } = await server.first(({ method }) => method === 'tools/call');
    proxy.unanswered(id as string, 'the connection broke');
    expect((await client.responseTo(1)).error?.message).toContain('the connection broke');
    expect(outcomes).toEqual([]);
  });
});

describe('the client that goes', () => {
  it('ends the session and the server, and nothing that waited runs', async () => {
    const { client, server, proxy, ends } = await connect(asking([]), forms);
    client.say({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    await question(client);
    let closed = false;
    server.transport.close = async () => void (closed = true);
    client.transport.onclose?.();
    expect(await proxy.closed).toBe('client gone');
    expect(closed).toBe(true);
    expect(ends).toEqual(['end']);
    expect(server.methods()).not.toContain('tools/call');
  });

  it('may wait for what is under way before', async () => {
    const { client, server, proxy } = await connect();
    server.answers.set('resources/read', async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { contents: [] };
    });
    client.say({ id: 1, method: 'resources/read' });
    await proxy.drained(300_000);
    expect(client.received.at(-1)).toMatchObject({ id: 1 });
    await proxy.close();
    expect(await proxy.closed).toBe('closed');
  });
});

describe('the state tool', () => {
  const observe = async (result: object, options: object = {}) => {
    const { client, server, world } = await connect(() => refused, { stateTool: 'look', ...options });
    server.answers.set('tools/call', ({ name }) => (name === 'look' ? result : { content: [] }));
    await client.call(1, 'echo');
    return (world() as McpWorld).state?.();
  };
  const text = (...parts: string[]) => ({ content: parts.map((part) => ({ type: 'text', text: part })) });

  it('observes the world by its data, or its text', async () => {
    expect(await observe({ structuredContent: { open: true }, content: [] })).toEqual({ open: true });
    expect(await observe(text('{"open": false}'))).toEqual({ open: false });
  });

  it.each([
    ['fails', { ...text('no camera'), isError: true }, 'no camera'],
    ['gives no JSON', text('the door is open'), 'not JSON'],
    ['gives a list', text('[1]'), 'expected a JSON object'],
    ['gives nothing', { content: [] }, 'expected a JSON object'],
  ])('that %s observes nothing', async (_, result, message) => {
    await expect(observe(result)).rejects.toThrow(message);
  });

  it('has its time', async () => {
    const { client, server, world } = await connect(() => refused, { stateTool: 'look', stateTimeoutMs: 10 });
    server.answers.delete('tools/call');
    await client.call(1, 'echo');
    await expect(world().state?.()).rejects.toThrow('no answer in time');
    expect(server.methods().at(-1)).toBe('notifications/cancelled');
  });
});
