import '../../../bindings/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../../bindings/cli/run.js';

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

const traces = join(folder, 'drives.jsonl');
const steps = [0, 1, 2].map((i) => ({ state: { light: 3, speed: i, gap: 9 }, time: i / 10 }));
writeFileSync(traces, `${JSON.stringify({ id: 'a', steps })}\n`);

describe('foreguard validate', () => {
  it('prints of each rule its canonical form, its automaton, its end, and its windows in steps and seconds', async () => {
    const { out, err, code } = await foreguard('validate', road);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(out.split('\n').slice(1).join('\n')).toBe(`start: G (green & gapAbove8 -> F<=10s moving)
  102 automaton states, weak at the end
  <=10s is 0 to 100 steps, 0 to 10 s
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

  it('says the same in JSON, with the formula as it was written', async () => {
    const { rules } = JSON.parse((await foreguard('validate', road, '--json')).out);
    expect(rules[0]).toEqual({
      name: 'start',
      formula: 'always (green and (gap > 8) implies (eventually[0s,10s] (speed > 0.5)))',
      canonical: 'G (green & gapAbove8 -> F<=10s moving)',
      evaluation: 'trace',
      atEnd: 'weak',
      automatonStates: 102,
      windows: [{ text: '<=10s', fromSteps: 0, toSteps: 100, fromSeconds: 0, toSeconds: 10 }],
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
