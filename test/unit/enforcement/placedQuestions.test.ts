import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import type {
  Inspection,
  RunRecord,
  SessionOptions,
  Verdict,
} from '../../../bindings/runtime/enforcement/index.js';
import { expectReplayed } from './replayed.js';
import { guardThat, RISKY, setting } from './setting.js';

const call = { id: 'a', name: 'move', arguments: { to: 'b', token: 'secret' } };
const list = 'node:1';

/** A session that has asked about a call; `place` says where the answer will be. */
async function asking(options: Partial<SessionOptions> = {}) {
  const made = setting({
    guard: guardThat({ strategy: { kind: 'inspect' } }),
    state: () => RISKY,
    redact: ['token'],
    ...options,
  });
  const verdict = await made.session.check(call);
  const inspection = verdict.inspection as Inspection;
  return { ...made, verdict, inspection, place: (at = 0) => made.session.place(inspection.id, list, at) };
}

const resumed = (records: readonly RunRecord[], options: Partial<SessionOptions> = {}) =>
  setting({
    guard: guardThat({ strategy: { kind: 'inspect' } }),
    state: () => RISKY,
    redact: ['token'],
    resume: structuredClone(records),
    ...options,
  }).session;

describe('where a framework has the answer to a question', () => {
  it('is recorded once, and known after a restart', async () => {
    const { session, records, inspection, place } = await asking();
    await place();
    await place();
    expect(records.filter(({ kind }) => kind === 'question')).toEqual([
      {
        kind: 'question',
        run: 'run',
        time: expect.any(Number),
        number: 0,
        id: inspection.id,
        call: expect.stringMatching(/^[0-9a-f]{64}$/),
        list,
        place: 0,
        shown: [{ name: 'rule', decision: 'inspect', risk: 0.6, decidedOn: 'upper' }],
      },
    ]);
    expect(session.placed(list)).toMatchObject([{ place: 0, status: 'open', inspection }]);
    const again = resumed(records);
    expect(again.placed('node:2')).toEqual([]);
    const [placed, ...others] = again.placed(list);
    expect(others).toEqual([]);
    expect([placed.place, placed.status]).toEqual([0, 'open']);
    expect(placed.inspection).toMatchObject({
      id: inspection.id,
      run: 'run',
      call: { id: 'a', name: 'move', arguments: { to: 'b', token: '[redacted]' } },
      rule: inspection.rule,
      risk: inspection.risk,
    });
    expect(placed.inspection.question).toMatch(/^Shall the agent call move\?/);
    expect(await expectReplayed(records, guardThat({ strategy: { kind: 'inspect' } }).file)).toBe(1);
  });

  it('is about that call alone, also where its arguments are hidden', async () => {
    const { records, place } = await asking();
    await place();
    const [placed] = resumed(records).placed(list);
    expect(placed.isAbout({ ...call, arguments: { token: 'secret', to: 'b' } })).toBe(true);
    for (const other of [
      { ...call, id: 'b' },
      { ...call, name: 'brake' },
      { ...call, arguments: { to: 'b', token: 'other' } },
      { ...call, arguments: { to: 'b', token: 1n } },
    ])
      expect(placed.isAbout(other)).toBe(false);
    const [keyed] = resumed(records, { hashKey: 'sixteen characters' }).placed(list);
    expect(keyed.isAbout(call)).toBe(false);
  });

  describe('after a restart', () => {
    let now = 0;
    const clock = { now: () => now, askTimeoutMs: 1000 };
    /** Whether a yes to the question of the records counts for the one that the resumed session asks about the same call. */
    async function covers(records: readonly RunRecord[]): Promise<boolean> {
      const again = resumed(records, clock);
      const { inspection } = await again.decide(call);
      return again.placed(list)[0].covers(inspection as Inspection);
    }

    it('takes a yes until the time is over that began when people were first asked', async () => {
      now = 0;
      const { records, place } = await asking(clock);
      await place();
      for (const [time, expected] of [
        [0, true],
        [1000, true],
        [1001, false],
      ] as const) {
        now = time;
        expect(await covers(records), `${time}`).toBe(expected);
      }
    });

    it('takes a yes only to what people are known to have been told', async () => {
      now = 0;
      const { records, place } = await asking(clock);
      await place();
      const told = (shown: unknown) =>
        records.map((one) => (one.kind === 'question' ? ({ ...one, shown } as RunRecord) : one));
      const [shown] = records.flatMap((one) => (one.kind === 'question' ? one.shown : []));
      expect(await covers(told([shown]))).toBe(true);
      expect(await covers(told([{ ...shown, risk: 0.7 }]))).toBe(true);
      expect(await covers(told([{ ...shown, risk: 0.5 }]))).toBe(false);
      expect(await covers(told([{ ...shown, decision: 'reflect' }]))).toBe(false);
      expect(await covers(told([{ ...shown, name: 'other' }]))).toBe(false);
      // Logs of earlier versions do not say it.
      expect(await covers(told(undefined))).toBe(false);
    });

    it('knows nothing of questions that are not open', async () => {
      const { session, inspection, place } = await asking(clock);
      await place();
      const [placed] = session.placed(list);
      expect(placed.covers(inspection)).toBe(true);
      await session.answer(inspection.id, { approved: false });
      expect(placed.covers(inspection)).toBe(false);
    });
  });

  type Run = Awaited<ReturnType<typeof asking>>;
  const approve = ({ session, inspection }: Run): Promise<Verdict> =>
    session.answer(inspection.id, { approved: true });
  it.each<[string, (run: Run) => Promise<unknown>, string]>([
    ['approved', approve, 'open'],
    ['refused', ({ session, inspection }) => session.answer(inspection.id, { approved: false }), 'refused'],
    ['not answered', ({ session, inspection }) => session.answer(inspection.id, {} as never), 'refused'],
    ['run', async (run) => run.session.ran(await approve(run), { result: 1 }), 'over'],
    ['failed', async (run) => run.session.ran(await approve(run), { error: 1 }), 'over'],
    ['given up', async (run) => run.session.withdraw(await approve(run)), 'over'],
  ])('says what became of a call that was %s, before and after a restart', async (_, comes, status) => {
    const run = await asking();
    await run.place(3);
    await comes(run);
    for (const session of [run.session, resumed(run.records)])
      expect(session.placed(list).map((one) => [one.place, one.status])).toEqual([[3, status]]);
  });

  it('is of an open question, and of a log that takes it', async () => {
    const { session, place, inspection } = await asking();
    await expect(session.place('other', list, 0)).rejects.toThrow(InvalidArgumentError);
    await session.answer(inspection.id, { approved: false });
    await expect(place()).rejects.toThrow(/no question .* is open/);

    const append = ({ kind }: RunRecord) => {
      if (kind === 'question') throw new Error('disk full');
    };
    const full = await asking({ log: { append } });
    await expect(full.place()).rejects.toThrow('disk full');
    expect(full.session.placed(list)).toEqual([]);
  });
});
