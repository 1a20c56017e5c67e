import { describe, expect, it } from 'vitest';
import { Generations } from '../../../bindings/base/storage/index.js';
import { type Inspection, InspectionStore } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { guardFile, never as neverBoth, ruleOf } from '../guard/guardFiles.js';
import { inspectionOf } from './inspectionOf.js';
import { MemoryFolder } from './memoryFolder.js';
import { RISKY, risks, setting } from './setting.js';

const KEY = 'a key that the agent does not have';
const signal = new AbortController().signal;

/** Who asks, who answers, and an agent that can write to their folder, and read all of it, but has no key. */
function attacked() {
  const folder = new MemoryFolder();
  const clock = { now: 1000, onLook: (): void => undefined };
  const notes: string[] = [];
  const store = (key = KEY) =>
    new InspectionStore(folder, {
      key,
      pollMs: 1,
      now: () => {
        clock.onLook();
        return clock.now;
      },
      onNote: (text) => void notes.push(text),
    });
  const nameOf = (kind: 'question' | 'answer'): string => {
    const found = [...folder.files.keys()].find((name) => name.startsWith(`${kind}-`));
    return found === undefined ? '' : found.slice(0, -2);
  };
  return {
    folder,
    clock,
    notes,
    store,
    person: store(),
    asks: store(),
    /** What a kept file holds. */
    async kept(kind: 'question' | 'answer') {
      return JSON.parse((await new Generations(folder, nameOf(kind)).read())?.content ?? 'null');
    },
    /** Writes a file as the store does, checksum and all. */
    async forge(name: string, content: unknown) {
      await new Generations(folder, name).write(JSON.stringify(content));
    },
    questionName: () => nameOf('question'),
    answerName: () => nameOf('question').replace('question', 'answer'),
  };
}

/** Asks, lets the answer be looked for a few times, and says whether it is approved before the clock is past the deadline. */
async function approved(
  store: InspectionStore,
  clock: { now: number; onLook: () => void },
  inspection: Inspection,
): Promise<boolean> {
  const asked = store.ask(inspection, signal).then(
    (answer) => answer.approved,
    () => false,
  );
  let looks = 0;
  const looked = new Promise<void>((resolve) => {
    clock.onLook = () => {
      if (++looks === 8) resolve();
    };
  });
  await Promise.race([asked, looked]);
  clock.now = 1e9;
  return asked;
}

describe('an agent that can write where inspections are kept', () => {
  it('does not approve its own call', async () => {
    const { asks, clock, forge, answerName, notes } = attacked();
    await asks.open(inspectionOf('q'));
    const answer = { approved: true, by: 'ann', answeredAt: 1000 };
    await forge(answerName(), answer);
    expect(await approved(asks, clock, inspectionOf('q'))).toBe(false);
    expect(notes).toEqual([
      expect.stringContaining('an answer to inspection q that was not given with this key'),
    ]);
    for (const mac of ['0'.repeat(64), '', null, 7, ['x'], { length: 64 }]) {
      const other = attacked();
      await other.asks.open(inspectionOf('q'));
      await other.forge(other.answerName(), { ...answer, mac });
      expect(await approved(other.asks, other.clock, inspectionOf('q'))).toBe(false);
    }
    const junk = attacked();
    await junk.asks.open(inspectionOf('q'));
    await junk.forge(junk.answerName(), null);
    expect(await approved(junk.asks, junk.clock, inspectionOf('q'))).toBe(false);
  });

  it('does not turn a refusal around, nor change who gave it, what they said or when', async () => {
    for (const change of [{ approved: true }, { by: 'bob' }, { comment: 'go on' }, { answeredAt: 999 }]) {
      const { asks, person, kept, forge, answerName } = attacked();
      await asks.open(inspectionOf('q'));
      await person.answer('q', { approved: false, by: 'ann', comment: 'no' });
      await forge(answerName(), { ...(await kept('answer')), ...change });
      expect(await asks.find('q'), JSON.stringify(change)).toMatchObject({ status: 'open', answer: null });
    }
  });

  it('does not move an answer to another question', async () => {
    const { asks, person, folder, clock, kept, forge } = attacked();
    await asks.open(inspectionOf('harmless'));
    await person.answer('harmless', { approved: true });
    const answer = await kept('answer');
    await folder.remove(`${(await folder.list()).find((name) => name.startsWith('question-'))}`);
    await asks.open(inspectionOf('harmful'));
    const name = (await folder.list()).find((one) => one.startsWith('question-')) as string;
    await forge(name.slice(0, -2).replace('question', 'answer'), answer);
    expect(await approved(asks, clock, inspectionOf('harmful'))).toBe(false);
  });

  it('does not replay an answer to the same question, asked anew', async () => {
    const { asks, person, folder, clock, kept, forge, answerName } = attacked();
    await asks.open(inspectionOf('q'));
    await person.answer('q', { approved: true });
    const answer = await kept('answer');
    for (const name of await folder.list()) await folder.remove(name);
    await asks.open(inspectionOf('q', { expiresAt: 2001 }));
    await forge(answerName(), answer);
    expect(await approved(asks, clock, inspectionOf('q', { expiresAt: 2001 }))).toBe(false);
  });

  it('does not show people another question than was asked, nor more time for it', async () => {
    for (const change of [
      { question: 'Shall it read the weather?' },
      { expiresAt: 1e12 },
      { risk: 0 },
      { run: 'other' },
      { rule: 'none' },
    ]) {
      const { asks, person, kept, forge, questionName, notes } = attacked();
      await asks.open(inspectionOf('q'));
      const question = await kept('question');
      await forge(questionName(), { ...question, inspection: { ...question.inspection, ...change } });
      expect(await person.list(), JSON.stringify(change)).toEqual([]);
      expect(notes).toEqual([expect.stringContaining('a question that was not asked with this key')]);
      await expect(person.answer('q', { approved: true })).rejects.toThrow('was not asked with this key');
      await expect(asks.ask(inspectionOf('q'), signal)).rejects.toThrow('was not asked with this key');
    }
  });

  it('does not put a question in the place of another', async () => {
    const { asks, person, folder } = attacked();
    await asks.open(inspectionOf('q'));
    const [name] = await folder.list();
    await asks.open(inspectionOf('r'));
    const other = (await folder.list()).find((one) => one !== name) as string;
    folder.files.set(other, folder.files.get(name)!);
    await expect(person.find('r')).rejects.toThrow('was not asked with this key');
    expect((await person.list()).map(({ inspection }) => inspection.id)).toEqual(['q']);
  });

  it('does not keep people from answering what it forged an answer to', async () => {
    const { asks, person, forge, answerName } = attacked();
    await asks.open(inspectionOf('q'));
    await forge(answerName(), { approved: true, answeredAt: 1000 });
    await person.answer('q', { approved: false, by: 'ann' });
    expect(await asks.find('q')).toMatchObject({
      status: 'answered',
      answer: { approved: false, by: 'ann' },
    });
  });

  it('hears nothing of holders of other keys', async () => {
    const { asks, store } = attacked();
    await asks.open(inspectionOf('q'));
    await expect(store('another key that is long enough!!').answer('q', { approved: true })).rejects.toThrow(
      'keys',
    );
  });
});

describe('the key of inspections', () => {
  it('has to be there, and long', () => {
    const folder = new MemoryFolder();
    for (const key of [undefined, '', 'short', 'x'.repeat(31), new Uint8Array(31), 7, {}])
      expect(() => new InspectionStore(folder, { key } as never)).toThrow(
        /32 or more.*foreguard inspections key/,
      );
    expect(() => new InspectionStore(folder, undefined as never)).toThrow('32 or more');
    expect(() => new InspectionStore(folder, { key: new Uint8Array(32) })).not.toThrow();
  });
});

describe('a question about a call', () => {
  it('is another once the same call has run, also where the guard has made no step since', async () => {
    const file = guardFile([ruleOf(neverBoth, risks, { strategy: { kind: 'inspect' } })], {
      samplingPeriodSeconds: 1,
      periodTolerance: 0.1,
      resample: 'skip',
    });
    const { session } = setting({ guard: createGuard(file), state: () => RISKY, time: () => 0 });
    const call = { id: '1', name: 'move', arguments: {} };
    const first = await session.check(call);
    const again = await session.answer(first.inspection?.id ?? '', { approved: true });
    await session.ran(again, { result: null });
    const second = await session.check({ ...call, id: '2' });
    expect(second.decision).toBe('inspect');
    expect(second.step?.step).toBe(first.step?.step);
    expect(second.inspection?.id).not.toBe(first.inspection?.id);
  });
});
