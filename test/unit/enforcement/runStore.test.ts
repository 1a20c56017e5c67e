import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openRunFolder } from '../../../bindings/face/node/index.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import {
  continueRun,
  createSession,
  InspectionStore,
  type RunRecord,
  type RunStore,
  recordsOf,
  type SessionOptions,
} from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { writeBundledScript } from '../../bundledScript.js';
import { MemoryFolder } from './memoryFolder.js';
import { memoryRuns } from './memoryRuns.js';

const TOOLS = ['look', 'write', 'ask'];
const guard = createGuard(
  compileRules(
    parseSpecification(`version: 1
predicates:
  third: 'action.name == "write" && calls.write >= 2'
  asks: 'action.name == "ask"'
rules:
  twoWrites: { formula: 'G !third' }
  aPerson: { formula: 'G !asks', strategy: inspect }`),
  ),
);

const begin = async (store: RunStore, options: Partial<SessionOptions> = {}) =>
  createSession({ guard: guard.fork(), tools: TOOLS, ...(await continueRun(store, 'run')), ...options });

const call = (id: string, name: string) => ({ id, name, arguments: {} });

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'foreguard-runs-'));
  folders.push(path);
  return path;
}

const stores = {
  memory: async () => memoryRuns().store,
  folder: async () => openRunFolder(await folder()),
};

describe.each(Object.entries(stores))('runs in a %s', (_, open) => {
  it('go on in another process where one left them', async () => {
    const store = await open();
    expect(await store.read('run')).toEqual([]);
    const first = await begin(store);
    for (const id of ['1', '2']) {
      const verdict = await first.decide(call(id, 'write'));
      expect(verdict.run).not.toBeNull();
      await first.ran(verdict, { result: null });
    }
    const other = await begin(store);
    const refused = await other.decide(call('3', 'write'));
    expect(refused).toMatchObject({ run: null, rule: 'twoWrites' });
    expect((await other.decide(call('4', 'look'))).run).not.toBeNull();
    const records = await store.read('run');
    expect(records.map(({ kind }) => kind)).toEqual([
      'begin',
      ...['decision', 'outcome', 'decision', 'outcome'],
      ...['decision', 'decision'],
    ]);
  });

  it('belong to whoever records first: the session of another process lets nothing run any more', async () => {
    const store = await open();
    const [one, other] = [await begin(store), await begin(store)];
    const let1 = await one.decide(call('1', 'look'));
    expect(let1.run).not.toBeNull();
    const late = await other.decide(call('1', 'look'));
    expect(late).toMatchObject({ run: null, reason: 'log-failed' });
    expect(late.message).toMatch(/another process has continued run run, from its record 0 on/);
    expect((await other.decide(call('2', 'look'))).run).toBeNull();
    await one.ran(let1, { result: null });
    expect((await one.decide(call('2', 'look'))).run).not.toBeNull();
  });

  it('let no call id through twice, unless the call was given up', async () => {
    const store = await open();
    const first = await begin(store);
    const done = await first.decide(call('done', 'write'));
    await first.ran(done, { result: null });
    const given = await first.decide(call('given up', 'write'));
    await first.withdraw(given);
    const running = await first.decide(call('running', 'look'));
    expect(running.run).not.toBeNull();
    const other = await begin(store);
    for (const id of ['done', 'running']) {
      const again = await other.decide(call(id, 'look'));
      expect(again).toMatchObject({ decision: 'block', reason: 'repeated-call', run: null });
    }
    expect(other.unsettled.map(({ number }) => number)).toEqual([running.number]);
    await other.settle(running.number, null);
    for (const id of ['given up', 'running'])
      expect((await other.decide(call(id, 'look'))).reason).not.toBe('repeated-call');
  });

  it('are told apart by their names, whatever these are', async () => {
    const store = await open();
    const names = ['', 'a', 'A', 'a/../b', '\u0000', '\uD800', '\uD801', 'é', 'e\u0301', '.'.repeat(300)];
    for (const [i, run] of names.entries()) {
      expect(await store.read(run)).toEqual([]);
      expect(await store.add(run, 0, { kind: 'end', run, time: i, decisions: i })).toBe(true);
    }
    for (const [i, run] of names.entries()) {
      const [record, ...none] = await store.read(run);
      expect([record, none]).toEqual([expect.objectContaining({ time: i }), []]);
    }
  });

  it('have one record at each position, however many add one', async () => {
    const store = await open();
    for (let position = 0; position < 3; position++) {
      const added = await Promise.all(
        Array.from({ length: 8 }, (_, time) =>
          store.add('run', position, { kind: 'end', run: 'run', time, decisions: 0 }),
        ),
      );
      expect(added.filter(Boolean)).toHaveLength(1);
      expect((await store.read('run'))[position].time).toBe(added.indexOf(true));
    }
  });
});

describe('a question', () => {
  it('that one process asked is answered from another, and the call runs on a third, once', async () => {
    const { store } = memoryRuns();
    const files = new MemoryFolder();
    const open = () => new InspectionStore(files, { key: 'k'.repeat(32), pollMs: 5 });
    const asked = call('1', 'ask');
    const first = await begin(store);
    const { inspection } = await first.check(asked);
    await open().open(inspection!);

    const [waiting] = await open().list();
    await open().answer(waiting.inspection.id, { approved: true, by: 'ada' });

    const third = await begin(store, { ask: open().ask });
    const verdict = await third.decide(asked);
    expect(verdict).toMatchObject({ reason: 'approved', run: { name: 'ask' } });
    // The first one has not gone: it hears of the same answer, and cannot record that it acts on it.
    const late = await first.answer(inspection!.id, { approved: true });
    expect(late).toMatchObject({ run: null, reason: 'log-failed' });
    expect((await begin(store)).unsettled).toHaveLength(1);
    expect(await (await begin(store)).decide(asked)).toMatchObject({ reason: 'repeated-call', run: null });
  });
});

describe('workers of one run', () => {
  it('run each call once and keep its rules together, however they race and die', async () => {
    const turns = fc.array(
      fc.record({ id: fc.constantFrom('1', '2', '3', '4', '5'), name: fc.constantFrom('look', 'write') }),
      { minLength: 1, maxLength: 6 },
    );
    const workers = fc.array(fc.record({ calls: turns, diesAfter: fc.option(fc.nat(6), { nil: null }) }), {
      minLength: 2,
      maxLength: 4,
    });
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(workers, fc.scheduler(), async (all, scheduler) => {
        const { store } = memoryRuns(() => scheduler.schedule(Promise.resolve()));
        const done: { id: string; name: string }[] = [];
        const work = async ({ calls, diesAfter }: (typeof all)[number]) => {
          const session = await begin(store);
          for (const [i, { id, name }] of calls.entries()) {
            const verdict = await session.decide(call(id, name));
            if (i === diesAfter) return;
            if (verdict.run === null) continue;
            done.push({ id, name: verdict.run.name });
            await scheduler.schedule(Promise.resolve());
            await session.ran(verdict, { result: null });
          }
        };
        await scheduler.waitFor(Promise.all(all.map(work)));
        // One that comes after all the others.
        const after = begin(store).then((session) => session.decide(call('last', 'look')));
        expect((await scheduler.waitFor(after)).reason).not.toBe('log-failed');
        ran += done.length;
        expect(new Set(done.map(({ id }) => id)).size).toBe(done.length);
        expect(done.filter(({ name }) => name === 'write').length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 200 },
    );
    expect(ran).toBeGreaterThan(100);
  });
});

describe('a folder of a long run', () => {
  it.skipIf(process.platform === 'win32')(
    'is read by a process that may open few files at a time',
    async () => {
      const path = await folder();
      const own = join(path, createHash('sha256').update(JSON.stringify('run')).digest('hex'));
      await mkdir(own);
      const record = JSON.stringify({ kind: 'outcome', run: 'run', time: 0, number: 0, outcome: 'ran' });
      for (let i = 0; i < 400; i++) writeFileSync(join(own, `${String(i).padStart(8, '0')}.json`), record);
      const reader = join(await folder(), 'reader.mjs');
      await writeBundledScript(
        reader,
        `import { openRunFolder } from './bindings/face/node/openRunFolder.ts';
      console.log((await (await openRunFolder(${JSON.stringify(path)})).read('run')).length);`,
      );
      const limited = `ulimit -n 160 && exec "${process.execPath}" "${reader}"`;
      expect(execFileSync('sh', ['-c', limited], { encoding: 'utf8' })).toBe('400\n');
    },
  );
});

describe('what is not as it should be', () => {
  it('is said: records that are missing, damaged, or of another run', async () => {
    const path = await folder();
    const store = await openRunFolder(path);
    const session = await begin(store);
    await session.decide(call('1', 'look'));
    const [own] = await readdir(path);
    await writeFile(join(path, own, '00000001.json'), '{');
    await expect(continueRun(store, 'run')).rejects.toThrow('record 1 of run run in the store is not JSON');
    await rm(join(path, own, '00000000.json'));
    await expect(continueRun(store, 'run')).rejects.toThrow(/record 0 of run run is missing in the store/);
    const { store: other } = memoryRuns();
    await other.add('run', 0, { kind: 'end', run: 'another', time: 0, decisions: 0 });
    await expect(continueRun(other, 'run')).rejects.toThrow(
      'record 0 of run run in the store is of run another',
    );
  });

  it('is a store that fails: nothing is let through from then on, since nobody knows what it has', async () => {
    const { store } = memoryRuns();
    let fails = false;
    const session = await begin({
      read: store.read,
      add: async (...record) => {
        const added = await store.add(...record);
        if (fails) throw new Error('the connection broke');
        return added;
      },
    });
    await session.ran(await session.decide(call('1', 'look')), { result: null });
    fails = true;
    const refused = await session.decide(call('2', 'look'));
    expect(refused).toMatchObject({ run: null, reason: 'log-failed' });
    fails = false;
    expect((await session.decide(call('3', 'look'))).run).toBeNull();
    // The store has the decision that the session took back: the call counts as one that may have run.
    expect(await (await begin(store)).decide(call('2', 'look'))).toMatchObject({ reason: 'repeated-call' });
  });
});

describe('a store that does not answer', () => {
  const never = <T>() => new Promise<T>(() => undefined);

  it('is a fault after some time, and the session lets nothing run from then on', async () => {
    const { store } = memoryRuns();
    const add = async (run: string, position: number, record: RunRecord) =>
      position === 3 ? never<boolean>() : store.add(run, position, record);
    const slow = { ...store, add };
    const session = createSession({
      guard: guard.fork(),
      tools: TOOLS,
      onFault: 'block',
      ...(await continueRun(slow, 'run', { timeoutMs: 20 })),
    });
    const first = await session.decide(call('1', 'look'));
    await session.ran(first, { result: null });
    for (const id of ['2', '3']) {
      const late = await session.decide(call(id, 'look'));
      expect([late.reason, late.run]).toEqual(['log-failed', null]);
      expect(late.explanation).toContain('gave no answer within 20 ms');
    }
  });

  it('gives no run to go on with', async () => {
    const silent = { read: never, add: never } as RunStore;
    await expect(continueRun(silent, 'run', { timeoutMs: 20 })).rejects.toThrow('no answer within 20 ms');
    for (const timeoutMs of [0, -1, Number.NaN, 2 ** 31])
      await expect(continueRun(silent, 'run', { timeoutMs })).rejects.toThrow('expected milliseconds');
  });

  it('is not taken for one that has lost its records: what is no record is said', () => {
    for (const record of ['null', '5', '[]'])
      expect(() => recordsOf('run', [{ position: 0, record }])).toThrow(
        `is ${record}; expected a JSON object`,
      );
  });
});
