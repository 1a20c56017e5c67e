import { describe, expect, it } from 'vitest';
import { refuseInvalid } from '../../../../bindings/face/cli/mcp/invalidRequests.js';
import type { McpMessage } from '../../../../bindings/runtime/adapters/mcp.js';

const isMessage = (value: unknown) => (value as { jsonrpc?: unknown } | null)?.jsonrpc === '2.0';

/** What passes of a text that comes in chunks of so many bytes, and what is refused. */
async function passed(text: string, chunk: number, maxBytes = 1000) {
  const refused: McpMessage[] = [];
  const stream = refuseInvalid(isMessage, (error) => void refused.push(error), maxBytes);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunk) stream.write(bytes.subarray(at, at + chunk));
  stream.end();
  let out = '';
  for await (const part of stream) out += part;
  return { out, refused };
}

describe('requests that are none', () => {
  const good = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

  it.each([1, 7, 1000])(
    'are answered by an error where they have an id, in chunks of %d bytes',
    async (chunk) => {
      const bad = '{"id":2,"method":"ping"}\n{"id":"ü","method":7,"params":[]}\n{"id":4}\n';
      const { out, refused } = await passed(good + bad + good, chunk);
      expect(out).toBe(good + good);
      expect(refused.map(({ id, error }) => [id, error?.code])).toEqual([
        [2, -32600],
        ['ü', -32600],
        [4, -32600],
      ]);
      expect(refused[0].error?.message).toContain('expected {"jsonrpc": "2.0"');
    },
  );

  it('are answered under the id null where they have none, and where they are not JSON', async () => {
    const bad = 'no JSON\n{"method":"ping"}\n{"id":null,"method":"x"}\n7\nnull\n[1]\n[]\n{"id":\n';
    for (const chunk of [1, 64, 10_000]) {
      const { out, refused } = await passed(good + bad + good, chunk);
      expect(out).toBe(good + good);
      expect(refused.map(({ id, error }) => [id, error?.code])).toEqual([
        [null, -32700],
        ...Array.from({ length: 6 }, () => [null, -32600]),
        [null, -32700],
      ]);
      expect(refused[5].error?.message).toContain('has no batches');
    }
  });

  it('are left to the reader where they are responses, blank, too long or cut', async () => {
    const others = `{"id":3,"result":{}}\n{"id":3,"error":{}}\n\n \t\n${' '.repeat(2000)}\n{"id":5`;
    for (const chunk of [1, 64, 10_000]) {
      const { out, refused } = await passed(others, chunk);
      expect(out).toBe(others);
      expect(refused).toEqual([]);
    }
  });
});
