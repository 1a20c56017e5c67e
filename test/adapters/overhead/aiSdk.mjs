import * as ai6 from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import * as ai7 from 'ai7';
import { MockLanguageModelV4 } from 'ai7/test';
import { guardToolSet } from 'foreguard/ai-sdk';
import { z } from 'zod';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A run of one call: the model proposes it in its only turn. */
function loops({ generateText, tool: define }, MockModel) {
  return ({ session, tool, input }) => {
    let calls = 0;
    const model = new MockModel({
      doGenerate: async () => ({
        content: [
          { type: 'tool-call', toolCallId: `c${calls++}`, toolName: 'search', input: JSON.stringify(input) },
        ],
        finishReason: { unified: 'tool-calls', raw: 'tool-calls' },
        usage,
        warnings: [],
      }),
    });
    const tools = { search: define({ inputSchema: z.object({ query: z.string() }), execute: tool }) };
    const loop = (tools) => async () => {
      model.doGenerateCalls.length = 0;
      return (await generateText({ model, prompt: 'go', tools })).toolResults[0].output;
    };
    return { without: loop(tools), within: loop(guardToolSet(session, tools)) };
  };
}

export const overheads = {
  'ai 6': loops(ai6, MockLanguageModelV3),
  'ai 7': loops(ai7, MockLanguageModelV4),
};
