import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { printedBy } from './publicScript.js';
import { foreguard } from './unit/cli/command.js';
import { guardThat } from './unit/enforcement/setting.js';

it('what docs/audit.md shows writes a file that is verified and replayed, without what is to be hidden', async () => {
  const page = readFileSync(new URL('../docs/audit.md', import.meta.url), 'utf8');
  const [, code] = /```js\n(.*?)```/s.exec(page) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'foreguard-page-'));
  try {
    const [file, guard] = [join(folder, 'audit.jsonl'), join(folder, 'guard.json')];
    writeFileSync(guard, JSON.stringify(guardThat().file));
    const script = code
      .replace("'audit.jsonl'", JSON.stringify(file))
      .replace("'guard.json'", JSON.stringify(guard));
    const [, head, count] = /--head (\w+) --count (\d+)/.exec(await printedBy(script)) ?? [];
    const verified = await foreguard('audit', 'verify', file, '--head', head, '--count', count);
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining(`${count} lines`)]);
    expect((await foreguard('audit', 'replay', file, '--guard', guard)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('"password":"[redacted]"');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
