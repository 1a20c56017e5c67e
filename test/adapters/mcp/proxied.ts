import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll } from 'vitest';
import { addressOf } from './addressOf.js';
import { buildPrograms } from './programs.mjs';

export async function connected(transport: unknown): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as Transport);
  return client;
}

/**
 * The mail server behind `foreguard mcp-proxy` with a specification of its own, in a folder that goes with the tests of the file. `program` are the arguments of
 * Node, with `env`, that start the command with a clock that `pass` sets forward.
 */
export async function proxiedMail(name: string, specification: string) {
  const folder = mkdtempSync(join(tmpdir(), `foreguard-${name}-`));
  const spec = join(folder, 'rules.yaml');
  const started: ChildProcess[] = [];
  afterAll(() => {
    for (const child of started) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(spec, specification);
  const { foreguard, mail } = await buildPrograms(name);
  const server = ['--', process.execPath, mail];
  // What is idle for long is so by a clock that a test sets forward, not by waiting.
  const clock = join(folder, 'clock');
  const program = ['--import', fileURLToPath(new URL('laterClock.mjs', import.meta.url)), foreguard];
  const env = { ...(process.env as Record<string, string>), TEST_CLOCK: clock };
  let forward = 0;
  const pass = (ms: number): void => writeFileSync(clock, String((forward += ms)));
  pass(0);
  const words = (...more: string[]) => [...program, 'mcp-proxy', '--spec', spec, ...more, ...server];
  /** A proxy that listens. @returns what connects a client, with headers */
  const listening = async (...more: string[]) => {
    const child = spawn(process.execPath, words('--listen', '127.0.0.1:0', ...more), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    });
    started.push(child);
    const url = await addressOf(child, 'stderr');
    const over = (headers: Record<string, string> = {}) =>
      connected(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return { child, url, over };
  };
  return { folder, spec, foreguard, server, program, env, pass, words, listening };
}
