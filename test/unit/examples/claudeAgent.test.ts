import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runMain } from './example.js';

it('the example on the Claude Agent SDK withholds mail once a foreign page was read, in at most 40 lines', async () => {
  const path = new URL('../../../examples/claude-agent/main.mjs', import.meta.url);
  expect(readFileSync(path, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  const { output, errors } = await runMain('claude-agent/main.mjs', []);
  expect(errors).toBe('');
  const [before, after, withheld, ...rest] = output.split('\n');
  expect([before, after]).toEqual(['PreToolUse WebFetch: goes on', 'PostToolUse WebFetch: goes on']);
  expect(withheld).toMatch(/^PreToolUse SendMessage: .*noLeak.*0\.2/);
  expect(rest).toEqual([]);
});
