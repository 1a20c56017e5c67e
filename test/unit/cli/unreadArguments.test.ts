import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-unread-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('verify names the arguments that no policy of a tool reads', async () => {
  const file = join(folder, 'mail.yaml');
  writeFileSync(
    file,
    `version: 1
inputs: { to: { list: text }, bcc: { list: text, optional: true } }
policies:
  mail: { tools: [send], permit: { one: 'size(to) == 1' } }
  bulk: { tools: [bulkSend], permit: { none: 'bcc == null && size(to) > 0' } }
`,
  );
  const { out } = await foreguard('policy', 'verify', file);
  expect(out).toContain(
    'note: calls of send may have bcc, which none of its policies reads: whatever they hold is let through',
  );
  expect(out).not.toContain('calls of bulkSend');
  const json = await foreguard('policy', 'verify', file, '--json');
  expect(JSON.parse(json.out).unread).toEqual({ send: ['bcc'] });
});
