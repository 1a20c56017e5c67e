import { ModelError } from '../errors.js';
import type { GenerateRequest, LanguageModel } from './languageModel.js';

/** What is used of a language model of the Vercel AI SDK (`LanguageModelV2` and later). */
export interface AiSdkModel {
  readonly modelId: string;
  /** One answer to a prompt. */
  doGenerate(options: {
    readonly prompt: readonly unknown[];
    readonly responseFormat?: unknown;
    readonly temperature?: number;
    readonly seed?: number;
    readonly abortSignal?: AbortSignal;
  }): PromiseLike<{
    readonly content: readonly { readonly type: string; readonly text?: unknown }[];
    /** A word, or since version 3 an object with one. */
    readonly finishReason: unknown;
    readonly usage: unknown;
  }>;
}

/** A language model of the Vercel AI SDK, such as `openai('gpt-4.1')`. */
export function modelFromAiSdk(model: AiSdkModel): LanguageModel {
  return {
    id: model.modelId,
    async generate(request, signal) {
      const { system, messages, schema, temperature, seed, prompt } = request;
      return manyTimes(request, async () => {
        const { content, finishReason } = await model.doGenerate({
          prompt: [
            ...(system === undefined ? [] : [{ role: 'system', content: system }]),
            ...messages.map(({ role, content }) => ({ role, content: [{ type: 'text', text: content }] })),
          ],
          ...(schema !== undefined && { responseFormat: { type: 'json', schema, name: prompt.id } }),
          ...(temperature !== undefined && { temperature }),
          ...(seed !== undefined && { seed }),
          ...(signal !== undefined && { abortSignal: signal }),
        });
        const finish = unified(finishReason);
        return {
          text: content.map((part) => (part.type === 'text' ? String(part.text) : '')).join(''),
          finish: finish === 'length' ? 'length' : finish === 'content-filter' ? 'refused' : 'stop',
        };
      });
    },
  };
}

/** What is used of a chat model of LangChain. */
export interface LangChainModel {
  /** One answer to messages, each with its role. */
  invoke(
    messages: [string, string][],
    options?: { readonly signal?: AbortSignal },
  ): PromiseLike<{ readonly content: unknown }>;
}

/** A chat model of LangChain. It is asked for JSON in words; temperature and seed are its own. */
export function modelFromLangChain(model: LangChainModel, id = 'langchain'): LanguageModel {
  return {
    id,
    async generate(request, signal) {
      const { system, messages, schema } = request;
      const asked = [
        ...(system === undefined ? [] : [system]),
        ...(schema === undefined
          ? []
          : [`Answer with one JSON object of this schema:\n${JSON.stringify(schema)}`]),
      ];
      return manyTimes(request, async () => {
        const { content } = await model.invoke(
          [
            ...(asked.length === 0 ? [] : [['system', asked.join('\n\n')] as [string, string]]),
            ...messages.map(({ role, content }): [string, string] => [
              role === 'user' ? 'human' : 'ai',
              content,
            ]),
          ],
          signal === undefined ? undefined : { signal },
        );
        return { text: textOf(content), finish: 'stop' };
      });
    },
  };
}

/** The texts of a message's content, which is a text or a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { text?: unknown }) => (typeof part?.text === 'string' ? part.text : ''))
    .join('');
}

function unified(reason: unknown): unknown {
  return typeof reason === 'object' && reason !== null && 'unified' in reason ? reason.unified : reason;
}

async function manyTimes(
  { samples = 1 }: GenerateRequest,
  ask: () => Promise<{ text: string; finish: 'stop' | 'length' | 'refused' }>,
) {
  const texts: string[] = [];
  let finish: 'stop' | 'length' | 'refused' = 'stop';
  for (let i = 0; i < samples; i++) {
    try {
      const answer = await ask();
      texts.push(answer.text);
      if (answer.finish !== 'stop') finish = answer.finish;
    } catch (cause) {
      if ((cause as Error)?.name === 'AbortError') throw cause;
      throw new ModelError(`the language model gave no answer: ${(cause as Error)?.message}`, { cause });
    }
  }
  return { texts, finish };
}
