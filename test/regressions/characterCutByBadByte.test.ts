import { expect, it } from 'vitest';
import { readLineBlocks } from '../../bindings/observations/trace/lineBlocks.js';

it('reports a line whose bad byte comes just before a character that a window cuts', async () => {
  // After text that is not ASCII the decoder works as a stream, and took the lone 195 for a character still to come.
  const bytes = Uint8Array.from([240, 159, 153, 130, 10, 195, 239, 187, 191, 10, 10]);
  const chunks = (async function* () {
    yield bytes.subarray(0, 7);
    yield bytes.subarray(7);
  })();
  const lines: unknown[] = [];
  for await (const block of readLineBlocks(chunks, 5))
    lines.push(...(typeof block === 'string' ? block.split('\n') : [block]));
  expect(lines).toEqual(['🙂', { reason: 'not UTF-8', bytes: 4 }, '']);
});
