import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-cli-'));
const path = (name: string): string => join(folder, name);

/** Runs the command in process; what it wrote and its exit code. */
const specification = `version: 1
predicates:
  hot: 'temperature > 80'
  burnt: 'temperature > 100'
rules:
  neverBurnt: { formula: 'G !burnt', threshold: 0.3 }
learning: { smoothing: 0 }
`;

/** A quarter of the runs burns, half of those that get hot. */
function traceLines(): string[] {
  return Array.from({ length: 40 }, (_, run) => {
    const temperatures = run % 4 === 0 ? [20, 90, 120] : run % 4 === 1 ? [20, 90, 40] : [20, 40];
    return JSON.stringify({
      id: `run${run}`,
      steps: temperatures.map((temperature, second) => ({ state: { temperature }, time: second / 2 })),
    });
  });
}

beforeAll(() => {
  writeFileSync(path('spec.yaml'), specification);
  writeFileSync(path('traces.jsonl'), `${traceLines().join('\n')}\n`);
  // Gambler's ruin: from 1 of 3 coins ruin has probability 2/3.
  writeFileSync(path('gambler.tra'), '4 6\n0 0 1\n1 0 0.5\n1 2 0.5\n2 1 0.5\n2 3 0.5\n3 3 1\n');
  writeFileSync(path('gambler.lab'), '0="init" 1="ruin" 2="rich"\n0: 1\n1: 0\n3: 2\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('foreguard', () => {
  it('says how lists are written where their elements are given as words', async () => {
    const risk = ['risk', '--spec', path('spec.yaml'), '--model', path('no.umb')];
    const wrong = await foreguard(...(risk as [string]), '--joint', 'a', 'b', '--top', '3');
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('(--joint takes a list with commas and without spaces: a,b)');
    const other = await foreguard(...(risk as [string]), 'b', '--joint', 'a', '--top', '3');
    expect(other.code).toBe(2);
    expect(other.err).not.toContain('with commas');
  });

  it('lists its commands and its version', async () => {
    const help = await foreguard('--help');
    expect(help.code).toBe(0);
    const [, ...listed] = help.out.split(/^\S.*:$/m);
    const commands = [...listed.join('').matchAll(/^ {2}([a-z][\w-]*) /gm)].map(([, name]) => name);
    const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
    const onPage = [...page.matchAll(/^foreguard ([\w-]+)/gm)].map(([, name]) => name);
    expect(new Set(onPage)).toEqual(new Set(commands.filter((name) => name !== 'help')));
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(await foreguard('--version')).toMatchObject({ out: `${version}\n`, code: 0 });
  });

  it.each(['validate', 'learn', 'check', 'risk', 'certify', 'replay', 'compile'])(
    '%s has help of its own',
    async (command) => {
      const { out, code } = await foreguard(command, '--help');
      expect(code).toBe(0);
      expect(out).toMatch(/--json/);
    },
  );

  it('exits with 2 on bad usage, and says what is accepted', async () => {
    expect(await foreguard('lern')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/unknown command 'lern'[\s\S]*learn/),
    });
    expect(await foreguard('verify', 'log.jsonl')).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        '(there is foreguard audit verify and foreguard policy verify and foreguard workflow verify)',
      ),
    });
    expect(await foreguard('risk', '--model', 'm.umb')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--spec'),
    });
    expect(await foreguard('risk', '-s', path('spec.yaml'), '-m', path('nowhere.umb'))).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('nowhere.umb'),
    });
  });

  it('goes from traces to a guard file, each command reading what the one before wrote', async () => {
    const learnt = await foreguard(
      'learn',
      '-s',
      path('spec.yaml'),
      '-t',
      path('traces.jsonl'),
      '-o',
      path('model.umb'),
      '--json',
    );
    expect(learnt).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(learnt.out)).toMatchObject({ traces: 40, steps: 100, states: { seen: 3, model: 3 } });

    const risks = JSON.parse(
      (await foreguard('risk', '-s', path('spec.yaml'), '-m', path('model.umb'), '--json')).out,
    );
    const [table] = risks.rules;
    expect(table.start.lower).toBeLessThanOrEqual(0.25);
    expect(table.start.upper).toBeGreaterThanOrEqual(0.25);
    const uppers = table.entries.map(({ upper }: { upper: number }) => upper);
    expect(uppers).toEqual([...uppers].sort((a, b) => b - a));
    // Seen hot 20 times: 10 burnt, 10 cooled down, and a quarter of those below 80 gets hot again.
    const hot = table.entries.find(
      ({ description }: { description: string }) =>
        /^hot/.test(description) && !/^hot, burnt/.test(description),
    );
    expect(hot.lower).toBeLessThanOrEqual(0.625);
    expect(hot.upper).toBeGreaterThanOrEqual(0.625);

    const compiled = await foreguard(
      'compile',
      '-s',
      path('spec.yaml'),
      '-m',
      path('model.umb'),
      '-o',
      path('guard.json'),
      '--horizons',
      '2',
    );
    expect(compiled.code).toBe(0);
    const guard = JSON.parse(readFileSync(path('guard.json'), 'utf8'));
    expect(guard.format).toBe('foreguard-guard');
    expect(Object.keys(guard.rules[0].tables.horizons)).toEqual(['2']);

    const replayed = JSON.parse(
      (
        await foreguard(
          'replay',
          '-s',
          path('spec.yaml'),
          '-m',
          path('model.umb'),
          '-t',
          path('traces.jsonl'),
          '--json',
        )
      ).out,
    );
    expect(replayed.totals.neverBurnt).toMatchObject({
      violations: 10,
      notJudged: 0,
      predicted: 10,
      missed: 0,
      falseAlarms: 10,
      unknown: 0,
      meanStepsAhead: 1,
      meanSecondsAhead: 0.5,
    });
    expect(replayed.traces[0]).toMatchObject({
      id: 'run0',
      steps: 3,
      rules: { neverBurnt: { violatedAt: 2, firstIntervention: 1 } },
    });
  });

  it('explains in a replay what broke a rule', async () => {
    await foreguard('learn', '-s', path('spec.yaml'), '-t', path('traces.jsonl'), '-o', path('why.umb'));
    const words = ['replay', '-s', path('spec.yaml'), '-m', path('why.umb'), '-t', path('traces.jsonl')];
    const { out } = await foreguard(...words, '--explain');
    expect(out).toContain('run0, neverBurnt: violated at step 2: at step 2 `temperature > 100` held\n');
    expect(out).toContain(
      'run0, neverBurnt, first intervention: open after step 1: nothing is due, but no step may have `temperature > 100`\n',
    );
    expect((await foreguard(...words)).out).not.toContain('violated at step');
  });

  it('says for people what it says in JSON', async () => {
    await foreguard('learn', '-s', path('spec.yaml'), '-t', path('traces.jsonl'), '-o', path('text.umb'));
    const { out } = await foreguard(
      'risk',
      '-s',
      path('spec.yaml'),
      '-m',
      path('text.umb'),
      '--horizons',
      '1,2',
    );
    expect(out).toMatch(/neverBurnt: G !burnt/);
    expect(out).toMatch(/0\.6250 .* 20 +open +hot/);
    const replayed = await foreguard(
      'replay',
      '-s',
      path('spec.yaml'),
      '-m',
      path('text.umb'),
      '-t',
      path('traces.jsonl'),
    );
    expect(replayed.out).toMatch(/neverBurnt +10 +10 +0 +10/);
  });

  it('counts what predicates do, missing fields apart', async () => {
    writeFileSync(
      path('gaps.jsonl'),
      '{"id":"a","steps":[{"state":{"temperature":90}},{"state":{}},{"state":{"temperature":"warm"}}]}\n',
    );
    const { out, code } = await foreguard(
      'validate',
      '-s',
      path('spec.yaml'),
      '-t',
      path('gaps.jsonl'),
      '--json',
    );
    expect(code).toBe(2);
    const [hot, burnt] = JSON.parse(out).uses;
    expect(hot).toMatchObject({ name: 'hot', true: 1, false: 0, missing: 1, failed: 1 });
    expect(hot.firstFailure).toMatch(/trace "a", step 1: .*temperature/);
    expect(burnt).toMatchObject({ true: 0, false: 1, missing: 1, failed: 1 });
    expect((await foreguard('validate', '-s', path('spec.yaml'))).code).toBe(0);
  });

  it('leaves out and counts broken lines only when asked to', async () => {
    writeFileSync(path('broken.jsonl'), `${traceLines().join('\n')}\n{"id": "cut", "steps": [{"sta\n`);
    const refused = await foreguard(
      'learn',
      '-s',
      path('spec.yaml'),
      '-t',
      path('broken.jsonl'),
      '-o',
      path('b.umb'),
    );
    expect(refused).toMatchObject({ code: 2, err: expect.stringMatching(/broken\.jsonl:41/) });
    const { out, code } = await foreguard(
      'learn',
      '-s',
      path('spec.yaml'),
      '-t',
      path('broken.jsonl'),
      '-o',
      path('b.umb'),
      '--skip-invalid',
      '--json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ traces: 40, unreadable: { count: 1, first: [{ line: 41 }] } });
  });

  it('refuses a model learnt for another specification, naming the difference', async () => {
    await foreguard('learn', '-s', path('spec.yaml'), '-t', path('traces.jsonl'), '-o', path('other.umb'));
    writeFileSync(path('other.yaml'), specification.replace('temperature > 80', 'temperature > 70'));
    const { code, err } = await foreguard('risk', '-s', path('other.yaml'), '-m', path('other.umb'));
    expect(code).toBe(2);
    expect(err).toMatch(/hot/);
  });

  it.each(['validate', 'learn', 'replay'])('%s refuses an empty set of traces', async (command) => {
    await foreguard('learn', '-s', path('spec.yaml'), '-t', path('traces.jsonl'), '-o', path('some.umb'));
    writeFileSync(path('empty.jsonl'), '\n');
    const more =
      { validate: [], learn: ['-o', path('none.umb')], replay: ['-m', path('some.umb')] }[command] ?? [];
    const { code, err } = await foreguard(
      command,
      '-s',
      path('spec.yaml'),
      '-t',
      path('empty.jsonl'),
      ...more,
    );
    expect(code).toBe(2);
    expect(err).toMatch(/no trace in .*empty\.jsonl/);
  });

  it('refuses steps that are not the sampling period apart, in validate and learn', async () => {
    writeFileSync(
      path('clock.yaml'),
      specification.replace('version: 1', 'version: 1\nsamplingPeriod: 0.1s'),
    );
    const validated = await foreguard(
      'validate',
      '-s',
      path('clock.yaml'),
      '-t',
      path('traces.jsonl'),
      '--json',
    );
    expect(validated.code).toBe(2);
    expect(JSON.parse(validated.out).irregularGaps).toMatchObject({
      count: 60,
      first: expect.stringMatching(/"run0", step 1: 0\.5 s/),
    });
    const learnt = await foreguard(
      'learn',
      '-s',
      path('clock.yaml'),
      '-t',
      path('traces.jsonl'),
      '-o',
      path('c.umb'),
    );
    expect(learnt).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /trace "run0", step 1: 0\.5 s after .* sampling period is 0\.1 s .*all steps are 0\.5 s apart, and 0% of \d gaps? within 10%/,
      ),
    });
    writeFileSync(
      path('held.yaml'),
      specification.replace('version: 1', 'version: 1\nsamplingPeriod: 0.1s\nresample: hold'),
    );
    const held = await foreguard(
      ...['learn', '-s', path('held.yaml'), '-t', path('traces.jsonl'), '-o', path('c.umb')],
    );
    expect(held).toMatchObject({
      code: 0,
      out: expect.stringContaining('\n240 of 340 steps were held, not recorded\n'),
    });
    writeFileSync(
      path('half.yaml'),
      specification.replace('version: 1', 'version: 1\nsamplingPeriod: 500ms'),
    );
    expect(
      (await foreguard('learn', '-s', path('half.yaml'), '-t', path('traces.jsonl'), '-o', path('c.umb')))
        .code,
    ).toBe(0);
  });

  it('refuses a model learnt with other options', async () => {
    await foreguard('learn', '-s', path('spec.yaml'), '-t', path('traces.jsonl'), '-o', path('raw.umb'));
    writeFileSync(path('smooth.yaml'), specification.replace('smoothing: 0', 'smoothing: 1'));
    const { code, err } = await foreguard('risk', '-s', path('smooth.yaml'), '-m', path('raw.umb'));
    expect(code).toBe(2);
    expect(err).toMatch(/learning\.smoothing is 1 in the specification, 0 in the model/);
  });

  it.each([
    ['G true', '', /rule "neverBurnt": no run can violate/],
    ['F burnt', ', atEnd: weak', /rule "neverBurnt": no prefix of a run can violate/],
    ['X<=2 burnt', '', /rule "neverBurnt": X takes no window/],
  ])('validate refuses %s%s, which could not be judged', async (formula, more, message) => {
    writeFileSync(
      path('bad.yaml'),
      specification.replace('G !burnt', formula).replace('0.3 }', `0.3${more} }`),
    );
    expect(await foreguard('validate', '-s', path('bad.yaml'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(message),
    });
  });

  it('tells a few of the problems of a file that is no specification, not all', async () => {
    const { code, err } = await foreguard('validate', '-s', path('traces.jsonl'));
    expect(code).toBe(2);
    expect(err.split('\n').length).toBeLessThan(15);
  });

  it('tells apart the ways in which a rule can be open in one state', async () => {
    writeFileSync(path('window.yaml'), specification.replace('G !burnt', 'G (hot -> F<=2 burnt)'));
    await foreguard('learn', '-s', path('window.yaml'), '-t', path('traces.jsonl'), '-o', path('window.umb'));
    const { out } = await foreguard('risk', '-s', path('window.yaml'), '-m', path('window.umb'));
    expect(out).toMatch(/verdict +automaton +state/);
  });

  it.each([
    ['risk', '--json'],
    ['learn', '-s', 'k.yaml', '--json'],
    ['replay', '--trace-format', 'xml', '--json'],
    ['convert', '--json'],
    ['compile', '--jsonn', '--json'],
    ['chekc', '--json'],
  ])('prints wrong usage as one JSON document where JSON is asked for: %s', async (...words) => {
    const { out, code } = await foreguard(...words);
    expect(code).toBe(2);
    expect(JSON.parse(out).error).toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/^error: /),
    });
  });

  it('writes over nothing that it reads', async () => {
    const traces = readFileSync(path('traces.jsonl'), 'utf8');
    const learn = ['learn', '-s', path('spec.yaml'), '-t', path('traces.jsonl'), '-o'];
    await foreguard(...learn, path('kept.umb'));
    const model = readFileSync(path('kept.umb'));
    for (const words of [
      [...learn, join(folder, '.', 'traces.jsonl')],
      [...learn, path('spec.yaml')],
      ['compile', '-s', path('spec.yaml'), '-m', path('kept.umb'), '-o', path('kept.umb')],
      ['convert', path('kept.umb'), path('kept.umb')],
    ]) {
      const { code, err } = await foreguard(...words);
      expect(code).toBe(2);
      expect(err).toMatch(/would be written over .*, which is read; give another output/);
    }
    expect(readFileSync(path('traces.jsonl'), 'utf8')).toBe(traces);
    expect(readFileSync(path('kept.umb'))).toEqual(model);
  });

  it('says what a file is that was given for another', async () => {
    const [spec, traces] = [path('spec.yaml'), path('traces.jsonl')];
    await foreguard('learn', '-s', spec, '-t', traces, '-o', path('kind.umb'));
    await foreguard('compile', '-s', spec, '-m', path('kind.umb'), '-o', path('kind.json'));
    writeFileSync(path('nothing.jsonl'), '');
    for (const [words, message] of [
      [['validate', '-s', traces], /traces\.jsonl holds traces; expected a specification, YAML or JSON/],
      [['validate', '-s', path('kind.json')], /kind\.json is a compiled guard; expected a specification/],
      [['validate', '-s', path('kind.umb')], /kind\.umb is not text in UTF-8; expected a specification/],
      [['validate', '-s', spec, '-t', spec], /spec\.yaml:1:1: not JSON: .* Is this a file of traces\?/],
      [
        ['validate', '-s', spec, '-t', path('nothing.jsonl')],
        /nothing\.jsonl; expected lines such as \{"id"/,
      ],
      [
        ['risk', '-s', spec, '-m', path('kind.umb'), '--from-start'],
        /--from-start applies only with --joint/,
      ],
      [
        ['risk', '-s', spec, '-m', path('kind.umb'), '--max-states', '9'],
        /--max-states applies only with --joint/,
      ],
      [['risk', '-s', spec, '-m', path('kind.umb'), '--joint', 'x', '--time'], /leave out --time or --joint/],
      [['risk', '-s', spec, '-m', path('kind.umb'), '--joint', 'x'], /has no rule "x"; it has neverBurnt/],
    ] as const) {
      const { code, err } = await foreguard(...words);
      expect(code).toBe(2);
      expect(err).toMatch(message);
    }
  });

  it('prints errors as one JSON document where JSON is asked for', async () => {
    const { out, code } = await foreguard('validate', '-s', path('nowhere.yaml'), '--json');
    expect(code).toBe(2);
    expect(JSON.parse(out).error.message).toMatch(/nowhere\.yaml/);
  });
});

describe('foreguard check', () => {
  it('brackets the exact answer on explicit files', async () => {
    const { out, code } = await foreguard(
      'check',
      path('gambler.tra'),
      '--property',
      'P=? [ F "ruin" ]',
      '--json',
    );
    expect(code).toBe(0);
    const { model, results, seconds, peakMemoryBytes } = JSON.parse(out);
    expect(model).toEqual({
      type: 'dtmc',
      states: 4,
      choices: 4,
      transitions: 6,
      components: 3,
      initial: [1],
    });
    const [{ lower, upper, value, accuracy }] = results;
    expect(lower).toBeLessThanOrEqual(2 / 3);
    expect(upper).toBeGreaterThanOrEqual(2 / 3);
    expect(upper - lower).toBeLessThanOrEqual(2e-6);
    expect(value).toBeGreaterThanOrEqual(lower);
    expect(value).toBeLessThanOrEqual(upper);
    expect(accuracy).toBe('bounded');
    expect(seconds.total).toBeGreaterThan(0);
    expect(peakMemoryBytes).toBeGreaterThan(1e6);
  });

  it.each([
    [['P>=0.5 [ F "ruin" ]'], 0],
    [['P>=0.5 [ F "ruin" ]', 'P<0.5 [ F "ruin" ]'], 1],
    [['P=? [ F "ruin" ]', 'P<0.5 [ F "ruin" ]'], 0],
    [['P=? [ F "ruinn" ]'], 2],
    [['P=? [ F '], 2],
    [['P=? [ F "ruin" ]', 'P=? [ F "ruinn" ]'], 2],
  ])('exits as the properties %j ask', async (properties, code) => {
    expect((await foreguard('check', path('gambler.tra'), '--property', ...properties)).code).toBe(code);
  });

  it('finds the model behind the properties too', async () => {
    const { out, code } = await foreguard(
      'check',
      '-p',
      'P>=0.5 [ F "ruin" ]',
      path('gambler.tra'),
      '--json',
    );
    expect(code).toBe(0);
    expect(JSON.parse(out).results).toMatchObject([{ value: true }]);
  });

  it('decides a threshold at the value itself in exact arithmetic', async () => {
    writeFileSync(path('coin.tra'), '3 4\n0 1 0.5\n0 2 0.5\n1 1 1\n2 2 1\n');
    writeFileSync(path('coin.lab'), '0="init" 1="heads"\n0: 0\n1: 1\n');
    const { out, code } = await foreguard('check', path('coin.tra'), '-p', 'P>=0.5 [ F "heads" ]', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out).results).toMatchObject([{ value: true, accuracy: 'exact' }]);
  });

  it('exits with 3 and keeps the bounds where a threshold cannot be decided', async () => {
    // Intervals have no exact arithmetic, and no double is 2/3.
    writeFileSync(
      path('bets.tra'),
      '# Transitions (IDTMC)\n4 6\n0 0 [1,1]\n1 0 [0.4,0.5]\n1 2 [0.5,0.6]\n2 1 [0.5,0.5]\n2 3 [0.5,0.5]\n3 3 [1,1]\n',
    );
    writeFileSync(path('bets.lab'), '0="init" 1="ruin"\n0: 1\n1: 0\n');
    const { out, code } = await foreguard(
      'check',
      path('bets.tra'),
      '-p',
      'Pmax<=2/3 [ F "ruin" ]',
      '--json',
    );
    expect(code).toBe(3);
    const [{ error }] = JSON.parse(out).results;
    expect(error.code).toBe('undecided');
    expect(error.lower).toBeLessThanOrEqual(2 / 3);
    expect(error.upper).toBeGreaterThanOrEqual(2 / 3);
    expect(error.upper - error.lower).toBeLessThan(1e-6);
  });

  it('reads a file of properties, and one bad line loses no other', async () => {
    writeFileSync(
      path('gambler.props'),
      '// two questions\n"ruin": P=? [ F "ruin" ]; // one\n\nP=? [ F ]\n"rich": P=? [ F "rich" ]\n',
    );
    const { out, code } = await foreguard(
      'check',
      path('gambler.tra'),
      '--properties',
      path('gambler.props'),
      '--json',
    );
    expect(code).toBe(2);
    const { results } = JSON.parse(out);
    expect(results.map(({ name }: { name: string }) => name)).toEqual([
      'ruin',
      expect.stringMatching(/gambler\.props:4$/),
      'rich',
    ]);
    expect(results[1].error.code).toBe('parse-error');
    expect(results[0].lower + results[2].lower).toBeLessThanOrEqual(1);
    expect(results[0].upper + results[2].upper).toBeGreaterThanOrEqual(1);
  });

  it('refuses what it does not understand', async () => {
    expect((await foreguard('check', path('gambler.tra'))).err).toMatch(/--property/);
    expect(
      (await foreguard('check', path('gambler.tra'), '-p', 'P=? [ F "ruin" ]', '--precision', '0')).err,
    ).toMatch(/--precision is "0"/);
    expect(
      (await foreguard('check', path('gambler.tra'), '-p', 'P=? [ F "ruin" ]', '--relative', '--absolute'))
        .err,
    ).toMatch(/exclude/);
    expect((await foreguard('check', path('traces.jsonl'), '-p', 'P=? [ F "ruin" ]')).code).toBe(2);
  });
});
