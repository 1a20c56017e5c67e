import {
  Agent,
  type AgentConfiguration,
  applyPatchTool,
  type Computer,
  computerTool,
  handoff,
  type ModelSettings,
  shellTool,
  tool,
  toolNamespace,
  toolSearchTool,
} from '@openai/agents';
import { Capabilities, SandboxAgent, shell } from '@openai/agents/sandbox';
import { guardAgent, type OpenAIOptions } from 'foreguard/openai-agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mailSession } from '../shared/mailSession.js';
import { mailToolsOf, runner, scripted, told } from './mailAgent.js';

const never = async (): Promise<never> => {
  throw new Error('nothing calls this');
};
const inner = new Agent({ name: 'inner' });
const asked = { toolName: 'ask_inner', toolDescription: 'asks' };
const through = (providerData: NonNullable<ModelSettings['providerData']>) => ({
  modelSettings: { providerData },
});
const searches = [{ type: 'web_search' }];

/** All that gives an agent of the tested SDK tools, or effects, that its function tools do not show; with the names that let it stay unguarded. */
const sources: Record<string, readonly [agent: () => Agent, unguarded: readonly string[]]> = {
  'the default capabilities of a sandbox': [
    () => new SandboxAgent({ name: 'assistant' }),
    Capabilities.default().map(({ type }) => type),
  ],
  'capabilities of a class derived from it': [
    () => new (class extends SandboxAgent {})({ name: 'assistant', capabilities: [shell()] }),
    ['shell'],
  ],
  'a handoff to an agent with capabilities': [
    () => assistant({ handoffs: [handoff(new SandboxAgent({ name: 'coder', capabilities: [shell()] }))] }),
    ['coder'],
  ],
  'an agent as a tool': [() => assistant({ tools: [inner.asTool(asked)] }), ['ask_inner']],
  'an agent as a tool in a namespace': [
    () =>
      assistant({
        tools: toolNamespace({ name: 'agents', description: 'agents', tools: [inner.asTool(asked)] }),
      }),
    ['ask_inner'],
  ],
  'a shell': [() => assistant({ tools: [shellTool({ shell: { run: never } })] }), ['shell']],
  'an editor of files': [
    () =>
      assistant({
        tools: [applyPatchTool({ editor: { createFile: never, updateFile: never, deleteFile: never } })],
      }),
    ['apply_patch'],
  ],
  'a computer': [
    () =>
      assistant({ tools: [computerTool({ name: 'screen', computer: never as () => Promise<Computer> })] }),
    ['screen'],
  ],
  'a search that brings tools at run time': [
    () => assistant({ tools: [toolSearchTool({ execution: 'client', execute: never })] }),
    ['tool_search'],
  ],
  'tools in what is passed through to the provider': [
    () => assistant(through({ tools: searches })),
    ['web_search'],
  ],
  'tools in the body of its request': [
    () => assistant(through({ extraBody: { tools: searches }, extra_body: { tools: [{ name: 'find' }] } })),
    ['web_search', 'find'],
  ],
};

function assistant(config: Partial<AgentConfiguration>): Agent {
  return new Agent({ name: 'assistant', ...config } as AgentConfiguration);
}

async function guarding(agent: Agent, options?: OpenAIOptions) {
  const { session } = await mailSession();
  return () => guardAgent(agent, session, options);
}

describe.each(Object.entries(sources))('%s', (_, [agent, unguarded]) => {
  it('is refused by name', async () => {
    const guard = await guarding(agent());
    for (const name of unguarded) expect(guard).toThrow(`"${name}"`);
  });

  it('is let through if all of its names are given, and not otherwise', async () => {
    expect(await guarding(agent(), { unguarded })).not.toThrow();
    expect(await guarding(agent(), { unguarded: unguarded.slice(1) })).toThrow(`"${unguarded[0]}" would run`);
  });
});

describe('what gives an agent no tools', () => {
  it('is a sandbox without capabilities', async () => {
    const { session, box } = await mailSession();
    const agent = new SandboxAgent({ name: 'assistant', capabilities: [], tools: mailToolsOf(box) });
    expect(guardAgent(agent, session)).toMatchObject({ capabilities: [] });
  });

  it('are other settings that are passed to the provider', async () => {
    expect(await guarding(assistant(through({ safety_identifier: 'ada', tools: [] })))).not.toThrow();
  });

  it('is a stored prompt of the provider: the request names the tools of the agent instead', async () => {
    const { session } = await mailSession();
    const agent = guardAgent(assistant({ prompt: { promptId: 'stored' } }), session);
    expect(agent.hasExplicitToolConfig()).toBe(true);
  });
});

describe('a guarded agent as a tool of another', () => {
  it.each(['as it is', 'in a namespace'])('is no unguarded one, %s', async (how) => {
    const { session, box, happened } = await mailSession();
    const model = scripted([['search', { query: 'bills' }]], 'three');
    const reader = guardAgent(new Agent({ name: 'reader', model, tools: mailToolsOf(box) }), session);
    const read = reader.asTool({ toolName: 'fetch', toolDescription: 'reads' });
    const tools =
      how === 'as it is' ? [read] : toolNamespace({ name: 'agents', description: 'agents', tools: [read] });
    if (how !== 'as it is') return expect(await guarding(assistant({ tools }))).not.toThrow();
    const outer = scripted([['fetch', { input: 'new?' }]], 'done');
    const agent = guardAgent(new Agent({ name: 'assistant', model: outer, tools }), session);
    const { newItems } = await runner.run(agent, 'new?');
    expect(told(newItems)).toEqual({ '1.0': 'three' });
    expect(happened()).toEqual(['decide fetch', 'decide search', 'ran 1', 'ran 0']);
  });

  it('is an unguarded one once the SDK has made another agent of it', async () => {
    const { session } = await mailSession();
    const changed = guardAgent(new Agent({ name: 'inner' }), session).clone({ name: 'changed' });
    expect(await guarding(assistant({ tools: [changed.asTool(asked)] }))).toThrow(
      'agent as a tool "ask_inner"',
    );
  });

  it('is told from a tool that a program has made', async () => {
    const plain = tool({ name: 'search', description: 'x', parameters: z.object({}), execute: never });
    expect(await guarding(assistant({ tools: [plain] }))).not.toThrow();
  });
});
