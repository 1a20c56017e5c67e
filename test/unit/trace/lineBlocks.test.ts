import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLineBlocks, type UnreadableLine } from '../../../bindings/observations/trace/lineBlocks.js';
import { chunked } from './bytes.js';

type Line = string | UnreadableLine;

async function lines(bytes: Uint8Array, sizes: readonly number[], maxLineBytes: number): Promise<Line[]> {
  const all: Line[] = [];
  for await (const block of readLineBlocks(chunked(bytes, sizes), maxLineBytes)) {
    if (typeof block === 'string') all.push(...block.split('\n'));
    else all.push(block);
  }
  return all;
}

/** The same, by definition: all bytes at once, cut at each 0x0a, each line decoded by itself. */
function linesByDefinition(bytes: Uint8Array, maxLineBytes: number): Line[] {
  const all: Line[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    const line = bytes.subarray(start, end);
    if (line.length > maxLineBytes) all.push({ reason: 'too long', bytes: line.length });
    else {
      try {
        const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line);
        all.push(start === 0 && text.startsWith('\ufeff') ? text.slice(1) : text);
      } catch {
        all.push({ reason: 'not UTF-8', bytes: line.length });
      }
    }
    start = end + 1;
  }
  return all;
}

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .constantFrom('\n', '\r\n', 'a', 'bc', '\ufeff', 'é', '概', '🙂')
      .map((s) => [...new TextEncoder().encode(s)]),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      [0xff],
      [0xc3],
      [0xa9],
      [0xe6, 0xa6],
      [0xf0, 0x9f, 0x99],
      [0xed, 0xa0, 0x80],
      [0xc0, 0x80],
    ),
  },
);

describe('readLineBlocks', () => {
  it('gives the lines that the definition gives, whatever the bytes, the chunks and the limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 60 }).map((pieces) => Uint8Array.from(pieces.flat())),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 4, max: 30 }),
        async (bytes, sizes, limit) => {
          expect(await lines(bytes, sizes, limit)).toEqual(linesByDefinition(bytes, limit));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('joins a line of many blocks and keeps none of a chunk that is used again', async () => {
    const letters = 'aé概🙂'.repeat(50_000);
    const bytes = new TextEncoder().encode(`${letters}\nb`);
    async function* reusing() {
      const buffer = new Uint8Array(1001);
      for (let from = 0; from < bytes.length; from += buffer.length) {
        const part = bytes.subarray(from, from + buffer.length);
        buffer.set(part);
        yield buffer.subarray(0, part.length);
      }
    }
    const all: Line[] = [];
    for await (const block of readLineBlocks(reusing(), 2 ** 28)) all.push(block);
    expect(all).toEqual([letters, 'b']);
  });
});
