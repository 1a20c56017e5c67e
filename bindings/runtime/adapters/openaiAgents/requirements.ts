import { InvalidArgumentError } from '../../../base/errors.js';
import type { Session } from '../../enforcement/index.js';
import type { Decision } from '../../guard/index.js';
import { type FunctionTool, isFunctionTool, type OpenAIAgent } from './sdk.js';

const GUARDED = new WeakSet<object>();

export function markGuarded(agent: object): void {
  GUARDED.add(agent);
}

/** Refuses an agent with unguarded tools: a guard can withhold only function tools. */
export function refuseUnguarded(agent: OpenAIAgent, allowed: readonly string[]): void {
  const { name, tools, handoffs, mcpServers } = agent;
  const to = handoffs.map((handoff) => ('agent' in handoff ? handoff.agent : handoff) as OpenAIAgent);
  const unguarded = [
    ...tools
      .filter((tool) => !isFunctionTool(tool))
      .map((tool) => ({ kind: 'hosted tool', name: tool.name })),
    ...to.filter((agent) => !GUARDED.has(agent)).map((agent) => ({ kind: 'handoff to', name: agent.name })),
    ...mcpServers.map((server) => ({ kind: 'MCP server', name: server.name })),
  ];
  const surplus = allowed.find((one) => !unguarded.some(({ name }) => name === one));
  if (surplus !== undefined) {
    const there = unguarded.map(({ name }) => name).join(', ') || 'none';
    throw new InvalidArgumentError(
      `unguarded: agent "${name}" has no hosted tool, MCP server or handoff to an unguarded agent of the name "${surplus}"; it has ${there}`,
    );
  }
  const found = unguarded.filter(({ name }) => !allowed.includes(name));
  if (found.length === 0) return;
  throw new InvalidArgumentError(
    `agent "${name}": ${found.map(({ kind, name }) => `${kind} "${name}"`).join(', ')} would run unguarded. Only function tools can be guarded: guard agents that are handed off to first (guardAgent), put \`foreguard mcp-proxy\` before MCP servers, or name what may run unguarded in \`unguarded\``,
  );
}

/**
 * Refuses tools that could not return the guard's messages: for an output schema the SDK asks the tool's `errorFunction` to phrase the message, and ends the
 * run if there is none.
 */
export function requirePlainOutput(
  { name, outputSchema, errorFunction }: FunctionTool,
  session: Session,
): void {
  if (outputSchema === undefined) return;
  const told: readonly Decision[] =
    typeof errorFunction === 'function' ? ['replace'] : ['replace', 'block', 'reflect', 'inspect'];
  const untold = told.filter((decision) => session.strategies.has(decision));
  if (untold.length === 0) return;
  throw new InvalidArgumentError(
    `tool "${name}" has an output schema, and the guard may decide ${untold.join(', ')}: what it tells the agent would not fit. Leave the schema out${untold.includes('replace') ? '' : ', or give the tool an errorFunction'}`,
  );
}
