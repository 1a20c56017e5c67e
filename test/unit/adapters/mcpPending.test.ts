import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { learnMdp } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import type { Trace } from '../../../bindings/observations/trace/index.js';
import { compileGuard } from '../../../bindings/rules/risk/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { settled } from '../../settled.js';
import { anyObject, connect } from './mcpWire.js';

type Moments = readonly [armed: boolean, fire: boolean, action?: string][];

/** Shooting fires where it was armed before, and is harmless where it was not. */
const RUNS: readonly Moments[] = [
  [
    [false, false, 'arm'],
    [true, false, 'shoot'],
    [true, true],
  ],
  [
    [false, false, 'shoot'],
    [false, false],
  ],
  [
    [false, false, 'arm'],
    [true, false],
  ],
  [
    [false, false],
    [false, false],
  ],
  [
    [false, false, 'shoot'],
    [false, false, 'shoot'],
    [false, false],
  ],
];

async function connectArmed() {
  const specification = parseSpecification(`version: 1
predicates: { armed: armed, fire: fire }
rules: { noFire: { formula: 'G !fire', threshold: 0.05, strategy: block } }
shield: budget
learning: { model: mdp, smoothing: 0 }`);
  const traces: Trace[] = Array.from({ length: 100 }, (_, i) => ({
    id: String(i),
    steps: RUNS[i % RUNS.length].map(([armed, fire, name]) => ({
      state: { armed, fire },
      ...(name !== undefined && { action: { name } }),
    })),
  }));
  const { model } = await learnMdp(
    new Abstraction(specification.abstraction),
    traces,
    specification.learning,
  );
  const guard = createGuard(compileGuard(specification, model));
  const wire = await connect(undefined, {
    session: (world) =>
      createSession({ guard, onFault: 'block', state: () => ({ armed: false, fire: false }), ...world }),
    tools: ['arm', 'shoot'].map((name) => ({ name, inputSchema: anyObject })),
  });
  wire.server.answers.delete('tools/call');
  return {
    ...wire,
    /** Calls that have reached the server, by their ids. */
    atServer: () => wire.server.received.flatMap(({ id, method }) => (method === 'tools/call' ? [id] : [])),
    begin: (id: number, name: string) =>
      wire.client.say({ id, method: 'tools/call', params: { name, arguments: {} } }),
    answer: (id: number) => wire.server.say({ id, result: { content: [] } }),
    cancel: (requestId: number) =>
      wire.client.say({ method: 'notifications/cancelled', params: { requestId } }),
  };
}

describe('a call that the client does not wait for any more', () => {
  it.each(['cancelled', 'unanswered'])('is judged to be running: %s', async (how) => {
    const { client, proxy, atServer, begin, answer, cancel } = await connectArmed();
    begin(1, 'arm');
    await settled();
    if (how === 'cancelled') cancel(1);
    else proxy.unanswered(1, 'the connection broke');
    const { result } = await client.call(2, 'shoot');
    expect(result).toMatchObject({ isError: true, _meta: { 'foreguard/verdict': { decision: 'block' } } });
    expect(atServer()).toEqual([1]);
    answer(1);
    await settled();
    begin(3, 'shoot');
    await settled();
    // The world is observed again, and nothing was armed.
    expect(atServer()).toEqual([1, 3]);
  });
});

describe('calls of a client that are too many to be judged side by side', () => {
  const nine = [1, 2, 3, 4, 5, 6, 7, 8, 9];

  it('wait until one of those that run has come back', async () => {
    const { client, atServer, begin, answer } = await connectArmed();
    for (const id of nine) begin(id, 'shoot');
    await settled();
    expect(atServer()).toEqual(nine.slice(0, 7));
    answer(1);
    await settled();
    expect(atServer()).toEqual(nine.slice(0, 8));
    for (const id of nine.slice(1, 8)) answer(id);
    await settled();
    answer(9);
    expect(await Promise.all(nine.map((id) => client.responseTo(id)))).toEqual(
      nine.map((id) => ({ jsonrpc: '2.0', id, result: { content: [] } })),
    );
  });

  it('do not run where they are cancelled meanwhile', async () => {
    const { client, atServer, begin, answer, cancel } = await connectArmed();
    for (const id of nine) begin(id, 'shoot');
    await settled();
    cancel(8);
    for (const id of nine.slice(0, 7)) answer(id);
    await settled();
    expect(atServer()).toEqual([...nine.slice(0, 7), 9]);
    expect(client.received.some(({ id }) => id === 8)).toBe(false);
  });

  it('do not wait for what may never come back', async () => {
    const { client, atServer, begin, cancel } = await connectArmed();
    for (const id of nine) begin(id, 'shoot');
    await settled();
    cancel(1);
    const told = await Promise.all([8, 9].map((id) => client.responseTo(id)));
    for (const { result } of told)
      expect(result?._meta).toMatchObject({ 'foreguard/verdict': { reason: 'calls-running' } });
    expect(atServer()).toEqual(nine.slice(0, 7));
  });

  it('do not hold up the end of the connection', async () => {
    const { proxy, atServer, begin } = await connectArmed();
    for (const id of nine) begin(id, 'shoot');
    await settled();
    await proxy.close();
    expect(atServer()).toEqual(nine.slice(0, 7));
  });
});
