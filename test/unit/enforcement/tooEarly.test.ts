import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import type { SessionOptions } from '../../../bindings/runtime/enforcement/index.js';
import type { GuardFile } from '../../../bindings/runtime/guard/index.js';
import { expectReplayed } from './replayed.js';
import { guardThat, setting } from './setting.js';

/** A session whose guard resamples every 10 s; `a` holds from the third send on, and its rule then refuses by blocking. */
function sending(
  resample: 'hold' | 'skip',
  more: Partial<SessionOptions> = {},
  file: Partial<GuardFile> = {},
) {
  const clock = { now: 100 };
  const world = { sent: 0 };
  const guard = guardThat(
    { strategy: { kind: 'block' } },
    { samplingPeriodSeconds: 10, periodTolerance: 0.1, resample, ...file },
  );
  const one = setting({
    guard,
    state: () => ({ a: world.sent > 2, b: false }),
    time: () => clock.now,
    ...more,
  });
  const send = async () => {
    const carried = await one.propose('move');
    if (carried.verdict.run !== null) world.sent++;
    return carried.verdict;
  };
  return { ...one, clock, world, guard, send };
}

describe.each(['hold', 'skip'] as const)('a call before its time under resample: %s', (resample) => {
  it('does not run in a state that the rules have not read', async () => {
    const { send, clock, world, decisions } = sending(resample);
    for (let i = 0; i < 20; i++) {
      await send();
      clock.now += 0.05;
    }
    expect(world.sent).toBe(3);
    const refused = await send();
    expect(refused.reason).toBe('too-early');
    expect(refused.decision).toBe('block');
    expect(refused.explanation).toMatch(
      /move: It comes too early: the state has changed since the last step, and rules read the next one in 8 s; propose it again then\./,
    );
    expect(decisions().filter((one) => one === 'block: too-early')).toHaveLength(18);
    clock.now = 110;
    const read = await send();
    expect([read.decision, read.reason]).toEqual(['block', 'at-threshold']);
  });

  it('runs in a state that reads as the last step did', async () => {
    const { send, clock, world } = sending(resample);
    for (let i = 0; i < 3; i++) {
      expect((await send()).decision).toBe('allow');
      clock.now += 0.05;
    }
    expect(world.sent).toBe(3);
  });

  it('does not run where a predicate cannot be read any more', async () => {
    let lost = false;
    const { send } = sending(resample, { state: () => (lost ? { a: false } : { a: false, b: false }) });
    await send();
    lost = true;
    expect((await send()).reason).toBe('too-early');
  });

  it('does not run while the clock is behind, until it has caught up', async () => {
    const { send, clock } = sending(resample, { state: () => ({ a: false, b: false }) });
    await send();
    clock.now = 130;
    await send();
    clock.now = 129.5; // Within the tolerance of a period: a clock that is being adjusted.
    expect((await send()).decision).toBe('allow');
    clock.now = 20;
    const behind = await send();
    expect([behind.decision, behind.reason]).toEqual(['block', 'too-early']);
    expect(behind.explanation).toMatch(
      /the clock was set back by 110 s; propose it again once it has caught up\./,
    );
    clock.now = 131;
    expect((await send()).decision).toBe('allow');
  });

  it('does not run on a yes either', async () => {
    const clock = { now: 100 };
    const world = { sent: 0 };
    const asked = sending(resample, {
      guard: guardThat(
        { threshold: 0.05, strategy: { kind: 'inspect' } },
        { samplingPeriodSeconds: 10, periodTolerance: 0.1, resample },
      ),
      time: () => clock.now,
      state: () => ({ a: world.sent > 2, b: false }),
    });
    const verdict = await asked.session.check({ id: '1', name: 'move', arguments: {} });
    expect(verdict.decision).toBe('inspect');
    world.sent = 3;
    clock.now += 1;
    const answered = await asked.session.answer(verdict.inspection?.id ?? '', { approved: true });
    expect([answered.decision, answered.reason, answered.run]).toEqual(['block', 'too-early', null]);
  });

  it('is replayed as it was decided', async () => {
    const { send, clock, records, session, guard } = sending(resample);
    for (let i = 0; i < 6; i++) {
      await send();
      clock.now += 2.5;
    }
    await session.end();
    expect(records.some((one) => one.kind === 'decision' && one.reason === 'too-early')).toBe(true);
    await expectReplayed(records, guard.file);
  });
});
