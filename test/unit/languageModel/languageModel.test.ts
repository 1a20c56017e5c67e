import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ModelError } from '../../../bindings/base/errors.js';
import {
  budgetedModel,
  type GenerateRequest,
  modelFromAiSdk,
  modelFromFunction,
  modelFromLangChain,
  objectIn,
  openAiCompatible,
  recordedModel,
  recordingModel,
} from '../../../bindings/base/languageModel/index.js';

const request: GenerateRequest = {
  purpose: 'policy',
  prompt: { id: 'policy', version: 1, hash: 'abc' },
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'Hello' }],
  schema: { type: 'object' },
  samples: 2,
  temperature: 0.5,
};

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A server that answers so, and what it was asked. */
async function serving(status: number, body: string | (() => string)) {
  const asked: { url: string | undefined; authorization: string | undefined; body: unknown }[] = [];
  const server = createServer((incoming, response) => {
    let text = '';
    incoming.on('data', (chunk) => {
      text += chunk;
    });
    incoming.on('end', () => {
      asked.push({
        url: incoming.url,
        authorization: incoming.headers.authorization,
        body: JSON.parse(text),
      });
      if (body === '') return;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : body());
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, asked };
}

const completion = (...texts: string[]) =>
  JSON.stringify({
    choices: texts.map((content) => ({ message: { content }, finish_reason: 'stop' })),
    usage: { prompt_tokens: 7, completion_tokens: 3 },
  });

describe('a model over HTTP', () => {
  it('is asked as chat interfaces are, and its answers are read', async () => {
    const { url, asked } = await serving(200, completion('one', 'two'));
    const model = openAiCompatible({ url, model: 'qwen3', key: 'secret' });
    expect(await model.generate(request)).toEqual({
      texts: ['one', 'two'],
      finish: 'stop',
      usage: { input: 7, output: 3 },
    });
    expect(asked).toEqual([
      {
        url: '/v1/chat/completions',
        authorization: 'Bearer secret',
        body: {
          model: 'qwen3',
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'Hello' },
          ],
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'policy', schema: { type: 'object' } },
          },
          n: 2,
          temperature: 0.5,
        },
      },
    ]);
  });

  it.each([
    ['an error', 500, '{"error": "overloaded"}', 'answered 500: {"error": "overloaded"}'],
    ['prose', 200, 'Sure!', 'answered what is no chat completion: Sure!'],
    ['no choices', 200, '{"choices": []}', 'answered what is no chat completion'],
    ['a flood', 200, () => 'x'.repeat(9_000_000), 'answered with more than 8388608 bytes'],
  ])('that answers %s gives an error', async (_, status, body, message) => {
    const { url } = await serving(status, body);
    const asked = openAiCompatible({ url, model: 'm', key: 'secret' }).generate(request);
    await expect(asked).rejects.toThrow(ModelError);
    await expect(asked).rejects.toThrow(message);
    await expect(asked).rejects.not.toThrow('secret');
  });

  it('that does not answer is waited for as long as stated, or until the caller stops', async () => {
    const { url } = await serving(200, '');
    await expect(openAiCompatible({ url, model: 'm', timeoutMs: 20 }).generate(request)).rejects.toThrow(
      'gave no answer within 20 ms',
    );
    const reason = new Error('enough');
    await expect(
      openAiCompatible({ url, model: 'm' }).generate(request, AbortSignal.abort(reason)),
    ).rejects.toBe(reason);
    servers[0].closeAllConnections();
    await expect(
      openAiCompatible({ url: 'http://127.0.0.1:1/v1', model: 'm' }).generate(request),
    ).rejects.toThrow('cannot be reached');
    expect(() => openAiCompatible({ url: 'localhost', model: 'm' })).toThrow('expected one such as http://');
  });
});

describe('recorded answers', () => {
  it('are given again in their order, to the same request alone', async () => {
    let count = 0;
    let lines = '';
    const model = recordingModel(
      modelFromFunction('counting', () => `answer ${count++}`),
      (line) => {
        lines += line;
      },
    );
    for (let i = 0; i < 2; i++) await model.generate({ ...request, samples: 1 });
    const again = recordedModel(lines, 'said.jsonl');
    expect(again.id).toBe('recorded/counting');
    const given = [];
    for (let i = 0; i < 3; i++) given.push((await again.generate({ ...request, samples: 1 })).texts[0]);
    expect(given).toEqual(['answer 0', 'answer 1', 'answer 1']);
    const other = { ...request, samples: 1, prompt: { ...request.prompt, hash: 'changed' } };
    await expect(again.generate(other)).rejects.toThrow(
      /said.jsonl has no answer to this request \(policy, prompt policy version 1/,
    );
  });

  it('that are none are refused with their place', () => {
    expect(() => recordedModel('{"key": 1}', 'said.jsonl')).toThrow('said.jsonl:1 is no recorded answer');
    expect(() => recordedModel('\nx', 'said.jsonl')).toThrow('said.jsonl:2 is not JSON');
  });
});

it('a budget ends what a model is asked', async () => {
  const talking = {
    id: 'm',
    generate: async () => ({ texts: ['x'], finish: 'stop' as const, usage: { input: 30, output: 30 } }),
  };
  const few = budgetedModel(talking, { calls: 2 });
  await few.generate(request);
  await few.generate(request);
  await expect(few.generate(request)).rejects.toThrow('m was asked 2 times, as often as it may be');
  const short = budgetedModel(talking, { tokens: 100 });
  await short.generate(request);
  await short.generate(request);
  await expect(short.generate(request)).rejects.toThrow('m used 120 tokens; at most 100 are allowed');
});

describe('models of frameworks', () => {
  it('of the AI SDK get prompt, schema and settings', async () => {
    const asked: unknown[] = [];
    const model = modelFromAiSdk({
      modelId: 'openai/x',
      doGenerate: async (options) => {
        asked.push(options);
        return {
          content: [{ type: 'reasoning' }, { type: 'text', text: 'hi' }],
          finishReason: { unified: 'length' },
          usage: {},
        };
      },
    });
    expect(await model.generate(request)).toEqual({ texts: ['hi', 'hi'], finish: 'length' });
    expect(asked[0]).toEqual({
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      ],
      responseFormat: { type: 'json', schema: { type: 'object' }, name: 'policy' },
      temperature: 0.5,
    });
  });

  it('of LangChain are asked for JSON in words', async () => {
    const asked: unknown[] = [];
    const model = modelFromLangChain({
      invoke: async (messages) => {
        asked.push(messages);
        return {
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        };
      },
    });
    expect((await model.generate({ ...request, samples: 1 })).texts).toEqual(['ab']);
    expect(asked).toEqual([
      [
        ['system', 'Be brief.\n\nAnswer with one JSON object of this schema:\n{"type":"object"}'],
        ['human', 'Hello'],
      ],
    ]);
    const failing = modelFromLangChain({ invoke: () => Promise.reject(new Error('no key')) });
    await expect(failing.generate(request)).rejects.toThrow('the language model gave no answer: no key');
  });
});

it('one object is read from an answer, and nothing else', () => {
  expect(objectIn('{"a": 1}')).toEqual({ a: 1 });
  expect(objectIn('Here:\n```json\n{"a": 1}\n```\nDone.')).toEqual({ a: 1 });
  for (const text of ['', 'no', '[]', 'null', '"x"', '```\n{}\n```\n```\n{}\n```', 'x'.repeat(300_000)])
    expect(() => objectIn(text), text.slice(0, 20)).toThrow(ModelError);
});
