import { describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { createSession, type RunRecord } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { guardFile, response, ruleOf } from '../guard/guardFiles.js';

const state = { a: true, b: false };

/** What the second call comes to, 20 s after the first, under a rule that wants `b` within 2 s. */
async function secondCall(resample: 'error' | 'hold', restarts: boolean, forgetsTimes = false) {
  const guard = () =>
    createGuard(guardFile([ruleOf(response, [0.1, 0.1, 0.1, 0.1])], { samplingPeriodSeconds: 1, resample }));
  const records: RunRecord[] = [];
  let now = 1000;
  const options = {
    id: 'run',
    tools: ['look'],
    state: () => state,
    time: () => now,
    log: { append: (record: RunRecord) => void records.push(JSON.parse(JSON.stringify(record))) },
  };
  let session = createSession({ ...options, guard: guard() });
  const first = await session.check({ id: '1', name: 'look', arguments: {} });
  expect(first.decision).toBe('allow');
  await session.ran(first, { result: 1 });
  const resume = forgetsTimes
    ? records.map((record) =>
        JSON.parse(
          JSON.stringify(record, (key, value) => (key === 'time' && value === 1000 ? undefined : value)),
        ),
      )
    : records.slice();
  if (restarts) session = createSession({ ...options, guard: guard(), resume });
  now += 20;
  const { decision, reason } = await session.check({ id: '2', name: 'look', arguments: {} });
  return { decision, reason };
}

describe.each(['error', 'hold'] as const)('a session that is resumed, under resample: %s', (resample) => {
  it('counts the time that it was down', async () => {
    const { decision, reason } = await secondCall(resample, false);
    expect({ decision, reason }).toEqual({
      decision: 'stop',
      reason: resample === 'hold' ? 'violated' : 'irregular-time',
    });
    expect(await secondCall(resample, true)).toEqual({ decision, reason });
  });

  it('finds no time regular after records that have none', async () => {
    expect(await secondCall(resample, true, true)).toEqual({ decision: 'stop', reason: 'irregular-time' });
  });
});
