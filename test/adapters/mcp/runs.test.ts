import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it } from 'vitest';
import { connected, proxiedMail } from './proxied.js';

const { folder, spec, foreguard, server, program, env, pass, words, listening } = await proxiedMail(
  'runs',
  `version: 1
predicates: { sends: 'action.name == "send"' }
rules: { atMostTwo: { formula: 'G !(sends & Y (O (sends & Y (O sends))))', strategy: block } }`,
);

/** Whether so many calls ran, of a client that then disconnects. */
async function sends(client: Client, times: number): Promise<boolean[]> {
  const ran: boolean[] = [];
  for (let i = 0; i < times; i++)
    ran.push((await client.callTool({ name: 'send', arguments: { to: 'ann' } })).isError !== true);
  await client.close();
  return ran;
}

async function forget(url: URL, client: Client): Promise<void> {
  const { sessionId } = client.transport as StreamableHTTPClientTransport;
  const headers = { 'mcp-session-id': String(sessionId) };
  expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(200);
}

it('is by default as long as a session of the protocol: a client that begins another begins anew', async () => {
  const { over, url } = await listening();
  const client = await over();
  await client.callTool({ name: 'send', arguments: { to: 'ann' } });
  await client.callTool({ name: 'send', arguments: { to: 'ann' } });
  await forget(url, client);
  expect(await sends(await over(), 3)).toEqual([true, true, false]);
});

it('session: goes on for whoever connects, at the same time as well', async () => {
  const { over, child } = await listening('--run', 'session', '--log', join(folder, 'session.jsonl'));
  expect(await sends(await over(), 1)).toEqual([true]);
  const [one, two] = await Promise.all([over(), over()]);
  const ran = await Promise.all([sends(one, 1), sends(two, 1)]);
  expect(ran.flat().sort()).toEqual([false, true]);
  expect(await sends(await over(), 1)).toEqual([false]);
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
  const replay = spawnSync(
    process.execPath,
    [foreguard, 'audit', 'replay', join(folder, 'session.jsonl'), '--spec', spec],
    { encoding: 'utf8' },
  );
  expect(replay.stdout).toMatch(/4 decisions of 1 run, the same to the last bit/);
});

it('header:NAME: is one for each value, which a session cannot change, also after a restart with a log', async () => {
  const log = join(folder, 'header.jsonl');
  const { over, url, child } = await listening('--run', 'header:X-Agent', '--log', log);
  expect(await sends(await over({ 'X-Agent': 'agent-ada' }), 2)).toEqual([true, true]);
  expect(await sends(await over({ 'X-Agent': 'bob' }), 1)).toEqual([true]);
  expect(await sends(await over({ 'X-Agent': 'agent-ada' }), 1)).toEqual([false]);
  await expect(over()).rejects.toThrow('x-agent');
  const client = await over({ 'X-Agent': 'bob' });
  const { sessionId } = client.transport as StreamableHTTPClientTransport;
  const headers = {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...{ 'mcp-session-id': String(sessionId), 'X-Agent': 'eve' },
  };
  expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(403);
  await client.close();
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(readFileSync(log, 'utf8')).not.toContain('agent-ada');

  const again = await listening('--run', 'header:X-Agent', '--log', log);
  expect(await sends(await again.over({ 'X-Agent': 'agent-ada' }), 1)).toEqual([false]);
  expect(await sends(await again.over({ 'X-Agent': 'bob' }), 2)).toEqual([true, false]);
});

it('idle:DURATION: ends when nothing was called for so long', async () => {
  const { over } = await listening('--run', 'idle:1h');
  expect(await sends(await over(), 3)).toEqual([true, true, false]);
  const client = await over();
  expect((await client.callTool({ name: 'send', arguments: { to: 'ann' } })).isError).toBe(true);
  pass(3_600_001);
  expect(await sends(client, 3)).toEqual([true, true, false]);
});

it('idle:DURATION: goes on where a client starts a command anew, with a log', async () => {
  const args = words('--run', 'idle:1h', '--log', join(folder, 'idle.jsonl'));
  const over = () => connected(new StdioClientTransport({ command: process.execPath, args, env }));
  expect(await sends(await over(), 1)).toEqual([true]);
  expect(await sends(await over(), 2)).toEqual([true, false]);
  expect(await sends(await over(), 1)).toEqual([false]);
});

/** A specification of its own, and what connects over standard input to a new proxy that keeps runs in a log. */
function keeping(name: string, text: string) {
  const [own, log] = [join(folder, `${name}.yaml`), join(folder, `${name}.jsonl`)];
  writeFileSync(own, text);
  const over = (...more: string[]) => {
    const args = [
      foreguard,
      'mcp-proxy',
      '--spec',
      own,
      '--run',
      'idle:1h',
      '--log',
      log,
      ...more,
      ...server,
    ];
    return connected(new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' }));
  };
  return { own, log, over };
}

/** `ran`, or what the client was told instead. */
const answerTo = async (client: Client, name: string, args = {}): Promise<string> => {
  const { isError, content } = await client.callTool({ name, arguments: args });
  return isError === true ? JSON.stringify(content) : 'ran';
};

const forbidding = (tool: string, more = ''): string =>
  `version: 1
predicates: { bad: 'action.name == "${tool}"'${more} }
rules: { never: { formula: 'G !bad', strategy: stop } }
`;

it.each(['other rules', 'other options'])(
  'lets nothing run, however often it is asked, while a run of the log cannot be resumed: %s',
  async (change) => {
    const { own, over } = keeping(`kept ${change}`, forbidding('fetch'));
    let client = await over();
    expect(await answerTo(client, 'fetch', { url: 'x' })).toMatch(/never|stopped|over/);
    await client.close();
    if (change === 'other rules') writeFileSync(own, forbidding('fetch', ', q: \'action.name == "dump"\''));
    client = await over(...(change === 'other options' ? ['--on-fault', 'stop'] : []));
    for (let i = 0; i < 3; i++)
      expect(await answerTo(client, 'send', { to: 'ann' })).toMatch(
        /nothing runs until run idle:\S+, .* can be resumed, or is over: .* began with/,
      );
    await client.close();
    writeFileSync(own, forbidding('fetch'));
    client = await over();
    expect(await answerTo(client, 'send', { to: 'ann' })).toMatch(/never|stopped|over/);
    await client.close();
  },
);

it('does not start where no run could be resumed, since rules read what the log does not hold', async () => {
  const { own } = keeping(
    'results',
    `version: 1
predicates: { sends: 'action.name == "send"', found: 'lastResult == "secret"' }
rules: { noLeak: { formula: 'G !(sends & O found)' } }
`,
  );
  const run = (...more: string[]) =>
    spawnSync(
      process.execPath,
      [foreguard, 'mcp-proxy', '--spec', own, '--run', 'idle:1h', ...more, ...server],
      {
        encoding: 'utf8',
        input: '',
      },
    );
  const refused = run('--log', join(folder, 'results.jsonl'));
  expect(refused.stderr).toContain('a rule reads lastResult, and no run could go on after a restart');
  expect(refused.status).toBe(2);
  expect(run().status).toBe(0);
  expect(run('--log', join(folder, 'results.jsonl'), '--state-tool', 'look').status).toBe(0);
});

it('begins the next run with the specification as it stands then, on a connection that was there before', async () => {
  const own = join(folder, 'changed.yaml');
  writeFileSync(own, forbidding('fetch'));
  const args = [...program, 'mcp-proxy', '--spec', own, '--run', 'idle:1h', ...server];
  const client = await connected(
    new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }),
  );
  // Nothing was called yet, so no run has begun.
  writeFileSync(own, forbidding('search'));
  expect(await answerTo(client, 'fetch', { url: 'x' })).toBe('ran');
  writeFileSync(own, forbidding('send'));
  expect(await answerTo(client, 'send', { to: 'ann' })).toBe('ran');
  pass(3_600_001);
  expect(await answerTo(client, 'send', { to: 'ann' })).toMatch(/never|stopped|over/);
  await client.close();
});

it('goes on with a run beside a recording, which does not take it', async () => {
  const { over } = keeping('recorded', forbidding('fetch'));
  const record = ['--record', join(folder, 'recorded-runs.jsonl')];
  let client = await over(...record);
  expect(await answerTo(client, 'send', { to: 'ann' })).toBe('ran');
  await client.close();
  client = await over(...record);
  expect(await answerTo(client, 'send', { to: 'ann' })).toBe('ran');
  expect(await answerTo(client, 'fetch', { url: 'x' })).toMatch(/never|stopped|over/);
  await client.close();
});

it('has the wall clock, for limits an hour and deadlines, also without a sampling period', async () => {
  const { over } = keeping(
    'hour',
    `version: 1
predicates:
  tooMany: 'action.name == "send" && size(history.filter(c, c.name == "send" && c.time > time - 3600)) >= 2'
  late: 'time < 1700000000'
rules: { twoAnHour: { formula: 'G !tooMany' }, notBefore: { formula: 'G !late' } }
`,
  );
  expect(await sends(await over(), 1)).toEqual([true]);
  expect(await sends(await over(), 2)).toEqual([true, false]);
});
