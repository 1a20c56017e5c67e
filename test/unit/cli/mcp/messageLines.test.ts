import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageLines } from '../../../../bindings/face/cli/mcp/messageLines.js';
import type { LongMessage } from '../../../../bindings/runtime/adapters/mcp/index.js';

/** What comes of text that comes in pieces of a size, and what was told of lines longer than `maxBytes`. */
function read(
  text: string,
  { size = 7, maxBytes = 40, isWhole = false, instead = 'instead' as string | null },
) {
  const told: LongMessage[] = [];
  const lines = new MessageLines(
    maxBytes,
    (message) => {
      told.push(message);
      return instead;
    },
    isWhole,
  );
  const bytes = Buffer.from(text);
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) out.push(...lines.take(bytes.subarray(at, at + size)));
  out.push(...lines.end());
  return { out: Buffer.concat(out).toString(), told };
}

const long = 'ä"\\{[]}'.repeat(20);

describe('lines of messages', () => {
  it.each([1, 2, 3, 7, 1000])('pass if they are short enough, in pieces of %i bytes', (size) => {
    const text = '{"id":1}\n\n{"text":"ä"}\r\n{"id":2}';
    expect(read(text, { size })).toEqual({ out: text, told: [] });
  });

  it('that are exactly as long as they may be pass', () => {
    expect(read(`${'a'.repeat(40)}\n`, {}).told).toEqual([]);
    expect(read(`${'a'.repeat(41)}\n`, {})).toEqual({ out: 'instead\n', told: [{ bytes: 41 }] });
  });

  it.each([
    ['a result with its id last', { result: { id: 7, method: 'a' }, jsonrpc: '2.0', id: 3 }, { id: 3 }],
    ['a result with its id first', { id: 'x"\\y', result: [{ id: 7 }] }, { id: 'x"\\y' }],
    ['a request', { id: 1, method: 'tools/call', params: { id: 9 } }, { id: 1, method: 'tools/call' }],
    ['a notification', { method: 'm', params: [] }, { method: 'm' }],
    ['an id of another kind', { id: { id: 1 }, a: 'id' }, {}],
    ['a list', [{ id: 1 }], {}],
  ])('that are too long leave what they are: %s', (_, message, expected) => {
    const text = JSON.stringify(Array.isArray(message) ? [...message, long] : { ...message, more: long });
    for (const size of [1, 3, 1000])
      expect(read(`{}\n${text}\n{}\n`, { size })).toEqual({
        out: '{}\ninstead\n{}\n',
        told: [{ bytes: Buffer.byteLength(text), ...expected }],
      });
  });

  it('of a long message are as JSON reads them, whatever else it holds', () => {
    const id = fc.oneof(fc.integer(), fc.string({ minLength: 1, maxLength: 20 }));
    fc.assert(
      fc.property(id, fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (id, others, place) => {
        const fields = Object.entries(others).filter(([key]) => key !== 'id' && key !== 'method');
        fields.splice(place, 0, ['id', id]);
        const text = JSON.stringify(Object.fromEntries([...fields, ['long', long]]));
        expect(read(text, { size: 11 }).told).toEqual([{ bytes: Buffer.byteLength(text), id }]);
      }),
    );
  });

  it('leave nothing behind where nothing takes their place', () => {
    expect(read(`${'a'.repeat(50)}\n{}\n`, { instead: null }).out).toBe('{}\n');
  });

  it('of one message count together', () => {
    const text = JSON.stringify({ id: 4, more: long }, null, 2);
    expect(read(text, { isWhole: true })).toEqual({
      out: 'instead',
      told: [{ id: 4, bytes: Buffer.byteLength(text) }],
    });
  });
});
