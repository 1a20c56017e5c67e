import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RuleReplay, RuleTotals, TraceReplay } from '../../../bindings/study/evaluation/index.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-held-'));
const path = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const said = '1,800 of 2,000 steps were held, not recorded';
const resampled = { steps: 2000, held: 1800, missing: 1800, leftOut: 0 };
const specification = (policy: string, model = 'dtmc') => `version: 1
samplingPeriod: 0.1s
resample: ${policy}
predicates: { hot: 'hot' }
rules: { cool: { formula: 'G (hot -> F[0s,2s] !hot)', threshold: 0.9 } }
learning: { smoothing: 0, model: ${model} }
`;
const files = ['-s', path('hold.yaml'), '-t', path('slow.jsonl')];
const model = ['-s', path('hold.yaml'), '-m', path('hold.umb')];

beforeAll(async () => {
  // Ten drives of 20 steps, recorded once a second, the last 1.9 s after the one before it: 18 * 9 + 18 steps are held in each.
  const lines = Array.from({ length: 10 }, (_, run) => {
    const steps = Array.from({ length: 20 }, (_, i) => ({
      time: i === 19 ? 19.9 : i,
      state: { hot: (i * 7 + run) % 5 === 0 },
      action: { name: i % 2 === 0 ? 'wait' : 'cool' },
    }));
    return JSON.stringify({ id: `run${run}`, steps });
  });
  writeFileSync(path('slow.jsonl'), `${lines.join('\n')}\n`);
  writeFileSync(path('hold.yaml'), specification('hold'));
  writeFileSync(path('skip.yaml'), specification('skip'));
  writeFileSync(path('mdp.yaml'), specification('hold', 'mdp'));
  writeFileSync(path('error.yaml'), specification('error'));
  expect(await foreguard('learn', ...files, '-o', path('hold.umb'))).toMatchObject({ code: 0 });
});

describe('figures that rest on steps that were held', () => {
  it.each([
    ['validate', files],
    ['learn', [...files, '-o', path('again.umb')]],
    ['robustness', files],
    ['risk', model],
    ['risk', [...model, '--joint', 'cool']],
    ['compile', [...model, '-o', path('guard.json')]],
    ['replay', [...model, '-t', path('slow.jsonl')]],
    ['check', [path('hold.umb'), '--property', 'P=? [ F "hot" ]']],
    ['ask', ['what are the rules?', '-s', path('hold.yaml'), '--model', path('hold.umb')]],
  ])('say so, and how many: %s', async (command, words) => {
    const { out, err, code } = await foreguard(command, ...words);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(out).toContain(said);
    const document = JSON.parse((await foreguard(command, ...words, '--json')).out);
    expect(document.resampled).toEqual(resampled);
    if (command === 'replay') {
      expect(document.learntFrom).toEqual(resampled);
      expect(out).toContain(`learnt from resampled traces: ${said}`);
    }
    if (command === 'robustness' || command === 'replay') {
      expect(document.traces[0]).toMatchObject({ steps: 20, held: 180, leftOut: 0, leftOutSteps: [] });
      expect(out).toMatch(/^run0 +cool +20, 180 held /m);
    }
  });

  it.each([
    ['a model', model],
    ['traces', files],
    ['traces, of a decision process', ['-s', path('mdp.yaml'), '-t', path('slow.jsonl')]],
  ])('are refused a certificate: certify, from %s', async (_, words) => {
    const { err, code } = await foreguard('certify', ...words);
    expect(code).toBe(2);
    expect(err).toContain(`${said}: a step that is held repeats the one before it for certain`);
    expect(err).toContain('learn with resample: skip');
  });

  it('are said by learn to get no certificate, and say nothing where all was recorded in time', async () => {
    const held = await foreguard('learn', ...files, '-o', path('again.umb'));
    const refused = 'steps that are held are not draws of the agent: certify will refuse this model';
    expect(held.out).toContain(refused);
    const { notes } = JSON.parse((await foreguard('learn', ...files, '-o', path('again.umb'), '--json')).out);
    expect(notes).toContainEqual({ source: path('again.umb'), message: refused });
    writeFileSync(path('fast.yaml'), specification('hold').replaceAll('0.1s', '1s'));
    writeFileSync(
      path('fast.jsonl'),
      `${JSON.stringify({ id: 'a', steps: [0, 1, 2].map((time) => ({ time, state: { hot: time === 1 } })) })}\n`,
    );
    for (const command of ['validate', 'robustness']) {
      const { out } = await foreguard(command, '-s', path('fast.yaml'), '-t', path('fast.jsonl'));
      expect(out).not.toContain('were held');
    }
  });

  it('are certified under skip, for what they are: steps of the recording, which may be further apart', async () => {
    const words = ['certify', '-s', path('skip.yaml'), '-t', path('slow.jsonl')];
    const { out, code } = await foreguard(...words);
    expect(code).toBe(0);
    expect(out).toContain(
      '1,800 missing steps were not counted: a step may stand for more than a sampling period',
    );
    const document = JSON.parse((await foreguard(...words, '--json')).out);
    expect(document.resampled).toEqual({ ...resampled, steps: 200, held: 0 });
  });
});

describe('steps that were not recorded in time', () => {
  const at = (id: string, speeds: readonly number[], times: readonly number[]) =>
    `${JSON.stringify({ id, steps: speeds.map((speed, i) => ({ state: { speed }, time: times[i] })) })}\n`;
  const policy = (resample: string, rules: string) => `version: 1
samplingPeriod: 0.1s
resample: ${resample}
rules: { ${rules} }
learning: { smoothing: 0 }
`;
  const answer = "answer: { formula: 'G (speed == 1 -> F[0s,0.4s] speed > 50)', threshold: 0.3 }";
  const fast = "fast: { formula: 'F (speed > 50)', threshold: 0.9 }";

  interface Replayed {
    readonly traces: readonly (TraceReplay & { readonly rules: Record<string, RuleReplay> })[];
    readonly totals: Record<string, RuleTotals>;
  }

  async function replayed(
    resample: string,
    rules: string,
    line: string,
  ): Promise<{ out: string; json: Replayed }> {
    writeFileSync(path('irregular.yaml'), policy(resample, rules));
    writeFileSync(path('irregular.jsonl'), line);
    const spec = ['-s', path('irregular.yaml'), '-t', path('irregular.jsonl')];
    expect(await foreguard('learn', ...spec, '-o', path('irregular.umb'))).toMatchObject({ code: 0 });
    const words = ['replay', ...spec, '-m', path('irregular.umb'), '--explain'];
    const { out } = await foreguard(...words);
    return { out, json: JSON.parse((await foreguard(...words, '--json')).out) };
  }

  it('break a rule while they are held: one number of the step, and the time when it was due', async () => {
    // Asked at 0.1 s, answered at 0.9 s: the deadline is over at 0.5 s, while step 2 is held.
    const { out, json } = await replayed(
      'hold',
      answer,
      at('late', [0, 1, 0, 60, 60], [0, 0.1, 0.2, 0.9, 1]),
    );
    expect(out).toMatch(/^late +answer +5, 6 held +2, held +0 /m);
    expect(out).toContain('late, answer: violated at step 2, held (0.5 s)');
    expect(json.traces[0].rules.answer).toMatchObject({
      verdict: 'violated',
      violatedAt: 2,
      violatedWhileHeld: true,
      first: { threshold: 0, violated: 3 },
    });
    // From step 0, in whose state half of what follows breaks the rule.
    expect(json.totals.answer).toMatchObject({ predicted: 1, meanStepsAhead: 5 });
    expect(json.totals.answer.meanSecondsAhead).toBeCloseTo(0.5, 12);
    expect(out).toContain(
      'A step that was missing before this one, and repeats the one before it, broke rule "answer"',
    );
    expect(out).not.toContain('This step breaks rule');
  });

  it('count as predicted where the step that is held met the threshold itself', async () => {
    // 0.29 before step 1, where it is asked, and 0.59 there.
    const line = at('late', [0, 1, 60], [0, 0.1, 0.9]) + at('good', [0, 0, 0], [0, 0.1, 0.2]);
    const { json } = await replayed('hold', answer.replace('0.3 }', '0.5 }'), line);
    expect(json.traces[0].rules.answer).toMatchObject({ violatedAt: 1, violatedWhileHeld: true });
    const { threshold } = json.traces[0].rules.answer.first;
    expect(threshold).toBe(1);
    expect(json.totals.answer).toMatchObject({ predicted: 1, missed: 0, meanStepsAhead: 4 });
    expect(json.totals.answer.meanSecondsAhead).toBeCloseTo(0.4, 12);
  });

  it.each(['hold', 'skip'])(
    'are named where they were left out, and nothing is said of them: %s',
    async (how) => {
      const line = at('twice', [30, 30, 60, 30, 30], [0, 0.1, 0.1, 0.2, 0.3]);
      const { out, json } = await replayed(how, fast, line);
      expect(out).toContain('none of the steps 0 to 4 that count (step 2 was left out) had `speed > 50`');
      expect(out).toContain(
        '1 step that came before its time was left out, and is not judged, the first: trace "twice", step 2',
      );
      expect(json.traces[0]).toMatchObject({ steps: 5, held: 0, leftOut: 1, leftOutSteps: [2] });
      const words = ['robustness', '-s', path('irregular.yaml'), '-t', path('irregular.jsonl')];
      const judged = JSON.parse((await foreguard(...words, '--json')).out);
      expect(judged.traces[0]).toMatchObject({ steps: 5, held: 0, leftOut: 1, leftOutSteps: [2] });
    },
  );

  it('have no number while they are to come, as some of them may be missing or left out', async () => {
    const line = at('early', [0, 1, 0, 0, 0, 0, 0], [0, 0.1, 0.2, 0.2, 0.3, 0.4, 0.5]);
    const { out } = await replayed('hold', answer, line);
    expect(out).toContain('so `speed > 50` must come by the step due at 0.5 s: 4 steps (0.4 s) left');
    expect(out).toContain('early, answer: violated at step 6 (0.5 s)');
    const { out: skipped } = await replayed('skip', answer, line);
    expect(skipped).toContain('so `speed > 50` must come by the step 4 further on: 4 steps left');
  });

  it('have the seconds of the recording under skip, where a step may stand for more than a period', async () => {
    const { out } = await replayed(
      'skip',
      "slow: { formula: 'G (speed <= 50)', threshold: 0.3 }",
      at('gap', [30, 30, 60, 30], [0, 0.1, 0.7, 0.8]),
    );
    expect(out).toContain('gap, slow: violated at step 2 (0.7 s): at step 2 `speed <= 50` did not hold');
  });
});

describe('steps without a time', () => {
  const said = '2 of 3 steps have no time, and are taken for on time';

  it('are counted in every command, also where no step of a trace has one', async () => {
    writeFileSync(path('clock.yaml'), specification('error'));
    const steps = [{ time: 0, state: { hot: true } }, { state: { hot: false } }, { state: { hot: false } }];
    writeFileSync(path('clock.jsonl'), `${JSON.stringify({ id: 'a', steps })}\n`);
    const files = ['-s', path('clock.yaml'), '-t', path('clock.jsonl')];
    const model = ['-s', path('clock.yaml'), '-m', path('clock.umb')];
    for (const words of [
      ['learn', ...files, '-o', path('clock.umb')],
      ['robustness', ...files],
      ['certify', ...model],
      ['risk', ...model],
      ['compile', ...model, '-o', path('clock.guard.json')],
      ['replay', ...model, '-t', path('clock.jsonl')],
    ]) {
      const { out, code } = await foreguard(...words);
      expect({ words, code }).toEqual({ words, code: 0 });
      expect(out).toContain(said);
      expect(JSON.parse((await foreguard(...words, '--json')).out).resampled.untimed).toBe(2);
    }
    writeFileSync(
      path('none.jsonl'),
      `${JSON.stringify({ id: 'b', steps: steps.map(({ state }) => ({ state })) })}\n`,
    );
    const words = ['validate', '-s', path('clock.yaml'), '-t', path('clock.jsonl'), path('none.jsonl')];
    expect((await foreguard(...words)).out).toContain(
      '5 steps without time, taken for on time, the first: trace "a", step 1',
    );
    const { resampled, stepsWithoutTime } = JSON.parse((await foreguard(...words, '--json')).out);
    expect([resampled.untimed, stepsWithoutTime.count]).toEqual([5, 5]);
  });
});

it('the error that suggests to resample says how steps are spaced, in validate for all traces', async () => {
  const slow = ['-s', path('error.yaml'), '-t', path('slow.jsonl')];
  const spaced =
    'steps are 1 to 1.9 s apart, 1 s in the median, and 0% of 190 gaps within 10% of the sampling period of 0.1 s: samplingPeriod does not look like theirs';
  const validated = await foreguard('validate', ...slow);
  expect(validated.code).toBe(2);
  expect(validated.out).toContain(spaced);
  const { spacing } = JSON.parse((await foreguard('validate', ...slow, '--json')).out);
  expect(spacing).toEqual({
    gaps: 190,
    leastSeconds: 1,
    medianSeconds: 1,
    greatestSeconds: 1.9,
    withinTolerance: 0,
  });
  const learnt = await foreguard('learn', ...slow, '-o', path('never.umb'));
  expect(learnt.err).toMatch(/run0.*19 gaps.*hold would make 180 of 200 steps by repeating the one before/);
});
