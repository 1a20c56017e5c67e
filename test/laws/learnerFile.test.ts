import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../bindings/base/errors.js';
import { type Forgetting, Learner, LearnerFile } from '../../bindings/estimation/learning/index.js';
import { nodeStorage } from '../../bindings/face/node/index.js';
import { writeBundledScript } from '../bundledScript.js';
import { overFlags, randomTraces, trace } from '../unit/learning/flagTraces.js';
import { MemoryStorage } from '../unit/storage/memoryStorage.js';

const forgettings = fc.constantFrom<Forgetting | null>(
  null,
  { window: 3, of: 'traces' },
  { window: 5, of: 'seconds' },
  { window: 2, of: 'draws' },
  { halfLife: 2, of: 'draws' },
  { halfLife: 1.5, of: 'traces' },
  { halfLife: 7, of: 'seconds' },
);

describe('a learner that was saved', () => {
  it('goes on as if it had never stopped', async () => {
    await fc.assert(
      fc.asyncProperty(randomTraces(3), randomTraces(3), forgettings, async (before, after, forgetting) => {
        const constraints = { state: '!(p0 && p1 && p2)', end: '!p0' };
        const learner = new Learner(overFlags(3, constraints), {
          onContradiction: 'accept',
          skipInvalid: true,
          id: 'this',
          forgetting,
        });
        for (const [i, one] of before.entries()) learner.add(one, i);
        const file = new LearnerFile(new MemoryStorage(), 'learner');
        await file.save(learner);
        const { learner: restored, notes } = (await file.restore())!;
        expect(notes).toEqual([]);
        expect(restored.save()).toBe(learner.save());
        for (const [i, one] of after.entries()) {
          learner.add(one, before.length + i);
          restored.add(one, before.length + i);
        }
        expect(restored.save()).toBe(learner.save());
        if (![...before, ...after].some(({ steps }) => steps.length > 0)) return;
        expect(restored.chain()).toEqual(learner.chain());
      }),
      { numRuns: 100 },
    );
  });

  it('counts a trace that was open as one that was cut', () => {
    const learner = new Learner(overFlags(2));
    learner.begin('open');
    for (const { state } of trace('00 10 11').steps) learner.observe(state);
    const restored = Learner.restore(learner.save());
    expect(restored.chain()).toEqual(learner.chain());
    expect(restored.chain().report).toMatchObject({ traces: 1, steps: 3, censored: 1 });
    expect(restored.add(trace('00'))).toBe(true);
  });

  it('is refused where it is something else', () => {
    expect(() => Learner.restore('{"format":"foreguard-guard"}')).toThrow(InvalidDataError);
    expect(() => Learner.restore('not JSON')).toThrow('what was saved is not a learner');
  });

  it('is whole, and no older than the one before, when its process is killed while it writes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'foreguard-'));
    try {
      const script = join(folder, 'writer.mjs');
      await writeBundledScript(script, WRITER);
      const path = join(folder, 'learner');
      let known = 0;
      for (let round = 0; round < 8; round++) {
        const writer = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
        const exited = once(writer, 'exit');
        // It says how many traces the learner had that it has just saved.
        let said = '';
        const enough = new Promise<void>((resolve) => {
          writer.stdout.on('data', (chunk) => {
            said += String(chunk);
            if (said.split('\n').length > 3 + 2 * round) resolve();
          });
        });
        await Promise.race([enough, exited]);
        await new Promise((resolve) => setTimeout(resolve, round));
        writer.kill('SIGKILL');
        const [, signal] = await exited;
        expect(signal).toBe('SIGKILL');
        const saved = Number(said.trimEnd().split('\n').at(-1));
        expect(saved).toBeGreaterThan(known);
        const { learner, notes } = (await new LearnerFile(nodeStorage, path).restore())!;
        known = learner.chain().report.traces;
        expect(known).toBeGreaterThanOrEqual(saved);
        expect(notes).toEqual([]);
      }
      expect((await readdir(folder)).filter((name) => /^learner\./.test(name)).sort()).toEqual([
        'learner.0',
        'learner.1',
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

/** Goes on with what was saved: learns a trace, saves, says so, and so on. */
const WRITER = `
import { writeSync } from 'node:fs';
import { Abstraction } from './bindings/observations/abstraction/index.js';
import { Learner, LearnerFile } from './bindings/estimation/learning/index.js';
import { nodeStorage } from './bindings/face/node/index.js';

const file = new LearnerFile(nodeStorage, process.argv[2]);
const abstraction = new Abstraction({ predicates: [{ name: 'odd', expression: 'n % 2 == 1' }, { name: 'far', expression: 'n > 9' }] });
const learner = (await file.restore())?.learner ?? new Learner(abstraction);
let traces = learner.save() === new Learner(abstraction).save() ? 0 : learner.chain().report.traces;
for (;;) {
  learner.add({ id: 'trace ' + traces, steps: Array.from({ length: 50 }, (_, n) => ({ state: { n: (n * 7 + traces) % 20 } })) });
  await file.save(learner);
  writeSync(1, ++traces + '\\n');
}
`;
