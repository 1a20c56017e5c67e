import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

  it('lists what can be read, names what cannot, and exits with 2', async () => {
    const other = mkdtempSync(join(tmpdir(), 'foreguard-inspections-'));
    const store = await openInspections(other, { keyFile });
    for (const id of ['before', 'after']) await store.open(inspectionOf(id, { expiresAt }));
    const junk = `question-${'0'.repeat(64)}.0`;
    writeFileSync(join(other, junk), 'junk\u001b[2J');
    const folderNamed = `question-${'1'.repeat(64)}.1`;
    mkdirSync(join(other, folderNamed));
    const { out, err, code } = await foreguard('inspections', 'list', other, ...key);
    expect(out).toMatch(/^before .*\n(?: .*\n)+\nafter /);
    expect(err.split('\n').sort()).toEqual([
      '',
      expect.stringMatching(`${junk} is torn or altered: it does not begin as a generation does`),
      expect.stringMatching(
        `^foreguard: ${folderNamed.slice(0, -2)} cannot be read, is not shown, and counts as refused: .*it is a folder`,
      ),
    ]);
    expect(code).toBe(2);
    const json = JSON.parse((await foreguard('inspections', 'list', other, ...key, '--json')).out);
    expect(json).toMatchObject({
      inspections: [{ status: 'open' }, { status: 'open' }],
      notes: [],
      damaged: { length: 2 },
    });
    expect((await foreguard('inspections', 'approve', other, 'after', ...key)).code).toBe(0);
    rmSync(other, { recursive: true });
  });

  it('shows a question and its call as a line each, whatever they hold', async () => {
    const other = mkdtempSync(join(tmpdir(), 'foreguard-inspections-'));
    const store = await openInspections(other, { keyFile });
    const name = 'send\n  look {}\u0085\u2028\u202e';
    const call = { id: '1', name, arguments: { 'to\u2066': 'ann\n  approved\u009b2J' } };
    await store.open(inspectionOf('q', { expiresAt, call, question: `Shall the agent call ${name}?` }));
    const { out } = await foreguard('inspections', 'list', other, ...key);
    expect(out.split('\n').slice(2)).toEqual([
      String.raw`  "send\n  look {}\u{85}\u{2028}\u{202e}" {"to\u{2066}":"ann\n  approved\u{9b}2J"}`,
      String.raw`  Shall the agent call send\u{a}  look {}\u{85}\u{2028}\u{202e}?`,
      '',
    ]);
    rmSync(other, { recursive: true });
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
      ['over', folder, /the time to answer inspection over ended at/],
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
