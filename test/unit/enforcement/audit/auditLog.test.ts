import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../../bindings/base/canonicalJson.js';
import { ForeguardError, InvalidArgumentError, InvalidDataError } from '../../../../bindings/base/errors.js';
import {
  type AuditEntry,
  createAuditLog,
  readAudit,
  readRun,
  verifyAudit,
} from '../../../../bindings/runtime/enforcement/audit/index.js';
import { auditOf, chunksOf, decision, MemorySink, sha256 } from './records.js';

describe('an audit log', () => {
  it('writes a header and one line a record, each with the hash of its canonical JSON and of the line before', async () => {
    const sink = new MemorySink();
    const log = createAuditLog({ sink, now: () => 5 });
    await Promise.all([log.append(decision('a', 0)), log.append(decision('b', 0))]);
    const entries = sink.lines.map((line) => JSON.parse(line) as AuditEntry);
    expect(entries.map(({ record }) => record)).toEqual([
      { kind: 'header', format: 'foreguard-audit', version: 1, time: 5 },
      decision('a', 0),
      decision('b', 0),
    ]);
    for (const [i, { hash, ...rest }] of entries.entries()) {
      expect(hash).toBe(sha256(canonicalJson(rest)));
      expect(rest.sequence).toBe(i);
      expect(rest.previous).toBe(i === 0 ? '0'.repeat(64) : entries[i - 1].hash);
      expect(sink.lines[i]).toBe(canonicalJson(entries[i]));
    }
    expect(log.head).toEqual({ count: 3, hash: entries[2].hash });
  });

  it('keeps a record as it was when it was appended', async () => {
    const sink = new MemorySink();
    const log = createAuditLog({ sink, sha256 });
    const record = { kind: 'end', run: 'a', time: 1, decisions: 1 } as const;
    const appended = log.append(record);
    (record as { decisions: number }).decisions = 2;
    await appended;
    expect(sink.lines[1]).toContain('"decisions":1');
  });

  it('refuses a record that is no JSON, and goes on with the next', async () => {
    const sink = new MemorySink();
    const log = createAuditLog({ sink, sha256 });
    const wrong = decision('a', 0, { call: { id: '', name: '', arguments: { n: 1n } } });
    await expect(log.append(wrong)).rejects.toThrow(InvalidDataError);
    await log.append(decision('a', 0));
    await log.close();
    expect((await verifyAudit(chunksOf(sink.bytes))).head).toEqual(log.head);
    expect(log.head.count).toBe(2);
  });

  it('with `each` resolves only after a sync of the line, which lines share that come while one is under way', async () => {
    const sink = new MemorySink();
    const log = createAuditLog({ sink, sha256, durability: 'each' });
    let open = (): void => undefined;
    sink.gate = new Promise((resolve) => {
      open = resolve;
    });
    let done = 0;
    const first = log.append(decision('a', 0)).then(() => done++);
    await expect.poll(() => sink.syncs).toBe(1);
    const others = Array.from({ length: 50 }, (_, i) => log.append(decision('b', i)).then(() => done++));
    expect([done, sink.syncs]).toEqual([0, 1]);
    open();
    await Promise.all([first, ...others]);
    expect(sink.syncs).toBe(2);
    expect(sink.syncedBytes).toBe(sink.bytes.length);
  });

  it('with `batched` resolves once the sink has the line, and syncs after the given time', async () => {
    const sink = new MemorySink();
    const log = createAuditLog({ sink, sha256, durability: 'batched', syncEveryMs: 5 });
    let open = (): void => undefined;
    sink.gate = new Promise((resolve) => {
      open = resolve;
    });
    await log.append(decision('a', 0));
    expect(sink.syncedBytes).toBe(0);
    expect(sink.lines).toHaveLength(2);
    open();
    await expect.poll(() => sink.syncedBytes).toBe(sink.bytes.length);
    await log.append(decision('a', 1));
    await expect.poll(() => sink.syncedBytes).toBe(sink.bytes.length);
  });

  it('with `none` syncs when it is flushed or closed', async () => {
    const sink = new MemorySink();
    const log = createAuditLog({ sink, sha256, durability: 'none' });
    await log.append(decision('a', 0));
    expect(sink.syncs).toBe(0);
    await log.flush();
    expect(sink.syncedBytes).toBe(sink.bytes.length);
    log.append(decision('a', 1));
    await log.close();
    expect([sink.syncedBytes, sink.closed]).toEqual([sink.bytes.length, true]);
    await expect(log.append(decision('a', 2))).rejects.toThrow(/is closed/);
  });

  for (const fault of ['appendError', 'syncError'] as const) {
    it(`appends nothing any more after ${fault}, and what is there is a chain up to some line`, async () => {
      const sink = new MemorySink();
      const log = createAuditLog({ sink, sha256, durability: 'each' });
      await log.append(decision('a', 0));
      sink[fault] = new Error('ENOSPC: no space left on device');
      const [one, two] = [log.append(decision('a', 1)), log.append(decision('b', 0))];
      await expect(one).rejects.toMatchObject({ code: 'log-failed', message: /no space left on device/ });
      await expect(two).rejects.toThrow(ForeguardError);
      sink[fault] = null;
      expect(log.head.count).toBe(2);
      const { length } = sink.bytes;
      await expect(log.append(decision('a', 2))).rejects.toThrow(/no space left/);
      await expect(log.flush()).rejects.toThrow(/no space left/);
      await expect(log.close()).rejects.toThrow(/no space left/);
      expect([sink.bytes.length, sink.closed, log.failure?.code]).toEqual([length, true, 'log-failed']);
      expect((await verifyAudit(chunksOf(sink.bytes))).fault).toBeNull();
    });
  }

  it('with `batched` fails where the sync in the background does', async () => {
    const sink = new MemorySink();
    const log = createAuditLog({ sink, sha256, syncEveryMs: 1 });
    sink.syncError = new Error('EIO');
    await log.append(decision('a', 0));
    await expect.poll(() => log.failure?.message).toMatch(/EIO/);
    await expect(log.append(decision('a', 1))).rejects.toThrow(/EIO/);
  });

  it('goes on with the chain that its sink holds', async () => {
    const sink = new MemorySink();
    const before = createAuditLog({ sink, sha256 });
    await before.append(decision('a', 0));
    const after = createAuditLog({ sink, head: before.head });
    await after.append(decision('a', 1));
    expect(await verifyAudit(chunksOf(sink.bytes))).toEqual({ head: after.head, fault: null });
    expect(after.head.count).toBe(3);
  });

  it('refuses options that are none', () => {
    const sink = new MemorySink();
    expect(() => createAuditLog({ sink, durability: 'every' as 'each' })).toThrow(/durability is "every"/);
    expect(() => createAuditLog({ sink, syncEveryMs: 0 })).toThrow(/syncEveryMs is 0/);
    expect(() => createAuditLog({ sink, durable: true } as never)).toThrow(InvalidArgumentError);
  });
});

describe('reading an audit file', () => {
  it('gives the records of one run of many, in order', async () => {
    const records = Array.from({ length: 9 }, (_, i) => decision(`run-${i % 3}`, Math.floor(i / 3)));
    const bytes = await auditOf(records);
    expect(await readRun(chunksOf(bytes), 'run-1')).toEqual(records.filter(({ run }) => run === 'run-1'));
    expect(await readRun(chunksOf(bytes), 'run-9')).toEqual([]);
  });

  it('leaves out a last line that is torn, and refuses one that was altered', async () => {
    const text = new TextDecoder().decode(await auditOf([decision('a', 0), decision('a', 1)]));
    expect(await readRun(chunksOf(text.slice(0, -1)), 'a')).toEqual([decision('a', 0)]);
    const altered = text.replace('"number":1', '"number":2');
    await expect(readRun(chunksOf(altered), 'a')).rejects.toThrow(/line 3 was altered/);
    const entries: number[] = [];
    await expect(
      (async () => {
        for await (const { sequence } of readAudit(chunksOf(altered), { sha256 })) entries.push(sequence);
      })(),
    ).rejects.toThrow(InvalidDataError);
    expect(entries).toEqual([0, 1]);
  });
});
