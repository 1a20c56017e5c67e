import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../../bindings/base/errors.js';
import { openAuditFile } from '../../../bindings/face/node/index.js';
import { guardThat, RISKY, setting } from '../enforcement/setting.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-head-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const names = () => {
  files++;
  return { path: join(folder, `${files}.jsonl`), headFile: join(folder, `${files}.head`) };
};
const kept = (headFile: string) => JSON.parse(readFileSync(headFile, 'utf8'));
const lines = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

/** Runs that end, in a log whose head is kept. */
async function written(runs: number) {
  const { path, headFile } = names();
  const log = await openAuditFile(path, { headFile });
  for (let i = 0; i < runs; i++) {
    const { session, propose } = setting({ log, id: `run ${i}` });
    await propose('move');
    await session.end();
  }
  return { path, headFile, log };
}

describe('the head of a log', () => {
  it('is kept when a run ends, when one is stopped, and when the log is closed', async () => {
    const { path, headFile, log } = await written(2);
    expect(kept(headFile)).toEqual(log.head);
    expect(log.head.count).toBe(lines(path).length);
    const stopped = setting({ log, id: 'stopped', guard: guardThat(), state: () => RISKY });
    await stopped.propose('move');
    expect(stopped.session.stopped).not.toBeNull();
    expect(kept(headFile)).toEqual({ count: log.head.count, hash: lines(path).at(-1)?.slice(9, 73) });
    await setting({ log, id: 'goes on' }).propose('move');
    expect(kept(headFile).count).toBeLessThan(log.head.count);
    await log.close();
    expect(kept(headFile)).toEqual(log.head);
  });

  it('keeps a log from going on whose end was cut, altered or removed', async () => {
    const { path, headFile, log } = await written(2);
    await log.close();
    const all = lines(path);
    const head = readFileSync(headFile, 'utf8');
    for (const left of [all.slice(0, -1), all.slice(0, 2), []]) {
      writeFileSync(path, left.map((line) => `${line}\n`).join(''));
      await expect(openAuditFile(path, { headFile })).rejects.toThrow(InvalidDataError);
      await expect(openAuditFile(path, { headFile })).rejects.toThrow(
        /does not hold what was kept.*is missing/,
      );
      expect(readFileSync(headFile, 'utf8')).toBe(head);
    }
    const other = await written(2);
    await other.log.close();
    await expect(openAuditFile(other.path, { headFile })).rejects.toThrow(
      'is another than the one whose hash was kept',
    );
    writeFileSync(path, `${all.join('\n')}\n`);
    await (await openAuditFile(path, { headFile })).close();
  });

  it('lets a log go on that has more lines than were kept, torn or not', async () => {
    const { path, headFile, log } = await written(1);
    await setting({ log, id: 'killed' }).propose('move');
    const before = kept(headFile);
    expect(before.count).toBeLessThan(lines(path).length);
    // The process is killed in the middle of a line: nothing is closed.
    const crashed = names();
    writeFileSync(crashed.path, `${readFileSync(path, 'utf8')}{"hash":"12`);
    const again = await openAuditFile(crashed.path, { headFile });
    expect(again.notes).toHaveLength(1);
    await again.close();
    expect(kept(headFile).count).toBe(lines(crashed.path).length);
    await log.close();
  });

  it('is refused where the file for it holds something else, which stays', async () => {
    const { path, headFile } = names();
    for (const text of ['my notes', '{}', '{"count":0,"hash":""}', '{"count":1,"hash":"xyz"}', 'null']) {
      writeFileSync(headFile, text);
      await expect(openAuditFile(path, { headFile })).rejects.toThrow('holds no head of a log');
      expect(readFileSync(headFile, 'utf8')).toBe(text);
    }
  });

  it('fails the log where it cannot be kept', async () => {
    const log = await openAuditFile(names().path, { headFile: join(folder, 'no', 'such', 'folder') });
    await expect(log.close()).rejects.toThrow('cannot write');
  });
});
