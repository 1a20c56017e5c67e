import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInspections } from '../../../bindings/face/node/index.js';
import { inspectionOf } from '../enforcement/inspectionOf.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-inspections-'));
const keyFile = join(mkdtempSync(join(tmpdir(), 'foreguard-key-')), 'key');
const key = ['--key', keyFile] as const;
const expiresAt = Date.now() + 600_000;

beforeAll(async () => {
  expect(await foreguard('inspections', 'key', keyFile)).toMatchObject({
    code: 0,
    out: expect.stringContaining('a new key'),
  });
  const store = await openInspections(folder, { keyFile });
  await store.open(inspectionOf('q1', { expiresAt }));
  await store.open(
    inspectionOf('q2', {
      expiresAt: expiresAt + 1,
      rule: '',
      risk: 1,
      question: 'Shall it?\u001b[2J\u202eoN',
    }),
  );
  await store.open(inspectionOf('over'));
});
afterAll(() => {
  for (const one of [folder, dirname(keyFile)]) rmSync(one, { recursive: true });
});

describe('foreguard inspections', () => {
  it('lists what is open, and nothing in it steers the terminal', async () => {
    const { out, code } = await foreguard('inspections', 'list', folder, ...key);
    expect(code).toBe(0);
    expect(out).toMatch(/^q1 {2}\(open for \d+ seconds\)\n {2}run run, rule noSpam, risk 0\.25\n/);
    expect(out).toContain('  send {"to":"ann","password":"[redacted]"}\n');
    expect(out).toContain('Shall it?\\u{1b}[2J\\u{202e}oN');
    expect(out).not.toContain('over');
    expect(out).toMatch(/^q2 .*\n {2}run run, no rule, risk not known\n/m);
    const all = await foreguard('inspections', 'list', folder, ...key, '--all', '--json');
    const ids = JSON.parse(all.out).inspections.map(
      (one: { inspection: { id: string } }) => one.inspection.id,
    );
    expect(ids).toEqual(['over', 'q1', 'q2']);
  });

  it('approves and refuses, once each', async () => {
    const approved = await foreguard(
      'inspections',
      'approve',
      folder,
      ...key,
      'q1',
      '--by',
      'ann',
      '--comment',
      'go on',
    );
    expect([approved.code, approved.out]).toEqual([0, 'approved: send, inspection q1\n']);
    const refused = await foreguard('inspections', 'refuse', folder, ...key, 'q2', '--json');
    expect(JSON.parse(refused.out)).toMatchObject({ status: 'answered', answer: { approved: false } });
    const store = await openInspections(folder, { keyFile });
    expect(await store.find('q1')).toMatchObject({ answer: { approved: true, by: 'ann', comment: 'go on' } });
    const again = await foreguard('inspections', 'refuse', folder, ...key, 'q1');
    expect([again.code, again.err]).toEqual([2, expect.stringMatching(/ann approved it/)]);
    expect((await foreguard('inspections', 'list', folder, ...key)).out).toBe(
      `no inspection is open in ${folder}\n`,
    );
  });

  it('exits with 2 where there is no such question, or no folder', async () => {
    for (const [id, where, message] of [
      ['none', folder, /there is no inspection none/],
      ['over', folder, /the time of inspection over is over/],
      ['q1', join(folder, 'none'), /there is no folder/],
    ] as const) {
      const { code, err } = await foreguard('inspections', 'approve', where, id, ...key);
      expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    }
  });

  it('does nothing without the key, or with another, and says what to do', async () => {
    const without = await foreguard('inspections', 'approve', folder, 'q1');
    expect([without.code, without.err]).toEqual([
      2,
      expect.stringMatching(/need a key.*inspections key FILE/),
    ]);
    const another = join(dirname(keyFile), 'another');
    await foreguard('inspections', 'key', another);
    const list = await foreguard('inspections', 'list', folder, '--key', another, '--json');
    expect(JSON.parse(list.out)).toMatchObject({ inspections: [], notes: { length: 3 } });
    expect(list.err).toContain('was not asked with this key');
    const other = await foreguard('inspections', 'approve', folder, 'q1', '--key', another);
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('was not asked with this key')]);
    const twice = await foreguard('inspections', 'key', another);
    expect([twice.code, twice.err]).toEqual([2, expect.stringContaining('never written over')]);
  });
});
