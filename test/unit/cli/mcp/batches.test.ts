import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { hasBatches, splitBatches } from '../../../../bindings/face/cli/mcp/batches.js';

/** What comes out of text that comes in pieces of a size. */
async function split(text: string, size = text.length, maxBytes = 1000): Promise<string> {
  const stream = splitBatches(maxBytes);
  const out: Buffer[] = [];
  stream.on('data', (chunk) => out.push(chunk));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size));
  stream.end();
  await once(stream, 'end');
  return Buffer.concat(out).toString();
}

describe('lines of JSON', () => {
  const text = '{"a":"[ä]"}\n[{"b":1},{"c":[2]}]\n\n{"d":3}\n[]\n[{"e":"\\n"}]\r\n{"f":4}';
  const expected = '{"a":"[ä]"}\n{"b":1}\n{"c":[2]}\n\n{"d":3}\n[]\n{"e":"\\n"}\n{"f":4}';

  it.each([1, 2, 3, 7, 1000])('have batches split, in pieces of %i bytes', async (size) => {
    expect(await split(text, size)).toBe(expected);
  });

  it('that cannot be read are passed on as they are, for the reader to refuse', async () => {
    expect(await split('[{"a":1},\n{"b":2}\n')).toBe('[{"a":1},\n{"b":2}\n');
  });

  it('that are too long are passed on, not kept', async () => {
    const long = `[${'1,'.repeat(600)}1]\n{"b":2}\n`;
    expect(await split(long, 100)).toBe(long);
  });

  it('are left whole where the version of the protocol has no batches', async () => {
    const stream = splitBatches(1000, () => hasBatches('2025-06-18'));
    stream.end('[{"b":1}]\n');
    expect(String((await once(stream, 'data'))[0])).toBe('[{"b":1}]\n');
    const versions = [undefined, '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
    expect(versions.map(hasBatches)).toEqual([true, true, true, false, false]);
  });
});
