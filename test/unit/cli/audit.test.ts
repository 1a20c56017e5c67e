import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditOf, decision } from '../enforcement/audit/records.js';
import { guardThat, SAFE, setting } from '../enforcement/setting.js';
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
  it.each([
    ['notes', 'bring milk\nand bread\n'],
    ['a line without an end', 'bring milk'],
    ['other JSON', '{"id":"1"}\n{"id":"2"}\n'],
    ['bytes', Buffer.from([0xff, 0xfe, 10, 0xff, 10])],
    ['a page', '<!doctype html>\n'],
  ])('exits with 2 for what is no log: %s', async (name, content) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    for (const words of [
      ['verify', path],
      ['verify', path, '--json'],
    ]) {
      const { out, err, code } = await foreguard('audit', ...words);
      expect(code).toBe(2);
      expect(out + err).toContain('not an audit log');
    }
  });

  it('exits with 1 where a log was altered in its first line, also beyond recognition', async () => {
    const lines = readFileSync(file, 'utf8');
    for (const [i, text] of [
      `x${lines.slice(1)}`,
      `gone\n${lines.slice(lines.indexOf('\n') + 1)}`,
      '',
      lines.slice(0, 5),
    ].entries()) {
      const path = join(folder, `first-${i}`);
      writeFileSync(path, text);
      const { out, code } = await foreguard('audit', 'verify', path);
      expect([code, out]).toEqual([1, expect.stringContaining('line 1 ')]);
    }
  });

  it('notices an end that was cut against the head that was kept in a file', async () => {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const [kept, cut] = [join(folder, 'head.json'), join(folder, 'cut.jsonl')];
    writeFileSync(kept, JSON.stringify({ count: 4, hash: hashes[3] }));
    writeFileSync(cut, `${lines.slice(0, 3).join('\n')}\n`);
    expect((await foreguard('audit', 'verify', file, '--head-file', kept)).code).toBe(0);
    expect((await foreguard('audit', 'verify', cut)).code).toBe(0);
    const missing = await foreguard('audit', 'verify', cut, '--head-file', kept);
    expect([missing.code, missing.out]).toEqual([1, expect.stringContaining('line 4 is missing')]);
    for (const [words, message] of [
      [['--head-file', kept, '--count', '4'], 'one or the other'],
      [['--head-file', join(folder, 'none')], 'there is no'],
      [['--head-file', cut], 'holds no head'],
    ] as const) {
      const { err, code } = await foreguard('audit', 'verify', file, ...words);
      expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    }
  });

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

describe('foreguard audit replay', () => {
  const guard = join(folder, 'guard.json');
  const log = join(folder, 'log.jsonl');

  beforeAll(async () => {
    const { session, records, propose } = setting({ state: () => SAFE });
    await propose('move');
    await propose('move');
    await session.end();
    writeFileSync(log, await auditOf(records));
    writeFileSync(guard, JSON.stringify(guardThat().file));
    const altered = records.map((record) => (record.kind === 'decision' ? { ...record, lower: 0 } : record));
    writeFileSync(join(folder, 'other.jsonl'), await auditOf(altered));
  });

  it('says that everything is decided the same', async () => {
    const { out, code } = await foreguard('audit', 'replay', log, '--guard', guard);
    expect([code, out]).toEqual([0, expect.stringMatching(/2 decisions of 1 run, the same to the last bit/)]);
    const json = await foreguard('audit', 'replay', log, '--guard', guard, '--json');
    expect(JSON.parse(json.out)).toMatchObject({ identical: true, decisions: 2, difference: null });
  });

  it('names the first difference, and exits with 1', async () => {
    const { out, code } = await foreguard('audit', 'replay', join(folder, 'other.jsonl'), '--guard', guard);
    expect(code).toBe(1);
    expect(out).toMatch(
      /line 3, decision 0 of run "run": lower is 0, and 0\.0999\d* when it is decided again/,
    );
  });

  it('exits with 2 where the file was altered, and where the guard is another', async () => {
    const text = readFileSync(log, 'utf8');
    writeFileSync(join(folder, 'torn.jsonl'), text.replace('"number":0', '"number":5'));
    const torn = await foreguard('audit', 'replay', join(folder, 'torn.jsonl'), '--guard', guard);
    expect([torn.code, torn.err]).toEqual([2, expect.stringMatching(/line 3 was altered/)]);
    writeFileSync(join(folder, 'else.json'), JSON.stringify(guardThat({ threshold: 0.9 }).file));
    const other = await foreguard('audit', 'replay', log, '--guard', join(folder, 'else.json'));
    expect([other.code, other.err]).toEqual([
      2,
      expect.stringMatching(/has 1 run, none of which began with/),
    ]);
    expect((await foreguard('audit', 'replay', log, '--guard', log)).code).toBe(2);
  });

  it('takes no end that was cut for a torn one, against the head that was kept', async () => {
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    const hash = lines[lines.length - 1].slice(9, 73);
    const [kept, cut] = [join(folder, 'kept.json'), join(folder, 'cutTorn.jsonl')];
    writeFileSync(kept, JSON.stringify({ count: lines.length, hash }));
    writeFileSync(cut, `${lines.slice(0, 3).join('\n')}\nx`);
    const gone = /line 4 is missing|line 3 is another/;
    const replayed = await foreguard('audit', 'replay', cut, '--guard', guard, '--head-file', kept);
    expect([replayed.code, replayed.err]).toEqual([2, expect.stringMatching(gone)]);
    for (const words of [
      ['--head-file', kept],
      ['--count', String(lines.length)],
      ['--head', hash],
    ])
      expect((await foreguard('audit', 'verify', cut, ...words)).out, words[0]).toMatch(gone);
  });

  it('says that it left out a torn last line', async () => {
    const torn = join(folder, 'tornEnd.jsonl');
    const text = readFileSync(log, 'utf8');
    writeFileSync(torn, text.slice(0, -1));
    const lines = text.trimEnd().split('\n').length;
    const { out, code } = await foreguard('audit', 'replay', torn, '--guard', guard);
    expect([code, out]).toEqual([0, expect.stringContaining(`line ${lines} is torn`)]);
    const json = await foreguard('audit', 'replay', torn, '--guard', guard, '--json');
    expect(JSON.parse(json.out)).toMatchObject({ torn: expect.stringContaining('torn') });
  });

  it('exits with 1 where there is nothing to replay, as verify does', async () => {
    for (const text of ['', readFileSync(log, 'utf8').slice(0, 9)]) {
      const empty = join(folder, 'empty.jsonl');
      writeFileSync(empty, text);
      const { out, code } = await foreguard('audit', 'replay', empty, '--guard', guard);
      expect([code, out]).toEqual([1, expect.stringMatching(/holds no lines|line 1 is torn/)]);
      expect(out).not.toContain('--head');
      expect((await foreguard('audit', 'verify', empty)).code).toBe(1);
    }
  });
});
