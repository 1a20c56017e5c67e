import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Learner, type LearnerOptions } from '../../../bindings/estimation/learning/index.js';
import { Abstraction } from '../../../bindings/observations/abstraction/index.js';
import { parseSpecification } from '../../../bindings/rules/specification/index.js';
import { loadGuard } from '../../../bindings/runtime/guard/index.js';
import { writeUmb } from '../../../bindings/solvers/formats/index.js';
import type { Dtmc } from '../../../bindings/solvers/model/index.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-certify-'));
const path = (name: string): string => join(folder, name);

const spec = (learning = '{ smoothing: 0 }'): string => `version: 1
predicates: { hot: 'temperature > 80', burnt: 'temperature > 100' }
rules:
  neverBurnt: { formula: 'G !burnt', threshold: 0.3 }
  cools: { formula: 'G (hot -> F[0,1] !hot)', threshold: 0.3 }
learning: ${learning}
`;

/** A quarter of the runs burns, half of those that get hot; what burns is cut there. */
const lines = Array.from({ length: 400 }, (_, i) => {
  const temperatures = i % 4 === 0 ? [20, 90, 120] : i % 4 === 1 ? [20, 90, 40] : [20, 40];
  return JSON.stringify({
    id: `${i}`,
    complete: i % 4 !== 0,
    steps: temperatures.map((temperature) => ({ state: { temperature } })),
  });
});

const certify = (...options: string[]) =>
  foreguard('certify', '-s', path('spec.yaml'), '-t', path('traces.jsonl'), ...options);

beforeAll(async () => {
  writeFileSync(path('spec.yaml'), spec());
  writeFileSync(path('other.yaml'), spec().replace('temperature > 80', 'temperature > 70'));
  writeFileSync(path('traces.jsonl'), lines.join('\n'));
  await foreguard('learn', '-s', path('spec.yaml'), '-t', path('traces.jsonl'), '-o', path('model.umb'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('foreguard certify', () => {
  it('says within how many steps a rule with a horizon is certified, chains and decision processes', async () => {
    const acting = lines.map((line) => {
      const trace = JSON.parse(line);
      for (const step of trace.steps.slice(0, -1))
        step.action = { name: step.state.temperature > 80 ? 'wait' : 'heat' };
      return JSON.stringify(trace);
    });
    writeFileSync(path('acting.jsonl'), acting.join('\n'));
    for (const [learning, traces] of [
      ['{ smoothing: 0 }', 'traces.jsonl'],
      ['{ smoothing: 0, model: mdp }', 'acting.jsonl'],
    ]) {
      writeFileSync(
        path('near.yaml'),
        spec(learning).replace('threshold: 0.3 }', 'threshold: 0.3, horizonSteps: 1 }'),
      );
      const words = ['certify', '-s', path('near.yaml'), '-t', path(traces)];
      const { out } = await foreguard(...words);
      expect(out).toContain('neverBurnt: G !burnt, within 1 step\n');
      expect(out).toMatch(/cools: G \(hot -> F\[0,1\] !hot\)\n/);
      const { rules } = JSON.parse((await foreguard(...words, '--json')).out);
      expect(rules.map(({ horizonSteps }: { horizonSteps: number | null }) => horizonSteps)).toEqual([
        1,
        null,
      ]);
    }
  });

  it('takes traces in a random order on request: the same counts, and intervals that follow the order', async () => {
    const sorted = lines.toSorted((a, b) => Number(b.includes('true')) - Number(a.includes('true')));
    writeFileSync(path('sorted.jsonl'), sorted.join('\n'));
    const certified = async (...options: string[]) => {
      const { out, code } = await foreguard(
        'certify',
        '-s',
        path('spec.yaml'),
        '-t',
        path('sorted.jsonl'),
        ...options,
        '--json',
      );
      expect(code).toBe(0);
      return JSON.parse(out);
    };
    const [kept, shuffled, again, other] = [
      await certified(),
      await certified('--shuffle', '1'),
      await certified('--shuffle', '1'),
      await certified('--shuffle', '2'),
    ];
    expect(shuffled).toEqual(again);
    const draws = ({ states }: typeof kept) =>
      new Map(states.map((one: { description: string; draws: number }) => [one.description, one.draws]));
    expect(draws(shuffled)).toEqual(draws(kept));
    expect(shuffled.rules[0].start).not.toEqual(kept.rules[0].start);
    expect(shuffled.rules[0].start).not.toEqual(other.rules[0].start);
  });

  it.each(['certify', 'learn'])('%s refuses a recording that is given twice', async (command) => {
    writeFileSync(path('again.jsonl'), lines.join('\n'));
    const given = (...files: string[]) =>
      foreguard(
        command,
        '-s',
        path('spec.yaml'),
        '-t',
        ...files,
        ...(command === 'learn' ? ['-o', path('twice.umb')] : []),
      );
    expect(await given(path('traces.jsonl'), path('traces.jsonl'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('traces.jsonl is given twice: its runs would count twice'),
    });
    expect(await given(path('traces.jsonl'), path('again.jsonl'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('traces.jsonl again, byte for byte: its runs would count twice'),
    });
  });

  it('refuses a seed that is no whole number, and to shuffle what a model has learnt already', async () => {
    const { err, code } = await certify('--shuffle', 'well');
    expect([code, err]).toEqual([2, expect.stringContaining('--shuffle is "well"; expected a whole number')]);
    const model = await foreguard(
      'certify',
      '-s',
      path('spec.yaml'),
      '-m',
      path('model.umb'),
      '--shuffle',
      '1',
    );
    expect(model.code).toBe(2);
  });

  it('prints posterior intervals on request, and that nothing guarantees them', async () => {
    expect((await certify()).out).not.toContain('posterior');
    const { out, code } = await certify('--posterior');
    expect(code).toBe(0);
    expect(out).toContain('posterior, no guarantee');
    const { out: text } = await certify('--posterior', '--json');
    const [{ start, entries }] = JSON.parse(text).rules;
    expect(start.posterior).toMatchObject({ guaranteed: false });
    expect(entries[0].posterior.upper).toBeLessThanOrEqual(1);
  });

  it('never rounds confidence up to certainty', async () => {
    expect((await certify('--delta', '1e-5')).out).toContain('With confidence 1 - 0.00001,');
    expect((await certify('--delta', '0.00123')).out).toContain('With confidence 0.99877,');
  });

  it('prints for each rule what its risk is at most and at least, and whether that is narrow enough', async () => {
    const { out, code, err } = await certify();
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('With confidence 0.95');
    expect(out).toMatch(/at most +at least +as learnt +± 0\.05 +seen +verdict +state/);
    const [, atMost, atLeast, asLearnt, met] =
      /^ ?(\S+) +(\S+) +(\S+) +(\S+) +200 +open +hot; not burnt$/m.exec(out) ?? [];
    expect(Number(atLeast)).toBeLessThan(0.5);
    expect(asLearnt).toBe('0.6250');
    expect(Number(atMost)).toBeGreaterThan(0.7);
    expect(met).toBe('no');
    expect(out).toMatch(/cannot be bounded: state 2 \(hot, burnt\) was never left$/m);
    expect(out).toMatch(/the first is not met; the second is not met, with B = 2\.25 \(it is met from/);
    expect(out).toMatch(/it is met with no epsilon: a state was never left/);
  });

  it('says what to sample next, and how many runs that takes', async () => {
    const { out } = await certify('--epsilon', '0.1');
    expect(out).toMatch(
      /To know every risk to within 0\.1 before the first step, if all goes on as it did: about [\d,]+ more runs as the agent begins them, and beginning them elsewhere would not help$/m,
    );
    expect(out).toMatch(/^ *left +should be +error +once more +state$/m);
    expect(out).toMatch(/^ *200 +[\d,]+ +0\.\d{4} +\S+ +hot; not burnt$/m);
    const everywhere = await certify('--epsilon', '0.1', '--everywhere');
    expect(everywhere.out).toMatch(/^ *never +[\d,]+ +\d\.\d{4} +\S+ +hot, burnt$/m);
    const { plan } = JSON.parse((await certify('--epsilon', '0.1', '--everywhere', '--json')).out);
    expect(plan).toMatchObject({ scope: 'states', epsilon: 0.1 });
    expect(plan.states[0]).toMatchObject({ state: 2, draws: 0, description: 'hot, burnt' });
    const { out: enough } = await certify('--epsilon', '0.6');
    expect(enough).toContain(
      'To know every risk to within 0.6 before the first step no more runs are needed.',
    );
  });

  it('says the same of a model in a file as of the traces it was learnt from', async () => {
    const model = await foreguard('certify', '-s', path('spec.yaml'), '-m', path('model.umb'), '--json');
    expect(model).toEqual(await certify('--json'));
    const { delta, epsilon, states, rules } = JSON.parse(model.out);
    expect([delta, epsilon]).toEqual([0.05, 0.05]);
    expect(states.map(({ draws }: { draws: number }) => draws)).toEqual([400, 700, 200, 0]);
    expect(rules[0].criteria.first).toHaveLength(5);
    expect(rules[1].criteria.secondEpsilon).toBe('Infinity');
    const [never] = rules[1].entries.filter(({ unbounded }: { unbounded: string }) => unbounded !== null);
    expect(never).toMatchObject({ confidenceLower: 0, confidenceUpper: 1, met: false });
  });

  it('gives wider intervals where more confidence is asked for, and has them met at a larger epsilon', async () => {
    const widths = async (...options: string[]): Promise<number[]> => {
      const { rules } = JSON.parse((await certify('--json', ...options)).out);
      return rules[0].entries.map(
        (entry: { confidenceLower: number; confidenceUpper: number }) =>
          entry.confidenceUpper - entry.confidenceLower,
      );
    };
    const [usual, surer] = [await widths(), await widths('--delta', '1e-6')];
    expect(surer.every((width, i) => width >= usual[i])).toBe(true);
    expect(surer.some((width, i) => width > usual[i])).toBe(true);
    expect((await certify('--epsilon', '0.4')).out).toMatch(/± 0\.4[\s\S]*yes +700 +open/);
  });

  it.each([
    [['--delta', '0'], '--delta is "0"; expected a number above 0 and below 1, such as 0.05'],
    [['--delta', '1.5'], '--delta is "1.5"; expected a number above 0 and below 1'],
    [['--epsilon', '-0.1'], '--epsilon is "-0.1"; expected a number above 0 and below 1'],
    [['--epsilon', 'small'], '--epsilon is "small"; expected a number above 0 and below 1'],
    [['--top', '0'], '--top is "0"; expected a whole number above 0'],
    [['--model', 'model.umb'], "option '-m, --model <file>' cannot be used with option '-t, --traces"],
  ])('refuses %j', async (options, message) => {
    expect(await certify(...options)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(message),
    });
  });

  it('has no criterion met where nothing was ever drawn', async () => {
    writeFileSync(
      path('cut.jsonl'),
      '{"id": "a", "complete": false, "steps": [{"state": {"temperature": 20}}]}',
    );
    const { out, code } = await foreguard('certify', '-s', path('spec.yaml'), '-t', path('cut.jsonl'));
    expect(code).toBe(0);
    expect(out).toMatch(/^ 1\.0000 +0\.0000 .* cannot be bounded: state 0 \(.*\) was never left$/m);
    expect(out).toContain('the first is not met; the second is not met');
    expect(out).toContain('it is met with no epsilon: a state was never left');
  });

  it('refuses options of traces beside a model, which would be ignored', async () => {
    const model = ['-s', path('spec.yaml'), '-m', path('model.umb')];
    expect(await foreguard('certify', ...model, '--trace-format', 'jsonl')).toMatchObject({
      code: 2,
      err: expect.stringContaining("cannot be used with option '--trace-format"),
    });
  });

  it('asks for traces or a model where it is given neither', async () => {
    expect(await foreguard('certify', '-s', path('spec.yaml'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('give --traces FILES or --model FILE'),
    });
  });

  it('refuses a model that traces were left out of, of all kinds, and says how many', async () => {
    const strict = spec('{ smoothing: 0, onContradiction: dropTrace }').replace(
      'rules:',
      "constraints: { end: '!hot || burnt' }\nrules:",
    );
    writeFileSync(path('strict.yaml'), strict);
    const odd = ['{"id": "cut', '{"id": "blind", "steps": [{"state": {}}]}'];
    const hot = '{"id": "hot", "steps": [{"state": {"temperature": 90}}]}';
    writeFileSync(path('odd.jsonl'), [...lines, ...odd, hot].join('\n'));
    const files = ['-t', path('odd.jsonl'), '-o', path('odd.umb')];
    const learnt = await foreguard('learn', '-s', path('strict.yaml'), ...files, '--skip-invalid');
    expect(learnt.out).toContain('certify will refuse this model');
    const { code, out, err } = await foreguard('certify', '-s', path('strict.yaml'), '-m', path('odd.umb'));
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/left out for what they do.*1 contradict .*; 1 have a predicate .*; 1 could not be/);
    expect(
      await foreguard('certify', '-s', path('strict.yaml'), '-t', path('odd.jsonl'), '--json'),
    ).toMatchObject({ code: 2, out: expect.stringContaining('"error"') });
  });
});

describe('a model that certify refuses', () => {
  const learnt = (options: LearnerOptions = {}) => {
    const specification = parseSpecification(spec());
    const learner = new Learner(new Abstraction(specification.abstraction), {
      ...specification.learning,
      ...options,
    });
    for (const line of lines) learner.add(JSON.parse(line));
    return learner.chain().model;
  };
  const certified = async (model: Dtmc): Promise<string> => {
    writeFileSync(path('refused.umb'), await writeUmb(model));
    const { code, out, err } = await foreguard('certify', '-s', path('spec.yaml'), '-m', path('refused.umb'));
    expect([code, out]).toEqual([2, '']);
    return err;
  };

  it('was learnt with forgetting', async () => {
    for (const forgetting of [
      { window: 100, of: 'traces' },
      { halfLife: 50, of: 'draws' },
    ] as const) {
      expect(await certified(learnt({ forgetting }))).toContain('the model was learnt with forgetting');
    }
  });

  it('has counts that are no whole numbers', async () => {
    const { annotations = [], ...model } = learnt();
    const halved = annotations.map((one) =>
      one.name === 'count' ? { ...one, type: 'double' as const, values: one.values.map((x) => x / 7) } : one,
    );
    expect(await certified({ ...model, annotations: halved })).toMatch(
      /state 0 has a transition that was seen 57\.14\d+ times: certificates are made from whole numbers of draws/,
    );
  });

  it('lacks the order of what was seen', async () => {
    const { annotations = [], ...model } = learnt();
    const kept = annotations.filter(({ name }) => name !== 'rank');
    expect(await certified({ ...model, annotations: kept })).toMatch(
      /no annotation "rank": certificates need the order of what was seen; learn it again with `foreguard learn`/,
    );
  });

  it('was not learnt, or with other predicates', async () => {
    const other = await foreguard(
      'learn',
      '-s',
      path('other.yaml'),
      '-t',
      path('traces.jsonl'),
      '-o',
      path('o.umb'),
    );
    expect(other.code).toBe(0);
    const { code, err } = await foreguard('certify', '-s', path('spec.yaml'), '-m', path('o.umb'));
    expect([code, err]).toEqual([2, expect.stringContaining('do not belong together')]);
    writeFileSync(path('coin.tra'), '2 2\n0 1 1\n1 1 1\n');
    const coin = await foreguard('certify', '-s', path('spec.yaml'), '-m', path('coin.tra'));
    expect([coin.code, coin.err]).toEqual([2, expect.stringContaining('was not learnt by Foreguard')]);
  });
});

describe('a guard that decides on confidence bounds', () => {
  it('goes from the specification through compile to decisions, and replay says what it was', async () => {
    const tolerant = spec().replaceAll('threshold: 0.3', 'threshold: 0.7');
    writeFileSync(
      path('careful.yaml'),
      `${tolerant}decideOn: confidenceUpper\nconfidence: { delta: 0.01 }\n`,
    );
    const files = ['-s', path('careful.yaml'), '-m', path('model.umb')];
    const compiled = await foreguard('compile', ...files, '-o', path('guard.json'), '--horizons', '2');
    expect(compiled).toMatchObject({ code: 0, err: '' });
    expect(compiled.out).toContain('2 rules over 3 states, decides at confidence 0.99, ');
    const guard = await loadGuard(readFileSync(path('guard.json'), 'utf8'));
    expect(guard.step({ temperature: 20 })).toMatchObject({ decision: 'allow' });
    const hot = guard.step({ temperature: 90 });
    // As learnt it is 0.625, which alone would be allowed.
    expect(hot).toMatchObject({ decision: 'stop', rule: 'neverBurnt', decidedOn: 'confidenceUpper' });
    expect(guard.explain(hot)).toMatch(
      /is at most 0\.\d+ for the agent itself, at confidence 0\.99, which counts/,
    );
    expect(guard.riskWithin('neverBurnt', 2).confidenceUpper).toBeGreaterThan(0.5);
    const replayed = await foreguard('replay', ...files, '-t', path('traces.jsonl'));
    expect(replayed.out).toMatch(/^ *0 +neverBurnt +3 +2 +1 \(confidence\)/m);
    const { traces } = JSON.parse(
      (await foreguard('replay', ...files, '-t', path('traces.jsonl'), '--json')).out,
    );
    expect(traces[0].rules.neverBurnt).toMatchObject({ firstIntervention: 1, decidedOn: 'confidenceUpper' });
  });

  it('is certified at the confidence of its specification unless told otherwise', async () => {
    const careful = ['-s', path('careful.yaml'), '-m', path('model.umb'), '--json'];
    expect(JSON.parse((await foreguard('certify', ...careful)).out).delta).toBe(0.01);
    expect(JSON.parse((await foreguard('certify', ...careful, '--delta', '0.2')).out).delta).toBe(0.2);
  });

  it('is not compiled from a model that traces were left out of', async () => {
    const strict = readFileSync(path('strict.yaml'), 'utf8');
    writeFileSync(path('both.yaml'), `${strict}decideOn: confidenceUpper\n`);
    const files = ['-s', path('both.yaml'), '-m', path('odd.umb'), '-o', path('none.json')];
    expect(await foreguard('compile', ...files)).toMatchObject({
      code: 2,
      err: expect.stringContaining('traces were left out for what they do'),
    });
  });
});
