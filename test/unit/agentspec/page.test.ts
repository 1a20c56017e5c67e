import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { printedBy } from '../../publicScript.js';

it('what docs/agentspec.md shows runs, and prints what it says', async () => {
  const page = readFileSync(new URL('../../../docs/agentspec.md', import.meta.url), 'utf8');
  const [, code, printed] = /```js\n(.*?)```\n\n```json\n(.*?)```/s.exec(page) ?? [];
  expect(await printedBy(code)).toBe(printed);
});
