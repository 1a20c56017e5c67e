import { isFunctionTool, type OpenAIAgent } from './sdk.js';

/** What to do about each kind of thing that gives an agent tools which no guard of its function tools sees. */
export const ADVICE = {
  'hosted tool': 'leave out tools that run elsewhere',
  'hosted tool in modelSettings.providerData': 'leave out tools that run elsewhere',
  'sandbox capability': 'give a sandbox agent capabilities: []',
  'agent as a tool': 'guard agents before asTool (guardAgent)',
  'handoff to': 'guard agents that are handed off to first (guardAgent)',
  'MCP server': 'put `foreguard mcp-proxy` before MCP servers',
} as const;

interface Unguarded {
  readonly kind: keyof typeof ADVICE;
  readonly name: string;
}

const GUARDED = new WeakSet<object>();
/** On tools made of a guarded agent; the SDK copies tools into namespaces, with their symbols. */
const GUARDED_INSIDE = Symbol('foreguard: the agent inside is guarded');

/** Remembers that the agent is guarded, also inside the tools that `asTool` makes of it. A copy that the SDK makes of the agent counts as unguarded. */
export function markGuarded(agent: object): void {
  GUARDED.add(agent);
  const { asTool } = agent as { readonly asTool?: (options: unknown) => object };
  if (asTool === undefined) return;
  const marking = (options: unknown) =>
    Object.assign(asTool.call(agent, options), { [GUARDED_INSIDE]: true });
  Object.defineProperty(agent, 'asTool', { value: marking });
}

/** All that gives the agent tools which the guard does not see, by name. */
export function unguardedIn(agent: OpenAIAgent): Unguarded[] {
  const named = (kind: Unguarded['kind'], names: readonly string[]) => names.map((name) => ({ kind, name }));
  const { tools, mcpServers, capabilities } = agent;
  const handoffs = agent.handoffs.map((one) => ('agent' in one ? one.agent : one) as OpenAIAgent);
  return [
    ...named('hosted tool', namesOf(tools.filter((tool) => !isFunctionTool(tool)))),
    ...named('hosted tool in modelSettings.providerData', passedThrough(agent)),
    ...named('sandbox capability', Array.isArray(capabilities) ? capabilities.map(({ type }) => type) : []),
    ...named('agent as a tool', namesOf(tools.filter(isUnguardedAgent))),
    ...named('handoff to', namesOf(handoffs.filter((one) => !GUARDED.has(one)))),
    ...named('MCP server', namesOf(mcpServers)),
  ];
}

function namesOf(all: readonly { readonly name: string }[]): string[] {
  return all.map(({ name }) => name);
}

/** The SDK gives only the tools of `asTool` an `on`, which listens to the agent inside. */
function isUnguardedAgent(tool: { readonly type: string }): boolean {
  return isFunctionTool(tool) && 'on' in tool && !(GUARDED_INSIDE in tool);
}

/** The tools that the agent's settings add to the request: `type`, or the name of a function. */
function passedThrough({ modelSettings }: OpenAIAgent): string[] {
  const passed = modelSettings?.providerData;
  const requests = [passed, passed?.extraBody, passed?.extra_body] as readonly (
    | { readonly tools?: unknown }
    | undefined
  )[];
  return requests.flatMap((request) => {
    const tools = request?.tools;
    if (!Array.isArray(tools)) return [];
    return tools.map((tool) => String(tool?.function?.name ?? tool?.name ?? tool?.type));
  });
}
