import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { run } from '../../../bindings/face/cli/run.js';
import { sharedData } from '../../shared.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-apollo-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

async function json(...words: string[]) {
  let out = '';
  const ignored = () => undefined;
  const code = await run([...words, '--json'], {
    out: (text) => {
      out += text;
    },
    err: ignored,
    interactive: false,
  });
  return { code, ...JSON.parse(out) };
}

sharedData('apollo/trace.json', (drive) => {
  sharedData('traffic-laws/laws.json', (laws) => {
    it('has of every law the verdict of a replay beside its margin, and no sign that says otherwise without a reason', async () => {
      const formulas: Record<string, string> = JSON.parse(readFileSync(laws, 'utf8'));
      const rules = Object.fromEntries(
        Object.entries(formulas).map(([name, formula]) => [name, { formula, threshold: 0.5 }]),
      );
      writeFileSync(path('laws.json'), JSON.stringify({ version: 1, rules }));
      const files = ['-s', path('laws.json'), '-t', drive];
      const found = await json('robustness', ...files);
      await json('learn', ...files, '-o', path('laws.umb'));
      const replayed = await json('replay', ...files, '-m', path('laws.umb'));
      const all = Object.entries<{
        robustness: number | string | null;
        verdict: string | null;
        why?: string;
      }>(found.traces[0].rules);
      const judged = all.filter(([, { verdict }]) => verdict !== null);
      expect(all.filter((one) => !judged.includes(one)).map(([name]) => name)).toEqual([
        'rule44',
        'rule45',
        'rule46_3',
      ]);
      for (const [name, { robustness, verdict, why }] of judged) {
        const { violatedAt } = replayed.traces[0].rules[name];
        expect(verdict, name).toBe(violatedAt === null ? 'kept' : 'violated');
        const sign = Math.sign(Number(robustness));
        if (sign !== (verdict === 'kept' ? 1 : -1)) expect(why, name).toBeTypeOf('string');
      }
      expect(found.wholeNumbers).toContain('trafficLightAheadcolor');
    });
  });

  it('is learnt from and replayed, held every sampling period: the frame after the deadline has the violation', async () => {
    const law = 'G (trafficLightAheadcolor == 2 & currentLanenumber > 0 -> F[0s,8s] speed < 0.5)';
    writeFileSync(
      path('spec.yaml'),
      `version: 1\nsamplingPeriod: 80ms\nresample: hold\nrules: { yellow: { formula: '${law}', threshold: 0.5 } }\n`,
    );
    const files = ['-s', path('spec.yaml'), '-t', drive];
    const validated = await json('validate', ...files);
    expect(validated).toMatchObject({ code: 0, steps: 68, irregularGaps: { count: 67 } });
    const learnt = await json('learn', ...files, '-o', path('model.umb'));
    expect(learnt).toMatchObject({
      code: 0,
      steps: 358,
      resampled: { steps: 358, held: 290, missing: 290, leftOut: 0 },
    });
    expect(learnt.notes[0].message).toContain('taken for 0.08 s');
    // Yellow from frame 44, at 186 periods. Frame 55 is held when 186 + 100 are over; frame 56 is at 292.
    const { traces } = await json('replay', ...files, '-m', path('model.umb'));
    expect(traces).toMatchObject([
      {
        id: 'trace.json',
        steps: 68,
        held: 290,
        rules: { yellow: { violatedAt: 55, violatedWhileHeld: true } },
      },
    ]);
    writeFileSync(
      path('strict.yaml'),
      `version: 1\nsamplingPeriod: 80ms\nrules: { yellow: { formula: '${law}', threshold: 0.5 } }\n`,
    );
    const strict = await json('learn', '-s', path('strict.yaml'), '-t', drive, '-o', path('model.umb'));
    expect(strict.error.message).toMatch(
      /trace "trace.json", step 1: 0.16 s after .* samplingPeriod does not look like theirs.*set resample to hold or skip \(hold would make 290 of 358 steps/,
    );
  });
});
