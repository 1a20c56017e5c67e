import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LearningParameters } from '../../../bindings/estimation/learning/index.js';
import { readUmb, writeUmb } from '../../../bindings/solvers/formats/index.js';
import type { Dtmc } from '../../../bindings/solvers/model/index.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-clock-'));
const path = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const specification = (resample: string): string => `version: 1
samplingPeriod: 0.1s
resample: ${resample}
predicates: { red: 'red == 1', stopped: 'v < 0.5' }
rules: { stop: { formula: 'G (red -> F[0s,2s] stopped)', threshold: 0.3 } }
learning: { smoothing: 0 }
`;

/** Twenty drives of ten steps, `gap` seconds apart, whose times are called `clock`, or are not there. */
function recording(name: string, clock: string, gap: number): void {
  const drives = Array.from({ length: 20 }, (_, drive) =>
    Array.from({ length: 10 }, (_, i) => ({
      time: Math.round(1000 * gap * i) / 1000,
      state: { red: Number(i === 2), v: i >= 5 + (drive % 3) ? 0 : 9 },
    })),
  );
  const lines = drives.map((steps, drive) =>
    JSON.stringify({
      id: String(drive).padStart(2, '0'),
      steps: steps.map(({ time, state }) => ({ state, [clock]: time })),
    }),
  );
  writeFileSync(path(`${name}.jsonl`), `${lines.join('\n')}\n`);
  const rows = drives.flatMap((steps, drive) =>
    steps.map(({ time, state }, i) =>
      [String(drive).padStart(2, '0'), i, time, state.red, state.v].join(','),
    ),
  );
  writeFileSync(path(`${name}.csv`), `trace,step,${clock},red,v\n${rows.join('\n')}\n`);
}

const spec = ['-s', path('error.yaml')];
const engine = ['--engine', 'duckdb'];
const notesOf = (out: string): string[] =>
  JSON.parse(out).notes.map(({ message }: { message: string }) => message);

beforeAll(() => {
  for (const resample of ['error', 'hold', 'skip'])
    writeFileSync(path(`${resample}.yaml`), specification(resample));
  recording('named', 'timestamp', 1);
  recording('capital', 'Time', 0.1);
  recording('slow', 'time', 0.109);
  recording('fast', 'time', 0.091);
  recording('near', 'time', 0.1009);
});

describe('steps without a time', () => {
  const said = '200 of 200 steps have no time, and are taken for on time';

  it.each([
    [['-t', path('named.jsonl')], 'timestamp'],
    [[...engine, '-t', path('named.jsonl')], 'timestamp'],
    [[...engine, '-t', path('named.csv')], 'timestamp'],
    [['-t', path('capital.jsonl')], 'Time'],
    [[...engine, '-t', path('capital.jsonl')], 'Time'],
    [[...engine, '-t', path('capital.csv')], 'Time'],
  ])('are told by learn, and by what reads its model: %j', async (words, name) => {
    const learnt = [...spec, ...words, '-o', path('untimed.umb')];
    const hint = `steps without a time have "${name}": if that is their time, call it time, in seconds`;
    const { out, code } = await foreguard('learn', ...learnt);
    expect(code).toBe(0);
    expect(out).toContain(said);
    expect(out).toContain(hint);
    const json = JSON.parse((await foreguard('learn', ...learnt, '--json')).out);
    expect(json.resampled).toEqual({ steps: 200, held: 0, missing: 0, leftOut: 0, untimed: 200 });
    expect(notesOf(JSON.stringify(json))).toContain(hint);
    const model = [...spec, '-m', path('untimed.umb')];
    for (const command of [
      ['risk', ...model],
      ['certify', ...model],
      ['compile', ...model, '-o', path('guard.json')],
    ]) {
      expect((await foreguard(...(command as [string]))).out).toContain(`learnt from traces: ${said}`);
      const { resampled } = JSON.parse((await foreguard(...(command as [string]), '--json')).out);
      expect(resampled.untimed).toBe(200);
    }
    expect((await foreguard('learn', ...spec, '-t', path('named.jsonl'), '-o', path('plain.umb'))).code).toBe(
      0,
    );
    if (name === 'timestamp')
      expect(readFileSync(path('untimed.umb')).equals(readFileSync(path('plain.umb')))).toBe(true);
  });

  it('have no hint where there is no sampling period, or a time', async () => {
    writeFileSync(
      path('steps.yaml'),
      'version: 1\npredicates: { red: red == 1 }\nrules: { never: { formula: G !red, threshold: 0.5 } }\nlearning: { smoothing: 0 }\n',
    );
    for (const more of [[], engine]) {
      for (const words of [
        ['-s', path('steps.yaml'), '-t', path('named.jsonl')],
        [...spec, '-t', path('near.jsonl')],
      ]) {
        const { out, code } = await foreguard('learn', ...words, ...more, '-o', path('any.umb'), '--json');
        expect({ code, notes: notesOf(out) }).toEqual({ code: 0, notes: [] });
        expect(JSON.parse(out).resampled.untimed).toBeUndefined();
      }
    }
  });
});

describe('gaps that are all on one side of the sampling period', () => {
  const slow =
    'the steps are 0.109 s apart in the mean, the period is 0.1 s: windows in seconds are 9% longer by the recorded clock; correct samplingPeriod, or use resample: hold';
  const fast =
    'the steps are 0.091 s apart in the mean, the period is 0.1 s: windows in seconds are 9% shorter by the recorded clock; correct samplingPeriod, or use resample: hold';
  const commands = (file: string): [string, string[]][] => [
    ['validate', ['-t', path(file)]],
    ['robustness', ['-t', path(file)]],
    ['learn', ['-t', path(file), '-o', path('offset.umb')]],
    ['learn', [...engine, '-t', path(file), '-o', path('offset.umb')]],
    ['learn', [...engine, '-t', path(file.replace('jsonl', 'csv')), '-o', path('offset.umb')]],
    ['replay', ['-t', path(file), '-m', path('offset.umb')]],
    ['certify', ['-t', path(file)]],
  ];

  it.each([
    ['slow.jsonl', slow],
    ['fast.jsonl', fast],
  ])('are told wherever traces are read: %s', async (file, message) => {
    for (const [command, words] of commands(file)) {
      const { out } = await foreguard(command, ...spec, ...words);
      expect(out).toContain(message);
      expect(notesOf((await foreguard(command, ...spec, ...words, '--json')).out)).toContain(message);
    }
  });

  it.each([
    ['slow.jsonl', slow, []],
    ['fast.jsonl', fast, []],
    ['slow.jsonl', slow, engine],
    ['slow.csv', slow, engine],
  ])('are told of the model by what reads it: %s', async (file, message, more) => {
    const learnt = await foreguard('learn', ...spec, ...more, '-t', path(file), '-o', path('kept.umb'));
    expect(learnt.out).toContain(message);
    const model = ['-m', path('kept.umb')];
    const said = `learnt from traces: ${message}`;
    for (const [command, words] of [
      ['risk', model],
      ['risk', [...model, '--within', '1s']],
      ['risk', [...model, '--joint', 'stop']],
      ['compile', [...model, '-o', path('guard.json')]],
      ['compile', [...model, '-o', path('guard.json'), '--within', '1s']],
      ['certify', model],
      ['replay', [...model, '-t', path('near.jsonl')]],
    ] as const) {
      const { out, code } = await foreguard(command, ...spec, ...words);
      expect({ command, code }).toEqual({ command, code: 0 });
      expect(out.split(said)).toHaveLength(2);
      const { notes } = JSON.parse((await foreguard(command, ...spec, ...words, '--json')).out);
      expect(notes).toContainEqual({ source: path('kept.umb'), message: said });
    }
  });

  it('are told once where a model is learnt and not kept', async () => {
    const { out } = await foreguard('certify', ...spec, '-t', path('slow.jsonl'));
    expect(out.split('apart in the mean')).toHaveLength(2);
  });

  it('are not told of models that do not count them', async () => {
    await foreguard('learn', ...spec, '-t', path('slow.jsonl'), '-o', path('kept.umb'));
    const model = (await readUmb(readFileSync(path('kept.umb')), { source: 'kept.umb' })) as Dtmc;
    const { foreguard: told } = model.parameters as { foreguard: LearningParameters };
    const { onTime, ...resampled } = told.resampled!;
    expect(onTime?.gaps).toBe(180);
    const older = { ...model, parameters: { foreguard: { ...told, resampled } } };
    writeFileSync(path('older.umb'), await writeUmb(older));
    const { out, code } = await foreguard('risk', ...spec, '-m', path('older.umb'));
    expect(code).toBe(0);
    expect(out).not.toContain('apart in the mean');
  });

  it('are not told where the mean is within 1%', async () => {
    const model: [string, string[]] = ['risk', ['-m', path('offset.umb')]];
    for (const [command, words] of [...commands('near.jsonl'), model]) {
      const { out, code } = await foreguard(command, ...spec, ...words);
      expect(code).toBe(0);
      expect(out).not.toContain('apart in the mean');
    }
  });

  it('are not told where resample makes up for it', async () => {
    const told = async (policy: string, file: string): Promise<boolean> => {
      const { out } = await foreguard('validate', '-s', path(`${policy}.yaml`), '-t', path(file));
      return out.includes('apart in the mean');
    };
    expect(await told('hold', 'slow.jsonl')).toBe(false);
    expect(await told('hold', 'fast.jsonl')).toBe(false);
    expect(await told('skip', 'slow.jsonl')).toBe(true);
    expect(await told('skip', 'fast.jsonl')).toBe(false);
  });
});

describe('steps of two clocks', () => {
  /** One drive for each clock, of 200 steps. */
  const mixed = (name: string, ...gaps: number[]): string => {
    const lines = gaps.map((gap, drive) =>
      JSON.stringify({
        id: String(drive),
        steps: Array.from({ length: 200 }, (_, i) => ({ time: gap * i, state: { red: 0, v: i % 7 } })),
      }),
    );
    writeFileSync(path(name), lines.join('\n'));
    return path(name);
  };

  it.each([
    [[0.108, 0.0926, 0.1], 'in 2 of 3 traces of 100 gaps or more the steps are from 0.0926 to 0.108 s apart'],
    [[0.108, 0.1, 0.1], 'in 1 of 3 traces of 100 gaps or more the steps are 0.108 s apart in the mean'],
    [
      [0.108, 0.107],
      'the steps are 0.1075 s apart in the mean, the period is 0.1 s: windows in seconds are 7.5% longer',
    ],
  ])('are told apart: %j', async (gaps, said) => {
    const { out } = await foreguard('validate', ...spec, '-t', mixed('mixed.jsonl', ...gaps));
    expect(out).toContain(said);
  });

  it('are not told where each keeps the period', async () => {
    const { out } = await foreguard('validate', ...spec, '-t', mixed('kept.jsonl', 0.1005, 0.0995));
    expect(out).not.toContain('apart in the mean');
  });
});

describe('a model learnt under another resample than the specification says', () => {
  it.each([
    ['error', 'hold', 'a guard reads held steps'],
    ['hold', 'error', 'the model counts held steps'],
  ])('is told wherever it is read: %s, now %s', async (then, now, what) => {
    const model = path(`under-${then}.umb`);
    await foreguard('learn', '-s', path(`${then}.yaml`), '-t', path('near.jsonl'), '-o', model);
    const said = `the model was learnt under resample: ${then}, and the specification says resample: ${now}: ${what}`;
    for (const words of [
      ['risk'],
      ['risk', '--joint', 'stop'],
      ['compile', '-o', path('other.json')],
      ['replay', '-t', path('near.jsonl')],
      ...(then === 'error' ? [['certify']] : []),
    ]) {
      const [command, ...more] = words;
      const given = ['-m', model, ...more];
      const other = await foreguard(command, '-s', path(`${now}.yaml`), ...given);
      expect([other.code, other.out]).toEqual([0, expect.stringContaining(said)]);
      const json = await foreguard(command, '-s', path(`${now}.yaml`), ...given, '--json');
      expect(notesOf(json.out).some((note) => note.startsWith(said))).toBe(true);
      expect((await foreguard(command, '-s', path(`${then}.yaml`), ...given)).out).not.toContain(
        'was learnt under',
      );
    }
    const skipped = await foreguard('risk', '-s', path('skip.yaml'), '-m', model);
    expect([skipped.code, skipped.err]).toEqual([2, expect.stringContaining('do not belong together')]);
  });
});
