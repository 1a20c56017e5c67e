import { expect, it } from 'vitest';
import { printedBy } from '../shared/example.js';

it('the example shows a page fetched, a person asked, and a call withheld', async () => {
  expect(await printedBy('mcp')).toEqual([
    'fetch: the page at https://example.org/offer',
    expect.stringMatching(/^asked: Shall the agent call send\?.*noLeak/s),
    expect.stringMatching(/^send: .*Not to a stranger\./s),
  ]);
});
