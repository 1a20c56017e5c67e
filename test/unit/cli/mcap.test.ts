import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../../bindings/solvers/kernel/inline.js';
import { run } from '../../../bindings/face/cli/run.js';
import { mcapFile } from '../trace/mcapFiles.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-mcap-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

async function foreguard(...words: string[]) {
  const written = { out: '', err: '' };
  const code = await run(words, {
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    interactive: false,
  });
  return { code, ...written };
}

it('learns from an MCAP file, a step every sampling period, with the topics that are chosen', async () => {
  writeFileSync(
    path('spec.yaml'),
    `version: 1
samplingPeriod: 100ms
predicates: { red: 'light.colour == "red"', moving: 'speed > 0.5' }
rules: { stopAtRed: { formula: 'G (red -> F[0s,1s] !moving)', threshold: 0.5 } }
`,
  );
  writeFileSync(
    path('drive.mcap'),
    await mcapFile([
      ['/light', 0, { colour: 'red' }],
      ...Array.from({ length: 10 }, (_, i) => ['/ego', i / 10, { speed: 1 - i / 10 }] as const),
    ]),
  );
  const learn = ['learn', '-s', path('spec.yaml'), '-t', path('drive.mcap'), '-o', path('model.umb')];
  const learnt = await foreguard(
    ...learn,
    '--trace-format',
    'mcap',
    '--topics',
    '/ego',
    '/light=light',
    '--complete',
    '--json',
  );
  expect(learnt.err).toBe('');
  expect(JSON.parse(learnt.out)).toMatchObject({
    traces: 1,
    steps: 10,
    states: { seen: 2 },
    notes: [
      { message: expect.stringContaining('the oldest in a step is 0.900 s old (/light)') },
      { message: expect.stringMatching('9 of 10 steps are held: .* had no message, /light in 9$') },
      { message: expect.stringContaining('certify will refuse this model') },
    ],
  });
  const blind = await foreguard(...learn);
  expect(blind).toMatchObject({
    code: 2,
    err: expect.stringContaining('no topics are given; its topics are /light (json), /ego (json)'),
  });
});

it('says in every command how many messages are in no step', async () => {
  writeFileSync(
    path('hit.yaml'),
    `version: 1
samplingPeriod: 0.1s
resample: hold
predicates: { hit: ego.hit }
rules: { noHit: { formula: 'G !hit', threshold: 0.3 } }
`,
  );
  writeFileSync(
    path('blip.mcap'),
    await mcapFile(
      Array.from({ length: 601 }, (_, i) => ['/ego', i / 100, { hit: i >= 302 && i <= 308 }] as const),
    ),
  );
  const files = ['-s', path('hit.yaml'), '-t', path('blip.mcap'), '--topics', '/ego=ego', '--complete'];
  const model = ['-m', path('hit.umb')];
  for (const words of [
    ['validate', ...files],
    ['learn', ...files, '-o', path('hit.umb')],
    ['robustness', ...files],
    ['replay', ...files, ...model],
    ['risk', '-s', path('hit.yaml'), ...model],
  ]) {
    const { out, code } = await foreguard(...words);
    expect({ words, code }).toEqual({ words, code: 0 });
    expect(out).toContain(
      '540 messages that no step has were left out, and what only they say is not judged',
    );
    expect(out).not.toContain('before their time');
    const { resampled, traces } = JSON.parse((await foreguard(...words, '--json')).out);
    expect(resampled).toMatchObject({ steps: 61, leftOut: 540, leftOutMessages: 540 });
    if (words[0] === 'replay' || words[0] === 'robustness')
      expect(traces[0]).toMatchObject({ steps: 61, leftOut: 540, leftOutSteps: [] });
  }
});

it('does not call a drive kept whose messages cannot be read', async () => {
  writeFileSync(
    path('unread.yaml'),
    "version: 1\nsamplingPeriod: 0.1s\npredicates: { hit: ego.hit }\nrules: { noHit: { formula: 'G !hit', threshold: 0.3 } }\n",
  );
  const drive = (bad: boolean) =>
    mcapFile(
      Array.from({ length: 61 }, (_, i) => [
        '/ego',
        i / 10,
        bad && i >= 10 && i <= 14 ? '{"hit": tru' : { hit: i === 60 && !bad },
      ]),
    );
  writeFileSync(path('bad.mcap'), await drive(true));
  writeFileSync(path('good.mcap'), await drive(false));
  const settings = ['-s', path('unread.yaml'), '--topics', '/ego=ego', '--complete', '--skip-invalid'];
  const model = path('unread.umb');
  expect(await foreguard('learn', ...settings, '-t', path('good.mcap'), '-o', model)).toMatchObject({
    code: 0,
  });
  const files = [...settings, '-t', path('bad.mcap')];
  const judged = JSON.parse((await foreguard('robustness', ...files, '--json')).out);
  expect(judged.traces[0].rules.noHit).toMatchObject({ verdict: null, robustness: null });
  expect(judged.notJudged).toMatchObject([{ rule: 'noHit', traces: 1 }]);
  const { out } = await foreguard('replay', ...files, '-m', model);
  expect(out).toMatch(
    /; 5 messages left out, the first: .*topic \/ego, the message at [\d.]+ s \(log_time\): not JSON/,
  );
  expect(out).not.toMatch(/trace left out|skip invalid/);
  expect(judged.unreadable).toMatchObject({ count: 5, messages: 5 });
  const { totals } = JSON.parse((await foreguard('replay', ...files, '-m', model, '--json')).out);
  expect(totals.noHit).toMatchObject({ kept: 0, notJudged: 1 });
  const both = ['-t', path('good.mcap'), path('bad.mcap')];
  expect(await foreguard('learn', ...settings, ...both, '-o', model)).toMatchObject({ code: 0 });
  const certified = await foreguard('certify', '-s', path('unread.yaml'), '-m', model);
  expect(certified).toMatchObject({ code: 2, err: expect.stringContaining('could not be read') });
});

/** A machine that breaks a second after each start, said once a second, beside a topic of each period. */
it('certifies nothing where a topic that predicates read is slower than the sampling period', async () => {
  writeFileSync(
    path('slow.yaml'),
    `version: 1
samplingPeriod: 0.1s
predicates: { broken: machine.broken }
rules: { lasts: { formula: 'G !broken', threshold: 0.8, horizonSteps: 10 } }
`,
  );
  const files = await Promise.all(
    Array.from({ length: 30 }, async (_, n) => {
      const sent = Array.from({ length: 11 }, (_, i) => ['/imu', i / 10, { turn: n + i }] as const);
      const said = [0, 1].map((s) => ['/machine', s, { broken: s === 1 }] as const);
      writeFileSync(path(`slow${n}.mcap`), await mcapFile([...sent, ...said]));
      return path(`slow${n}.mcap`);
    }),
  );
  const spec = ['-s', path('slow.yaml')];
  const topics = ['--topics', '/machine=machine', '/imu=imu', '--complete', '--json'];
  const learnt = await foreguard('learn', ...spec, '-t', ...files, '-o', path('slow.umb'), ...topics);
  expect(JSON.parse(learnt.out)).toMatchObject({ resampled: { steps: 330, held: 270 } });
  expect(await foreguard('certify', ...spec, '-m', path('slow.umb'))).toMatchObject({
    code: 2,
    err: expect.stringContaining('270 of 330 steps'),
  });
});

describe('an MCAP file that is not said to be a whole run', () => {
  // The vehicle came to red and was still moving when the recording was switched off.
  const settings = ['--topics', '/ego', '/light=light'];
  const spec = ['-s', path('cut.yaml'), '-t', path('cut.mcap')];
  beforeAll(async () => {
    writeFileSync(
      path('cut.yaml'),
      `version: 1
samplingPeriod: 100ms
predicates: { red: 'light.colour == "red"', moving: 'speed > 0.5' }
rules: { stopAtRed: { formula: 'G (red -> F[0s,1s] !moving)', threshold: 0.5 } }
learning: { smoothing: 0 }
`,
    );
    writeFileSync(
      path('cut.mcap'),
      await mcapFile([
        ...Array.from({ length: 5 }, (_, i) => ['/light', i / 10, { colour: 'red' }] as const),
        ...Array.from({ length: 5 }, (_, i) => ['/ego', i / 10, { speed: 1 }] as const),
      ]),
    );
  });
  const json = async (...words: string[]) => JSON.parse((await foreguard(...words, '--json')).out);

  it('is cut for learn, which says so, and whole with --complete', async () => {
    const cut = await json('learn', ...spec, '-o', path('cut.umb'), ...settings);
    expect(cut).toMatchObject({ traces: 1, censored: 1 });
    expect(cut.notes).toContainEqual({
      source: path('cut.mcap'),
      message: expect.stringContaining('MCAP does not tell whether the run came to its end'),
    });
    const whole = await json('learn', ...spec, '-o', path('whole.umb'), ...settings, '--complete');
    expect(whole).toMatchObject({ traces: 1, censored: 0 });
    expect(whole.notes).toHaveLength(1);
  });

  it('does not keep a rule by its end, for all commands that read traces', async () => {
    await foreguard('learn', ...spec, '-o', path('any.umb'), ...settings);
    const totals = async (...more: string[]) =>
      (await json('replay', ...spec, '-m', path('any.umb'), ...settings, ...more)).totals.stopAtRed;
    expect(await totals()).toMatchObject({ kept: 0, open: 1, violations: 0 });
    expect(await totals('--complete')).toMatchObject({ kept: 1, open: 0, violations: 0 });
    for (const command of ['validate', 'robustness', 'certify']) {
      const notes = async (...more: string[]) =>
        (await json(command, ...spec, ...settings, ...more)).notes
          .map(({ message }: { message: string }) => message)
          .join();
      expect(await notes(), command).toContain('came to its end');
      expect(await notes('--complete'), command).not.toContain('came to its end');
    }
  });

  it.each([['--topics', '/light'], ['--agents', 'clerk'], ['--conversations']])(
    'JSON lines take no %s',
    async (...option) => {
      writeFileSync(
        path('a.jsonl'),
        '{"id": "a", "steps": [{"state": {"light": {}, "speed": 1}, "time": 0}]}',
      );
      const lines = ['-s', path('cut.yaml'), '-t', path('a.jsonl')];
      const { code, err } = await foreguard('validate', ...lines, ...option);
      expect({ code, err }).toEqual({
        code: 2,
        err: expect.stringContaining(`(${option[0]}) are of`),
      });
    },
  );

  it('is the only file to take --complete', async () => {
    writeFileSync(path('a.jsonl'), '{"id": "a", "steps": [{"state": {"light": {}, "speed": 1}, "time": 0}]}');
    const lines = ['-s', path('cut.yaml'), '-t', path('a.jsonl')];
    const { code, err } = await foreguard('validate', ...lines, '--complete');
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('complete (--complete) is of MCAP files'),
    });
    const sql = await foreguard('learn', '-s', path('cut.yaml'), '--emit-sql', 'duckdb', '--complete');
    expect(sql).toMatchObject({ code: 2, err: expect.stringContaining('--complete does not go with') });
    const model = await foreguard('certify', '-s', path('cut.yaml'), '-m', path('cut.umb'), '--complete');
    expect(model).toMatchObject({ code: 2, err: expect.stringContaining("cannot be used with option '") });
  });
});
