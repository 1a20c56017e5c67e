import '../../../bindings/kernel/inline.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../bindings/cli/run.js';
import { loadGuard } from '../../../bindings/guard/index.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-risk-'));
const path = (name: string): string => join(folder, name);

async function foreguard(...arguments_: string[]): Promise<{ out: string; err: string; code: number }> {
  let [out, err] = ['', ''];
  const code = await run(arguments_, {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    interactive: false,
  });
  return { out, err, code };
}

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
    expect((await risk('--within', '3 s')).err).toContain('"3 s" is no duration');
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
});
