import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../../../bindings/face/cli/run.js';
import { hiddenMode } from '../diagnosis/worlds.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-markov-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const spec = file(
  'letters.yaml',
  `version: 1
predicates: { a: 'x == "a"', b: 'x == "b"', c: 'x == "c"', d: 'x == "d"' }
rules: { whole: { formula: 'G !d', threshold: 0.3 } }
`,
);
const lines = (runs: number): string =>
  hiddenMode(runs, 1, { told: true, noise: 0 })
    .map((trace) => `${JSON.stringify(trace)}\n`)
    .join('');
const traces = file('runs.jsonl', lines(300));
const pool = file('pool.yaml', "predicates:\n  fast: 'speed >= 5.5'\n  gone: 'nowhere > 1'\n");

async function validate(...more: string[]) {
  let [out, err] = ['', ''];
  const code = await run(['validate', '-s', spec, ...more], {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    interactive: false,
  });
  return { out, err, code };
}

describe('foreguard validate --markov', () => {
  it('says where history counts, what to add, what to keep, and how predictions fared', async () => {
    const { out, err, code } = await validate('--traces', traces, '--markov', '--pool', pool);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    const text = out.slice(out.indexOf('The Markov assumption'));
    expect(text).toMatch(
      /in \d of \d states? tested, what comes next depends on the state before \(level 0.05, /,
    );
    expect(text).toMatch(
      /state \d \(a; none of b, c, d\): left \d+ times, G = .*, by the chi-square distribution/,
    );
    expect(text).toMatch(
      /after c; none of a, b, d \(\d+ times\): (b|c); none of .* follows in [\d.]+%, otherwise in/,
    );
    expect(text).toMatch(
      /whole: risk before the first step, without smoothing, [\d.]+, with histories [\d.]+;/,
    );
    expect(text).toMatch(/ after .* \(\d+ times\), automaton \d+: 0\.\d+, with histories 0\.\d+/);
    expect(text).toMatch(/whole: predicted 0\.\d+ \(.*\), observed \d+ of 150 \(.*\): no contradiction/);
    expect(text).toMatch(/"gone" of the pool fails: trace "0", step 0: /);
    expect(text).toMatch(/add (fast: )?speed >= [\d.]+: 0\.\d+ bits a step on other traces, p = /);
    expect(text).toMatch(
      / {2}b: it could be dropped: in all states seen its value follows from those of the others/,
    );
  });

  it('hands the same over as JSON', async () => {
    const { out } = await validate(
      '--traces',
      traces,
      '--markov',
      '--level',
      '0.01',
      '--seed',
      '7',
      '--json',
    );
    const { markov } = JSON.parse(out);
    expect(markov.order).toMatchObject({ level: 0.01, seed: 7 });
    expect(markov.order.states[0]).toMatchObject({ dependent: true, method: 'chiSquare' });
    expect(markov.suggestions).toMatchObject({ level: 0.01, chosenOn: 150, heldOut: 150, failed: [] });
    expect(Object.keys(markov)).toEqual([
      'traces',
      'steps',
      'order',
      'risks',
      'rates',
      'suggestions',
      'predicates',
    ]);
  });

  it('gives no verdict on few traces', async () => {
    const steps = ['a', 'b', 'a', 'c'].map((x) => ({ state: { x } }));
    const few = file('few.jsonl', `${JSON.stringify({ id: 'one', steps })}\n`);
    const { out, code } = await validate('--traces', few, '--markov');
    expect(code).toBe(0);
    expect(out.match(/too few traces: no verdict/g)).toHaveLength(2);
    expect(out).toMatch(/no verdict: no state was left often enough/);
  });

  it('refuses options that do not go together, and values that are none', async () => {
    const errors = await Promise.all([
      validate('--markov'),
      validate('--traces', traces, '--level', '0.1'),
      validate('--traces', traces, '--pool', pool),
      validate('--traces', traces, '--markov', '--level', '2'),
      validate('--traces', traces, '--markov', '--seed', 'x'),
      validate('--traces', traces, '--markov', '--pool', file('bad.yaml', "predicates: { p: 'a >' }")),
    ]);
    expect(errors.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2]);
    const [noTraces, level, alone, notLevel, notSeed, badPool] = errors.map(({ err }) => err);
    expect(noTraces).toMatch(/--markov needs traces/);
    expect(level).toMatch(/--level applies only with --markov/);
    expect(alone).toMatch(/--pool applies only with --markov/);
    expect(notLevel).toMatch(/--level is "2"/);
    expect(notSeed).toMatch(/--seed is "x"; expected a whole number/);
    expect(badPool).toMatch(/bad\.yaml:1:\d+: /);
  });
});
