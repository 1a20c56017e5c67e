import { guardClaudeAgent } from 'foreguard/claude-agent';

const { signal } = new AbortController();

/** The hooks alone: the SDK runs them between processes, which takes far longer. */
export const overheads = {
  'claude-agent, its hooks': ({ session, tool, input }) => {
    const { hooks } = guardClaudeAgent(session);
    const [before] = hooks.PreToolUse[0].hooks;
    const [after] = hooks.PostToolUse[0].hooks;
    let calls = 0;
    return {
      without: () => tool(input),
      within: async () => {
        const id = `toolu_${calls++}`;
        const call = { tool_name: 'search', tool_input: input, tool_use_id: id };
        const { hookSpecificOutput: said } = await before({ hook_event_name: 'PreToolUse', ...call }, id, {
          signal,
        });
        if (said?.permissionDecision === 'deny') throw new Error(said.permissionDecisionReason);
        const tool_response = await tool(input);
        await after({ hook_event_name: 'PostToolUse', ...call, tool_response }, id, { signal });
        return tool_response;
      },
    };
  },
};
