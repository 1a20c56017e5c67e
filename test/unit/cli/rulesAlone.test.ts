import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string): string => join(folder, name);

const spec = path('rules.yaml');
writeFileSync(
  spec,
  `version: 1
predicates:
  cancels: 'has(action.name) && action.name == "cancel"'
  identifies: 'has(action.name) && action.name == "getCustomer"'
rules: { identifyFirst: { formula: 'G (cancels -> O identifies)' } }`,
);
const traces = path('runs.jsonl');
const runOf = (id: string, ...names: string[]) =>
  JSON.stringify({ id, steps: [...names.map((name) => ({ state: {}, action: { name } })), { state: {} }] });
writeFileSync(traces, `${runOf('good', 'getCustomer', 'cancel')}\n${runOf('bad', 'look', 'cancel')}\n`);

describe('a specification without a model', () => {
  it('is compiled to a guard of its rules', async () => {
    const output = path('guard.json');
    const { out, code } = await foreguard('compile', '--spec', spec, '-o', output);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/: 1 rule, enforced without a model, \d+ bytes\n$/),
    ]);
    const guard = createGuard(JSON.parse(readFileSync(output, 'utf8')));
    expect(guard.file.modelHash).toBeNull();
    expect(guard.step({}, { action: { name: 'cancel' } }).decision).toBe('block');
  });

  it('is replayed on recordings: what breaks a rule is refused, and nothing else', async () => {
    const { out, code } = await foreguard('replay', '--spec', spec, '--traces', traces, '--json');
    expect(code).toBe(0);
    const { decisions, totals } = JSON.parse(out);
    // The recording goes on after the call that is refused: its last step follows a violation.
    expect(decisions).toEqual({ allow: 4, block: 1, stop: 1 });
    expect(totals.identifyFirst).toMatchObject({ violations: 1, kept: 1 });
  });

  it.each(['--horizons=3', '--within=3s'])('has no risks to compile: %s', async (asked) => {
    const { err, code } = await foreguard('compile', '--spec', spec, '-o', path('none.json'), asked);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/asks for risks, which need a model: give --model/),
    ]);
  });
});
