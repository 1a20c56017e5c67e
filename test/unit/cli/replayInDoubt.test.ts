import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-in-doubt-'));
afterAll(() => rmSync(folder, { recursive: true }));

const spec = (more: object = {}): string => {
  const file = join(folder, 'spec.json');
  writeFileSync(
    file,
    JSON.stringify({
      version: 1,
      samplingPeriod: '1s',
      predicates: { red: 'light == 1', fast: 'v > 5' },
      rules: { stop: { formula: 'G (red -> F[0s,2s] !fast)', threshold: 0.5 } },
      learning: { smoothing: 0 },
      ...more,
    }),
  );
  return file;
};

/** Runs of pairs of light and speed a second apart, unless `times` says otherwise; a null light is absent. */
const runs = (
  name: string,
  seen: readonly (readonly [light: number | null, v: number])[][],
  times?: readonly number[],
): string => {
  const file = join(folder, name);
  const lines = seen.map((run, i) => ({
    id: `run ${i}`,
    steps: run.map(([light, v], k) => ({
      state: { ...(light !== null && { light }), v },
      time: times?.[k] ?? k,
    })),
  }));
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  return file;
};

describe('a replay where steps before could not be read', () => {
  // At step 2 the light of step 0 may have been red, so that the rule may be broken; it is broken for certain at step 5.
  const blind = [
    [null, 9],
    [null, 9],
    [0, 9],
    [1, 9],
    [0, 9],
    [0, 9],
  ] as const;

  it('counts what a guard of rules alone found in doubt neither as predicted nor as missed', async () => {
    const words = ['replay', '-s', spec(), '-t', runs('blind.jsonl', [[...blind]])];
    const { totals, traces } = JSON.parse((await foreguard(...words, '--json')).out);
    expect(totals.stop).toMatchObject({
      violations: 1,
      predicted: 0,
      missed: 0,
      onUnknownOnly: { violated: 1, kept: 0 },
      alarms: { threshold: 0, unknown: 1, violated: 1 },
      meanStepsAhead: null,
    });
    expect(traces[0].rules.stop).toMatchObject({ violatedAt: 5, first: { threshold: null }, maxRisk: null });
    for (const { predicted, missed } of totals.stop.tradeOff) expect([predicted, missed]).toEqual([0, 0]);
    expect((await foreguard(...words)).out).toContain(
      'stop: its risk was not known where the guard intervened before the violation of 1 trace: steps before, which nobody read, may have been such that the threshold was met',
    );
  });

  it('counts as predicted what meets the threshold whatever the steps were', async () => {
    const file = spec({ onUnknown: 'allow', onUnreadable: 'inspect', unsafeAllowUnknown: true });
    const learnt = runs(
      'learnt.jsonl',
      Array.from(
        { length: 20 },
        () =>
          [
            [0, 9],
            [1, 9],
            [1, 9],
            [1, 9],
            [1, 2],
            [0, 2],
          ] as const,
      ).map((run) => [...run]),
    );
    const model = join(folder, 'model.umb');
    expect(await foreguard('learn', '-s', file, '-t', learnt, '-o', model)).toMatchObject({ code: 0 });
    // At step 1 the risk is 4/9, or 2/3 if the light was red before; at step 2 at least 2/3.
    const traces = runs('partly.jsonl', [
      [
        [null, 9],
        [1, 9],
        [1, 9],
        [1, 9],
      ],
    ]);
    const { totals } = JSON.parse(
      (await foreguard('replay', '-s', file, '-m', model, '-t', traces, '--json')).out,
    );
    expect(totals.stop).toMatchObject({ violations: 1, predicted: 1, missed: 0, meanStepsAhead: 1 });
    const ahead = (risk: number) =>
      totals.stop.tradeOff.find((row: { risk: number }) => row.risk === risk).stepsAhead.mean;
    expect([ahead(0.4), ahead(0.5), ahead(0.6)]).toEqual([2, 1, 1]);
  });
});

describe('a replay of irregular times under resample: error', () => {
  const calm = [
    [0, 1],
    [0, 1],
    [0, 1],
  ] as const;
  const replayed = async (times: readonly number[], more?: object) => {
    const words = ['replay', '-s', spec(more), '-t', runs('times.jsonl', [[...calm]], times)];
    const { notes, irregularGaps } = JSON.parse((await foreguard(...words, '--json')).out);
    const messages: string[] = notes.map(({ message }: { message: string }) => message);
    const { out } = await foreguard(...words);
    for (const message of messages) expect(out).toContain(message);
    return { messages, count: irregularGaps.count };
  };

  it.each([
    [[0, 1, 4], '2 steps are missing, any of which may have broken a rule'],
    [[0, 1, 3], '1 step is missing, and may have broken a rule'],
    [[0, 1, 900], 'in 1 gap nobody knows how many steps are missing'],
    [[0, 1, 1], '1 step comes before its time, and may be no step of its own'],
    [[0, 0.2, 0.4], '2 steps come before their time, and may be no steps of their own'],
  ])('says of the times %j: %s', async (times, words) => {
    const { messages, count } = await replayed(times);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(
      /^\d irregular gaps? \(resample: error\), the first: trace "run 0", step \d: .* s after the step before it/,
    );
    expect(messages[0].endsWith(`; ${words}`)).toBe(true);
    expect(count).toBe(words.startsWith('2 steps come') ? 2 : 1);
  });

  it.each(['hold', 'skip'])('names what it cannot resample under resample: %s', async (resample) => {
    const { messages } = await replayed([0, 1, 900], { resample });
    expect(messages).toEqual([
      'trace "run 0" cannot be resampled: step 2: 899 s after the step before it was due, where the sampling period is 1 s and at most 100 steps may be missing; cut the trace in two; until then nobody knows how many steps are missing there, any of which may have broken a rule',
    ]);
  });

  it('says nothing of regular times, nor where steps are held', async () => {
    expect(await replayed([0, 1, 2])).toEqual({ messages: [], count: 0 });
    expect((await replayed([0, 1, 4], { resample: 'hold' })).messages).toEqual([]);
  });
});
