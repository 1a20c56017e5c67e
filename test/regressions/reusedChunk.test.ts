import { expect, it } from 'vitest';
import { readTraces, type Trace } from '../../bindings/observations/trace/index.js';

it('a character cut in two by the end of a chunk is read, where the chunk is a Buffer whose memory is used again', async () => {
  const bytes = new TextEncoder().encode('{"id": "é", "steps": [{"state": {}}]}\n');
  const cut = bytes.indexOf(0xc3) + 1;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const memory = Buffer.alloc(64);
    for (const part of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
      memory.fill(0x20);
      memory.set(part);
      yield memory.subarray(0, part.length);
    }
  }
  const traces: Trace[] = [];
  for await (const trace of readTraces(chunks(), { source: 'chunks', format: 'jsonl' })) traces.push(trace);
  expect(traces.map(({ id }) => id)).toEqual(['é']);
});
