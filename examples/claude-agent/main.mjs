// A guard before the tools of the Claude Agent SDK: query({ prompt, options: { ...guardClaudeAgent(session) } }).
// Recorded inputs of its hooks stand in for the SDK here, so that this runs without it.
import { Abstraction, compileGuard, createGuard, learn, parseSpecification } from 'foreguard';
import { guardClaudeAgent } from 'foreguard/claude-agent';
import { createSession } from 'foreguard/enforce';

const specification = parseSpecification(`
version: 1
predicates: { tainted: 'page != "own"', leaked: 'page == "sent"' }
rules: { noLeak: { formula: 'G !leaked', threshold: 0.2, strategy: block } }
learning: { smoothing: 0 }`);
const runs = (count, ...pages) => {
  const steps = pages.map((page) => ({ state: { page } }));
  return Array.from({ length: count }, (_, i) => ({ id: `${pages} ${i}`, steps }));
};
const traces = [
  ...runs(16, 'own', 'own', 'own'),
  ...runs(8, 'own', 'foreign', 'own'),
  ...runs(2, 'own', 'foreign', 'sent'),
];
const { model } = await learn(new Abstraction(specification.abstraction), traces, specification.learning);
const guard = createGuard(compileGuard(specification, model));

let page = 'own';
const session = createSession({ guard, tools: ['WebFetch', 'SendMessage'], state: () => ({ page }) });
const { hooks } = guardClaudeAgent(session);
for (const [hook_event_name, tool_name, tool_input] of [
  ['PreToolUse', 'WebFetch', { url: 'https://example.org/' }],
  ['PostToolUse', 'WebFetch', { url: 'https://example.org/' }],
  ['PreToolUse', 'SendMessage', { to: 'eve', content: 'all invoices' }],
]) {
  if (hook_event_name === 'PostToolUse') page = 'foreign';
  const input = { hook_event_name, tool_name, tool_input, tool_use_id: tool_name };
  const [hook] = hooks[hook_event_name][0].hooks;
  const { hookSpecificOutput: said } = await hook(input, tool_name, { signal: AbortSignal.timeout(9999) });
  console.log(`${hook_event_name} ${tool_name}: ${said?.permissionDecisionReason ?? 'goes on'}`);
}
await session.end();
