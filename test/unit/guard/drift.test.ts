import { describe, expect, it } from 'vitest';
import {
  createGuard,
  createGuardStep,
  type Guard,
  type GuardFile,
} from '../../../bindings/runtime/guard/index.js';
import { guardFile, never, ruleOf } from './guardFiles.js';

/** State 0 was left 1000 times, to 0 and 1 (a) alike; state 1 to 0 and 2 (b); 2 to 0. Runs began in 0. */
const drift = {
  falseAlarmRate: 1e-3,
  onDrift: 'report',
  start: { columns: [0], counts: [100] },
  counts: [500, 500, 495, 5, 500],
  drawsSinceNew: [990, 400, 499, 0, 99],
} as const;
const quiet = ruleOf(never, [0, 0, 0, 0]);
const watching = (more: Partial<GuardFile> = {}): Guard =>
  createGuard(guardFile([quiet], { drift, ...more }));
const state = (s: number): Record<string, boolean> => ({ a: (s & 1) === 1, b: (s & 2) === 2 });
/** A run through the states, one number each. */
const walk = (guard: Guard, states: readonly number[]): void => {
  for (const s of states) guard.step(state(s));
};
const repeat = (states: readonly number[], times: number): number[] =>
  Array.from({ length: times }, () => states).flat();

describe('a guard that watches for drift', () => {
  it('has no evidence before anything was seen, and little after what the data lead to expect', () => {
    const guard = watching();
    expect(guard.drift?.evalue).toBeLessThan(1);
    walk(guard, repeat([0, 1, 0], 2000));
    expect(guard.drift).toMatchObject({ alarm: false, falseAlarmRate: 1e-3 });
    expect(guard.drift?.evalue).toBeLessThan(1);
    expect(guard.step(state(0)).drift).toBe(false);
  });

  it('raises an alarm where a transition becomes more frequent, and names it', () => {
    const guard = watching();
    walk(guard, repeat([0, 1, 2], 100));
    expect(guard.drift?.alarm).toBe(true);
    expect(guard.drift?.strongest()).toEqual({
      from: 1,
      to: 2,
      inData: { count: 5, draws: 500 },
      live: { count: 100, draws: 100 },
    });
    const result = guard.step(state(0));
    expect(result).toMatchObject({ drift: true, decision: 'report', reason: 'drift' });
    expect(guard.explain(result)).toMatch(
      /The agent no longer behaves as in the data: the evidence is [\d.e+]+, and if nothing had changed it would ever have reached 1000 with a probability of at most 0\.001\. What stands out most: after "a; not b" comes "b; not a" in 100 of 100 steps, in the data in 5 of 500\.$/,
    );
  });

  it('does not call the risk of an exact rule learnt', () => {
    const { tables: _, ...exact } = quiet;
    for (const [rule, words] of [
      [
        exact,
        /risks as they were learnt say nothing any more; rule "[^"]+" .* is exact, and is enforced as before\./,
      ],
      [quiet, /so the risk of breaking rule .*, 0 as it was learnt, says nothing any more\./],
    ] as const) {
      const guard = createGuard(guardFile([rule], { drift }));
      walk(guard, repeat([0, 1, 2], 100));
      expect(guard.explain(guard.step(state(0)))).toMatch(words);
    }
  });

  it('notices a transition that the data never show, into a state of the data or none', () => {
    for (const target of [2, 3]) {
      const guard = watching();
      for (let run = 0; run < 12; run++) {
        guard.reset();
        walk(guard, [0, target]);
      }
      expect(guard.drift?.alarm).toBe(true);
      expect(guard.drift?.strongest()).toMatchObject({
        from: 0,
        to: null,
        inData: { count: 0, draws: 1000 },
      });
      expect(guard.explainDrift()).toContain('comes what the data never show there in 12 of 12 steps');
    }
  });

  it('notices where runs begin', () => {
    const guard = watching();
    for (let run = 0; run < 10; run++) {
      guard.reset();
      walk(guard, [1]);
    }
    expect(guard.drift?.alarm).toBe(true);
    expect(guard.explainDrift()).toContain(
      'at the beginning of runs comes what the data never show there in 10 of 10',
    );
  });

  it('goes on from run to run, and does not take the beginning of one for a step', () => {
    const guard = watching();
    const other = watching();
    for (let run = 0; run < 30; run++) {
      walk(guard, [0, 1]);
      guard.reset();
    }
    walk(other, [0, 1]);
    expect(guard.drift?.strongest()?.live.draws).toBe(30);
    expect(guard.drift?.evalue).not.toBe(other.drift?.evalue);
  });

  it('keeps the alarm until it is restarted', () => {
    const guard = watching();
    walk(guard, repeat([0, 1, 2], 100));
    guard.reset();
    expect(guard.step(state(0)).drift).toBe(true);
    guard.drift?.restart();
    expect(guard.step(state(0)).drift).toBe(false);
    expect(guard.drift?.evalue).toBeLessThan(1);
  });

  it.each([
    ['report', 'allow', 'report', 'drift'],
    ['inspect', 'allow', 'inspect', 'drift'],
    ['stop', 'allow', 'stop', 'drift'],
    ['report', 'inspect', 'inspect', 'at-threshold'],
    ['stop', 'replace', 'stop', 'drift'],
    ['inspect', 'replace', 'replace', 'at-threshold'],
  ] as const)('with onDrift: %s makes %s a %s', (onDrift, rule, decision, reason) => {
    const strategy =
      rule === 'replace'
        ? ({ kind: rule, action: 'brake' } as const)
        : ({ kind: rule === 'allow' ? 'stop' : rule } as const);
    const intervening = ruleOf(never, [0, 0, rule === 'allow' ? 0 : 1, 0], {
      strategy,
      lower: [0, 0, 0, 0],
    });
    const guard = createGuard(guardFile([intervening], { drift: { ...drift, onDrift } }));
    walk(guard, repeat([0, 1, 2], 100));
    expect(guard.step(state(2))).toMatchObject({
      decision,
      reason,
      drift: true,
      action: decision === 'replace' ? 'brake' : null,
    });
  });

  it('reads no step after an intervention, which is not the agent’s own, unless interventions are only recorded', () => {
    const risk = [0, 1, 0, 0];
    const stopping = ruleOf(never, risk, { lower: risk });
    const guard = createGuard(guardFile([stopping], { drift }));
    walk(guard, repeat([0, 0, 1, 2], 100));
    expect(guard.drift?.alarm).toBe(false);
    const recording = createGuard(guardFile([stopping], { drift }));
    if (recording.drift !== null) recording.drift.obeyed = false;
    walk(recording, repeat([0, 0, 1, 2], 100));
    expect(recording.drift?.alarm).toBe(true);
  });

  it('reads no step from or to an observation that could not be read', () => {
    const guard = watching();
    for (let i = 0; i < 100; i++) {
      guard.step(state(1));
      guard.step({ a: false });
      guard.step(state(2));
      guard.step({ a: false });
    }
    expect(guard.drift?.save().draws).toEqual([0, 0, 0, 0, 1]);
    expect(guard.drift?.alarm).toBe(false);
  });

  it('reads no step that took another time than the sampling period', () => {
    const guard = watching({ samplingPeriodSeconds: 1 });
    for (let i = 0; i < 100; i++) {
      guard.step(state(1), { time: 10 * i });
      guard.step(state(2), { time: 10 * i + 5 });
    }
    expect(guard.drift?.alarm).toBe(false);
    const regular = watching({ samplingPeriodSeconds: 1 });
    for (let i = 0; i < 100; i++) regular.step(state(i % 2 === 0 ? 1 : 2), { time: i });
    expect(regular.drift?.alarm).toBe(true);
  });

  it.each(['hold', 'skip'] as const)(
    'reads nothing across steps that are missing: resample: %s',
    (resample) => {
      const gaps = watching({ samplingPeriodSeconds: 1, resample });
      for (let i = 0; i < 100; i++) {
        gaps.step(state(1), { time: 10 * i });
        gaps.step(state(2), { time: 10 * i + 5 });
      }
      expect(gaps.drift?.alarm).toBe(false);
      const after = watching({ samplingPeriodSeconds: 1, resample });
      const straight = watching({ samplingPeriodSeconds: 1, resample });
      // The draw before the gap counts, and the one behind it.
      for (const [s, time] of [
        [0, 0],
        [1, 1],
        [2, 5],
        [0, 6],
      ])
        after.step(state(s), { time });
      straight.step(state(0), { time: 0 });
      straight.step(state(1), { time: 1 });
      straight.drift?.lose();
      straight.step(state(2), { time: 2 });
      straight.step(state(0), { time: 3 });
      expect(after.drift?.save()).toEqual(straight.drift?.save());
    },
  );

  it('goes on from a snapshot as if it had never stopped', () => {
    const whole = watching();
    const first = watching();
    const steps = repeat([0, 1, 0, 1, 2, 0, 0], 9);
    walk(whole, steps);
    walk(first, steps);
    const second = watching();
    second.drift?.restore(JSON.parse(JSON.stringify(first.drift?.save())));
    whole.reset();
    for (const guard of [whole, second]) walk(guard, steps);
    const [restored, kept] = [second.drift?.save(), whole.drift?.save()];
    expect(restored?.draws).toEqual(kept?.draws);
    expect(restored?.counts).toEqual(kept?.counts);
    kept?.capital.forEach((value, i) => {
      if (value === 0) expect(restored?.capital[i]).toBe(0);
      else expect((restored?.capital[i] ?? 0) / value).toBeCloseTo(1, 12);
    });
    expect((second.drift?.evalue ?? 0) / (whole.drift?.evalue ?? 0)).toBeCloseTo(1, 12);
  });

  it('refuses snapshots of another model, or that are damaged', () => {
    const { drift: watch } = watching();
    const saved = watch?.save();
    expect(() => watch?.restore({ ...saved, modelHash: 'other' } as never)).toThrow(
      'the snapshot of drift belongs to model other, this guard to none',
    );
    expect(() => watch?.restore({ ...saved, draws: [1] } as never)).toThrow(
      'the snapshot of drift: draws must be 5 numbers from 0 up',
    );
    expect(() =>
      watch?.restore({ ...saved, capital: saved?.capital.map(() => Number.NaN) } as never),
    ).toThrow('capital must be');
    expect(() => watch?.restore({ ...saved, counts: saved?.counts.map(() => 1) } as never)).toThrow(
      'a step is counted 1 times of 0',
    );
    // Taken as it is, it would make the evidence NaN, and there would never be an alarm.
    expect(() => watch?.restore({ ...saved, recent: saved?.recent.map(() => 1) } as never)).toThrow(
      'a step was taken 1 times of late, of 0 in all',
    );
    expect(() => watch?.restore(null as never)).toThrow('belongs to model undefined');
  });

  it('is not watched where the file does not say so', () => {
    const guard = createGuard(guardFile([quiet]));
    expect(guard.drift).toBeNull();
    expect(guard.step(state(0)).drift).toBe(false);
    expect(guard.explainDrift()).toBe('');
  });

  it.each([
    [
      { ...drift, falseAlarmRate: 0 },
      'drift.falseAlarmRate is 0, expected a probability above 0 and below 1',
    ],
    [{ ...drift, onDrift: 'allow' }, 'drift.onDrift is "allow", expected one of report, inspect, stop'],
    [{ ...drift, counts: [1, 2] }, 'drift.counts is 2 entries, expected 5'],
    [{ ...drift, counts: [1, 2, 0, 1, 1] }, 'drift.counts[2] is 0, expected a count from 1 up'],
    [{ ...drift, counts: [1, 2, 0.5, 1, 1] }, 'drift.counts[2] is 0.5, expected a whole number'],
    [
      { ...drift, start: { columns: [1, 0], counts: [1, 1] } },
      'drift.start.columns[1] is 0, expected more than 1',
    ],
    [{ ...drift, start: { columns: [4], counts: [1] } }, 'drift.start.columns[0] is 4'],
    [{ ...drift, drawsSinceNew: [1] }, 'drift.drawsSinceNew is 1 entries, expected 5'],
  ])('refuses %j', (wrong, message) => {
    expect(() => createGuard(guardFile([quiet], { drift: wrong as never }))).toThrow(message);
  });

  it('stays finite and alarmed when a change goes on for long', () => {
    const guard = watching();
    const result = createGuardStep();
    for (let i = 0; i < 50_000; i++) guard.stepInto(state(i % 2 === 0 ? 1 : 2), {}, result);
    expect(guard.drift?.alarm).toBe(true);
    expect(guard.drift?.save().capital.every((value) => Number.isFinite(value) && value >= 0)).toBe(true);
    expect(guard.drift?.evalue).toBeGreaterThan(1e100);
  });
});
