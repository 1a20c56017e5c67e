import { expect, it } from 'vitest';
import { printedBy } from '../shared/example.js';

it('the example shows a page fetched, and a message that a person does not want sent', async () => {
  expect(await printedBy('langchain')).toEqual([
    expect.stringMatching(/^asks: Shall the agent call send\?/),
    'fetch: the page at https://example.org/offer',
    expect.stringMatching(/^send: .*not to strangers/s),
    'says: I leave it at that.',
  ]);
});
