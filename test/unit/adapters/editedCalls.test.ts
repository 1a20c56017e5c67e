import { describe, expect, it } from 'vitest';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { guardToolSet } from '../../../bindings/runtime/adapters/aiSdk.js';
import {
  type GuardedOptions,
  guardClaudeAgent,
  type HookInput,
} from '../../../bindings/runtime/adapters/claudeAgent.js';
import { inspectionRequest, readAnswer } from '../../../bindings/runtime/adapters/langchain/inspection.js';
import { elicit } from '../../../bindings/runtime/adapters/mcp/elicitation.js';
import { callIdOf } from '../../../bindings/runtime/adapters/mcp/message.js';
import { guardCalls, guardTools } from '../../../bindings/runtime/adapters/plain.js';
import {
  type Answer,
  createSession,
  type Session,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { inspectionOf } from '../enforcement/inspectionOf.js';

const SPECIFICATION = `version: 1
predicates:
  dear: 'action.name == "pay" && action.arguments.amount > 100'
  toEve: 'action.name == "pay" && action.arguments.to == "eve"'
rules: { notDear: { formula: 'G !dear', strategy: inspect }, notEve: { formula: 'G !toEve' } }`;
const DEAR = { amount: 500, to: 'bob' };
const CHEAP = { amount: 50, to: 'bob' };
const TOLD = /A person has changed the arguments of this call, which ran with \{"amount":50,"to":"bob"\}/;

function sessionOf(options: Partial<SessionOptions> = {}): Session {
  const guard = createGuard(compileRules(parseSpecification(SPECIFICATION)));
  return createSession({ guard, tools: ['pay'], edits: true, ...options });
}
const answers = (given: Answer['arguments']) => ({
  ask: async () => ({ approved: true, ...(given && { arguments: given }) }),
});

describe('a call whose arguments a person has changed, in a loop of one’s own', () => {
  it('runs with them, and the agent is told', async () => {
    const ran: unknown[] = [];
    const tools = { pay: (given: object) => ran.push(given) && 'paid' };
    const { pay } = guardTools(sessionOf(answers(CHEAP)), tools, { onWithheld: 'message' });
    expect(await pay(DEAR)).toMatch(TOLD);
    const [{ content }] = await guardCalls(
      sessionOf(answers(CHEAP)),
      tools,
    )([{ id: '1', name: 'pay', arguments: DEAR }]);
    expect(content).toMatch(TOLD);
    expect(ran).toEqual([CHEAP, CHEAP]);
  });
});

describe('with the AI SDK', () => {
  it('runs with them where the session asks, and is refused when configured where `ai` would', async () => {
    const ran: unknown[] = [];
    const tools = { pay: { execute: (given: unknown) => ran.push(given) && 'paid' } };
    const { pay } = guardToolSet(sessionOf(answers(CHEAP)), tools) as unknown as {
      pay: Record<'needsApproval' | 'execute', (given: object, options: object) => Promise<unknown>>;
    };
    const options = { toolCallId: '1', messages: [] };
    expect(await pay.needsApproval(DEAR, options)).toBe(false);
    expect(await pay.execute(DEAR, options)).toMatchObject({
      message: expect.stringMatching(TOLD),
      result: 'paid',
    });
    expect(ran).toEqual([CHEAP]);
    expect(() => guardToolSet(sessionOf(), tools)).toThrow(
      /edits: true.*approvals of `ai`.*give the session `ask`/,
    );
  });
});

describe('with the Claude Agent SDK', () => {
  const before = { hook_event_name: 'PreToolUse', tool_name: 'pay', tool_use_id: '1', tool_input: DEAR };
  const hook = async (options: { hooks: GuardedOptions<never>['hooks'] }, input: HookInput) => {
    const { signal } = new AbortController();
    return (await options.hooks.PreToolUse[0].hooks[0](input, '1', { signal })).hookSpecificOutput;
  };

  it('runs with them, and never with those that were proposed', async () => {
    const output = await hook(guardClaudeAgent(sessionOf(answers(CHEAP))), before);
    expect(output).toMatchObject({
      permissionDecision: 'allow',
      updatedInput: CHEAP,
      additionalContext: expect.stringMatching(TOLD),
    });
  });

  it.each([
    [CHEAP, { behavior: 'allow', updatedInput: CHEAP }],
    [
      { ...DEAR, to: 'eve' },
      { behavior: 'deny', message: expect.stringMatching(/more is against it than was shown/) },
    ],
  ])('takes them from canUseTool, asked once, and judges them: %j', async (given, expected) => {
    let asked = 0;
    const canUseTool = async () => {
      asked++;
      return { behavior: 'allow' as const, updatedInput: given };
    };
    const options = guardClaudeAgent<{ toolUseID: string }>(sessionOf(), { canUseTool });
    expect((await hook(options, before))?.permissionDecision).toBe('ask');
    expect(await options.canUseTool?.('pay', DEAR, { toolUseID: '1' })).toEqual(expected);
    expect(asked).toBe(1);
  });
});

describe('with LangChain', () => {
  const edit = (name: string) => ({ decisions: [{ type: 'edit', editedAction: { name, args: CHEAP } }] });

  it('offers the edit where the session takes one, of this tool alone', () => {
    expect(
      inspectionRequest(inspectionOf('q', { editable: true })).reviewConfigs[0].allowedDecisions,
    ).toContain('edit');
    expect(inspectionRequest(inspectionOf('q')).reviewConfigs[0].allowedDecisions).not.toContain('edit');
    expect(readAnswer(edit('pay'), [], { tool: 'pay' })).toEqual({ approved: true, arguments: CHEAP });
    expect(readAnswer(edit('send'), [], { tool: 'pay' }).approved).toBe(false);
    expect(readAnswer(edit('pay'), []).approved).toBe(false);
  });
});

describe('with forms of MCP clients', () => {
  const client = (content: object, asked: unknown[] = []) =>
    ({
      request: async (_: string, params: unknown) => {
        asked.push(params);
        return { action: 'accept', content };
      },
    }) as never;
  const ask = (content: object, editable: boolean, asked?: unknown[]) => {
    const call = { id: callIdOf(1), name: 'pay', arguments: DEAR };
    return elicit(
      client(content, asked),
      inspectionOf('q', { call, ...(editable && { editable: true }) }),
      new AbortController().signal,
    );
  };

  it('takes other arguments as JSON, where the session does', async () => {
    const asked: { requestedSchema: { properties: object } }[] = [];
    expect(await ask({ approve: true, arguments: JSON.stringify(CHEAP) }, true, asked)).toMatchObject({
      approved: true,
      arguments: CHEAP,
    });
    await ask({ approve: true }, false, asked);
    expect(asked.map(({ requestedSchema }) => Object.keys(requestedSchema.properties))).toEqual([
      ['approve', 'comment', 'arguments'],
      ['approve', 'comment'],
    ]);
    expect(await ask({ approve: true, arguments: ' ' }, true)).not.toHaveProperty('arguments');
    await expect(ask({ approve: true, arguments: 'fifty' }, true)).rejects.toThrow(/not JSON/);
  });
});
