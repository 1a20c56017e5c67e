import { describe, expect, it } from 'vitest';
import { JoinedServers } from '../../../bindings/runtime/adapters/mcp/index.js';
import type { McpMessage, RequestId } from '../../../bindings/runtime/adapters/mcp.js';
import { anyObject, connect, End } from './mcpWire.js';

const RELATED = 'io.modelcontextprotocol/related-task';
const task = (status: string) => ({ taskId: '1', status, ttl: null, createdAt: '', lastUpdatedAt: '' });

/** A server all of whose calls become the task "1", which is over once `end` is called. */
function taskServer(name: string, version = '2025-11-25') {
  const server = new End();
  let end = (_result: object): void => undefined;
  const over = new Promise<object>((resolve) => {
    end = resolve;
  });
  server.answers.set('initialize', () => ({
    protocolVersion: version,
    capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  }));
  server.answers.set('tools/list', () => ({ tools: [{ name: 'work', inputSchema: anyObject }] }));
  server.answers.set('tools/call', () => ({ task: task('working') }));
  server.answers.set('tasks/get', () => ({ ...task('working'), statusMessage: name }));
  server.answers.set('tasks/list', () => ({ tasks: [{ ...task('working'), statusMessage: name }] }));
  server.answers.set('tasks/cancel', () => ({ ...task('cancelled'), statusMessage: name }));
  server.answers.set('tasks/result', async ({ taskId }) => ({
    ...(await over),
    _meta: { [RELATED]: { taskId } },
  }));
  return { server, end };
}

async function joined(version?: string) {
  const [mail, files] = [taskServer('mail', version), taskServer('files')];
  const one = new JoinedServers({ mail: mail.server.transport, files: files.server.transport });
  const heard: McpMessage[] = [];
  const waiting = new Map<RequestId, (message: McpMessage) => void>();
  one.onmessage = (message) => {
    heard.push(message);
    if (message.method === undefined) waiting.get(message.id as RequestId)?.(message);
  };
  one.onerror = () => undefined;
  await one.start();
  let count = 0;
  const ask = (method: string, params: Record<string, unknown> = {}): Promise<McpMessage> =>
    new Promise((resolve) => {
      const id = ++count;
      waiting.set(id, resolve);
      void one.send({ jsonrpc: '2.0', id, method, params });
    });
  const begun = await ask('initialize', { capabilities: { tasks: { list: {} }, sampling: {} } });
  const call = async (name: string, more: object = {}) => {
    const { result } = await ask('tools/call', { name, task: {}, ...more });
    return (result as { task: { taskId: string } }).task.taskId;
  };
  return { one, mail, files, heard, ask, begun, call };
}

describe('tasks of several servers', () => {
  it('are asked about at their server alone, though their ids are equal', async () => {
    const { ask, call, mail, files, begun } = await joined();
    expect(begun.result?.capabilities).toMatchObject({
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    });
    const [atMail, atFiles] = [await call('mail__work'), await call('files__work')];
    expect(atMail).not.toBe(atFiles);
    for (const method of ['tasks/get', 'tasks/cancel']) {
      const answer = (await ask(method, { taskId: atFiles })).result;
      expect(answer).toMatchObject({ taskId: atFiles, statusMessage: 'files' });
    }
    expect(mail.server.methods().filter((method) => method.startsWith('tasks/'))).toEqual([]);
    files.end({ content: [] });
    expect((await ask('tasks/result', { taskId: atFiles })).result).toEqual({
      content: [],
      _meta: { [RELATED]: { taskId: atFiles } },
    });
    expect(files.server.received.at(-1)?.params).toMatchObject({ taskId: '1' });
    const { tasks } = (await ask('tasks/list')).result as {
      tasks: { taskId: string; statusMessage: string }[];
    };
    expect(tasks.map(({ taskId, statusMessage }) => [taskId, statusMessage])).toEqual([
      [atMail, 'mail'],
      [atFiles, 'files'],
    ]);
  });

  it.each(['1', 'mail/', 'mail/x', 'mail/"1', 'none/"1"', '', 7])(
    'are not found under %j',
    async (taskId) => {
      const { ask, call, mail, files } = await joined();
      await call('mail__work');
      expect((await ask('tasks/get', { taskId })).error?.code).toBe(-32602);
      for (const { server } of [mail, files]) expect(server.methods()).not.toContain('tasks/get');
    },
  );

  it('have their ids in statuses and in what belongs to them, and progress until they are over', async () => {
    const { one, heard, call, mail, files } = await joined();
    const id = await call('mail__work', { _meta: { progressToken: 't' } });
    const progress = { method: 'notifications/progress', params: { progressToken: 't', progress: 1 } };
    mail.server.say(progress);
    files.server.say(progress);
    expect(heard.filter(({ method }) => method === 'notifications/progress')).toHaveLength(1);
    mail.server.say({
      id: 5,
      method: 'elicitation/create',
      params: { _meta: { [RELATED]: { taskId: '1' } } },
    });
    const asked = heard.at(-1) as McpMessage & { id: RequestId };
    expect(asked.params).toEqual({ _meta: { [RELATED]: { taskId: id } } });
    await one.send({ jsonrpc: '2.0', id: asked.id, result: { _meta: { [RELATED]: { taskId: id } } } });
    expect(mail.server.received.at(-1)).toMatchObject({
      id: 5,
      result: { _meta: { [RELATED]: { taskId: '1' } } },
    });
    mail.server.say({ method: 'notifications/tasks/status', params: task('completed') });
    expect(heard.at(-1)?.params).toMatchObject({ taskId: id, status: 'completed' });
    const before = heard.length;
    mail.server.say(progress);
    expect(heard).toHaveLength(before);
  });

  it('fail where their server is gone, and those of the others go on', async () => {
    const { ask, call, mail } = await joined();
    const [atMail, atFiles] = [await call('mail__work'), await call('files__work')];
    const waiting = ask('tasks/result', { taskId: atMail });
    await mail.server.first(({ method }) => method === 'tasks/result');
    mail.server.transport.onclose?.();
    expect((await waiting).error?.message).toContain('may have been carried out, or not');
    expect((await ask('tasks/get', { taskId: atMail })).error?.code).toBe(-32602);
    expect((await ask('tasks/get', { taskId: atFiles })).result).toMatchObject({ statusMessage: 'files' });
  });

  it('are not offered where a server speaks a version without them, and none are kept at the client', async () => {
    const { begun, mail } = await joined('2025-06-18');
    expect(begun.result?.capabilities).not.toHaveProperty('tasks');
    expect(mail.server.received[0].params?.capabilities).toEqual({ sampling: {} });
  });
});

describe('a call that becomes a task', () => {
  const begun = async () => {
    const wire = await connect();
    const { server, end } = taskServer('one');
    for (const method of ['tools/call', 'tasks/result'])
      wire.server.answers.set(method, server.answers.get(method) as never);
    wire.client.say({ id: 1, method: 'tools/call', params: { name: 'echo', task: {} } });
    expect((await wire.client.responseTo(1)).result).toMatchObject({ task: { taskId: '1' } });
    await wire.server.first(({ method }) => method === 'tasks/result');
    return { ...wire, end };
  };

  it.each([
    [{ content: [{ type: 'text', text: 'done' }] }, { result: 'done' }],
    [{ content: [{ type: 'text', text: 'no money' }], isError: true }, { error: expect.anything() }],
  ])('has come back when the task is over, with its result: %j', async (result, outcome) => {
    const { outcomes, end } = await begun();
    expect(outcomes).toEqual([]);
    end(result);
    await expect.poll(() => outcomes).toEqual([outcome]);
  });

  it('may have run where the server has forgotten the task, or it was cancelled', async () => {
    const { server, outcomes } = await begun();
    const { id } = await server.first(({ method }) => method === 'tasks/result');
    server.say({ id, error: { code: -32602, message: 'cancelled' } });
    await expect.poll(() => outcomes).toMatchObject([{ mayHaveRun: true }]);
  });

  it('has no outcome where the task never ends or the server dies, and nothing waits for it', async () => {
    const { server, client, outcomes, proxy, ends } = await begun();
    // Its id is free, since it was answered.
    server.answers.set('tools/call', () => ({ content: [] }));
    client.received.length = 0;
    expect((await client.call(1, 'echo')).result).toEqual({ content: [] });
    expect(outcomes).toHaveLength(1);
    server.transport.onclose?.();
    expect(await proxy.closed).toBe('server gone');
    expect([outcomes.length, ends]).toEqual([1, ['end']]);
  });

  it('is what it was where a task was not asked for', async () => {
    const { client, server, outcomes } = await connect();
    server.answers.set('tools/call', () => ({ content: [], task: task('working') }));
    await client.call(1, 'echo');
    await expect.poll(() => outcomes).toHaveLength(1);
    expect(server.methods()).not.toContain('tasks/result');
  });
});
