import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditOf, decision } from '../enforcement/audit/records.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-audit-'));
const file = join(folder, 'audit.jsonl');
const altered = join(folder, 'altered.jsonl');
const hashes: string[] = [];

beforeAll(async () => {
  writeFileSync(file, await auditOf([0, 1, 2].map((i) => decision('a', i))));
  const text = readFileSync(file, 'utf8');
  hashes.push(
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(9, 73)),
  );
  writeFileSync(altered, text.replace('"number":1', '"number":3'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('foreguard audit verify', () => {
  it('says that a file is as it was written, and what to keep elsewhere', async () => {
    const { out, code } = await foreguard('audit', 'verify', file);
    expect(code).toBe(0);
    expect(out).toMatch(/4 lines, as they were written/);
    expect(out).toContain(`--head ${hashes[3]} --count 4\n`);
    const anchored = await foreguard('audit', 'verify', file, '--head', hashes[2], '--count', '3', '--json');
    expect(anchored.code).toBe(0);
    expect(JSON.parse(anchored.out)).toEqual({
      file,
      valid: true,
      head: { count: 4, hash: hashes[3] },
      fault: null,
    });
  });

  it('names the first bad line, what was expected and what was found, and exits with 1', async () => {
    const { out, code } = await foreguard('audit', 'verify', altered);
    expect(code).toBe(1);
    expect(out).toMatch(/line 3 was altered; expected content of hash [0-9a-f]{64}, found content of hash/);
    const json = await foreguard('audit', 'verify', altered, '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({ valid: false, fault: { line: 3, kind: 'altered' } });
    const missing = await foreguard('audit', 'verify', file, '--count', '5');
    expect([missing.code, missing.out]).toEqual([
      1,
      expect.stringMatching(/line 5 is missing.*5 lines or more, found 4/),
    ]);
    const other = await foreguard('audit', 'verify', file, '--head', hashes[2]);
    expect([other.code, other.out]).toEqual([
      1,
      expect.stringMatching(/line 4 is another than the one whose hash was kept/),
    ]);
  });

  it('exits with 2 on bad usage and on what cannot be read', async () => {
    expect((await foreguard('audit', 'verify', join(folder, 'none'))).err).toMatch(/there is no such file/);
    for (const words of [[folder], [file, '--head', 'x'], [file, '--count', '-1'], []]) {
      const { code, err } = await foreguard('audit', 'verify', ...words);
      expect([code, err.length > 0], words.join(' ')).toEqual([2, true]);
    }
  });
});
