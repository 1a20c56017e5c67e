import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import {
  createInspectionKey,
  INSPECTIONS_KEY,
  nodeStorage,
  openAuditFile,
  openInspections,
} from '../../../bindings/face/node/index.js';
import { type RunRecord, readRun } from '../../../bindings/runtime/enforcement/index.js';
import { writeBundledScript } from '../../bundledScript.js';
import { inspectionOf } from '../enforcement/inspectionOf.js';
import { guardThat, RISKY, setting } from '../enforcement/setting.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-inspections-'));
afterAll(() => rmSync(folder, { recursive: true }));

const expiresAt = Date.now() + 600_000;
const keyFile = join(folder, 'key');
await createInspectionKey(keyFile);

describe('inspections in a folder', () => {
  it('outlast the process that asks: an answer given while it was dead is found', async () => {
    const script = join(folder, 'asks.mjs');
    await writeBundledScript(script, ASKS);
    for (const [round, approved] of [true, false].entries()) {
      const kept = join(folder, `kept-${round}`);
      const inspection = inspectionOf('q', { expiresAt });
      const dies = spawn(process.execPath, [script, kept, JSON.stringify(inspection), keyFile], {
        stdio: 'ignore',
      });
      const exited = once(dies, 'exit');
      const answers = await openInspections(kept, { keyFile });
      await expect.poll(async () => (await answers.list()).length).toBe(1);
      dies.kill('SIGKILL');
      await exited;
      await answers.answer('q', { approved, by: 'ann' });
      const later = inspectionOf('q', { expiresAt: expiresAt + 1000 });
      const lives = spawn(process.execPath, [script, kept, JSON.stringify(later), keyFile], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      lives.stdout.on('data', (chunk) => {
        said += String(chunk);
      });
      await once(lives, 'close');
      expect(JSON.parse(said)).toMatchObject({ approved, by: 'ann' });
    }
  });

  it('are asked again by a run that goes on from its audit file, and have kept their answer', async () => {
    const path = join(folder, 'audit.jsonl');
    const store = await openInspections(join(folder, 'resumed'), { keyFile, pollMs: 5 });
    const begin = async (resume?: readonly RunRecord[]) => {
      const log = await openAuditFile(path);
      const guard = guardThat({ strategy: { kind: 'inspect' } });
      return {
        log,
        ...setting({ guard, log, state: () => RISKY, ask: store.ask, ...(resume && { resume }) }),
      };
    };
    const before = await begin();
    const unheard = before.propose('move', { to: 'ann' });
    unheard.catch(() => undefined);
    await expect.poll(async () => (await store.list()).length).toBe(1);
    await before.log.close();
    const [{ inspection }] = await store.list();
    await (await openInspections(join(folder, 'resumed'), { keyFile })).answer(inspection.id, {
      approved: true,
    });
    await unheard;
    expect(before.ran).toEqual([]);

    const after = await begin(await readRun(nodeStorage.read(path), 'run'));
    await after.propose('move', { to: 'ann' });
    expect(after.ran).toEqual(['move']);
    // Another call is another question.
    const other = after.propose('move', { to: 'bob' });
    await expect
      .poll(async () => (await store.list()).map(({ status }) => status))
      .toEqual(['answered', 'open']);
    await store.answer((await store.list())[1].inspection.id, { approved: false });
    await other;
    expect(after.ran).toEqual(['move']);
    await after.log.close();
  });

  it('are for their owner alone, and not kept where there can be no folder', async () => {
    const kept = join(folder, 'own', 'inspections');
    const store = await openInspections(kept, { keyFile, pollMs: 5 });
    expect(statSync(kept).mode & 0o077).toBe(0);
    expect(await store.list()).toEqual([]);
    await store.open(inspectionOf('q', { expiresAt }));
    await store.forget('q');
    await store.forget('q');
    expect(await store.find('q')).toBeNull();
    writeFileSync(join(folder, 'file'), '');
    await expect(openInspections(join(folder, 'file'), { keyFile })).rejects.toThrow(InvalidArgumentError);
  });

  it('lose nothing where many are asked and answered at once', async () => {
    const kept = join(folder, 'many');
    const [asks, answers] = [
      await openInspections(kept, { keyFile, pollMs: 5 }),
      await openInspections(kept, { keyFile }),
    ];
    const ids = Array.from({ length: 8 }, (_, i) => `q${i}`);
    const asked = ids.map((id) => asks.ask(inspectionOf(id, { expiresAt }), new AbortController().signal));
    for (let left = ids.length; left > 0; ) {
      for (const { inspection, status } of await answers.list()) {
        if (status !== 'open') continue;
        await answers.answer(inspection.id, {
          approved: inspection.id.endsWith('1'),
          comment: inspection.id,
        });
        left--;
      }
    }
    const comments = (await Promise.all(asked)).map(({ approved, comment }) => [approved, comment]);
    expect(comments).toEqual(ids.map((id) => [id.endsWith('1'), id]));
  });
});

describe('the key of inspections', () => {
  it('is made once, for its owner alone', async () => {
    const path = join(folder, 'made');
    await createInspectionKey(path);
    expect(readFileSync(path, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await expect(createInspectionKey(path)).rejects.toThrow('never written over');
    await expect(createInspectionKey(join(folder, 'none', 'key'))).rejects.toThrow(InvalidArgumentError);
  });

  it('is asked for, with what to do', async () => {
    const kept = join(folder, 'no-key');
    await expect(openInspections(kept)).rejects.toThrow(/need a key.*foreguard inspections key FILE/);
    await expect(openInspections(kept, { keyFile: join(folder, 'none') })).rejects.toThrow(
      /cannot read the key/,
    );
    expect(existsSync(kept)).toBe(false);
    vi.stubEnv(INSPECTIONS_KEY, readFileSync(keyFile, 'utf8'));
    try {
      await (await openInspections(kept)).open(inspectionOf('q', { expiresAt }));
    } finally {
      vi.unstubAllEnvs();
    }
    expect(await (await openInspections(kept, { keyFile })).list()).toHaveLength(1);
  });

  it('does not lie where it seals, and is told of where others can read it', async () => {
    const kept = join(folder, 'with-key');
    mkdirSync(kept);
    const inside = join(kept, 'key');
    await createInspectionKey(inside);
    await expect(openInspections(kept, { keyFile: inside })).rejects.toThrow('is in the folder');
    const deeper = join(kept, 'deeper');
    mkdirSync(deeper);
    await createInspectionKey(join(deeper, 'key'));
    await expect(openInspections(kept, { keyFile: join(deeper, 'key') })).rejects.toThrow('is in the folder');
    const elsewhere = join(folder, 'elsewhere-key');
    await createInspectionKey(elsewhere);
    symlinkSync(elsewhere, join(kept, 'link'));
    await expect(openInspections(kept, { keyFile: join(kept, 'link') })).rejects.toThrow('is in the folder');
    const open = join(folder, 'open-key');
    await createInspectionKey(open);
    chmodSync(open, 0o644);
    const notes: string[] = [];
    await openInspections(kept, { keyFile: open, onNote: (text) => void notes.push(text) });
    expect(notes).toEqual([expect.stringContaining('chmod 600')]);
  });
});

const ASKS = `
import { openInspections } from './bindings/face/node/index.js';
const [folder, inspection, keyFile] = process.argv.slice(2);
const { ask } = await openInspections(folder, { keyFile, pollMs: 10 });
console.log(JSON.stringify(await ask(JSON.parse(inspection), new AbortController().signal)));
`;
