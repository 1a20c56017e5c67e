import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-lost-actions-'));
const path = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const step = (gap: number, name: string | null, time: number) => ({
  state: { gap },
  time,
  ...(name !== null && { action: { name } }),
});
const write = (name: string, traces: readonly object[]) =>
  writeFileSync(path(name), `${traces.map((trace) => JSON.stringify(trace)).join('\n')}\n`);
const good = { id: 'good', steps: [step(20, 'go', 0), step(5, 'go', 0.1), step(0, null, 0.2)] };
const late = {
  id: 'late',
  steps: [step(20, 'go', 0), step(5, 'go', 0.1), step(5, 'brake', 0.15), step(20, null, 0.2)],
};

describe.each(['hold', 'skip'])('an action in a step that resample: %s leaves out', (resample) => {
  const spec = path(`${resample}.yaml`);
  beforeAll(() => {
    writeFileSync(
      spec,
      `version: 1
samplingPeriod: 0.1s
resample: ${resample}
predicates: { near: 'gap < 10', hit: 'gap <= 0' }
rules: { safe: { formula: 'G !hit', threshold: 0.3 } }
learning: { model: mdp, smoothing: 0 }
`,
    );
    write('good.jsonl', [good]);
    write('late.jsonl', [good, late]);
  });
  const error = 'trace "late", step 2: the action "brake"';

  it('is refused by learn and certify, and found by validate', async () => {
    const learnt = await foreguard('learn', '-s', spec, '-t', path('late.jsonl'), '-o', path('late.umb'));
    expect(learnt.code).toBe(2);
    expect(learnt.err).toContain(error);
    const certified = await foreguard('certify', '-s', spec, '-t', path('late.jsonl'));
    expect(certified.code).toBe(2);
    expect(certified.err).toContain(error);
    const found = await foreguard('validate', '-s', spec, '-t', path('late.jsonl'));
    expect(found.code).toBe(2);
    expect(found.out).toContain(
      `error: 1 trace with an action in a step that is left out, the first: ${error}`,
    );
    expect((await foreguard('validate', '-s', spec, '-t', path('good.jsonl'))).code).toBe(0);
  });

  it('has a note in replay', async () => {
    const model = path(`${resample}.umb`);
    expect((await foreguard('learn', '-s', spec, '-t', path('good.jsonl'), '-o', model)).code).toBe(0);
    const replay = (traces: string) =>
      foreguard('replay', '-s', spec, '-m', model, '-t', path(traces), '--json');
    const notes = async (traces: string): Promise<string[]> =>
      JSON.parse((await replay(traces)).out).notes.map(({ message }: { message: string }) => message);
    expect(await notes('late.jsonl')).toContainEqual(
      expect.stringMatching(
        /^1 trace with an action in a step that was left out, the first: trace "late", step 2, "brake": the guard decides on it in the state of the step before/,
      ),
    );
    expect(await notes('good.jsonl')).not.toContainEqual(expect.stringContaining('left out'));
  });
});
