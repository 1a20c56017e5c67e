import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Trace } from 'foreguard';
import { readTraceFiles } from 'foreguard/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashInputs } from '../../../bindings/runtime/enforcement/index.js';
import { mailGuard } from '../shared/mail.js';
import { addressOf } from './addressOf.js';
import { buildPrograms } from './programs.mjs';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-mcp-record-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let programs: { foreguard: string; mail: string };
beforeAll(async () => {
  programs = await buildPrograms('recording');
});

const spec = join(folder, 'rules.yaml');
writeFileSync(
  spec,
  `version: 1
predicates:
  fetches: 'has(action.name) && action.name == "fetch"'
  sends: 'has(action.name) && action.name == "send"'
  failed: 'lastToolFailed'
rules: { noneSentAfterFetch: { formula: 'G !(sends & (O fetches))', threshold: 0.5, strategy: block } }
learning: { smoothing: 0 }`,
);

let files = 0;
const newPath = (): string => join(folder, `runs-${files++}.jsonl`);

/** A client of a proxy over standard input and output, before the mail server. */
async function overStdio(...words: string[]) {
  const args = [programs.foreguard, 'mcp-proxy', ...words, '--', process.execPath, programs.mail];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
  let err = '';
  transport.stderr?.on('data', (chunk) => (err += chunk));
  const client = new Client({ name: 'test', version: '1' }, { capabilities: {} });
  await client.connect(transport);
  const call = async (name: string, given: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: given })).isError !== true;
  return { client, transport, call, errors: () => err };
}

async function tracesOf(path: string): Promise<Trace[]> {
  const traces: Trace[] = [];
  for await (const trace of readTraceFiles([path])) traces.push(trace);
  return traces;
}

const actions = ({ steps }: Trace) => steps.map(({ action }) => action?.name);

function foreguard(...words: string[]) {
  return spawnSync(process.execPath, [programs.foreguard, ...words], { encoding: 'utf8' });
}

describe('foreguard mcp-proxy --record', () => {
  it('without a guard passes everything, says so, and records what learn, validate and replay read', async () => {
    const path = newPath();
    const { client, call, errors } = await overStdio('--record', path);
    const began = Date.now() / 1000;
    expect(await call('search', { query: 'a' })).toBe(true);
    expect(await call('fetch', { url: 'x' })).toBe(true);
    expect(await call('send', { to: 'eve' })).toBe(true);
    expect(await call('fail')).toBe(false);
    expect(await call('send', { to: 7 })).toBe(false);
    expect(await call('unlisted', { to: 7 })).toBe(false);
    expect((await client.readResource({ uri: 'mail://7' })).contents).toHaveLength(1);
    await client.close();
    const ended = Date.now() / 1000;
    expect(errors()).toMatch(/nothing is guarded: every call passes, and is recorded in .*runs-0\.jsonl/);

    const [trace, ...others] = await tracesOf(path);
    expect(others).toEqual([]);
    expect(trace.complete).toBe(true);
    expect(actions(trace)).toEqual(['search', 'fetch', 'send', 'fail', 'send', 'unlisted', undefined]);
    const [first, second] = trace.steps;
    expect(first.state).toMatchObject({ lastTool: '', lastResult: null, calls: { send: 0, look: 0 } });
    expect(first.action).toEqual({ name: 'search', arguments: { query: 'a' } });
    expect(second.state).toMatchObject({
      lastTool: 'search',
      lastToolFailed: false,
      lastArguments: { query: 'a' },
      calls: { search: 1 },
    });
    expect(trace.steps.slice(4).map(({ state }) => [state.lastTool, state.lastToolFailed])).toEqual([
      ['fail', true],
      ['send', true],
      ['unlisted', true],
    ]);
    const times = trace.steps.map(({ time }) => time as number);
    expect(times.every((time, i) => time >= (times[i - 1] ?? began - 1) && time <= ended + 1)).toBe(true);

    const files = ['--spec', spec, '--traces', path];
    expect(foreguard('validate', ...files)).toMatchObject({ status: 0 });
    expect(foreguard('learn', ...files, '-o', join(folder, 'model.umb'))).toMatchObject({ status: 0 });
    const replayed = foreguard('replay', ...files, '--json');
    expect(replayed.status).toBe(0);
    expect(JSON.parse(replayed.stdout).totals.noneSentAfterFetch.violations).toBe(1);
  });

  it('beside a guard records what ran, and the guard replayed on it refuses nothing', async () => {
    const path = newPath();
    for (let run = 0; run < 2; run++) {
      const { client, call } = await overStdio('--record', path, '--spec', spec);
      expect(await call('send', { to: 'ann' })).toBe(true);
      expect(await call('fetch', { url: 'x' })).toBe(true);
      expect(await call('send', { to: 'eve' })).toBe(false);
      expect(await call('search', { query: 'a' })).toBe(true);
      await client.close();
    }
    const traces = await tracesOf(path);
    expect(traces.map(actions)).toEqual([
      ['send', 'fetch', 'search', undefined],
      ['send', 'fetch', 'search', undefined],
    ]);
    expect(new Set(traces.map(({ id }) => id)).size).toBe(2);
    const { status, stdout } = foreguard('replay', '--spec', spec, '--traces', path, '--json');
    expect([status, JSON.parse(stdout).decisions]).toEqual([0, { allow: 8 }]);
  });

  it('records the state of a state tool, and hides fields', async () => {
    const path = newPath();
    const guard = join(folder, 'guard.json');
    writeFileSync(guard, JSON.stringify((await mailGuard()).file));
    const words = [
      '--record',
      path,
      '--guard',
      guard,
      '--state-tool',
      'look',
      '--redact',
      'arguments.url',
      'lastResult',
    ];
    const { client, call } = await overStdio(...words);
    expect(await call('fetch', { url: 'secret' })).toBe(true);
    await client.close();
    const [{ steps, notRecorded }] = await tracesOf(path);
    expect(steps.map(({ action }) => action)).toEqual([{ name: 'fetch', arguments: {} }, undefined]);
    expect(steps.map(({ state }) => state)).toMatchObject([
      { tainted: false, leaked: false, lastTool: '', history: [] },
      { tainted: true, leaked: false, lastTool: 'fetch', history: [{ name: 'fetch', arguments: {} }] },
    ]);
    const hidden = ['action.arguments.url', 'lastArguments.url', 'lastResult', 'history.arguments.url'];
    expect(notRecorded).toEqual(Object.fromEntries(hidden.map((field) => [field, 'it is hidden by redact'])));
    expect(readFileSync(path, 'utf8')).not.toContain('secret');
  });

  it('gives learn and compile what they need as it is, for a guard that meets the recorded states at run time', async () => {
    const [path, guardedPath, log] = [newPath(), newPath(), join(folder, 'audit.jsonl')];
    const learnt = join(folder, 'learnt.yaml');
    writeFileSync(
      learnt,
      `version: 1
predicates:
  sends: 'has(action.name) && action.name == "send"'
  fetched: 'history.exists(c, c.name == "fetch" && !c.failed)'
  failed: 'lastToolFailed'
  found: 'lastTool == "search" && !lastToolFailed'
rules: { noneSentAfterFetch: { formula: 'G !(sends & fetched)', threshold: 0.9, strategy: block } }
learning: { smoothing: 0 }`,
    );
    type Called = readonly [name: string, given: Record<string, unknown>];
    const search: Called = ['search', { query: 'a' }];
    const fetch: Called = ['fetch', { url: 'x' }];
    const send: Called = ['send', { to: 'ann' }];
    const runs = [
      [search, send, fetch],
      [search, send, fetch, send],
      [send, ['fail', {}], search],
    ] as const satisfies readonly (readonly Called[])[];
    for (const run of runs) {
      const { client, call } = await overStdio('--record', path);
      for (const [name, given] of run) await call(name, given);
      await client.close();
    }
    const model = join(folder, 'runs.umb');
    const guard = join(folder, 'learnt.json');
    const spoken = [
      foreguard('learn', '--spec', learnt, '--traces', path, '-o', model),
      foreguard('compile', '--spec', learnt, '--model', model, '-o', guard),
    ];
    expect(spoken.map(({ status, stderr }) => [status, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);

    const words = ['--guard', guard, '--record', guardedPath, '--log', log];
    for (const run of runs) {
      const { client, call } = await overStdio(...words);
      for (const [i, [name, given]] of run.entries()) {
        const isRefused = name === 'send' && run.slice(0, i).some(([before]) => before === 'fetch');
        expect(await call(name, given), name).toBe(!isRefused && name !== 'fail');
      }
      await client.close();
    }
    const [recorded, guarded] = [await tracesOf(path), await tracesOf(guardedPath)];
    const untimed = (value: unknown) =>
      JSON.parse(JSON.stringify(value), (key, field) => (key === 'time' ? undefined : field));
    expect(untimed(guarded[0].steps)).toEqual(untimed(recorded[0].steps));
    expect(untimed(guarded[2].steps)).toEqual(untimed(recorded[2].steps));
    // The call that was refused is no step: the run ends in the state before it.
    expect(untimed(guarded[1].steps.map(({ state }) => state))).toEqual(
      untimed(recorded[1].steps.slice(0, -1).map(({ state }) => state)),
    );

    // The hashes in the log are those of what the guard judged: states with their times, and calls.
    const records = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).record);
    const allowed = records.filter(({ kind, decision }) => kind === 'decision' && decision === 'allow');
    const judged = guarded.flatMap(({ steps }) => steps.filter(({ action }) => action !== undefined));
    expect(allowed.map(({ inputs }) => inputs)).toEqual(
      judged.map(({ state, action }) => hashInputs({ state, call: action })),
    );
  });

  it('goes on without the recording where that fails, and refuses what it refused', async () => {
    const place = join(folder, 'taken-away');
    mkdirSync(place);
    const path = join(place, 'runs.jsonl');
    const { client, call, errors } = await overStdio('--record', path, '--spec', spec);
    expect(await call('fetch', { url: 'x' })).toBe(true);
    rmSync(place, { recursive: true });
    expect(await call('send', { to: 'eve' })).toBe(false);
    expect(await call('search', { query: 'a' })).toBe(true);
    expect(await call('send', { to: 'eve' })).toBe(false);
    await client.close();
    expect(errors()).toMatch(/the recording of run \S+ ends early: .*runs\.jsonl\.running/);
  });

  it('decides on a full disk as without a recording, and says so', async () => {
    // Files of the process may have no more than 4 KB, and the next write fails, as on a full disk.
    const path = newPath();
    const command = ['mcp-proxy', '--record', path, '--spec', spec, '--', process.execPath, programs.mail];
    const transport = new StdioClientTransport({
      command: 'bash',
      args: [
        '-c',
        'trap "" XFSZ; ulimit -f 4; exec "$@"',
        'bash',
        process.execPath,
        programs.foreguard,
        ...command,
      ],
      stderr: 'pipe',
    });
    let err = '';
    transport.stderr?.on('data', (chunk) => (err += chunk));
    const client = new Client({ name: 'test', version: '1' }, { capabilities: {} });
    await client.connect(transport);
    const call = async (name: string, given: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: given })).isError !== true;
    expect(await call('fetch', { url: 'x'.repeat(3000) })).toBe(true);
    for (let i = 0; i < 4; i++) expect(await call('search', { query: `${i}` })).toBe(true);
    expect(await call('send', { to: 'eve' })).toBe(false);
    await client.close();
    expect(err).toMatch(/the recording of run \S+ ends early: .*(EFBIG|file too large)/i);
    // What was written before is there, as cut.
    const [trace] = await tracesOf(path);
    expect([trace.complete, actions(trace)[0]]).toEqual([false, 'fetch']);
  });

  it('loses nothing by kill -9: the run is read as cut, and is in the file when it is opened again', async () => {
    const path = newPath();
    const { client, call, transport } = await overStdio('--record', path);
    await call('search', { query: 'a' });
    await call('fetch', { url: 'x' });
    const waiting = new Promise<void>((resolve) => {
      client
        .callTool({ name: 'wait', arguments: {} }, undefined, { onprogress: () => resolve() })
        .catch(() => undefined);
    });
    await waiting;
    process.kill(transport.pid as number, 'SIGKILL');
    await client.close();
    const cut = ['search', 'fetch', 'wait'];
    const [trace, ...others] = await tracesOf(path);
    expect(others).toEqual([]);
    expect([trace.complete, actions(trace)]).toEqual([false, cut]);
    const validated = foreguard('validate', '--spec', spec, '--traces', path);
    expect(validated.status).toBe(0);
    expect(validated.stdout).toMatch(/1 run has not ended, or the process died that recorded it/);

    const again = await overStdio('--record', path);
    await again.call('search', { query: 'b' });
    await again.client.close();
    expect(again.errors()).toMatch(/1 run had not ended when the process died that recorded it/);
    const traces = await tracesOf(path);
    expect(traces.map((one) => [one.complete, actions(one)])).toEqual([
      [false, cut],
      [true, ['search', undefined]],
    ]);
    expect(traces[0]).toEqual(trace);
    expect(existsSync(`${path}.running`)).toBe(false);
  });

  it('takes runs for cut that a crash of the server, or a signal, ended', async () => {
    const path = newPath();
    const crashed = await overStdio('--record', path);
    await crashed.call('search', { query: 'a' });
    await crashed.client.callTool({ name: 'crash', arguments: {} }).catch(() => undefined);
    await crashed.client.close();
    const stopped = await overStdio('--record', path);
    await stopped.call('search', { query: 'a' });
    const closed = new Promise<void>((resolve) => {
      stopped.client.onclose = resolve;
    });
    process.kill(stopped.transport.pid as number, 'SIGTERM');
    await closed;
    const told = (await tracesOf(path)).map((one) => [one.complete, actions(one)]);
    expect(told).toEqual([
      [false, ['search', 'crash']],
      [false, ['search', undefined]],
    ]);
  });

  it('passes calls that wait for one another, which a guard of a chain would make wait', async () => {
    const path = newPath();
    const { client } = await overStdio('--record', path);
    const cancel = new AbortController();
    const waiting = client.callTool({ name: 'wait', arguments: {} }, undefined, {
      signal: cancel.signal,
      onprogress: () => undefined,
    });
    const refused = expect(waiting).rejects.toThrow();
    const searched = await Promise.all(
      [1, 2, 3].map((n) => client.callTool({ name: 'search', arguments: { query: `${n}` } })),
    );
    expect(searched.map(({ isError }) => isError === true)).toEqual([false, false, false]);
    cancel.abort();
    await refused;
    await client.close();
    const [{ steps, complete }] = await tracesOf(path);
    expect(steps.slice(0, 3).map(({ action }) => action?.name)).toEqual(['search', 'search', 'search']);
    expect(steps.map(({ state }) => (state.calls as { search: number }).search)).toEqual([0, 1, 2, 3]);
    // A server may answer a call that was cancelled, or not; if it does not, the run ends with it.
    expect([steps[3].action?.name, complete]).toEqual(['wait', false]);
  });

  it('records each client over HTTP as a run of its own', async () => {
    const path = newPath();
    const args = [programs.foreguard, 'mcp-proxy', '--record', path, '--listen', '127.0.0.1:0/mcp'];
    const child = spawn(process.execPath, [...args, '--', process.execPath, programs.mail], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      const url = await addressOf(child, 'stderr');
      const connect = async () => {
        const transport = new StreamableHTTPClientTransport(url);
        const client = new Client({ name: 'test', version: '1' });
        await client.connect(transport as Transport);
        return { client, transport };
      };
      const [one, two] = [await connect(), await connect()];
      await one.client.callTool({ name: 'search', arguments: { query: '1' } });
      await two.client.callTool({ name: 'fetch', arguments: { url: '2' } });
      await one.client.callTool({ name: 'send', arguments: { to: 'ann' } });
      await one.transport.terminateSession();
      await expect
        .poll(async () => (await tracesOf(path)).map(({ complete }) => complete))
        .toEqual([true, false]);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      expect((await tracesOf(path)).map((trace) => [trace.complete, actions(trace)])).toEqual([
        [true, ['search', 'send', undefined]],
        [false, ['fetch', undefined]],
      ]);
      await one.client.close();
      await two.client.close();
    } finally {
      child.kill('SIGKILL');
    }
  });
});
