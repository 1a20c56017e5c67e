import { expect, it } from 'vitest';
import { printedBy } from '../shared/example.js';

it('the example shows a page fetched, and two calls that are withheld', async () => {
  expect(await printedBy('plain')).toEqual([
    'fetch: allow. the page at https://example.org/offer',
    expect.stringMatching(/^send: reflect\. .*noLeak/s),
    expect.stringMatching(/^search: reflect\. .*noLeak/s),
  ]);
});
