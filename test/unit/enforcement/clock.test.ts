import { describe, expect, it, vi } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { sessionSettings } from '../../../bindings/face/cli/mcp/settings.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard, type GuardFile } from '../../../bindings/runtime/guard/index.js';
import { guardFile, response, ruleOf } from '../guard/guardFiles.js';

const rules = [ruleOf(response, [0.1, 0.1, 0.1, 0.1])];
const timed = (more: Partial<GuardFile> = {}) =>
  createGuard(guardFile(rules, { samplingPeriodSeconds: 60, ...more }));
const session = (guard: ReturnType<typeof timed>, time?: () => number) =>
  createSession({ guard, tools: ['send'], state: () => ({}), ...(time && { time }) });

describe('a session under a guard whose rules count sampling periods', () => {
  it('needs a clock, or calls would count as periods', () => {
    expect(() => session(timed())).toThrow(
      /count sampling periods of 60 s, and the session has no clock: each call would count as a period; give time/,
    );
    expect(() => session(timed(), () => 0)).not.toThrow();
    expect(() => session(createGuard(guardFile(rules)))).not.toThrow();
  });

  it('refuses predicates that read actions where calls before their time are left out', () => {
    const predicates = [
      { name: 'a', expression: 'a' },
      { name: 'b', expression: 'action.name == "send"' },
    ];
    for (const resample of ['hold', 'skip'] as const) {
      expect(() => session(timed({ predicates, resample }), () => 0)).toThrow(
        new RegExp(
          `resample: ${resample} leaves out what comes before its time, so that no rule would see a call`,
        ),
      );
      expect(() => session(timed({ resample }), () => 0)).not.toThrow();
    }
    expect(() => session(timed({ predicates }), () => 0)).not.toThrow();
  });

  it.each([undefined, null, Number.NaN, '5'])('finds a fault where the clock says %s', async (reading) => {
    for (const resample of ['error', 'hold', 'skip'] as const) {
      const state = () => ({ a: false, b: false });
      const guard = timed({ resample });
      const told = createSession({ guard, tools: ['send'], state, time: () => reading as never });
      const { decision, reason } = await told.check({ id: '1', name: 'send', arguments: {} });
      expect({ decision, reason }).toEqual({ decision: 'stop', reason: 'irregular-time' });
    }
  });

  it('has the seconds of the clock in mcp-proxy', () => {
    const { time } = sessionSettings({}, [guardFile(rules, { samplingPeriodSeconds: 60 })]);
    vi.useFakeTimers({ now: 1_234_500 });
    try {
      expect(time?.()).toBe(1234.5);
    } finally {
      vi.useRealTimers();
    }
    expect(sessionSettings({}, [guardFile(rules)]).time).toBeUndefined();
  });
});
