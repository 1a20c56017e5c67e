import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../../bindings/face/cli/run.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-validate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the file and runs the command on it. */
async function foreguard(command: string, spec: string, ...more: string[]) {
  const file = join(folder, 'road.yaml');
  writeFileSync(file, spec);
  let [out, err] = ['', ''];
  const code = await run([command, '-s', file, ...more], {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    interactive: false,
  });
  return { out, err: err.replaceAll(file, 'road.yaml'), code };
}

const road = `version: 1
samplingPeriod: 0.1s
predicates: { green: 'light == 3', moving: 'speed > 0.5' }
rules:
  start: { formula: 'always (green and (gap > 8) implies (eventually[0s,10s] (speed > 0.5)))', minimumSafe: 0.7 }
  signal: { formula: 'G (moving -> O[0.3s,1s] green)', threshold: 0.5 }
  stands: { formula: '!green W moving', threshold: 0.5 }
  soon: { formula: 'P<0.1 [ F<=20 moving ]' }
`;

const constrained = road.replace(
  'rules:',
  "constraints: { state: '!(green && moving)', transition: '!(from.moving && !to.moving)', end: '!moving' }\nrules:",
);

const traces = join(folder, 'drives.jsonl');
const steps = [0, 1, 2].map((i) => ({ state: { light: 3, speed: i, gap: 9 }, time: i / 10 }));
writeFileSync(traces, `${JSON.stringify({ id: 'a', steps })}\n`);

describe('foreguard validate', () => {
  it('prints of each rule its canonical form, its automaton, its end, and its windows in steps and seconds', async () => {
    const { out, err, code } = await foreguard('validate', road);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(out.split('\n').slice(1).join('\n')).toBe(`start: G (green & gapAbove8 -> F[0s,10s] moving)
  102 automaton states, weak at the end
  [0s,10s] is 0 to 100 steps, 0 to 10 s
signal: G (moving -> O[0.3s,1s] green)
  16 automaton states, weak at the end
  [0.3s,1s] is 3 to 10 steps, 0.3 to 1 s
stands: !green W moving
  3 automaton states, strong at the end
soon: P<0.1 [ F<=20 moving ]
  judged in every state afresh
  <=20 is 0 to 20 steps, 0 to 2 s
`);
  });

  it('takes decideOn: confidenceUpper, as all other commands do', async () => {
    const { code, out } = await foreguard('validate', `${road}decideOn: confidenceUpper\n`);
    expect(code).toBe(0);
    expect(out).toContain('no errors');
  });

  it('says the same in JSON, with the formula as it was written', async () => {
    const { rules } = JSON.parse((await foreguard('validate', road, '--json')).out);
    expect(rules[0]).toEqual({
      name: 'start',
      formula: 'always (green and (gap > 8) implies (eventually[0s,10s] (speed > 0.5)))',
      english: null,
      provenance: 'formula',
      canonical: 'G (green & gapAbove8 -> F[0s,10s] moving)',
      evaluation: 'trace',
      atEnd: 'weak',
      automatonStates: 102,
      windows: [{ text: '[0s,10s]', fromSteps: 0, toSteps: 100, fromSeconds: 0, toSeconds: 10 }],
      warning: null,
    });
    expect(rules[3]).toMatchObject({ evaluation: 'state', atEnd: null, automatonStates: 1 });
  });

  it.each(['G X green', 'F (green & !green)', 'green & !green & (F<=3 moving)'])(
    'warns once that every trace violates %s, as learn and compile do',
    async (formula) => {
      const spec = road.replace('!green W moving', formula);
      const model = join(folder, 'road.umb');
      const warning =
        /^foreguard: warning: road\.yaml: rule "stands": every trace violates it, so that its risk is 1 in every state: .*\n$/;
      for (const [command, ...options] of [
        ['validate'],
        ['learn', '-t', traces, '-o', model],
        ['compile', '-m', model, '-o', join(folder, 'guard.json')],
      ]) {
        const { err, code } = await foreguard(command, spec, ...options);
        expect(code, err).toBe(0);
        expect(err).toMatch(warning);
      }
    },
  );

  it.each([
    ['G (green -> green)', /rule "stands": no run can violate this rule: it is vacuous/],
    [
      'G (green -> F[2,5] (moving | !moving))',
      /rule "stands": no prefix of a run can violate this rule, so under atEnd: weak it is vacuous/,
    ],
    ['G F<=3 (green | true)', /rule "stands": no/],
    ['(F[3,3] moving) | (F[0,3] true)', /rule "stands": no/],
  ])('refuses %s where no trace can violate it, before traces are read', async (formula, message) => {
    const spec = road.replace('!green W moving', formula);
    for (const [command, ...options] of [['validate'], ['learn', '-t', 'none.jsonl', '-o', 'none.umb']]) {
      const { err, code } = await foreguard(command, spec, ...options);
      expect(code).toBe(2);
      expect(err).toMatch(message);
      expect(err).toMatch(/^foreguard: road\.yaml: rule "stands"/);
    }
  });
});

describe('foreguard validate with traces', () => {
  /** Speeds of one trace a line; a number is the next tenth of a second's, and may say its time or have none. */
  type Drive = readonly (number | { readonly speed: number; readonly time: number | null })[];
  const recorded = (...drives: Drive[]): string => {
    const file = join(folder, 'recorded.jsonl');
    const lines = drives.map((drive, d) => {
      const steps = drive.map((step, i) => {
        const { speed, time } = typeof step === 'number' ? { speed: step, time: i / 10 } : step;
        return { state: { light: 3, speed, gap: 9 }, ...(time !== null && { time }) };
      });
      return JSON.stringify({ id: `drive${d}`, steps });
    });
    writeFileSync(file, lines.join('\n'));
    return file;
  };
  const validate = (spec: string, ...drives: Drive[]) =>
    foreguard('validate', spec, '-t', recorded(...drives));

  it('says first that a field which no step has is misspelt, and what was meant', async () => {
    const { out, code } = await validate(road.replace("'speed >", "'spede >"), [0, 1], [2]);
    const lines = out.split('\n');
    expect(code).toBe(2);
    expect(lines[0]).toMatch(/: 3 predicates, 4 rules, 1 error$|: 4 predicates, 4 rules, 1 error$/);
    expect(lines[1]).toBe(
      'error: no step has the field "spede", which predicate "moving" reads; did you mean "speed"?',
    );
    expect(out).not.toContain('no errors');
  });

  it('names the fields that there are, where none is near', async () => {
    const { out } = await validate(road.replace('light == 3', 'colour == 3'), [0, 1]);
    expect(out).toContain('"colour", which predicate "green" reads; steps have light, speed, gap');
  });

  it('warns of a field that no step has where && and || need not read it', async () => {
    const { out, code } = await validate(road.replace('light == 3', 'light == 3 || lihgt == 4'), [0, 1]);
    expect(code).toBe(0);
    expect(out.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/, no errors$/),
      'warning: no step has the field "lihgt", which predicate "green" reads; did you mean "light"?',
    ]);
  });

  it('says on how many steps a predicate fails otherwise', async () => {
    const file = recorded([0, 1]);
    const steps = [
      { light: 3, speed: 1, gap: 9 },
      { light: 3, gap: 9 },
    ].map((state, i) => ({ state, time: i / 10 }));
    writeFileSync(file, JSON.stringify({ id: 'a', steps }));
    const { out, code } = await foreguard('validate', road, '-t', file);
    expect(code).toBe(2);
    expect(out.split('\n')[1]).toMatch(
      /^error: predicate "moving" fails on 1 of 2 steps, the first: trace "a", step 1: .*no field "speed"; if it was not measured, say so in notRecorded of the trace$/,
    );
  });

  it('says of predicates that were never true where they could be read, and nothing of those read nowhere', async () => {
    const spec = `version: 1
predicates: { red: red == 1, fast: speed > 50, tall: height > 2, odd: speed / 0 == 1 / 0 - 1 / 0 }
rules: { slow: { formula: 'G !fast', threshold: 0.5 } }
`;
    const file = recorded([0]);
    const steps = [{ speed: 1, red: 0 }, { speed: 1 }, { speed: 1 }].map((state) => ({ state }));
    writeFileSync(file, JSON.stringify({ id: 'a', notRecorded: { red: 'camera off' }, steps }));
    const { out } = await foreguard('validate', spec, '-t', file);
    const said = out.split('\n').filter((line) => line.includes('never true'));
    expect(said).toEqual(['red is never true in the 1 step where it could be read', 'fast is never true']);
    const { out: json } = await foreguard('validate', spec, '-t', file, '--json');
    expect(JSON.parse(json).neverTrue).toEqual([
      { predicate: 'red', readableSteps: 1 },
      { predicate: 'fast', readableSteps: 3 },
    ]);
  });

  it('counts steps that are held of all traces, those too that are left out of what is learnt', async () => {
    const spec = `version: 1
samplingPeriod: 1s
resample: hold
predicates: { red: red == 1, fast: speed > 50 }
rules: { slow: { formula: 'G !fast', threshold: 0.5 } }
`;
    const file = recorded([0]);
    const line = (id: string, times: number[], more: object, state: object) =>
      JSON.stringify({ id, ...more, steps: times.map((time) => ({ state, time })) });
    const gappy = line('gappy', [0, 1, 20], { notRecorded: { red: 'no camera' } }, { speed: 1 });
    writeFileSync(file, `${line('full', [0, 1, 2, 3, 4], {}, { speed: 1, red: 0 })}\n${gappy}\n`);
    const { out, code } = await foreguard('validate', spec, '-t', file);
    expect(code).toBe(0);
    expect(out).toContain('\n2 traces, 8 steps\n');
    expect(out).toContain('\n18 of 26 steps were held, not recorded\n');
    const { resampled } = JSON.parse((await foreguard('validate', spec, '-t', file, '--json')).out);
    expect(resampled).toEqual({ steps: 26, held: 18, missing: 18, leftOut: 0 });
  });

  it('counts contradictions of each constraint, with the place of the first', async () => {
    // Held against the definition by hand: green holds throughout.
    const { out, code } = await validate(constrained, [0, 1, 0, 0], [0, 0], [0, 1, 1]);
    expect(code).toBe(2);
    expect(out.split('\n').slice(0, 4)).toEqual([
      expect.stringMatching(/, 3 errors$/),
      expect.stringMatching(
        /^error: 3 contradictions of constraints\.state, the first: trace "drive0", step 1: /,
      ),
      expect.stringMatching(/^error: 1 contradiction of constraints\.transition, .*trace "drive0", step 2: /),
      expect.stringMatching(/^error: 1 contradiction of constraints\.end, .*trace "drive2", step 2: /),
    ]);
    const accepted = await validate(
      `${constrained}learning: { onContradiction: accept }\n`,
      [0, 1, 0],
      [0, 1],
    );
    expect(accepted.code).toBe(0);
    expect(accepted.out).toMatch(/, no errors\n[\s\S]*\n2 contradictions of constraints\.state, /);
  });

  it('keeps the place of the first contradiction of each constraint, however many there are of another', async () => {
    const spec = `${constrained}learning: { onContradiction: accept }\n`;
    const { out } = await validate(
      spec,
      Array.from({ length: 150 }, () => 1),
    );
    expect(out).toContain('150 contradictions of constraints.state, the first: trace "drive0", step 0:');
    expect(out).toContain('1 contradiction of constraints.end, the first: trace "drive0", step 149:');
  });

  it('finds a gap that a step without time would hide, and counts such steps', async () => {
    const untimed = { speed: 1, time: null };
    const { out, code } = await validate(road, [0, untimed, { speed: 2, time: 5 }]);
    expect(code).toBe(2);
    expect(out.split('\n')[1]).toBe(
      'error: 1 irregular gap (resample: error), the first: trace "drive0", step 2: 5 s after step 0, with 1 step without time between, where the sampling period is 0.1 s; all steps are 2.5 s apart, and 0% of 1 gap within 10% of the sampling period of 0.1 s: samplingPeriod does not look like theirs',
    );
    expect(out).toContain('1 step without time, taken for on time, the first: trace "drive0", step 1');
    const regular = await validate(road, [0, untimed, 2], [untimed, untimed]);
    expect(regular.code).toBe(0);
    expect(regular.out).toContain('\n3 steps without time, ');
  });

  it('takes times that descend as resample says', async () => {
    const drive = [0, 1, 2, { speed: 3, time: 0.15 }, { speed: 4, time: 0.3 }];
    const refused = await validate(road, drive);
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /steps\[3\]\.time is 0\.15; expected at least 0\.2, .* unless resample is hold or skip/,
      ),
    });
    for (const policy of ['hold', 'skip']) {
      const { out, code } = await validate(road.replace('0.1s', `0.1s\nresample: ${policy}`), drive);
      expect(code).toBe(0);
      expect(out).toContain('\n1 step that came before its time was left out, and is not judged\n');
    }
  });

  it('refuses a jump in time that cannot be resampled, as learning does', async () => {
    const { out, code } = await validate(road.replace('0.1s', '0.1s\nresample: hold'), [
      0,
      { speed: 1, time: 60 },
    ]);
    expect(code).toBe(2);
    expect(out.split('\n')[1]).toMatch(
      /^error: 1 trace cannot be learnt from, the first: trace "drive0", step 1: 60 s/,
    );
  });
});
