import { InvalidArgumentError, ModelError } from '../errors.js';
import { isObject } from '../objectKind.js';
import type { GenerateRequest, GenerateResult, LanguageModel } from './languageModel.js';

/** Where a model is reached over HTTP. */
export interface OpenAiCompatibleOptions {
  /** Address of the interface up to its version, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  /** Name of the model at that address. */
  readonly model: string;
  /** Sent as bearer token; default: none. */
  readonly key?: string;
  /** The notation of the grammars that the server takes in place of a schema, in the field `grammar` as that of llama.cpp. Default: none, it takes schemas. */
  readonly grammar?: 'gbnf' | 'lark';
  /** How long an answer may take, in milliseconds; default 120000. */
  readonly timeoutMs?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Largest answer that is read, in bytes. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * A language model behind the chat interface that OpenAI, vLLM, Ollama, LM Studio and others offer over HTTP (`POST URL/chat/completions`).
 *
 * @throws InvalidArgumentError for an address that is none
 */
export function openAiCompatible(options: OpenAiCompatibleOptions): LanguageModel {
  const { model, key, timeoutMs = 120_000 } = options;
  if (!/^https?:\/\//.test(options.url))
    throw new InvalidArgumentError(
      `the language model's address is "${options.url}"; expected one such as http://127.0.0.1:11434/v1`,
    );
  const url = `${options.url.replace(/\/+$/, '')}/chat/completions`;
  const fail = (why: string, cause?: unknown): ModelError =>
    new ModelError(`the language model ${model} at ${options.url} ${why}`, { cause });
  return {
    id: model,
    async generate(request, signal) {
      const late = AbortSignal.timeout(timeoutMs);
      try {
        const response = await (options.fetch ?? fetch)(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
          },
          body: JSON.stringify(bodyOf(options, request)),
          signal: signal === undefined ? late : AbortSignal.any([signal, late]),
        });
        const text = await readAtMost(response, MOST_BYTES);
        if (text === null) throw fail(`answered with more than ${MOST_BYTES} bytes`);
        if (!response.ok) throw fail(`answered ${response.status}: ${text.slice(0, 300)}`);
        return readAnswer(text) ?? unreadable(fail, text);
      } catch (cause) {
        if (cause instanceof ModelError) throw cause;
        if (signal?.aborted) throw signal.reason;
        throw fail(late.aborted ? `gave no answer within ${timeoutMs} ms` : 'cannot be reached', cause);
      }
    },
  };
}

function unreadable(fail: (why: string) => ModelError, text: string): never {
  throw fail(`answered what is no chat completion: ${text.slice(0, 300)}`);
}

function bodyOf(
  { model, grammar: notation }: OpenAiCompatibleOptions,
  { system, messages, schema, grammars, samples, temperature, seed, prompt }: GenerateRequest,
) {
  const grammar = notation === undefined ? undefined : grammars?.[notation];
  return {
    model,
    messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...messages],
    ...(grammar !== undefined && { grammar }),
    ...(schema !== undefined &&
      grammar === undefined && {
        response_format: { type: 'json_schema', json_schema: { name: prompt.id, schema } },
      }),
    ...(samples !== undefined && samples > 1 && { n: samples }),
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
  };
}

/** @returns null if there is more */
async function readAtMost(response: Response, most: number): Promise<string | null> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let [text, bytes] = ['', 0];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.length;
    if (bytes > most) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

/** @returns null for what is no completion */
function readAnswer(text: string): GenerateResult | null {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(answer) || !Array.isArray(answer.choices) || answer.choices.length === 0) return null;
  const texts: string[] = [];
  let finish: GenerateResult['finish'] = 'stop';
  for (const choice of answer.choices) {
    const message = isObject(choice) && isObject(choice.message) ? choice.message : {};
    if (typeof message.refusal === 'string') finish = 'refused';
    else if (isObject(choice) && choice.finish_reason === 'length') finish = 'length';
    texts.push(typeof message.content === 'string' ? message.content : '');
  }
  const { prompt_tokens: input, completion_tokens: output } = isObject(answer.usage) ? answer.usage : {};
  const usage = typeof input === 'number' && typeof output === 'number' ? { usage: { input, output } } : {};
  return { texts, finish, ...usage };
}
