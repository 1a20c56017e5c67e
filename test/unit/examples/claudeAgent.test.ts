import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { printedBy } from '../../publicScript.js';

it('the example on the Claude Agent SDK withholds mail once a foreign page was read, in at most 40 lines', async () => {
  const path = new URL('../../../examples/claude-agent/main.mjs', import.meta.url);
  expect(readFileSync(path, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  const printed = await printedBy("import './examples/claude-agent/main.mjs';");
  const [fetched, sent] = printed.split('\n');
  expect(fetched).toBe('fetch: the page at https://example.org/offer');
  expect(sent).toMatch(/^send: denied\. /);
  expect(printed).toContain('"noLeak"');
  expect(printed).not.toContain('sent to');
});
