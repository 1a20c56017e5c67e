import { describe, expect, it } from 'vitest';
import { guardToolSet } from '../../../bindings/runtime/adapters/aiSdk.js';
import { guardClaudeAgent } from '../../../bindings/runtime/adapters/claudeAgent.js';
import { guardMiddleware, type LangChainRuntime } from '../../../bindings/runtime/adapters/langchain.js';
import { guardMcp, type McpMessage, type McpTransport } from '../../../bindings/runtime/adapters/mcp.js';
import { guardCalls, guardTools } from '../../../bindings/runtime/adapters/plain.js';
import { bindAgentSpec, parseAgentSpec } from '../../../bindings/runtime/agentspec/index.js';
import {
  createSession,
  type RunRecord,
  type Session,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { guardThat, RISKY, SAFE } from '../enforcement/setting.js';

const HARMLESS = '/tmp/notes';
const SECRET = '/etc/passwd';

/** Arguments that name the harmless file so many times when they are read, and then another. */
function turncoat(reads: number): { readonly path: string } {
  let left = reads;
  return {
    get path() {
      return left-- > 0 ? HARMLESS : SECRET;
    },
  };
}

/** A session that refuses the secret file, by a rule and by the tool's own check. */
function reading(options: Partial<SessionOptions> = {}): Session {
  const { rules } = parseAgentSpec('rule @no_secrets trigger any check p enforce stop end');
  return createSession({
    guard: guardThat(),
    tools: { read: { check: ({ path }) => (path === SECRET ? 'not that file' : null) } },
    state: () => SAFE,
    onFault: 'block',
    rules: [
      bindAgentSpec(rules, {
        strategies: { stop: 'block' },
        predicates: { p: `arguments.path == "${SECRET}"` },
      }),
    ],
    ...options,
  });
}

/** One way to have a call carried out. @returns the arguments that the tool was run with, if it was */
type Way = (session: Session, args: object) => Promise<unknown>;

const ways: Readonly<Record<string, Way>> = {
  'tools of a loop': async (session, args) => {
    let got: unknown = null;
    const { read } = guardTools(
      session,
      { read: (given: object) => void (got = given) },
      { onWithheld: 'message' },
    );
    await read(args);
    return got;
  },
  'the calls of a turn': async (session, args) => {
    let got: unknown = null;
    const run = guardCalls(session, { read: (given: object) => void (got = given) });
    await run([{ id: '1', name: 'read', arguments: args as Record<string, unknown> }]);
    return got;
  },
  'the Vercel AI SDK': async (session, args) => {
    let got: unknown = null;
    const { read } = guardToolSet(session, {
      read: { execute: (given: unknown) => void (got = given) },
    }) as unknown as {
      read: Record<'needsApproval' | 'execute', (input: unknown, options: object) => Promise<unknown>>;
    };
    const options = { toolCallId: '1', messages: [] };
    await read.needsApproval(args, options);
    await Promise.resolve(read.execute(args, options)).catch(() => undefined);
    return got;
  },
  'LangChain.js': async (session, args) => {
    let got: unknown = null;
    class ToolMessage {
      readonly type = 'tool';
      readonly content = '';
    }
    class AIMessage {}
    const runtime: LangChainRuntime = {};
    const guard = guardMiddleware(session, {
      ToolMessage: ToolMessage as never,
      AIMessage: AIMessage as never,
    });
    const call = { id: '1', name: 'read', args };
    await guard.wrapModelCall({ runtime }, () => ({ type: 'ai', tool_calls: [call] }));
    await guard.wrapToolCall({ toolCall: call, tool: null, runtime }, ({ toolCall }) => {
      got = toolCall.args;
      return new ToolMessage();
    });
    return got;
  },
  'the Model Context Protocol': async (session, args) => {
    let got: unknown = null;
    let answered = (): void => undefined;
    const answer = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const transport = (send: (message: McpMessage) => unknown): McpTransport => ({
      start: async () => undefined,
      send: async (message) => void send(message as McpMessage),
      close: async () => undefined,
    });
    const client = transport(({ id }) => id === 1 && answered());
    const server = transport(({ id, method, params }) => {
      if (method !== 'tools/list' && method !== 'tools/call') return;
      if (method === 'tools/call') got = params?.arguments;
      const tools = [{ name: 'read', inputSchema: { type: 'object' } }];
      server.onmessage?.({
        jsonrpc: '2.0',
        id,
        result: method === 'tools/list' ? { tools } : { content: [] },
      });
    });
    await guardMcp(client, server, { session: () => session, compileSchema: () => () => null });
    client.onmessage?.({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'read', arguments: args },
    });
    await answer;
    return got;
  },
  'the Claude Agent SDK': async (session, args) => {
    const { hooks } = guardClaudeAgent(session, { permitsAll: true });
    const input = { hook_event_name: 'PreToolUse', tool_name: 'read', tool_input: args, tool_use_id: '1' };
    const { signal } = new AbortController();
    const { hookSpecificOutput: said } = await hooks.PreToolUse[0].hooks[0](input, '1', { signal });
    return said?.permissionDecision === 'allow' ? (said.updatedInput ?? args) : null;
  },
};

describe.each(Object.entries(ways))('what was judged is what runs: %s', (_, way) => {
  it('whenever the arguments change while they are read', async () => {
    let ran = 0;
    for (let reads = 0; reads < 30; reads++) {
      const got = (await way(reading(), turncoat(reads))) as { path: string } | null;
      if (got === null) continue;
      ran++;
      expect([got.path, got.path, got.path], `${reads} reads`).toEqual([HARMLESS, HARMLESS, HARMLESS]);
    }
    expect(ran).toBeGreaterThan(20);
  });

  it('when the arguments change after they were judged', async () => {
    const args = { path: HARMLESS, deep: { list: [HARMLESS] } };
    const append = ({ kind }: RunRecord) => {
      if (kind !== 'decision') return;
      args.path = SECRET;
      args.deep.list[0] = SECRET;
    };
    const got = (await way(reading({ log: { append } }), args)) as typeof args | null;
    // Some frameworks have the call that came of it decided anew, and then it is refused.
    if (got !== null) expect(got).toEqual({ path: HARMLESS, deep: { list: [HARMLESS] } });
    expect(args.path).toBe(SECRET);
  });
});

describe('a replacement', () => {
  it('runs as it was judged', async () => {
    for (let reads = 0; reads < 20; reads++) {
      const session = reading({
        guard: guardThat({ strategy: { kind: 'replace', action: 'read' } }),
        state: () => RISKY,
        rules: [],
        replacements: { read: { name: 'read', arguments: turncoat(reads) } },
      });
      const { run } = await session.check({ id: '1', name: 'read', arguments: { path: 'x' } });
      if (run !== null) expect([run.arguments.path, run.arguments.path]).toEqual([HARMLESS, HARMLESS]);
    }
  });
});

describe('a verdict', () => {
  it('is on a frozen copy of the call, which the records have, too', async () => {
    const records: unknown[] = [];
    const session = reading({ log: { append: (record) => void records.push(JSON.stringify(record)) } });
    const args = { path: HARMLESS, deep: { list: [1] } };
    const verdict = await session.check({ id: '1', name: 'read', arguments: args });
    args.deep.list.push(2);
    expect(verdict.run).toBe(verdict.call);
    expect(verdict.run).toEqual({
      id: '1',
      name: 'read',
      arguments: { path: HARMLESS, deep: { list: [1] } },
    });
    expect(() => (verdict.call.arguments.deep as { list: number[] }).list.push(3)).toThrow(TypeError);
    expect(Object.isFrozen(verdict.run)).toBe(true);
  });

  it('is on a name that was read once', async () => {
    let asked = 0;
    const call = {
      id: '1',
      get name() {
        return asked++ === 0 ? 'read' : 'format';
      },
      arguments: { path: HARMLESS },
    };
    const { run } = await reading().check(call);
    expect(run?.name).toBe('read');
    expect(asked).toBe(1);
  });

  it('on arguments that cannot be run says which', async () => {
    const { message, run, reason } = await reading().check({
      id: '1',
      name: 'read',
      arguments: { path: new Date(0) },
    });
    expect([run, reason]).toEqual([null, 'invalid-arguments']);
    expect(message).toContain('path is an object with a method toJSON, such as a date, which is not JSON');
  });
});

describe('the state of a session', () => {
  it('is read once for all that is judged on it', async () => {
    let asked = 0;
    const world = {
      get a() {
        asked++;
        return asked > 1;
      },
      b: false,
    };
    const seen: unknown[] = [];
    const { rules } = parseAgentSpec('rule @looks trigger any check p enforce stop end');
    const looks = bindAgentSpec(rules, {
      predicates: {
        p: ({ state }) => {
          seen.push(state.a);
          return false;
        },
      },
    });
    const verdict = await reading({ state: () => world, rules: [looks] }).check({
      id: '1',
      name: 'read',
      arguments: { path: HARMLESS },
    });
    expect(asked).toBe(1);
    expect(seen).toEqual([false]);
    expect(verdict.decision).toBe('allow');
  });
});
