import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../../bindings/face/cli/run.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-robustness-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const road = `version: 1
samplingPeriod: 0.1s
predicates: { green: 'light == 3', clear: 'gap > 8 && speed < 60' }
rules:
  start: { formula: 'G (green -> F[0s,0.2s] (speed > 0.5))', threshold: 0.5 }
  room: { formula: 'G clear', threshold: 0.5 }
  soon: { formula: 'P<0.1 [ F<=20 clear ]' }
`;

interface Sample {
  readonly light: number;
  readonly speed: number | null;
  readonly gap: number;
  readonly red?: unknown;
}

async function foreguard(spec: string, drives: Record<string, Sample[]>, ...more: string[]) {
  const [file, traces] = [join(folder, 'road.yaml'), join(folder, 'drives.jsonl')];
  writeFileSync(file, spec);
  const lines = Object.entries(drives).map(([id, samples]) =>
    JSON.stringify({ id, steps: samples.map((state, i) => ({ state, time: i / 10 })) }),
  );
  writeFileSync(traces, `${lines.join('\n')}\n`);
  let [out, err] = ['', ''];
  const code = await run(['robustness', '-s', file, '-t', traces, ...more], {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    interactive: false,
  });
  return { out, err, code };
}

const at = (light: number, speed: number | null, gap: number): Sample => ({ light, speed, gap });
const drives = {
  stuck: [at(3, 0, 20), at(3, 0.25, 19), at(3, 0, 18), at(2, 0, 17)],
  close: [at(2, 9, 20), at(2, 12, 7), at(3, 0, 10)],
};

describe('foreguard robustness', () => {
  it('has the verdict alone of a rule that counts, and the margins of the others', async () => {
    const counting = road.replace(
      "soon: { formula: 'P<0.1 [ F<=20 clear ]' }",
      'often: { formula: "G count(green) <= 2", threshold: 0.5 }',
    );
    const { out, code } = await foreguard(counting, drives, '--json');
    expect(code).toBe(0);
    const { traces, notes } = JSON.parse(out);
    expect(traces).toMatchObject([
      {
        rules: { room: { robustness: 9, verdict: 'kept' }, often: { robustness: null, verdict: 'violated' } },
      },
      {
        rules: {
          room: { robustness: -1, verdict: 'violated' },
          often: { robustness: null, verdict: 'kept' },
        },
      },
    ]);
    expect(notes[0].message).toMatch(/^rule "often" has a verdict and no margin: /);
    const lines = (await foreguard(counting, drives)).out.replaceAll(/ +/g, ' ');
    expect(lines).toContain('stuck often 4 – violated');
    expect(lines).toContain('often – – – 1 0 2');
  });

  it('prints it for each trace and rule beside the verdict of its automaton, and totals of each rule', async () => {
    const { out, err, code } = await foreguard(road, drives);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    const lines = out.replaceAll(/ +/g, ' ');
    // In the second drive the light has just turned green: under a weak rule it may still start.
    expect(lines).toContain(
      [
        'stuck start 4 -0.25 violated',
        'stuck room 4 9 kept',
        'close start 3 Infinity kept',
        'close room 3 -1 violated',
      ].join('\n'),
    );
    expect(lines).toContain('2 traces');
    expect(lines).toContain(
      'rule "soon" is left out: it bounds a probability, and robustness is defined for one trace',
    );
    expect(lines).toContain(
      'read as codes, == being true or false: light (whole wherever a number was read)',
    );
    expect(lines).toContain('rule least robustness negative undecided (0) violated cut, open');
    expect(lines).toContain('start -0.25 1 0 1 0');
  });

  it('reads == as a distance where it is told to, and says why a margin of 0 has a verdict', async () => {
    const { out } = await foreguard(road, drives, '--equality', 'distance', '--json');
    const recorded = { held: 0, leftOut: 0, leftOutSteps: [] };
    const why = expect.stringMatching(/^a margin of 0 is undecided: .*the verdict counts$/);
    expect(JSON.parse(out)).toEqual({
      equality: 'distance',
      wholeNumbers: [],
      resampled: { steps: 7, held: 0, missing: 0, leftOut: 0 },
      skipped: { count: 0, first: null },
      traces: [
        {
          id: 'stuck',
          steps: 4,
          ...recorded,
          rules: {
            start: { robustness: 0, verdict: 'violated', why },
            room: { robustness: 9, verdict: 'kept' },
          },
        },
        {
          id: 'close',
          steps: 3,
          ...recorded,
          rules: {
            start: { robustness: 11.5, verdict: 'kept' },
            room: { robustness: -1, verdict: 'violated' },
          },
        },
      ],
      unreadable: { count: 0, first: [] },
      notJudged: [],
      notes: [
        {
          source: expect.stringContaining('road.yaml'),
          message: expect.stringMatching(/^rule "soon" is left out: it bounds a probability/),
        },
      ],
    });
    const { out: text } = await foreguard(road, drives, '--equality', 'distance');
    expect(text).toMatch(/^stuck, start: violated – a margin of 0 is undecided/m);
  });

  it('takes a field for a quantity where one of the traces has a fraction of it, in all traces', async () => {
    const between = { odd: [at(2.5, 9, 20)], ...drives };
    const { out } = await foreguard(road, between, '--json');
    const { traces, wholeNumbers } = JSON.parse(out);
    expect(wholeNumbers).toEqual([]);
    expect(traces[1].rules.start).toMatchObject({ robustness: 0, verdict: 'violated' });
  });

  it('takes a field for a code only where it read numbers of it', async () => {
    const spec = `version: 1
rules: { stop: { formula: 'G !(red == 1 & speed > 0.5)', threshold: 0.5 }, end: { formula: 'F (light == 7)', threshold: 0.5 } }
`;
    const unread = [{ ...at(2, 9, 20), red: null }];
    const { out } = await foreguard(spec, { unread }, '--json');
    expect(JSON.parse(out).wholeNumbers).toEqual(['light']);
    const { out: text } = await foreguard(spec, { read: [{ ...at(2, 9, 20), red: 0 }], unread });
    expect(text).toContain(
      'read as codes, == being true or false: red, light (whole wherever a number was read)',
    );
  });

  it.each([true, '1'])('refuses a code that comes as %j, which is no number', async (red) => {
    const spec = `version: 1
rules: { stop: { formula: 'G !(red == 1 & speed > 0.5)', threshold: 0.5 } }
`;
    const { err, code } = await foreguard(spec, { other: [{ ...at(2, 9, 20), red }] });
    expect(code).toBe(2);
    expect(err).toMatch(
      /trace "other", .*"==" found the .* and the number 1, expected two values of one kind/,
    );
  });

  it('says why a rule can be broken beyond repair although each of its parts could still come out', async () => {
    const spec = `version: 1
predicates: { p: 'x > 0' }
rules: { both: { formula: '(F<=3 p) & (G[1,5] !p)', threshold: 0.5, atEnd: weak } }
`;
    const { out, err } = await foreguard(spec, { one: [at(0, -1, 0)].map((state) => ({ ...state, x: -1 })) });
    expect(err).toBe('');
    expect(out.replaceAll(/ +/g, ' ')).toContain('one both 1 Infinity violated');
    expect(out).toContain('the automaton knows that no continuation satisfies all of them');
  });

  it('calls a rule open that a cut trace leaves open', async () => {
    const spec = `version: 1\npredicates: { p: 'x > 0' }\nrules: { soon: { formula: 'F p', threshold: 0.5 } }\n`;
    const [file, traces] = [join(folder, 'cut.yaml'), join(folder, 'cut.jsonl')];
    writeFileSync(file, spec);
    const line = (id: string, complete: boolean) =>
      JSON.stringify({ id, complete, steps: [{ state: { x: -2 } }] });
    writeFileSync(traces, `${line('cut', false)}\n${line('whole', true)}\n`);
    let out = '';
    const collect = { out: (text: string) => void (out += text), err: () => undefined, interactive: false };
    await run(['robustness', '-s', file, '-t', traces, '--json'], collect);
    expect(JSON.parse(out).traces.map(({ rules }: { rules: object }) => rules)).toEqual([
      { soon: { robustness: -2, verdict: 'open', why: expect.stringContaining('the trace was cut') } },
      { soon: { robustness: -2, verdict: 'violated' } },
    ]);
  });

  it('says of a rule that cut traces leave open that totals rest on what was recorded of them', async () => {
    const spec = `version: 1\nrules: { slow: { formula: 'G x < 5', threshold: 0.5 }, soon: { formula: 'F x < 3', threshold: 0.5 } }\n`;
    const [file, traces] = [join(folder, 'open.yaml'), join(folder, 'open.jsonl')];
    writeFileSync(file, spec);
    const line = (id: string, complete: boolean) =>
      JSON.stringify({ id, complete, steps: [{ state: { x: 2 } }] });
    writeFileSync(traces, `${line('cut', false)}\n${line('again', false)}\n${line('whole', true)}\n`);
    let out = '';
    const collect = { out: (text: string) => void (out += text), err: () => undefined, interactive: false };
    await run(['robustness', '-s', file, '-t', traces], collect);
    expect(out.replaceAll(/ +/g, ' ')).toContain('cut slow 1 3 open');
    expect(out).toMatch(
      /^slow: 2 traces cut before the rule was decided; their margins are those of the steps recorded, in the totals too/m,
    );
    expect(out).not.toContain('soon: ');
  });

  it('says of an absent field how to declare it', async () => {
    const { gap: _, ...state } = at(3, 1, 9);
    const { err } = await foreguard(road, { blind: [state as Sample] });
    expect(err).toContain('the state has no field "gap"; if it was not measured, say so in notRecorded');
  });

  it('says which trace is at fault', async () => {
    const { err, code } = await foreguard(road, { blind: [at(3, null, 9)] });
    expect(code).toBe(2);
    expect(err).toMatch(/^foreguard: trace "blind", step 0: predicate "/);
  });

  it('leaves out traces at fault under --skip-invalid, as learn does, and counts them', async () => {
    const both = { blind: [at(3, null, 9)], ...drives };
    const { out, code } = await foreguard(road, both, '--skip-invalid');
    expect(code).toBe(0);
    expect(out).toMatch(
      /^2 traces\n1 trace at fault left out, the first: trace "blind", step 0: predicate "/m,
    );
    const { skipped, traces } = JSON.parse((await foreguard(road, both, '--skip-invalid', '--json')).out);
    expect(traces).toHaveLength(2);
    expect(skipped.count).toBe(1);
    expect((await foreguard(road, { blind: [at(3, null, 9)] }, '--skip-invalid')).code).toBe(2);
  });
});
