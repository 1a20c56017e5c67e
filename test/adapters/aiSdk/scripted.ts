import * as testing from 'ai/test';

/** What the model says in a turn: text, or calls of tools as `[name, arguments]`, with ids by turn of the conversation and place, `1.0`, `1.1`, …, or the id given. */
export type Turn = string | readonly (readonly [name: string, args: unknown, id?: string])[];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A language model that says what is written, turn after turn, streamed or not, and keeps the prompts it was given. */
export function scripted(...turns: readonly Turn[]) {
  const prompts: unknown[] = [];
  const next = (prompt: readonly { readonly role: string }[]) => {
    prompts.push(prompt);
    const turn = turns[prompts.length - 1];
    const number = prompt.filter(({ role }) => role === 'assistant').length + 1;
    if (turn === undefined)
      throw new Error(`the model is asked for turn ${prompts.length} of ${turns.length}`);
    const calls =
      typeof turn === 'string'
        ? []
        : turn.map(([toolName, args, id], place) => ({
            type: 'tool-call' as const,
            toolCallId: id ?? `${number}.${place}`,
            toolName,
            input: JSON.stringify(args),
          }));
    const reason = calls.length > 0 ? ('tool-calls' as const) : ('stop' as const);
    return {
      text: typeof turn === 'string' ? turn : '',
      calls,
      end: { finishReason: { unified: reason, raw: reason }, usage },
    };
  };
  const { MockLanguageModelV4, MockLanguageModelV3 } = testing as unknown as Record<
    string,
    typeof testing.MockLanguageModelV3
  >;
  const model = new (MockLanguageModelV4 ?? MockLanguageModelV3)({
    doGenerate: async ({ prompt }) => {
      const { text, calls, end } = next(prompt);
      return { content: text === '' ? calls : [{ type: 'text', text }], ...end, warnings: [] };
    },
    doStream: async ({ prompt }) => {
      const { text, calls, end } = next(prompt);
      const said = [
        { type: 'text-start' as const, id: 'said' },
        { type: 'text-delta' as const, id: 'said', delta: text },
        { type: 'text-end' as const, id: 'said' },
      ];
      return {
        stream: testing.convertArrayToReadableStream([
          { type: 'stream-start' as const, warnings: [] },
          ...(text === '' ? calls : said),
          { type: 'finish' as const, ...end },
        ]),
      };
    },
  });
  return { model, prompts };
}

/** What the model was told of its calls in its last prompt: by id the output of the tool. */
export function toldModel(prompts: readonly unknown[]): Record<string, unknown> {
  const last = prompts.at(-1) as {
    role: string;
    content: { type: string; toolCallId: string; output: unknown }[];
  }[];
  return Object.fromEntries(
    last
      .filter(({ role }) => role === 'tool')
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === 'tool-result')
      .map(({ toolCallId, output }) => [toolCallId, output]),
  );
}
