// A guard before the tools of the Claude Agent SDK: query({ prompt, options: { ...guardClaudeAgent(session), mcpServers } }).
// `propose` stands in for the SDK, so that this runs without it: it hands the hooks what the SDK would.
import { guardClaudeAgent } from 'foreguard/claude-agent';
import { createSession } from 'foreguard/enforce';
import { mailbox, mailGuard, mailTools } from '../mail/mail.mjs';

const { tools, state } = mailbox();
const nameIn = (name) => `mcp__mail__${name}`;
const session = createSession({
  guard: await mailGuard({ strategy: 'reflect' }),
  tools: mailTools.map(nameIn),
  state,
});
const { hooks } = guardClaudeAgent(session);

async function propose(id, name, input) {
  const event = (hook_event_name, more) => {
    const call = { tool_name: nameIn(name), tool_input: input, tool_use_id: id };
    const [hook] = hooks[hook_event_name][0].hooks;
    return hook({ hook_event_name, ...call, ...more }, id, { signal: AbortSignal.timeout(10_000) });
  };
  const { hookSpecificOutput: said } = await event('PreToolUse');
  if (said?.permissionDecision === 'deny') return `denied. ${said.permissionDecisionReason}`;
  const tool_response = await tools[name](input);
  const { stopReason } = await event('PostToolUse', { tool_response });
  return stopReason ?? tool_response;
}

console.log(`fetch: ${await propose('toolu_01', 'fetch', { url: 'https://example.org/offer' })}`);
console.log(`send: ${await propose('toolu_02', 'send', { to: 'mallory@example.org' })}`);
await session.end();
