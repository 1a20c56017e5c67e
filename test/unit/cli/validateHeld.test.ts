import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-validate-held-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

const spec = (resample: string, name = `${resample}.json`): string => {
  writeFileSync(
    path(name),
    JSON.stringify({
      version: 1,
      samplingPeriod: '1s',
      resample,
      predicates: { stale: 'time - seen > 1.5', hit: 'bump' },
      rules: { fresh: { formula: 'G !stale' }, noHit: { formula: 'G !hit' } },
    }),
  );
  return path(name);
};
const traces = (...steps: object[][]): string => {
  writeFileSync(
    path('runs.jsonl'),
    steps.map((run, i) => JSON.stringify({ id: `run ${i}`, steps: run })).join('\n'),
  );
  return path('runs.jsonl');
};
const step = (time: number, seen: number, bump: unknown = false, more: object = {}) => ({
  state: { seen, bump },
  time,
  ...more,
});
const json = async (...words: string[]) => JSON.parse((await foreguard(...words, '--json')).out);

describe('foreguard validate under resample: hold', () => {
  // The bump comes too early to be a step; at 3 s the step held reads that nothing was seen for two seconds.
  const files = (): string[] => [
    '-s',
    spec('hold'),
    '-t',
    traces([step(0, 0), step(1, 1), step(1.2, 1, true), step(4, 4), step(5, 5)]),
  ];

  it('does not say that a predicate is never true that breaks a rule in a held step', async () => {
    const { neverTrue, uses, steps } = await json('validate', ...files());
    expect(steps).toBe(5);
    expect(uses[0]).toMatchObject({ true: 0, false: 4, trueWhileHeld: 1 });
    expect(neverTrue[0]).toEqual({ predicate: 'stale', readableSteps: 4, trueWhileHeld: 1 });
    expect((await foreguard('validate', ...files())).out).toContain(
      'stale is true in no step that was recorded, but in 1 held\n',
    );
    const [{ rules }] = (await json('robustness', ...files())).traces;
    expect([rules.fresh.verdict, rules.noHit.verdict]).toEqual(['violated', 'kept']);
  });

  it('counts no predicate in steps that are left out', async () => {
    const { uses, neverTrue } = await json('validate', ...files());
    expect(uses[1]).toMatchObject({ true: 0, false: 4 });
    expect(neverTrue[1]).toEqual({ predicate: 'hit', readableSteps: 4 });
    // Nor is it an error that it fails there: no command reads it.
    const early = ['-s', spec('hold'), '-t', traces([step(0, 0), step(0.2, 0, 'yes'), step(1, 1)])];
    expect(await json('validate', ...early)).toMatchObject({ errors: [] });
    expect(await foreguard('learn', ...early, '-o', path('m.umb'))).toMatchObject({ code: 0 });
  });

  it('looks at no held step of a trace that cannot be resampled', async () => {
    const { uses, errors } = await json(
      'validate',
      '-s',
      spec('hold'),
      '-t',
      traces([step(0, 0), step(900, 900)]),
    );
    expect(uses[0]).not.toHaveProperty('trueWhileHeld');
    expect(errors).toHaveLength(1);
  });
});

it('says with --markov that held steps spoil its levels', async () => {
  const words = (held: boolean): string[] => [
    'validate',
    '--markov',
    '-s',
    spec('error'),
    '-t',
    traces(
      ...Array.from({ length: 4 }, () => [step(0, 0), step(1, 1, false, held ? { held } : {}), step(2, 2)]),
    ),
  ];
  const message =
    'steps that are held are not draws of the agent: the levels of --markov do not hold, and holding may have made what it finds';
  expect((await json(...words(true))).notes).toContainEqual({ source: spec('error'), message });
  expect((await foreguard(...words(true))).out).toContain(`${message}\n`);
  expect((await json(...words(false))).notes).toEqual([]);
});

describe('the advice on a gap', () => {
  const refused = async (steps: object[]): Promise<string> =>
    (await foreguard('learn', '-s', spec('error'), '-t', traces(steps), '-o', path('m.umb'))).err;

  it('does not suggest to hold what hold refuses', async () => {
    const gap = [...Array.from({ length: 5 }, (_, i) => step(i, i)), step(500, 500)];
    const err = await refused(gap);
    expect(err).toContain(
      '; correct samplingPeriod; resample: hold or skip would not do: step 5: 496 s after',
    );
    expect(err).not.toContain('hold would make');
    const milliseconds = [step(0, 0), step(1000, 1), step(2000, 2)];
    expect(await refused(milliseconds)).toContain(
      'samplingPeriod does not look like theirs (are their times in milliseconds? They are read as seconds): correct it; resample: hold or skip would not do: step 1: 1000 s after',
    );
  });

  it('still says what holding costs where it can be done', async () => {
    expect(await refused([step(0, 0), step(1, 1), step(4, 4)])).toContain('hold would make 2 of 5 steps');
  });
});
