import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, describe, expect, it } from 'vitest';
import { withoutSecrets } from '../../../bindings/face/cli/mcp/stdio.js';
import { startPostgres } from '../../postgresql.js';
import { proxiedMail } from './proxied.js';

const { folder, spec, foreguard, server, listening } = await proxiedMail(
  'sharedRuns',
  `version: 1
predicates: { sends: 'action.name == "send"' }
rules: { atMostTwo: { formula: 'G !(sends & Y (O (sends & Y (O sends))))', strategy: block } }`,
);
const asking = join(folder, 'asking.yaml');
writeFileSync(
  asking,
  `version: 1
predicates: { asks: 'action.name == "fetch"' }
rules: { aPerson: { formula: 'G !asks', strategy: inspect } }`,
);
const database = await startPostgres();
afterAll(() => database?.stop());

/** `ran`, or what the client was told instead. */
const answerTo = async (client: Client, name: string, args = {}): Promise<string> => {
  const { isError, content } = await client.callTool({ name, arguments: args });
  return isError === true ? JSON.stringify(content) : 'ran';
};
const send = (client: Client) => answerTo(client, 'send', { to: 'ann' });
const sent = (answers: readonly string[]) => answers.filter((answer) => answer === 'ran').length;

const places = {
  'a folder': join(folder, 'runs'),
  PostgreSQL: `postgresql://test@127.0.0.1:${database?.port}/postgres`,
};

describe.each(Object.entries(places))('runs of several proxies, in %s', (kind, place) => {
  const test = kind === 'PostgreSQL' && database === undefined ? it.skip : it;
  const shared = (...more: string[]) => listening('--run', 'header:X-Agent', '--runs', place, ...more);

  test('count together, call by call, whichever proxy is asked', async () => {
    const [one, two] = await Promise.all([shared(), shared()]);
    const headers = { 'X-Agent': `${kind} ada` };
    const [here, there] = await Promise.all([one.over(headers), two.over(headers)]);
    expect(await send(here)).toBe('ran');
    expect(await send(there)).toBe('ran');
    for (const client of [here, there, here]) expect(await send(client)).toMatch(/atMostTwo/);
    // Another agent has a run of its own, and reading is free.
    expect(await send(await two.over({ 'X-Agent': `${kind} bob` }))).toBe('ran');
    expect(await answerTo(here, 'search', { query: 'x' })).toBe('ran');
  });

  test('count together where calls come at the same time', async () => {
    const proxies = await Promise.all([shared(), shared(), shared()]);
    const clients = await Promise.all(
      proxies.flatMap(({ over }) => [over({ 'X-Agent': `${kind} eve` }), over({ 'X-Agent': `${kind} eve` })]),
    );
    const answers = await Promise.all(clients.flatMap((client) => [send(client), send(client)]));
    expect([1, 2]).toContain(sent(answers));
    for (const answer of answers) if (answer !== 'ran') expect(answer).toMatch(/atMostTwo|another process/);
  });

  test('go on in another proxy after one is killed, and stay stopped', async () => {
    const log = join(folder, `${kind.replace(' ', '')}.jsonl`);
    const first = await shared('--log', log);
    const headers = { 'X-Agent': `${kind} kim` };
    const client = await first.over(headers);
    expect(await send(client)).toBe('ran');
    expect(await send(client)).toBe('ran');
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await shared();
    expect(await send(await second.over(headers))).toMatch(/atMostTwo/);
    // The log of a proxy has what that proxy decided.
    expect(readFileSync(log, 'utf8').match(/"kind":"decision"/g)).toHaveLength(2);
  });

  test('refuse what was begun under other rules, without beginning anew', async () => {
    const own = join(folder, `${kind.replace(' ', '')}.yaml`);
    writeFileSync(own, readFileSync(spec, 'utf8'));
    const headers = { 'X-Agent': `${kind} lee` };
    const one = await shared('--spec', own);
    expect(await send(await one.over(headers))).toBe('ran');
    writeFileSync(own, readFileSync(spec, 'utf8').replace('sends:', 'p: \'action.name == "dump"\', sends:'));
    const two = await shared('--spec', own);
    const client = await two.over(headers);
    for (let i = 0; i < 2; i++)
      expect(await send(client)).toMatch(/nothing runs until run header:\S+ .* --runs to begin anew/);
  });

  test('ask where people answer by a third process', async () => {
    const key = join(folder, `${kind.replace(' ', '')}.key`);
    const command = (...words: string[]) =>
      spawnSync(process.execPath, [foreguard, 'inspections', ...words], { encoding: 'utf8' });
    expect(command('key', key).status).toBe(0);
    const questions = kind === 'PostgreSQL' ? place : join(folder, 'questions');
    const { over } = await shared('--spec', asking, '--inspections', questions, '--inspections-key', key);
    const client = await over({ 'X-Agent': `${kind} mia` });
    const answer = answerTo(client, 'fetch', { url: 'x' });
    const open = async (): Promise<string> => {
      const { stdout } = command('list', questions, '--key', key, '--json');
      if (stdout !== '') {
        const { inspections, folder: shown } = JSON.parse(stdout);
        if (kind === 'PostgreSQL') expect(shown).toBe(`the database at 127.0.0.1:${database?.port}`);
        if (inspections.length > 0) return inspections[0].inspection.id;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
      return open();
    };
    expect(command('approve', questions, await open(), '--key', key, '--by', 'ann').status).toBe(0);
    expect(await answer).toBe('ran');
  });
});

it('says what is missing, and repeats no password', () => {
  const run = (env: Record<string, string>, ...more: string[]) =>
    spawnSync(process.execPath, [foreguard, 'mcp-proxy', '--spec', spec, ...more, ...server], {
      encoding: 'utf8',
      input: '',
      env: { ...process.env, ...env },
    });
  const listen = ['--listen', '127.0.0.1:0', '--run', 'header:X-Agent'];
  const alone = run({}, '--runs', join(folder, 'runs'));
  expect(alone.stderr).toContain('give --listen and --run header:NAME as well');
  expect(alone.status).toBe(2);
  const recording = run({}, ...listen, '--runs', join(folder, 'runs'), '--record', join(folder, 'x.jsonl'));
  expect(recording.stderr).toContain('another may go on with a run of --runs');
  expect(recording.status).toBe(2);
  const silent = run({ FOREGUARD_RUNS: 'postgresql://me:secret@127.0.0.1:1/x' }, ...listen);
  expect(silent.stderr).toContain('cannot keep runs and questions in the database at 127.0.0.1:1');
  expect(silent.stderr).not.toContain('secret');
  expect(silent.status).toBe(2);
});

it('gives the server no address of the database', () => {
  expect(withoutSecrets({ FOREGUARD_RUNS: 'postgresql://me:secret@x/y', PATH: '/bin' })).toEqual({
    PATH: '/bin',
  });
});
