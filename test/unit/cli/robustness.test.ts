import '../../../bindings/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../../bindings/cli/run.js';

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
  it('prints it for each trace and rule, and the least of each rule', async () => {
    const { out, err, code } = await foreguard(road, drives, '--equality', 'truth');
    expect({ err, code }).toEqual({ err: '', code: 0 });
    // In the second drive the light has just turned green: under a weak rule it may still start.
    expect(out.replaceAll(/ +/g, ' ')).toContain(
      ['stuck start 4 -0.25', 'stuck room 4 9', 'close start 3 Infinity', 'close room 3 -1'].join('\n'),
    );
    expect(out).toContain('2 traces; 1 rule left out that are probabilities');
  });

  it('reads == as a distance unless told that numbers are codes', async () => {
    const { out } = await foreguard(road, drives, '--json');
    expect(JSON.parse(out)).toEqual({
      traces: [
        { id: 'stuck', steps: 4, rules: { start: { robustness: 0 }, room: { robustness: 9 } } },
        { id: 'close', steps: 3, rules: { start: { robustness: 11.5 }, room: { robustness: -1 } } },
      ],
    });
  });

  it('says which trace is at fault', async () => {
    const { err, code } = await foreguard(road, { blind: [at(3, null, 9)] });
    expect(code).toBe(2);
    expect(err).toMatch(/^foreguard: trace "blind": /);
  });
});
