import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createSession, type RunRecord } from 'foreguard/enforce';
import { createGuard } from 'foreguard/guard';
import { guardMcp, joinServers, type McpTransport } from 'foreguard/mcp';
import { compileRules, parseSpecification } from 'foreguard/rules';
import { expect, it } from 'vitest';

/** A server of the SDK whose tool `dig` runs as a task until `finish` is called. */
async function digging(name: string) {
  const taskStore = new InMemoryTaskStore();
  const capabilities = { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
  const server = new McpServer({ name, version: '1' }, { capabilities, taskStore });
  let finish = (): unknown => undefined;
  server.experimental.tasks.registerToolTask(
    'dig',
    { execution: { taskSupport: 'required' } },
    {
      createTask: async ({ taskStore: tasks }) => {
        const task = await tasks.createTask({ ttl: 60_000, pollInterval: 20 });
        const content = [{ type: 'text' as const, text: `${name} has dug` }];
        finish = () => tasks.storeTaskResult(task.taskId, 'completed', { content });
        return { task };
      },
      getTask: async ({ taskStore: tasks, taskId }) => tasks.getTask(taskId),
      getTaskResult: async ({ taskStore: tasks, taskId }) => (await tasks.getTaskResult(taskId)) as never,
    },
  );
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  return { near: near as McpTransport, finish: () => finish(), close: () => taskStore.cleanup() };
}

it("tasks of the SDK's servers run behind the guard, each at its own, and their results are the calls' outcomes", async () => {
  const [east, west] = [await digging('east'), await digging('west')];
  const specification = parseSpecification(
    `version: 1
predicates: { digsWest: 'action.name == "west__dig"', eastDug: 'calls.east__dig - failures.east__dig >= 1' }
rules: { eastFirst: { formula: 'G (digsWest -> eastDug)', strategy: block } }`,
  );
  const guard = createGuard(compileRules(specification));
  const records: RunRecord[] = [];
  const log = { append: (record: RunRecord) => void records.push(record) };
  const [clientEnd, proxyEnd] = InMemoryTransport.createLinkedPair();
  const proxy = await guardMcp(proxyEnd as McpTransport, joinServers({ east: east.near, west: west.near }), {
    session: (world) => createSession({ guard, log, maxPending: 2, ...world }),
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(clientEnd as Transport);
  await client.listTools();
  const dig = async (name: string, finish: () => unknown) => {
    const told: string[] = [];
    for await (const message of client.experimental.tasks.callToolStream({ name, arguments: {} })) {
      told.push(message.type === 'error' ? message.error.message : message.type);
      if (message.type === 'taskCreated') {
        expect(records.at(-1)?.kind).toBe('decision');
        expect((await client.experimental.tasks.listTasks()).tasks.map(({ taskId }) => taskId)).toContain(
          message.task.taskId,
        );
        await finish();
      }
      if (message.type === 'result') told.push(JSON.stringify(message.result));
    }
    return told.join(' ');
  };
  expect(await dig('west__dig', west.finish)).toContain('eastFirst');
  expect(await dig('east__dig', east.finish)).toMatch(/taskCreated.*result.*east has dug/);
  await expect.poll(() => records.at(-1)).toMatchObject({ kind: 'outcome', outcome: 'ran' });
  expect(await dig('west__dig', west.finish)).toMatch(/taskCreated.*result.*west has dug/);
  await client.close();
  await proxy.closed;
  for (const { close } of [east, west]) close();
});
