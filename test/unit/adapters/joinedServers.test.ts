import { describe, expect, it } from 'vitest';
import { JoinedServers } from '../../../bindings/runtime/adapters/mcp/index.js';
import type { McpMessage, RequestId } from '../../../bindings/runtime/adapters/mcp.js';
import { anyObject, End } from './mcpWire.js';

/** Servers with tools, behind one transport; `end` is what is said to them, and hears what they say. */
async function joined(
  tools: Readonly<Record<string, readonly string[]>>,
  more: (name: string, end: End) => void = () => {},
) {
  const servers: Record<string, End> = {};
  for (const [name, names] of Object.entries(tools)) {
    const end = new End();
    servers[name] = end;
    end.answers.set('initialize', () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      instructions: `${name} serves`,
    }));
    end.answers.set('tools/list', () => ({
      tools: names.map((one) => ({ name: one, inputSchema: anyObject })),
    }));
    end.answers.set('tools/call', (params) => ({
      content: [{ type: 'text', text: JSON.stringify([name, params.name]) }],
    }));
    more(name, end);
  }
  const transports = Object.fromEntries(
    Object.entries(servers).map(([name, { transport }]) => [name, transport]),
  );
  const one = new JoinedServers(transports);
  const heard: McpMessage[] = [];
  const waiting = new Map<RequestId, (message: McpMessage) => void>();
  const [notes, closed]: [string[], string[]] = [[], []];
  one.onmessage = (message) => {
    heard.push(message);
    if (message.method === undefined) waiting.get(message.id as RequestId)?.(message);
  };
  one.onerror = ({ message }) => notes.push(message);
  one.onclose = () => closed.push('closed');
  await one.start();
  let count = 0;
  const ask = (
    method: string,
    params: Record<string, unknown> = {},
    id: RequestId = ++count,
  ): Promise<McpMessage> =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      void one.send({ jsonrpc: '2.0', id, method, params });
    });
  const begun = await ask('initialize', { capabilities: {} }, 'begin');
  return { one, servers, heard, notes, closed, ask, begun };
}

type Result = Record<'content' | 'tools', { text: string; name: string }[]>;
const resultOf = ({ result }: McpMessage) => result as unknown as Result;
const called = (message: McpMessage) => JSON.parse(resultOf(message).content[0].text);
const namesOf = (message: McpMessage) => resultOf(message).tools.map(({ name }) => name);

describe('several servers', () => {
  it('are one, whose tools are called by server and name', async () => {
    const { ask, begun } = await joined({ mail: ['send', 'a__b'], my_files: ['send'] });
    expect(begun.result).toMatchObject({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'foreguard (mail, my_files)' },
      instructions:
        'Tools of mail are called mail__…. mail serves\nTools of my_files are called my_files__…. my_files serves',
    });
    const names = ['mail__send', 'mail__a__b', 'my_files__send'];
    expect(namesOf(await ask('tools/list'))).toEqual(names);
    const calls = await Promise.all(names.map((name) => ask('tools/call', { name, arguments: {} })));
    expect(calls.map(called)).toEqual([
      ['mail', 'send'],
      ['mail', 'a__b'],
      ['my_files', 'send'],
    ]);
    for (const name of ['send', 'other__send', 7])
      expect((await ask('tools/call', { name })).error?.message).toContain(
        'names none of the servers mail, my_files',
      );
  });

  it.each(['a__b', '_a', 'a_', 'a b', '', 'a.b', 'a'.repeat(65)])('cannot be called "%s"', (name) => {
    expect(() => new JoinedServers({ [name]: new End().transport })).toThrow('expected at most 64 letters');
  });

  it('speak the oldest version among them', async () => {
    const { begun } = await joined({ mail: [], files: [] }, (name, end) => {
      if (name === 'files')
        end.answers.set('initialize', () => ({
          protocolVersion: '2025-06-18',
          capabilities: { logging: {} },
        }));
    });
    expect(begun.result).toMatchObject({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {}, logging: {} },
    });
  });

  it('ask the client under ids of their own, and get its answers', async () => {
    const { one, servers, heard } = await joined({ mail: [], files: [] });
    for (const end of Object.values(servers))
      end.say({ id: 1, method: 'roots/list', params: { _meta: { progressToken: 'p' } } });
    const [first, second] = heard.filter(({ method }) => method === 'roots/list');
    expect(first.id).not.toBe(second.id);
    const { progressToken } = (second.params as { _meta: { progressToken: string } })._meta;
    await one.send({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress: 1 },
    });
    await one.send({ jsonrpc: '2.0', id: second.id, result: { roots: [2] } });
    await one.send({ jsonrpc: '2.0', id: first.id, result: { roots: [1] } });
    expect(servers.mail.received.at(-1)).toMatchObject({ id: 1, result: { roots: [1] } });
    expect(servers.files.received.slice(-2)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p' } },
      { id: 1, result: { roots: [2] } },
    ]);
    servers.mail.say({ method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(heard.at(-1)?.params?.requestId).toBe(first.id);
  });

  it('answer only what they were asked', async () => {
    const { ask, servers, heard, notes } = await joined({ mail: ['send'], files: ['read'] });
    servers.mail.answers.delete('tools/call');
    const waiting = ask('tools/call', { name: 'mail__send', _meta: { progressToken: 9 } }, 5);
    await servers.mail.first(({ method }) => method === 'tools/call');
    servers.files.say({ id: 5, result: { content: ['forged'] } });
    servers.files.say({ method: 'notifications/progress', params: { progressToken: 9, progress: 1 } });
    servers.mail.say({ method: 'notifications/progress', params: { progressToken: 9, progress: 2 } });
    servers.mail.say({ id: 5, result: { content: [] } });
    expect((await waiting).result).toEqual({ content: [] });
    expect(heard.filter(({ method }) => method === 'notifications/progress')).toHaveLength(1);
    expect(notes).toEqual(['files: a response to no request was left out']);
  });

  it('take only their own tools with them when they end', async () => {
    const { ask, servers, heard, notes, closed } = await joined({ mail: ['send'], files: ['read'] });
    servers.mail.answers.delete('tools/call');
    const waiting = ask('tools/call', { name: 'mail__send' });
    await servers.mail.first(({ method }) => method === 'tools/call');
    servers.mail.transport.onclose?.();
    expect((await waiting).error?.message).toMatch(/"mail" is gone: .* carried out, or not/);
    expect(heard.at(-1)?.method).toBe('notifications/tools/list_changed');
    expect(namesOf(await ask('tools/list'))).toEqual(['files__read']);
    expect((await ask('tools/call', { name: 'mail__send' })).error?.message).toBe(
      'the server "mail" is gone',
    );
    expect(called(await ask('tools/call', { name: 'files__read' }))).toEqual(['files', 'read']);
    expect(notes).toEqual(['the server "mail" is gone with its tools: it has ended']);
    expect(closed).toEqual([]);
    servers.files.transport.onclose?.();
    expect(closed).toEqual(['closed']);
  });

  it('that do not begin are gone; the others serve', async () => {
    const { ask, notes } = await joined({ mail: ['send'], files: ['read'] }, (name, end) => {
      if (name === 'mail') {
        end.answers.delete('initialize');
        const { send } = end.transport;
        end.transport.send = async (message, options) => {
          await send(message, options);
          const { id } = message as McpMessage;
          if (id !== undefined) end.say({ id, error: { code: 1, message: 'no' } });
        };
      }
    });
    expect(namesOf(await ask('tools/list'))).toEqual(['files__read']);
    expect(notes[0]).toContain('the server "mail" is gone with its tools: it does not start');
  });

  it('read a resource where it is listed, and nowhere else', async () => {
    const { ask, servers } = await joined({ mail: [], files: [] }, (name, end) => {
      end.answers.set('initialize', () => ({
        protocolVersion: '2025-11-25',
        capabilities: { resources: {} },
      }));
      const own = { uri: `${name}://own` };
      end.answers.set('resources/list', () => ({
        resources: name === 'mail' ? [own] : [own, { uri: 'mail://own' }],
      }));
      end.answers.set('resources/templates/list', () => ({
        resourceTemplates: [{ uriTemplate: `${name}://{id}` }],
      }));
      end.answers.set('resources/read', ({ uri }) => ({ read: [name, uri] }));
    });
    for (const [uri, server] of [
      ['mail://own', 'mail'],
      ['mail://7', 'mail'],
      ['files://7', 'files'],
    ])
      expect((await ask('resources/read', { uri })).result).toEqual({ read: [server, uri] });
    expect((await ask('resources/list')).result?.resources).toEqual([
      { uri: 'mail://own' },
      { uri: 'files://own' },
    ]);
    expect((await ask('resources/read', { uri: 'secret://7' })).error?.code).toBe(-32002);
    expect(JSON.stringify(Object.values(servers).map(({ received }) => received))).not.toContain('secret');
  });

  it('name prompts as tools, and refuse what belongs to no server', async () => {
    const { ask, servers } = await joined({ mail: [], files: [] }, (_, end) => {
      end.answers.set('initialize', () => ({ protocolVersion: '2025-11-25', capabilities: { prompts: {} } }));
      end.answers.set('prompts/list', () => ({ prompts: [{ name: 'greet' }] }));
      end.answers.set('prompts/get', (params) => ({ params }));
      end.answers.set('completion/complete', (params) => ({ params }));
    });
    expect((await ask('prompts/list')).result?.prompts).toEqual([
      { name: 'mail__greet' },
      { name: 'files__greet' },
    ]);
    expect((await ask('prompts/get', { name: 'files__greet' })).result).toEqual({
      params: { name: 'greet' },
    });
    const ref = { type: 'ref/prompt', name: 'mail__greet' };
    expect((await ask('completion/complete', { ref })).result).toEqual({
      params: { ref: { type: 'ref/prompt', name: 'greet' } },
    });
    expect((await ask('tasks/get', { taskId: '1' })).error?.code).toBe(-32602);
    expect((await ask('ping')).result).toEqual({});
    expect(servers.mail.methods()).not.toContain('tasks/get');
  });

  it('are cancelled where the request is', async () => {
    const { one, ask, servers } = await joined({ mail: ['send'], files: ['read'] });
    servers.mail.answers.delete('tools/call');
    void ask('tools/call', { name: 'mail__send' }, 8);
    await servers.mail.first(({ method }) => method === 'tools/call');
    await one.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 8 } });
    expect(servers.mail.methods().at(-1)).toBe('notifications/cancelled');
    expect(servers.files.methods()).not.toContain('notifications/cancelled');
  });
});
