import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-replay-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);

type Run = readonly (number | string | null)[];

/** One run a line, a temperature a step; null is a step without one. */
function write(name: string, runs: Readonly<Record<string, Run>>, times?: readonly number[]): string {
  const lines = Object.entries(runs).map(([id, temperatures]) =>
    JSON.stringify({
      id,
      steps: temperatures.map((temperature, i) => ({
        state: temperature === null ? {} : { temperature },
        ...(times !== undefined && { time: times[i] }),
      })),
    }),
  );
  writeFileSync(path(name), `${lines.join('\n')}\n`);
  return path(name);
}

/** Of hot runs half burn; warm ones never do. */
const RUNS: Record<string, Run> = { a: [20, 90, 120], b: [20, 90, 40], c: [20, 40, 30], d: [20, 30, 20] };

const specification = (more = ''): string => `version: 1
predicates: { hot: 'temperature > 80', burnt: 'temperature > 100' }
rules: { neverBurnt: { formula: 'G !burnt', threshold: 0.4 } }
learning: { smoothing: 0 }
${more}`;

const files = (spec: string, model = 'model.umb'): string[] => ['-s', path(spec), '-m', path(model)];

beforeAll(async () => {
  writeFileSync(path('spec.yaml'), specification());
  const learnt = await foreguard(
    'learn',
    '-s',
    path('spec.yaml'),
    '-t',
    write('runs.jsonl', RUNS),
    '-o',
    path('model.umb'),
  );
  expect(learnt).toMatchObject({ code: 0 });
});

describe('foreguard replay', () => {
  it('tells alarms by reason, counts unknown steps apart, and says what onUnknown decided', async () => {
    const traces = write('mixed.jsonl', {
      burnt: [20, 90, 120],
      unread: [null, 20, 120],
      quiet: [20, 30, 20],
      lost: [20, null, 20],
    });
    const { out, code } = await foreguard('replay', ...files('spec.yaml'), '-t', traces);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^trace +rule +steps +violated at +threshold met at +alarm by unknown at +unknown steps +largest risk$/m,
    );
    expect(out).toMatch(/^burnt +neverBurnt +3 +2 +1 +– +0 +0\.625001$/m);
    expect(out).toMatch(/^unread +neverBurnt +3 +2 +– +0 +1 +0\.25\d*$/m);
    expect(out).toMatch(/^lost +neverBurnt +3 +open \(unread\) +– +1 +1 +0\.25\d*$/m);
    expect(out).toMatch(/4 traces, 12 steps; allow at \d+, stop at \d+/);
    expect(out).toMatch(/^neverBurnt +2 +1 +0 +0 +1 +1 +0 +1, 0 +2 +1 +–$/m);
    expect(out).toContain(
      'neverBurnt: 2 steps could not be judged (predicate-failed 2), decided by onUnknown: rule; they alone made the guard intervene before the violation of 1 trace\n',
    );
    expect(out).toContain(
      'neverBurnt: it is not known whether it is kept in 1 trace (a step that could not be read, or is missing in a gap in time, may have broken it 1), which counts neither as kept nor as violated',
    );
    const document = JSON.parse(
      (await foreguard('replay', ...files('spec.yaml'), '-t', traces, '--json')).out,
    );
    expect(document).toMatchObject({ errors: [], notes: [], unread: [] });
    expect(document.totals.neverBurnt).toMatchObject({
      alarms: { threshold: 1, unknown: 2, violated: 2 },
      onUnknownOnly: { violated: 1, kept: 0 },
      kept: 1,
      open: 1,
    });
    expect(document.traces[3].rules.neverBurnt).toMatchObject({ verdict: 'open', whyOpen: 'unread' });
    expect(document.traces[0].rules.neverBurnt.first).toEqual({ threshold: 1, unknown: null, violated: 2 });
  });

  it('says which setting decided what', async () => {
    const text = specification('samplingPeriod: 1s\nonUnknown: inspect\nonUnreadable: block\n');
    writeFileSync(path('apart.yaml'), text);
    const timed = write('timed.jsonl', RUNS, [0, 1, 2]);
    const learnt = await foreguard('learn', '-s', path('apart.yaml'), '-t', timed, '-o', path('apart.umb'));
    expect(learnt).toMatchObject({ code: 0 });
    const replayed = async (run: Run, times: number[]): Promise<string> => {
      const traces = write('apart.jsonl', { run }, times);
      return (await foreguard('replay', ...files('apart.yaml', 'apart.umb'), '-t', traces)).out;
    };
    expect(await replayed([20, null, 20], [0, 1, 5])).toContain(
      ', decided by onUnknown: inspect, but for predicate-failed by onUnreadable: block',
    );
    expect(await replayed([null, 20, 20], [0, 1, 2])).toMatch(/, decided by onUnreadable: block(\n|; )/);
  });

  it.each(['allow', 'report'])(
    'says that %s is for what was read, and that stop decided the rest',
    async (how) => {
      writeFileSync(
        path('lets.yaml'),
        specification(`samplingPeriod: 1s\nonUnknown: ${how}\nunsafeAllowUnknown: true\n`),
      );
      const timed = write('timed.jsonl', RUNS, [0, 1, 2]);
      const learnt = await foreguard('learn', '-s', path('lets.yaml'), '-t', timed, '-o', path('lets.umb'));
      expect(learnt).toMatchObject({ code: 0 });
      const replayed = async (run: Run, times: number[]): Promise<string> => {
        const traces = write('lets.jsonl', { run }, times);
        return (await foreguard('replay', ...files('lets.yaml', 'lets.umb'), '-t', traces)).out;
      };
      const stopped = `stop, because onUnknown: ${how} applies only to what could be read`;
      expect(await replayed([null, 20, 120], [0, 1, 2])).toContain(
        `1 step could not be judged (predicate-failed 1), decided by ${stopped}; they alone`,
      );
      const mixed = await replayed([20, null, 20], [0, 1, 5]);
      expect(mixed).toContain(`, decided by onUnknown: ${how}, but for predicate-failed by ${stopped}`);
      const late = await replayed([20, 20, 20], [0, 1, 5]);
      expect(late).toMatch(new RegExp(`, decided by onUnknown: ${how}(\n|; )`));
    },
  );

  it.each([
    ['strategy: report', 'stop', 'report, the only strategy of the rule', ['report', 'report']],
    ['strategy: report', 'allow', 'report, the only strategy of the rule', ['report', 'report']],
    ['strategy: stop, shadow: true', 'rule', 'report, as the rule is in shadow mode', ['report', 'report']],
    ['strategy: stop, shadow: true', 'report', 'report, as the rule is in shadow mode', ['report', 'report']],
    [
      'strategy: stop, shadow: true',
      'allow',
      'onUnknown: allow, but for predicate-failed by report, as the rule is in shadow mode',
      ['report', 'allow'],
    ],
  ])('says what is decided for a rule with %s under onUnknown: %s', async (rule, how, decided, decisions) => {
    writeFileSync(
      path('reports.yaml'),
      specification(`samplingPeriod: 1s\nonUnknown: ${how}\nunsafeAllowUnknown: true\n`).replace(
        'threshold: 0.4',
        `threshold: 0.4, ${rule}`,
      ),
    );
    const timed = write('timed.jsonl', RUNS, [0, 1, 2]);
    const learnt = await foreguard(
      'learn',
      '-s',
      path('reports.yaml'),
      '-t',
      timed,
      '-o',
      path('reports.umb'),
    );
    expect(learnt).toMatchObject({ code: 0 });
    // The second step cannot be read, the third comes too late.
    const traces = write('reports.jsonl', { run: [20, null, 20] }, [0, 1, 5]);
    const args = ['replay', ...files('reports.yaml', 'reports.umb'), '-t', traces];
    const { out } = await foreguard(...args);
    expect(out).toContain(
      `neverBurnt: 2 steps could not be judged (predicate-failed 1, irregular-time 1), decided by ${decided}`,
    );
    expect(out).not.toContain('intervene');
    const { decisions: counts } = JSON.parse((await foreguard(...args, '--json')).out);
    const expected: Record<string, number> = { allow: 1 };
    for (const decision of decisions) expected[decision] = (expected[decision] ?? 0) + 1;
    expect(counts).toEqual(expected);
  });

  it('says that a rule that only reports has reported, in a run that keeps it', async () => {
    writeFileSync(path('report.yaml'), specification().replace('0.4', '0.9, strategy: report'));
    const cool = write('cool.jsonl', { c: [20, 40, 120], d: [20, 30, 20] });
    const learnt = await foreguard('learn', '-s', path('report.yaml'), '-t', cool, '-o', path('cool.umb'));
    expect(learnt).toMatchObject({ code: 0 });
    const traces = write('report.jsonl', { run: [20, 90, 20] });
    const { out } = await foreguard('replay', ...files('report.yaml', 'cool.umb'), '-t', traces);
    expect(out).toContain(
      'neverBurnt: 1 step could not be judged (unknown-state 1), decided by report, the only strategy of the rule; they alone made the guard report in 1 trace that keeps the rule\n',
    );
  });

  it('fails with 2 where a rule could be read in no step, and still says all it found', async () => {
    const traces = write('empty.jsonl', { a: [null, null], b: ['warm', null], c: [null], d: [null, 'cold'] });
    const { out, code } = await foreguard('replay', ...files('spec.yaml'), '-t', traces);
    expect(code).toBe(2);
    expect(out).toMatch(
      /^error: rule "neverBurnt" could be read in full at none of 7 steps: "burnt" could not be read, the first time at trace "a", step 0: .*temperature/,
    );
    const json = await foreguard('replay', ...files('spec.yaml'), '-t', traces, '--json');
    expect(json.code).toBe(2);
    const document = JSON.parse(json.out);
    expect(document.errors).toEqual([document.unread[0].message]);
    expect(document.totals.neverBurnt).toMatchObject({ violations: 0, predicted: 0, unknown: 7 });
  });

  it('prints the trade-off over thresholds with intervals, alike rows once, and tries those asked for', async () => {
    const base = ['replay', ...files('spec.yaml'), '-t', path('runs.jsonl')];
    const { out } = await foreguard(...base);
    expect(out).toMatch(
      /^neverBurnt: other thresholds, with intervals of 95% \(\* is its own; 1 violation\)$/m,
    );
    // 0.25 where it is warm, 0.625 where it is hot: one of the three runs that keep the rule was hot.
    expect(out).toMatch(/^risk >= 0\.01 to 0\.2 +1 +0 \(0% to 97\.5%\) +3 \(29\.2% to 100%\) +2 +–$/m);
    expect(out).toMatch(/^risk >= 0\.3 to 0\.6 \* +1 +0 \(0% to 97\.5%\) +1 \(0\.84% to 90\.6%\) +1 +–$/m);
    expect(out).toMatch(/^risk >= 0\.7 to 1 +0 +1 \(2\.5% to 100%\) +0 \(0% to 70\.8%\) +– +–$/m);
    const { totals } = JSON.parse((await foreguard(...base, '--thresholds', '0.3,0.9', '--json')).out);
    expect(totals.neverBurnt.tradeOff).toMatchObject([
      { threshold: 'risk >= 0.3', own: false, missed: 0, falseAlarms: 1 },
      { threshold: 'risk >= 0.4', own: true, missed: 0, falseAlarms: 1 },
      { threshold: 'risk >= 0.9', own: false, missed: 1, falseAlarms: 0 },
    ]);
    for (const wrong of ['1.5', 'high', '0.1,', '-0.1']) {
      expect(await foreguard(...base, `--thresholds=${wrong}`)).toMatchObject({
        code: 2,
        err: expect.stringContaining(`--thresholds is "${wrong}"; expected risks from 0 to 1`),
      });
    }
  });

  it('says with --explain for each alarm what the guard says, each cause once with its runs', async () => {
    const traces = write('alike.jsonl', { first: [20, 90, 90, 20, 90], second: [90, 20], third: [20] });
    const base = ['replay', ...files('spec.yaml'), '-t', traces];
    const { out } = await foreguard(...base, '--explain');
    expect(out).toMatch(
      /^neverBurnt, alarm by threshold \(3 alarms in 2 traces\): stop\. The risk of breaking rule "neverBurnt" \(G !burnt\) is 0\.625\d*, certified in .*State: hot.*\n {2}first at steps 1, 4; second at step 0$/m,
    );
    const { causes } = JSON.parse((await foreguard(...base, '--explain', '--json')).out);
    expect(causes).toHaveLength(1);
    expect(causes[0]).toMatchObject({ rule: 'neverBurnt', kind: 'threshold', alarms: 3 });
    expect((await foreguard(...base)).out).not.toContain('alarm by threshold (');
  });

  it('says that only the end broke a rule, not at which step', async () => {
    writeFileSync(path('goal.yaml'), specification().replace('G !burnt', 'F hot'));
    const traces = write('cold.jsonl', { cold: [20, 30] });
    await foreguard('learn', '-s', path('goal.yaml'), '-t', path('runs.jsonl'), '-o', path('goal.umb'));
    const { out } = await foreguard('replay', ...files('goal.yaml', 'goal.umb'), '-t', traces);
    expect(out).toMatch(/^cold +neverBurnt +2 +end +/m);
  });
});

describe('numbers of steps', () => {
  const timed = specification('samplingPeriod: 1s\nresample: hold');

  it('are those of the recording in every command, whatever was held before', async () => {
    writeFileSync(path('timed.yaml'), timed);
    const spec = ['-s', path('timed.yaml')];
    const times = [0, 3, 4];
    const broken = write('broken.jsonl', { late: [20, 20, null] }, times);
    const at = 'trace "late", step 2: ';
    expect((await foreguard('validate', ...spec, '-t', broken)).out).toContain(at);
    const learnt = await foreguard('learn', ...spec, '-t', broken, '-o', path('none.umb'));
    expect(learnt).toMatchObject({ code: 2, err: expect.stringContaining(at) });

    const constrained = timed.replace('rules:', "constraints: { end: '!burnt' }\nrules:");
    writeFileSync(path('constrained.yaml'), constrained);
    const burnt = write('burnt.jsonl', { late: [20, 90, 120] }, times);
    const contradicted = await foreguard(
      'learn',
      '-s',
      path('constrained.yaml'),
      '-t',
      burnt,
      '-o',
      path('none.umb'),
    );
    expect(contradicted.err).toContain(at);

    await foreguard('learn', ...spec, '-t', burnt, '-o', path('timed.umb'));
    const { out } = await foreguard('replay', ...files('timed.yaml', 'timed.umb'), '-t', burnt, '--explain');
    expect(out).toMatch(/^late +neverBurnt +3, 2 held +2 +/m);
    expect(out).toContain('late, neverBurnt: violated at step 2 (4 s): at step 2 `temperature > 100` held');

    writeFileSync(path('nan.yaml'), timed);
    writeFileSync(
      path('nan.jsonl'),
      `{"id":"late","steps":[${times.map((time, i) => `{"time":${time},"state":{"temperature":${i === 2 ? '1e999' : 20}}}`).join(',')}]}\n`,
    );
    const strange = timed.replace(/temperature > 100/, 'temperature - temperature > 100');
    writeFileSync(path('nan.yaml'), strange);
    const robust = await foreguard('robustness', '-s', path('nan.yaml'), '-t', path('nan.jsonl'));
    expect(robust).toMatchObject({ code: 2, err: expect.stringMatching(/trace "late", step 2: .*NaN/) });
  });
});

describe('--tools', () => {
  const spec = `version: 1
predicates: { refunded: 'calls.refund > 0', looked: 'calls.look_up > 0' }
rules: { noRefund: { formula: 'G !refunded', threshold: 0.5 } }
learning: { smoothing: 0 }
`;
  const message = (role: string, name?: string): object => ({ role, content: 'ok', ...(name && { name }) });
  const conversation = (task: number, calls: readonly string[]): object => ({
    task_id: task,
    trial: 0,
    reward: 1,
    traj: [
      message('user'),
      ...calls.flatMap((name) => [
        { role: 'assistant', tool_calls: [{ function: { name, arguments: '{}' } }] },
        message('tool', name),
      ]),
    ],
  });
  const recorded = {
    'tau-bench': {
      seen: JSON.stringify([conversation(0, ['look_up', 'refund']), conversation(1, ['look_up'])]),
      unseen: JSON.stringify([conversation(2, ['look_up'])]),
    },
    jsonl: {
      seen: '{"id":"a","steps":[{"state":{"calls":{"look_up":0,"refund":0}}},{"state":{"calls":{"look_up":1,"refund":1}}}]}',
      unseen: '{"id":"b","steps":[{"state":{"calls":{"look_up":0}}},{"state":{"calls":{"look_up":1}}}]}',
    },
  };

  it.each(Object.entries(recorded))('is heeded in recordings of %s', async (format, { seen, unseen }) => {
    writeFileSync(path('tools.yaml'), spec);
    writeFileSync(path('seen.json'), `${seen}\n`);
    writeFileSync(path('unseen.json'), `${unseen}\n`);
    const as = ['--trace-format', format];
    await foreguard(
      'learn',
      '-s',
      path('tools.yaml'),
      '-t',
      path('seen.json'),
      ...as,
      '-o',
      path('tools.umb'),
    );
    const base = ['replay', ...files('tools.yaml', 'tools.umb'), '-t', path('unseen.json'), ...as, '--json'];
    expect(await foreguard(...base)).toMatchObject({ code: 2, out: expect.stringContaining('refund') });
    const { code, out } = await foreguard(...base, '--tools', 'refund', 'never_called');
    expect(code).toBe(0);
    const { totals, notes } = JSON.parse(out);
    expect(totals.noRefund.unknownBy['predicate-failed']).toBeUndefined();
    expect(notes.filter(({ message }: { message: string }) => message.includes('--tools'))).toEqual([]);
  });

  it('says where no state counts calls', async () => {
    const { out } = await foreguard(
      'replay',
      ...files('spec.yaml'),
      '-t',
      path('runs.jsonl'),
      '--tools',
      'refund',
      '--json',
    );
    expect(JSON.parse(out).notes).toEqual([
      {
        source: path('runs.jsonl'),
        message: expect.stringMatching(/^no state of .*runs\.jsonl counts calls of tools.*refund/),
      },
    ]);
  });

  it('says which risks are the least over all ways to go on, where a shield goes by those', async () => {
    // Of what is done on a hot stove, leaving it burns each time, and turning it off never.
    const runs = Array.from({ length: 10 }, (_, i) => ({
      id: `${i}`,
      steps: [
        { state: { temperature: 90 }, action: { name: i < 4 ? 'leave' : 'off' } },
        { state: { temperature: i < 4 ? 120 : 20 } },
      ],
    }));
    writeFileSync(path('acts.jsonl'), runs.map((one) => JSON.stringify(one)).join('\n'));
    const under = async (shield: string) => {
      writeFileSync(
        path('acts.yaml'),
        specification(`shield: ${shield}`).replace('{ smoothing: 0 }', '{ model: mdp, smoothing: 0 }'),
      );
      const acts = files('acts.yaml', 'acts.umb');
      await foreguard('learn', '-s', path('acts.yaml'), '-t', path('acts.jsonl'), '-o', path('acts.umb'));
      return (await foreguard('replay', ...acts, '-t', path('acts.jsonl'), '--explain')).out;
    };
    const least = await under('least');
    expect(least).toMatch(
      /The least risk of breaking rule "neverBurnt" .* from least risk >= 0\.4\. If the agent/,
    );
    expect(least).toContain(
      'neverBurnt: under shield: least a risk is the least risk over all ways to go on (that is what thresholds are compared with); foreguard risk prints the risk if the agent goes on as learnt',
    );
    expect(await under('budget')).toContain(
      '(what an action adds to it is compared with what is left of the budget)',
    );
    expect(await under('predict')).not.toContain('least risk');
  });
});
