import { describe, expect, it } from 'vitest';
import { InvalidArgumentError, InvalidDataError } from '../../../bindings/base/errors.js';
import { type Inspection, InspectionStore } from '../../../bindings/runtime/enforcement/index.js';
import { inspectionOf } from './inspectionOf.js';
import { MemoryFolder } from './memoryFolder.js';

const KEY = 'shared by who asks and who answers';

/** Two stores on one folder, as of two processes, and a clock. */
function setting(pollMs = 1) {
  const folder = new MemoryFolder();
  const clock = { now: 1000 };
  const options = { key: KEY, pollMs, now: () => clock.now };
  return {
    folder,
    clock,
    asks: new InspectionStore(folder, options),
    answers: new InspectionStore(folder, options),
  };
}

const never = (): AbortSignal => new AbortController().signal;

describe('inspections', () => {
  it('are asked by one process and answered by another', async () => {
    const { asks, answers } = setting();
    const asked = asks.ask(inspectionOf('q'), never());
    await expect.poll(async () => (await answers.list()).map(({ status }) => status)).toEqual(['open']);
    await answers.answer('q', { approved: true, by: 'ann', comment: 'fine' });
    expect(await asked).toEqual({ approved: true, by: 'ann', comment: 'fine', answeredAt: 1000 });
    expect(await answers.find('q')).toMatchObject({ status: 'answered', inspection: inspectionOf('q') });
  });

  it('hear an answer of the same process at once', async () => {
    const { asks } = setting(1_000_000);
    const asked = asks.ask(inspectionOf('q', { expiresAt: 1e9 }), never());
    await expect.poll(() => asks.find('q')).not.toBeNull();
    await asks.answer('q', { approved: false });
    expect(await asked).toMatchObject({ approved: false });
  });

  it('count an answer that was given in time, however late it is heard', async () => {
    const { clock, asks, answers } = setting();
    await asks.open(inspectionOf('q'));
    clock.now = 2000;
    await answers.answer('q', { approved: true });
    clock.now = 99_000;
    // Frameworks may give the call that is proposed again another id.
    const call = { ...inspectionOf('q').call, id: 'call-2' };
    expect(await asks.ask(inspectionOf('q', { call, expiresAt: 200_000 }), never())).toMatchObject({
      approved: true,
    });
  });

  it('are refused once their time is over, which does not begin anew after a restart', async () => {
    const { clock, folder, asks, answers } = setting();
    await asks.open(inspectionOf('q'));
    clock.now = 2001;
    const again = new InspectionStore(folder, { key: KEY, pollMs: 1, now: () => clock.now });
    const late = again.ask(inspectionOf('q', { expiresAt: 9000 }), never());
    await expect(late).rejects.toMatchObject({
      code: 'no-answer',
      message: /until 1970-01-01T00:00:02.000Z/,
    });
    await expect(answers.answer('q', { approved: true })).rejects.toThrow(/ended at 1970/);
    expect(await answers.find('q')).toMatchObject({ status: 'expired', answer: null });
  });

  it('stay refused where who asked has gone on, whatever the clock of who answers says', async () => {
    const { clock, folder, asks } = setting();
    const asked = asks.ask(inspectionOf('q'), never());
    clock.now = 2001;
    await expect(asked).rejects.toThrow(/nobody answered inspection q/);
    const behind = new InspectionStore(folder, { key: KEY, now: () => 1500 });
    await expect(behind.answer('q', { approved: true })).rejects.toThrow(/it counts as refused/);
    await expect(asks.ask(inspectionOf('q'), never())).rejects.toMatchObject({ code: 'no-answer' });
  });

  it('end where the signal says so, and stay open', async () => {
    const { asks } = setting(1_000_000);
    const controller = new AbortController();
    const asked = asks.ask(inspectionOf('q', { expiresAt: 1e9 }), controller.signal);
    setTimeout(() => controller.abort(new Error('run over')), 5);
    await expect(asked).rejects.toThrow('run over');
    await expect(asks.ask(inspectionOf('q'), AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
    expect(await asks.find('q')).toMatchObject({ status: 'open' });
  });

  it('give no answer to another call or question under the same id', async () => {
    const { asks } = setting();
    await asks.open(inspectionOf('q'));
    await asks.answer('q', { approved: true });
    const other = inspectionOf('q', { call: { id: 'c', name: 'wipe', arguments: { disk: 1 } } });
    await expect(asks.ask(other, never())).rejects.toThrow(InvalidDataError);
    await expect(asks.ask(other, never())).rejects.toThrow(/kept with another question, about send/);
    const graver = inspectionOf('q', { question: 'Shall the agent send to a stranger?' });
    await expect(asks.ask(graver, never())).rejects.toThrow(InvalidDataError);
  });

  it('have one answer', async () => {
    const { asks, answers } = setting();
    await asks.open(inspectionOf('q'));
    await answers.answer('q', { approved: false, by: 'ann' });
    await expect(answers.answer('q', { approved: true })).rejects.toThrow(/was answered: ann refused it/);
    expect(await asks.find('q')).toMatchObject({ answer: { approved: false } });
  });

  it('refuse what is no answer, and one to a question that nobody asked', async () => {
    const { asks } = setting();
    await expect(asks.answer('none', { approved: true })).rejects.toThrow(InvalidArgumentError);
    await asks.open(inspectionOf('q'));
    await expect(asks.answer('q', { approved: 'yes' } as never)).rejects.toThrow(/approved is "yes"/);
    await expect(asks.open(inspectionOf('x', { expiresAt: Number.NaN }))).rejects.toThrow(/expiresAt is NaN/);
    expect(() => new InspectionStore(new MemoryFolder(), { key: KEY, pollMs: 0 })).toThrow(/pollMs is 0/);
  });

  it('are listed by their deadlines, under ids of any kind, until they are forgotten', async () => {
    const { asks, folder } = setting();
    const ids = ['../../etc/passwd', 'A', 'a', '', 'ü\n'.repeat(500)];
    for (const [i, id] of ids.entries()) await asks.open(inspectionOf(id, { expiresAt: 5000 - i }));
    expect((await asks.list()).map(({ inspection }) => inspection.id)).toEqual(ids.toReversed());
    expect([...folder.files.keys()].every((name) => /^question-[0-9a-f]{64}\.1$/.test(name))).toBe(true);
    await asks.answer('A', { approved: true });
    for (const id of ids) await asks.forget(id);
    expect(folder.files.size).toBe(0);
  });

  it('are not believed where their file is damaged', async () => {
    const { asks, answers, folder } = setting();
    await asks.open(inspectionOf('q'));
    await answers.answer('q', { approved: false });
    const [name] = [...folder.files.keys()].filter((name) => name.startsWith('answer'));
    const text = new TextDecoder().decode(folder.files.get(name));
    folder.files.set(name, new TextEncoder().encode(text.replace('"approved":false', '"approved":true')));
    await expect(asks.ask(inspectionOf('q') satisfies Inspection, never())).rejects.toThrow(InvalidDataError);
  });
});
