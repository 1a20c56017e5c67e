import { expect, it } from 'vitest';
import { printedBy } from '../shared/example.js';

it('the example shows a page fetched, and a message that is not sent', async () => {
  expect(await printedBy('ai-sdk')).toEqual([
    'fetch: the page at https://example.org/offer',
    expect.stringMatching(/^send: .*noLeak/s),
    'says: I leave it at that.',
  ]);
});
