import { describe, expect, it } from 'vitest';
import type { McpMessage } from '../../../bindings/runtime/adapters/mcp.js';
import type { Verdict } from '../../../bindings/runtime/enforcement/index.js';
import { anyObject, connect } from './mcpWire.js';

const blocked: Partial<Verdict> = {
  decision: 'block',
  reason: 'at-threshold',
  rule: 'noLeak',
  run: null,
  message: 'Not now: noLeak.',
};

/** The text that the agent reads. */
function textOf({ result }: McpMessage): string {
  return ((result?.content ?? []) as { text: string }[]).map(({ text }) => text).join('\n');
}

describe('the proxy passes on as it is', () => {
  it('every request of the client and its response', async () => {
    const { client, server } = await connect();
    const params = {
      uri: 'file:///a',
      nested: { list: [1, null, { __proto__: 1 }] },
      _meta: { progressToken: 7 },
    };
    for (const method of [
      'resources/read',
      'prompts/get',
      'tools/list',
      'ping',
      'something/else',
      '__proto__',
    ]) {
      server.answers.set(method, () => ({ of: method, deep: { a: [true] } }));
      client.say({ id: method, method, params });
      expect(await client.responseTo(method)).toEqual({
        ...{ jsonrpc: '2.0', id: method, result: { of: method, deep: { a: [true] } } },
      });
      expect(server.received.at(-1)).toEqual(
        JSON.parse(JSON.stringify({ jsonrpc: '2.0', id: method, method, params })),
      );
    }
  });

  it('notifications of both sides, and requests of the server with their responses', async () => {
    const { client, server } = await connect();
    client.say({ method: 'notifications/roots/list_changed', params: { x: 1 } });
    expect(server.received.at(-1)).toMatchObject({
      method: 'notifications/roots/list_changed',
      params: { x: 1 },
    });
    server.say({ method: 'notifications/message', params: { level: 'info', data: 'hello' } });
    expect(client.received.at(-1)).toMatchObject({
      method: 'notifications/message',
      params: { data: 'hello' },
    });
    server.say({ id: 0, method: 'sampling/createMessage', params: { messages: [] } });
    expect(client.received.at(-1)).toMatchObject({ id: 0, method: 'sampling/createMessage' });
    client.say({ id: 0, result: { role: 'assistant' } });
    expect(server.received.at(-1)).toEqual({ jsonrpc: '2.0', id: 0, result: { role: 'assistant' } });
    client.say({ id: 1, error: { code: -1, message: 'no' } });
    expect(server.received.at(-1)).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } });
  });

  it('errors of the server', async () => {
    const { client, server } = await connect();
    client.say({ id: 3, method: 'resources/read' });
    server.say({ id: 3, error: { code: -32002, message: 'none', data: { uri: 'x' } } });
    expect(await client.responseTo(3)).toEqual({
      ...{ jsonrpc: '2.0', id: 3, error: { code: -32002, message: 'none', data: { uri: 'x' } } },
    });
  });

  it('calls that are permitted, with what they are told beside arguments', async () => {
    const { client, server, decided, outcomes } = await connect();
    const params = { name: 'echo', arguments: { a: [1] }, _meta: { progressToken: 't' }, extra: true };
    client.say({ id: 9, method: 'tools/call', params });
    expect(textOf(await client.responseTo(9))).toBe('{"name":"echo","args":{"a":[1]}}');
    expect(server.received.at(-1)).toEqual({ jsonrpc: '2.0', id: 9, method: 'tools/call', params });
    expect(decided).toEqual([{ id: '9', name: 'echo', arguments: { a: [1] } }]);
    expect(outcomes).toEqual([{ result: '{"name":"echo","args":{"a":[1]}}' }]);
  });

  it('messages of the server to the request that they belong to: by progress token, else the latest', async () => {
    const { client, server } = await connect();
    server.answers.delete('tools/call');
    const call = (id: number, progressToken: string) =>
      client.say({ id, method: 'tools/call', params: { name: 'echo', _meta: { progressToken } } });
    call(1, 'one');
    call(2, 'two');
    await server.first(({ id }) => id === 2);
    server.say({ method: 'notifications/progress', params: { progressToken: 'one', progress: 1 } });
    server.say({ id: 5, method: 'sampling/createMessage' });
    expect(client.related.slice(-2)).toEqual([1, 2]);
    server.say({ id: 1, result: { content: [] } });
    server.say({ id: 2, result: { content: [] } });
    await client.responseTo(2);
    server.say({ method: 'notifications/message' });
    expect(client.related.at(-1)).toBeUndefined();
  });
});

describe('a call that is not permitted', () => {
  it('never reaches the server, and its result says why', async () => {
    const { client, server, outcomes } = await connect(() => blocked);
    const response = await client.call(1, 'echo');
    expect(response.result).toEqual({
      content: [{ type: 'text', text: 'Not now: noLeak.' }],
      isError: true,
      _meta: {
        'foreguard/verdict': { decision: 'block', reason: 'at-threshold', rule: 'noLeak', ends: false },
      },
    });
    expect(server.methods()).not.toContain('tools/call');
    expect(outcomes).toEqual([]);
  });

  it('is refused by an error where its result would have to be a task', async () => {
    const { client } = await connect(() => blocked);
    client.say({ id: 1, method: 'tools/call', params: { name: 'echo', task: { ttl: 1 } } });
    expect((await client.responseTo(1)).error?.message).toBe('Not now: noLeak.');
  });

  it('does not run where the session fails', async () => {
    const failing = connect(() => {
      throw new Error('disk full');
    });
    const { client, server } = await failing;
    const response = await client.call(1, 'echo');
    expect(response.result?.isError).toBe(true);
    expect(textOf(response)).toContain('disk full');
    expect(server.methods()).not.toContain('tools/call');
  });

  it('does not run where the session cannot be made', async () => {
    const { client, server } = await connect(undefined, {
      session: () => {
        throw new Error('no replacement named brake');
      },
    });
    expect(textOf(await client.call(1, 'echo'))).toContain('no replacement named brake');
    expect(server.methods()).not.toContain('tools/call');
  });

  it.each([
    ['without a name', { arguments: {} }],
    ['with a name that is not a text', { name: { toString: 'echo' } }],
    ['without parameters', undefined],
  ])('is an error %s', async (_, params) => {
    const { client, server, decided } = await connect();
    client.say({ id: 1, method: 'tools/call', params });
    expect((await client.responseTo(1)).error?.code).toBe(-32602);
    expect(server.methods()).not.toContain('tools/call');
    expect(decided).toEqual([]);
  });

  it('is dropped where it has no id to answer to', async () => {
    const { client, server, notes, decided } = await connect();
    client.say({ method: 'tools/call', params: { name: 'echo' } });
    await client.call(1, 'echo');
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
    expect(decided).toHaveLength(1);
    expect(notes.join()).toContain('without an id');
  });

  it('is refused under the id of a request under way', async () => {
    const { client, server, decided } = await connect();
    server.answers.delete('tools/call');
    client.say({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    await server.first(({ method }) => method === 'tools/call');
    client.say({ id: 1, method: 'tools/call', params: { name: 'brake' } });
    expect((await client.responseTo(1)).error?.code).toBe(-32600);
    client.say({ id: '1', method: 'tools/call', params: { name: 'echo' } });
    await server.first(({ id }) => id === '1');
    expect(decided.map(({ id, name }) => [id, name])).toEqual([
      ['1', 'echo'],
      ['"1"', 'echo'],
    ]);
  });
});

describe('a call that is replaced', () => {
  const braking = (call: Verdict['call']): Partial<Verdict> => ({
    decision: 'replace',
    run: { id: call.id, name: 'brake', arguments: { hard: true } },
    message: 'brake ran instead.',
  });

  it('gives the result of what ran instead, with a note', async () => {
    const { client, server, outcomes } = await connect(braking);
    const response = await client.call(1, 'echo', { a: 1 });
    expect(textOf(response)).toBe('brake ran instead.\n{"name":"brake","args":{"hard":true}}');
    expect(response.result?.isError).toBeUndefined();
    const calls = server.received.filter(({ method }) => method === 'tools/call');
    expect(calls.map(({ params }) => params)).toEqual([{ name: 'brake', arguments: { hard: true } }]);
    expect(outcomes).toHaveLength(1);
  });

  it('gives an error where the tool promises results of a form of its own', async () => {
    const tools = [
      { name: 'echo', inputSchema: anyObject, outputSchema: anyObject },
      { name: 'brake', inputSchema: anyObject },
    ];
    const { client, server, outcomes } = await connect(braking, { tools });
    server.answers.set('tools/call', () => ({ content: [], structuredContent: { speed: 0 } }));
    const { result } = await client.call(1, 'echo');
    expect(result).toMatchObject({ isError: true, content: [{}, { text: '{"speed":0}' }] });
    expect(result).not.toHaveProperty('structuredContent');
    expect(outcomes).toMatchObject([{ result: { speed: 0 } }]);
  });

  it('says so where the replacement fails', async () => {
    const { client, server, outcomes } = await connect(braking);
    server.answers.delete('tools/call');
    client.say({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    const { id } = await server.first(({ method }) => method === 'tools/call');
    server.say({ id, error: { code: -32603, message: 'no brakes' } });
    const response = await client.responseTo(1);
    expect(response.result?.isError).toBe(true);
    expect(textOf(response)).toContain('no brakes');
    expect(outcomes).toEqual([{ error: expect.anything() }]);
  });
});

describe('what a call came to', () => {
  it.each([
    [
      'its data',
      { structuredContent: { n: 1 }, content: [] },
      { result: { n: 1 }, shown: { structuredContent: { n: 1 }, content: [] } },
    ],
    [
      'its text',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { result: 'a\nb' },
    ],
    ['all of it', { content: [{ type: 'image' }] }, { result: { content: [{ type: 'image' }] } }],
  ])('is told to the session: %s', async (_, result, outcome) => {
    const { client, server, outcomes } = await connect();
    server.answers.set('tools/call', () => result);
    expect((await client.call(1, 'echo')).result).toEqual(result);
    expect(outcomes).toEqual([outcome]);
  });

  it('is told to be a failure, and passed on as it is', async () => {
    const { client, server, outcomes } = await connect();
    const failed = { isError: true, content: [{ type: 'text', text: 'no such mail' }] };
    server.answers.set('tools/call', () => failed);
    expect((await client.call(1, 'echo')).result).toEqual(failed);
    expect(outcomes).toEqual([{ error: expect.objectContaining({ message: 'no such mail' }) }]);
  });
});

describe('tools', () => {
  it('are those of all pages, whatever their names, with their schemas', async () => {
    const names = ['echo', '__proto__', 'constructor', 'a b\n"c"', '🔧'];
    const { client, server, world } = await connect(() => blocked, {
      compileSchema: (schema) => () => JSON.stringify(schema),
    });
    const pages = names.map((name, page) => ({
      tools: [{ name, inputSchema: { page } }],
      nextCursor: `${page}`,
    }));
    server.answers.set('tools/list', ({ cursor }) => {
      const page = cursor === undefined ? 0 : Number(cursor) + 1;
      return page < names.length ? pages[page] : { tools: [] };
    });
    server.say({ method: 'notifications/tools/list_changed' });
    await client.call(1, 'echo');
    expect(Object.keys(world().tools)).toEqual(names);
    expect(Object.entries(world().tools).map(([, { check }]) => check({}))).toEqual(
      names.map((_, page) => `{"page":${page}}`),
    );
  });

  it('are not known where the server does not list them, until it does', async () => {
    const { client, server, world, notes } = await connect(() => blocked, { begin: false });
    server.answers.delete('tools/list');
    client.say({ id: 1, method: 'tools/call', params: { name: 'echo' } });
    const { id } = await server.first(({ method }) => method === 'tools/list');
    server.say({ id, error: { code: -32601, message: 'no tools here' } });
    await client.responseTo(1);
    expect(world().tools).toEqual({});
    expect(notes.join()).toContain('no tools here');
  });

  it("that the server lists only later are not the session's, and named", async () => {
    const { client, server, world, notes } = await connect();
    await client.call(1, 'echo');
    const tools = ['echo', 'later'].map((name) => ({ name, inputSchema: anyObject }));
    server.answers.set('tools/list', () => ({ tools }));
    server.say({ method: 'notifications/tools/list_changed' });
    await client.call(2, 'echo');
    expect(notes).toEqual([expect.stringMatching(/: later$/)]);
    expect(Object.keys(world().tools)).toEqual(['echo', 'brake']);
    expect(world().tools.brake.refused()).toContain('does not list');
    expect(world().tools.echo.check({})).toBeNull();
  });

  it('whose schemas cannot be read take no arguments', async () => {
    const { client, world } = await connect(() => blocked, {
      tools: [{ name: 'odd', inputSchema: { type: 7 } }, { name: 'bare' }],
      compileSchema: () => {
        throw new Error('type must be a string');
      },
    });
    await client.call(1, 'odd');
    expect(world().tools.odd.check({})).toContain('type must be a string');
    expect(world().tools.bare.check({})).toContain('no schema');
  });
});

describe('tools that the server calls read-only', () => {
  const look = { name: 'look', inputSchema: anyObject, annotations: { readOnlyHint: true } };
  const write = { name: 'write', inputSchema: anyObject, annotations: { readOnlyHint: false } };
  const hinted = { name: 'hinted', inputSchema: anyObject, annotations: { readOnlyHint: 'true' } };
  const plain = { name: 'plain', inputSchema: anyObject };
  let calls = 0;
  const safeOf = async (wire: Awaited<ReturnType<typeof connect>>) => {
    await wire.client.call(++calls, 'plain');
    return Object.fromEntries(Object.entries(wire.world().tools).map(([name, { safe }]) => [name, safe]));
  };

  it('are safe only if the server is trusted in this', async () => {
    const tools = [look, write, hinted, plain];
    expect(await safeOf(await connect(undefined, { tools }))).toEqual({
      ...{ look: undefined, write: undefined, hinted: undefined, plain: undefined },
    });
    expect(await safeOf(await connect(undefined, { tools, trustReadOnly: true }))).toEqual({
      ...{ look: true, write: undefined, hinted: undefined, plain: undefined },
    });
  });

  it('are so no longer once the server says otherwise, and none becomes so during a run', async () => {
    const wire = await connect(undefined, { tools: [look, write, plain], trustReadOnly: true });
    expect(await safeOf(wire)).toMatchObject({ look: true });
    const listed = (...tools: object[]) => {
      wire.server.answers.set('tools/list', () => ({ tools }));
      wire.server.say({ method: 'notifications/tools/list_changed' });
    };
    listed({ ...look, annotations: {} }, { ...write, annotations: { readOnlyHint: true } }, plain);
    expect(await safeOf(wire)).toMatchObject({ look: false, write: undefined });
    listed(look, look, plain);
    expect(await safeOf(wire)).toMatchObject({ look: false });
  });
});
