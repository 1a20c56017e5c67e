import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { type FileHandle, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { InvalidArgumentError, InvalidDataError } from '../../../bindings/base/errors.js';
import { nodeStorage, openAuditFile } from '../../../bindings/face/node/index.js';
import { readAudit, readRun, verifyAudit } from '../../../bindings/runtime/enforcement/audit/index.js';
import { writeBundledScript } from '../../bundledScript.js';
import { decision, sha256 } from '../enforcement/audit/records.js';
import { setting } from '../enforcement/setting.js';

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return { ...real, writeSync: vi.fn(real.writeSync) };
});

/** Syncs of files and folders, by their paths. */
const synced: string[] = [];

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    writeFile: vi.fn(real.writeFile),
    async open(...words: Parameters<typeof real.open>): Promise<FileHandle> {
      const file = await real.open(...words);
      for (const name of ['sync', 'datasync'] as const) {
        const sync = file[name].bind(file);
        file[name] = async () => {
          await sync();
          synced.push(String(words[0]));
        };
      }
      return file;
    },
  };
});

const folder = mkdtempSync(join(tmpdir(), 'foreguard-audit-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.mocked(writeSync).mockClear());
let files = 0;
const newPath = (): string => join(folder, `audit-${files++}.jsonl`);

/** A file with so many decisions of run a behind its header. */
async function written(count: number): Promise<string> {
  const path = newPath();
  const log = await openAuditFile(path);
  for (let i = 0; i < count; i++) log.append(decision('a', i));
  await log.close();
  return path;
}

const verified = (path: string) => verifyAudit(nodeStorage.read(path), { sha256 });

describe('an audit file', () => {
  it('is new, and then gone on with, as one chain', async () => {
    const path = newPath();
    for (let i = 0; i < 3; i++) {
      const log = await openAuditFile(path, { durability: 'each' });
      expect(log.notes).toEqual([]);
      await log.append(decision('a', i));
      await log.close();
      expect(await verified(path)).toEqual({ head: log.head, fault: null });
      expect(log.head.count).toBe(2 + i);
    }
    expect(await readRun(nodeStorage.read(path), 'a')).toEqual([0, 1, 2].map((i) => decision('a', i)));
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('is synced as its durability says, when it is new with its folder', async () => {
    for (const [durability, whileAppending] of [
      ['none', 0],
      ['batched', 0],
      ['each', 3],
    ] as const) {
      const path = newPath();
      const log = await openAuditFile(path, { durability, syncEveryMs: 60_000 });
      expect(synced.splice(0)).toEqual(expect.arrayContaining([path, folder]));
      for (let i = 0; i < 3; i++) await log.append(decision('a', i));
      expect(synced.splice(0)).toHaveLength(whileAppending);
      await log.close();
      expect(synced.splice(0)).toEqual([path]);
    }
  });

  it('goes on behind lines of more than its last MiB, and behind one that is longer than that', async () => {
    const path = await written(3000);
    expect(statSync(path).size).toBeGreaterThan(1 << 20);
    const log = await openAuditFile(path);
    await log.append(decision('a', 3000, { rule: 'x'.repeat(3 << 20) }));
    await log.close();
    const again = await openAuditFile(path);
    await again.append(decision('a', 3001));
    await again.close();
    expect(await verified(path)).toEqual({ head: again.head, fault: null });
    expect(again.head.count).toBe(3003);
  });

  it('whose last line is torn anywhere loses that line, and a record and a note say so', async () => {
    const whole = readFileSync(await written(2));
    const end = whole.lastIndexOf(10, whole.length - 2) + 1;
    for (const cut of [end + 1, end + 100, whole.length - 1]) {
      const path = newPath();
      writeFileSync(path, whole.subarray(0, cut));
      const log = await openAuditFile(path, { now: () => 77 });
      expect(log.notes).toEqual([
        `${path}: its last line was torn, as by a crash, and ${cut - end} bytes of it were cut off`,
      ]);
      await log.append(decision('a', 9));
      await log.close();
      expect((await verified(path)).fault).toBeNull();
      const kinds: unknown[] = [];
      for await (const { record } of readAudit(nodeStorage.read(path)))
        kinds.push(record.kind === 'repair' ? record : record.kind);
      const torn = whole.subarray(end, cut);
      const repair = { kind: 'repair', time: 77, cutBytes: cut - end, cut: sha256(torn) };
      expect(kinds).toEqual(['header', 'decision', repair, 'decision']);
    }
  });

  it('whose header is torn, or which is all zeros, begins anew', async () => {
    const whole = readFileSync(await written(0));
    for (const content of [whole.subarray(0, 5), whole.subarray(0, whole.length - 1), Buffer.alloc(4096)]) {
      const path = newPath();
      writeFileSync(path, content);
      const log = await openAuditFile(path);
      expect(log.notes).toHaveLength(1);
      await log.close();
      expect(await verified(path)).toMatchObject({ head: { count: 2 }, fault: null });
    }
  });

  it('is not made of what is none, and nothing of that is touched', async () => {
    for (const content of ['buy milk', 'buy milk\n', '{"hash":1}\n']) {
      const path = newPath();
      writeFileSync(path, content);
      await expect(openAuditFile(path)).rejects.toThrow(
        /does not begin as an audit file|cannot be continued/,
      );
      expect(readFileSync(path, 'utf8')).toBe(content);
    }
    await expect(openAuditFile(folder)).rejects.toThrow(InvalidArgumentError);
    await expect(openAuditFile(join(folder, 'none', 'audit.jsonl'))).rejects.toThrow(/cannot open .*none/);
  });

  it('whose end was altered is not gone on with', async () => {
    const path = await written(3);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"number":1', '"number":7'));
    await expect(openAuditFile(path)).rejects.toThrow(InvalidDataError);
    await expect(openAuditFile(path)).rejects.toThrow(/line 3 was altered.*foreguard audit verify/s);
    writeFileSync(path, text);
    await (await openAuditFile(path)).close();
  });

  it('has one writer at a time, by whatever name it is opened', async () => {
    const path = newPath();
    const other = newPath();
    symlinkSync(path, other);
    const log = await openAuditFile(path);
    for (const name of [path, other]) {
      await expect(openAuditFile(name)).rejects.toThrow(
        new RegExp(`is held by process ${process.pid} on .*has one writer at a time.*remove .*\\.lock`),
      );
    }
    await log.append(decision('a', 0));
    await log.close();
    await (await openAuditFile(other)).close();
  });

  it('is taken over from a process that has ended, and left to one of another machine', async () => {
    const path = await written(1);
    const ended = spawn(process.execPath, ['-e', '']);
    await once(ended, 'exit');
    const { hostname } = await import('node:os');
    const holder = { token: 'x', process: ended.pid, host: hostname(), started: 0 };
    // The number of this process, held by one before it, as in a container that was started again.
    for (const number of [ended.pid, process.pid]) {
      writeFileSync(`${path}.lock`, JSON.stringify({ ...holder, process: number }));
      await (await openAuditFile(path)).close();
    }
    for (const content of [JSON.stringify({ ...holder, host: 'elsewhere' }), 'what']) {
      writeFileSync(`${path}.lock`, content);
      await expect(openAuditFile(path)).rejects.toThrow(/is held by/);
      expect(readFileSync(`${path}.lock`, 'utf8')).toBe(content);
    }
  });

  it('is not kept out by one that was killed while it took the lock', async () => {
    const path = newPath();
    vi.mocked(writeFile).mockImplementationOnce(async (file) => {
      writeFileSync(file as string, '');
      throw new Error('killed');
    });
    await expect(openAuditFile(path)).rejects.toThrow('killed');
    await (await openAuditFile(path)).close();
  });

  it('takes nothing more where another program writes to it, or removes it', async () => {
    const path = newPath();
    const log = await openAuditFile(path);
    await log.append(decision('a', 0));
    appendFileSync(path, 'x\n');
    await expect(log.append(decision('a', 1))).rejects.toThrow(/another program writes to it/);
    await expect(log.close()).rejects.toThrow(/another program/);
    const removed = newPath();
    const second = await openAuditFile(removed);
    rmSync(removed);
    await expect(second.append(decision('a', 1))).rejects.toThrow(/was removed/);
    await expect(second.close()).rejects.toThrow(/was removed/);
  });

  it('on a disk that is full keeps nothing of what it could not write whole, and can be opened again', async () => {
    const path = newPath();
    const log = await openAuditFile(path);
    await log.append(decision('a', 0));
    const before = readFileSync(path);
    const real = (await vi.importActual<typeof import('node:fs')>('node:fs')).writeSync;
    vi.mocked(writeSync)
      .mockImplementationOnce(((fd: number, bytes: Uint8Array) =>
        real(fd, bytes.subarray(0, 1000))) as typeof real)
      .mockImplementationOnce(() => {
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      });
    const batch = [1, 2, 3].map((i) => log.append(decision('a', i)));
    for (const result of await Promise.allSettled(batch))
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'log-failed' } });
    expect(readFileSync(path)).toEqual(before);
    await expect(log.append(decision('a', 4))).rejects.toThrow(/no space left/);
    expect(readFileSync(path)).toEqual(before);
    await expect(log.close()).rejects.toThrow(/no space left/);
    const again = await openAuditFile(path);
    await again.append(decision('a', 1));
    await again.close();
    expect(await verified(path)).toEqual({ head: again.head, fault: null });
  });

  it('on a disk that is full lets a session run nothing', async () => {
    const log = await openAuditFile(newPath());
    const { session, propose, ran } = setting({ log });
    await propose('move');
    vi.mocked(writeSync).mockImplementationOnce(() => {
      throw new Error('ENOSPC: no space left on device, write');
    });
    const verdict = await session.check({ id: 'full', name: 'move', arguments: {} });
    expect(verdict).toMatchObject({ decision: 'stop', reason: 'log-failed', run: null, ends: true });
    expect(verdict.explanation).toContain('no space left on device');
    expect(ran).toEqual(['move']);
    await log.close().catch(() => undefined);
  });

  it('holds every line that was promised before its process was killed, and is gone on with by the next', async () => {
    const path = newPath();
    const script = join(folder, 'writer.mjs');
    await writeBundledScript(script, WRITER);
    let promised = -1;
    for (let round = 0; round < 4; round++) {
      const durability = ['none', 'batched', 'each'][round % 3];
      const writer = spawn(process.execPath, [script, path, durability], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exited = once(writer, 'exit');
      let said = '';
      const enough = new Promise<void>((resolve) => {
        writer.stdout.on('data', (chunk) => {
          said += String(chunk);
          if (said.split('\n').length > 30 + round) resolve();
        });
      });
      await Promise.race([enough, exited]);
      writer.kill('SIGKILL');
      await exited;
      promised = Math.max(promised, ...said.split('\n').slice(0, -1).map(Number));
      const { head, fault } = await verified(path);
      expect(fault === null || fault.kind === 'torn').toBe(true);
      expect(head.count).toBeGreaterThan(promised);
    }
    expect(promised).toBeGreaterThan(100);
    await (await openAuditFile(path)).close();
    expect((await verified(path)).fault).toBeNull();
  });
});

/** Twenty runs at once; says the sequence of the last line that is promised, time after time. */
const WRITER = `
import { writeSync } from 'node:fs';
import { openAuditFile } from './bindings/face/node/index.js';
const [path, durability] = process.argv.slice(2);
const log = await openAuditFile(path, { durability });
for (let run = 0; run < 20; run++) (async () => {
  for (let decisions = 0; ; decisions++) {
    await log.append({ kind: 'end', run: 'run-' + run, time: 0, decisions });
    writeSync(1, log.head.count - 1 + '\\n');
    await new Promise(setImmediate);
  }
})();
`;
