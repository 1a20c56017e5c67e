import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadGuard } from '../../../bindings/runtime/guard/index.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-risk-'));
const path = (name: string): string => join(folder, name);

const files = ['-s', path('spec.yaml'), '-m', path('model.umb')];
const risk = (...options: string[]) => foreguard('risk', ...files, ...options);

beforeAll(async () => {
  writeFileSync(
    path('spec.yaml'),
    `version: 1
samplingPeriod: 0.5s
predicates: { hot: 'temperature > 80', burnt: 'temperature > 100' }
rules:
  neverBurnt: { formula: 'G !burnt', threshold: 0.3 }
  cools: { formula: 'G (hot -> F[0s,0.5s] !hot)', threshold: 0.3 }
  rarely: { formula: 'P<0.3 [ F burnt ]' }
learning: { smoothing: 0 }
`,
  );
  const lines = Array.from({ length: 40 }, (_, i) => {
    const temperatures = i % 4 === 0 ? [20, 90, 120] : i % 4 === 1 ? [20, 90, 40] : [20, 40];
    return JSON.stringify({
      id: `${i}`,
      steps: temperatures.map((temperature, k) => ({ state: { temperature }, time: k / 2 })),
    });
  });
  writeFileSync(path('traces.jsonl'), lines.join('\n'));
  const traces = path('traces.jsonl');
  await foreguard('learn', '-s', path('spec.yaml'), '-t', traces, '-o', path('model.umb'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('foreguard risk', () => {
  it('heads horizons in seconds by their times', async () => {
    const { out } = await risk('--horizons', '1', '--within', '500ms,1s');
    expect(out).toMatch(/in 1 +in 500ms +in 1s/);
    const { rules } = JSON.parse((await risk('--within', '500ms,1s', '--json')).out);
    expect(Object.keys(rules[0].entries[0].horizons)).toEqual(['1', '2']);
    expect((await risk('--within', '3 s')).err).toContain('"3 s" is not a duration');
    expect((await risk('--within', '100ms')).err).toContain('no step falls within 100ms');
  });

  it('says when violations come, in seconds where steps have a period', async () => {
    const { out } = await risk('--time', '5s');
    expect(out).toMatch(
      /when a violation comes, in seconds: from the first step 1\.\d\d s on average, half of them by/,
    );
    expect(out).toMatch(/mean +half by/);
    const { rules } = JSON.parse((await risk('--time', '--json')).out);
    expect(rules[0].time.horizonSteps).toBe(100);
    const open = rules[0].entries.find((entry: { verdict: string }) => entry.verdict === 'open');
    expect(open.time.expectedSteps.lower).toBeGreaterThan(0.99);
    expect(open.time.within.upper).toHaveLength(101);
    expect(rules[2].time).toBeUndefined();
  });

  it('tells times in steps, and says why, where a step may last longer than the sampling period', async () => {
    const spec = readFileSync(path('spec.yaml'), 'utf8').replace(
      'predicates:',
      'resample: skip\npredicates:',
    );
    writeFileSync(path('skip.yaml'), spec);
    const skip = ['-s', path('skip.yaml'), '-m', path('skip.umb')];
    await foreguard('learn', '-s', path('skip.yaml'), '-t', path('traces.jsonl'), '-o', path('skip.umb'));
    const { out } = await foreguard('risk', ...skip, '--time', '5s', '--within', '500ms');
    expect(out).toMatch(
      /when a violation comes, in steps: from the first step 3\.0 on average, half of them by 2/,
    );
    expect(out).not.toMatch(/\d s +\d|in 500ms|in seconds:/);
    const note =
      'under resample: skip a step lasts 0.5 s or longer, so that times are told in steps, not in seconds; 500ms is taken for 1 step, which lasts 500ms or longer; 5s is taken for 10 steps, which last 5s or longer';
    expect(out).toContain(note);
    const json = JSON.parse(
      (await foreguard('risk', ...skip, '--time', '5s', '--within', '500ms', '--json')).out,
    );
    expect(json.rules[0].time).toMatchObject({ horizonSteps: 10, samplingPeriodSeconds: null });
    expect(json.notes).toEqual([{ source: path('skip.yaml'), message: note }]);
    const joint = await foreguard('risk', ...skip, '--joint', 'neverBurnt,cools', '--within', '1s');
    expect(joint.out).toContain('1s is taken for 2 steps');
    expect(joint.out).not.toContain('within 1s');
    expect((await foreguard('risk', ...skip, '--json')).out).toContain('"notes":[]');
    expect((await risk('--time', '5s')).out).not.toContain('under resample');
  });

  it('says that times and joint risks are of violations ever, where a rule has a horizon', async () => {
    const spec = readFileSync(path('spec.yaml'), 'utf8').replace(
      "'G !burnt', ",
      "'G !burnt', horizonSteps: 3, ",
    );
    writeFileSync(path('soon.yaml'), spec);
    const soon = ['-s', path('soon.yaml'), '-m', path('model.umb')];
    const timed = await foreguard('risk', ...soon, '--time');
    const head = 'when a violation comes, ever and not only within 3 steps, in seconds: from the first step';
    expect(timed.out).toContain(head);
    expect(timed.out).toContain('when a violation comes, in seconds: from the first step');
    const ever = "not only within the rule's horizonSteps of 3";
    const time = `rule "neverBurnt": --time is about violations at any time, ${ever}`;
    expect(timed.out).toContain(time);
    const notes = async (...options: string[]) =>
      JSON.parse((await foreguard('risk', ...soon, ...options, '--json')).out).notes;
    expect(await notes('--time')).toEqual([{ source: path('soon.yaml'), message: time }]);
    const joint = `rule "neverBurnt": the joint risk is that of violations at any time, ${ever}; --horizons 3 adds the joint risk within as many steps`;
    expect(await notes('--joint', 'neverBurnt,cools')).toEqual([
      { source: path('soon.yaml'), message: joint },
    ]);
    expect((await foreguard('risk', ...soon, '--joint', 'neverBurnt,cools')).out).toContain(joint);
    expect(await notes('--joint', 'cools')).toEqual([]);
    expect(await notes()).toEqual([]);
  });

  it('gives the risk that any of some rules is violated', async () => {
    const { out, code } = await risk('--joint', 'neverBurnt, cools', '--within', '1s');
    expect(code).toBe(0);
    expect(out).toMatch(/^any of neverBurnt, cools: \d+ states and \d+ transitions in the product/);
    expect(out).toMatch(/before the first step: 0\.\d{4} to 0\.\d{4}, within 1s 0\.\d{4} to/);
    const found = JSON.parse((await risk('--joint', 'neverBurnt,cools', '--from-start', '--json')).out);
    const rules = JSON.parse((await risk('--json')).out).rules;
    expect(found.rules).toEqual(['neverBurnt', 'cools']);
    expect(found.start.upper).toBeGreaterThanOrEqual(rules[0].start.lower);
    expect(found.start.lower).toBeLessThanOrEqual(rules[0].start.upper + rules[1].start.upper);
    expect(found.entries[0].automatonStates).toHaveLength(2);
    const unknown = await risk('--joint', 'neverBurned');
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('did you mean "neverBurnt"')]);
    expect(await risk('--joint', 'neverBurnt,cools', '--max-states', '2')).toMatchObject({
      code: 3,
      err: expect.stringContaining('maxStates = 2'),
    });
  });

  it('compiles guards that know the risk within times', async () => {
    await foreguard('compile', ...files, '-o', path('guard.json'), '--within', '1s');
    const guard = await loadGuard(readFileSync(path('guard.json'), 'utf8'));
    guard.step({ temperature: 90 }, { time: 0 });
    expect(guard.riskWithin('neverBurnt', '1s')).toEqual(guard.riskWithin('neverBurnt', 2));
    expect(guard.riskWithin('neverBurnt', '1s').upper).toBeGreaterThanOrEqual(0.5);
  });

  it('prints the worst open states first where not all fit, and says what it leaves out', async () => {
    const rowsOf = (out: string): string[] => out.split('\n').filter((line) => /^\d\.\d{4} /.test(line));
    const entries = JSON.parse((await risk('--json')).out).rules.flatMap(
      ({ entries }: { entries: unknown[] }) => entries,
    );
    const all = await risk('--all');
    expect(rowsOf(all.out)).toHaveLength(entries.length);
    expect(all.out).not.toContain('more:');
    // Few rows: the default has them all.
    expect((await risk()).out).toBe(all.out);
    const { out } = await risk('--top', '1');
    const rows = rowsOf(out);
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toContain(' open ');
    expect(out).toMatch(
      /\n… \d+ more: \d+ open with risks up to \d\.\d{4}, \d+ violated; --top N or --all prints more/,
    );
    expect((await risk('--top', '1', '--json')).out).toBe((await risk('--json')).out);
  });

  it('prints twenty rows of a rule of hundreds, and as many as are asked for', async () => {
    const spec = readFileSync(path('spec.yaml'), 'utf8').replace('[0s,0.5s]', '[0s,50s]');
    writeFileSync(path('long.yaml'), spec);
    const long = ['-s', path('long.yaml'), '-m', path('long.umb')];
    await foreguard('learn', '-s', path('long.yaml'), '-t', path('traces.jsonl'), '-o', path('long.umb'));
    const { rules } = JSON.parse((await foreguard('risk', ...long, '--json')).out);
    expect(rules[1].entries.length).toBeGreaterThan(200);
    const blockOf = async (...options: string[]): Promise<string[]> => {
      const { out } = await foreguard('risk', ...long, ...options);
      return out.split('\n\n')[1].split('\n');
    };
    expect(await blockOf()).toHaveLength(4 + 20 + 1);
    expect((await blockOf()).at(-1)).toMatch(new RegExp(`^… ${rules[1].entries.length - 20} more: `));
    expect(await blockOf('--top', '30')).toHaveLength(4 + 30 + 1);
    // The text ends in a line break.
    expect((await blockOf('--all')).filter((line) => /^\d/.test(line))).toHaveLength(rules[1].entries.length);
  });

  it.each([
    [['--top', '0'], '--top is "0"; expected a whole number above 0'],
    [['--top', 'ten'], '--top is "ten"; expected a whole number above 0'],
    [['--top', '3', '--all'], "option '--all' cannot be used with option '--top <number>'"],
  ])('refuses %j', async (options, message) => {
    expect(await risk(...options)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});

describe('bounds that have more digits than are printed', () => {
  // Of 30,000 runs one is hit, and one in three of the others is warned.
  const rare = ['-s', path('rare.yaml'), '-m', path('rare.umb')];
  beforeAll(async () => {
    writeFileSync(
      path('rare.yaml'),
      `version: 1
samplingPeriod: 1s
predicates: { hit: hit, warned: warned }
rules: { noHit: { formula: 'G !hit', threshold: 0.3 }, noWarning: { formula: 'G !warned', threshold: 0.9 } }
learning: { smoothing: 0 }
`,
    );
    const lines = Array.from({ length: 30_000 }, (_, i) => {
      const end = { hit: i === 77, warned: i % 3 === 0 };
      const steps = [{ hit: false, warned: false }, end].map((state, time) => ({ state, time }));
      return JSON.stringify({ id: `${i}`, steps });
    });
    writeFileSync(path('rare.jsonl'), lines.join('\n'));
    await foreguard('learn', '-s', path('rare.yaml'), '-t', path('rare.jsonl'), '-o', path('rare.umb'));
  });

  it('are rounded outward by risk, in all columns', async () => {
    const { out } = await foreguard('risk', ...rare, '--horizons', '2', '--within', '1s');
    const starts = [...out.matchAll(/^before the first step: (.*)$/gm)].map(([, bounds]) => bounds);
    expect(starts).toEqual(['0.0000 to 0.0001', '0.3333 to 0.3334']);
    const row = (text: string) => new RegExp(`^ *${text.replaceAll(' ', ' +')} `, 'm');
    expect(out).toMatch(row('0.0001 0.0000 0.0001 0.0001 49999 open'));
    expect(out).toMatch(row('0.3334 0.3333 0.2801 0.2001 49999 open'));
    // What cannot happen has a bound of 0.
    expect(out).toMatch(row('0.0000 0.0000 0.0000 0.0000 10000 open'));
  });

  it('are rounded outward by risk --joint', async () => {
    const { out } = await foreguard('risk', ...rare, '--joint', 'noHit', '--from-start', '--within', '2s');
    expect(out).toContain('before the first step: 0.0000 to 0.0001, within 2s 0.0000 to 0.0001\n');
    expect(out).toMatch(/^0\.0001 +0\.0000 +0\.0001 +49999 /m);
  });

  it('are rounded up by replay, where an action was judged', async () => {
    writeFileSync(
      path('act.yaml'),
      `version: 1
predicates: { hit: hit }
rules: { noHit: { formula: 'G !hit', threshold: 0.9 } }
learning: { model: mdp, smoothing: 0 }
`,
    );
    // One of seven hits.
    const lines = Array.from({ length: 7 }, (_, i) => {
      const steps = [{ state: { hit: false }, action: { name: 'go' } }, { state: { hit: i === 2 } }];
      return JSON.stringify({ id: `run${i}`, steps });
    });
    writeFileSync(path('act.jsonl'), lines.join('\n'));
    const act = ['-s', path('act.yaml'), '-m', path('act.umb')];
    await foreguard('learn', '-s', path('act.yaml'), '-t', path('act.jsonl'), '-o', path('act.umb'));
    const replay = ['replay', ...act, '-t', path('act.jsonl')];
    const [, largest] = /^run0 +noHit .* (\S+)$/m.exec((await foreguard(...replay)).out) ?? [];
    const { traces } = JSON.parse((await foreguard(...replay, '--json')).out);
    const { maxRisk } = traces[0].rules.noHit;
    expect(Number(largest)).toBeGreaterThanOrEqual(maxRisk);
    expect(Number(largest)).toBeCloseTo(maxRisk, 5);
  });

  it.each([
    // A violation comes a step after the first, 12 ms later.
    ['12ms', [false], '0.02 s'],
    // It comes two steps after, and was looked for one step ahead: no sooner than 16 ms.
    ['8ms', [false, true], '0.01 s…'],
  ])('of times are rounded outward: every %s', async (period, late, halfBy) => {
    writeFileSync(
      path('late.yaml'),
      `version: 1
samplingPeriod: ${period}
predicates: { hit: hit, late: late }
rules: { noHit: { formula: 'G !hit', threshold: 0.3 } }
learning: { smoothing: 0 }
`,
    );
    const states = [...late.map((is) => ({ hit: false, late: is })), { hit: true, late: false }];
    const steps = states.map((state, i) => ({ state, time: (i * Number.parseInt(period, 10)) / 1000 }));
    writeFileSync(path('late.jsonl'), JSON.stringify({ id: 'a', steps }));
    const model = path('late.umb');
    await foreguard('learn', '-s', path('late.yaml'), '-t', path('late.jsonl'), '-o', model);
    const { out } = await foreguard('risk', '-s', path('late.yaml'), '-m', model, '--time', '1');
    const [, found] =
      /half by .*\n.*\n(?:1\.0000 .* violated .*\n)?.* (\S+ s…?) +\d+ +open +none of hit, late/.exec(out) ??
      [];
    expect(found).toBe(halfBy);
  });
});
