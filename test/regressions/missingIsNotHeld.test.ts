import '../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { run } from '../../bindings/face/cli/run.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-missing-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A replay of one trace, in text and as JSON. */
async function replayed(resample: string) {
  const [spec, traces] = [join(folder, 'spec.json'), join(folder, 'runs.jsonl')];
  const rules = { once: { formula: 'G (a -> WX (a & H a))' } };
  writeFileSync(
    spec,
    JSON.stringify({ version: 1, samplingPeriod: '1s', resample, predicates: { a: 'a' }, rules }),
  );
  const steps = [0, 1, 4].map((time) => ({ state: { a: time > 0 }, time }));
  writeFileSync(traces, JSON.stringify({ id: 'gap', steps }));
  const words = ['replay', '-s', spec, '-t', traces];
  let out = '';
  const terminal = { out: (text: string) => (out += text), err: () => undefined, interactive: false };
  await run(words, terminal);
  const text = out;
  out = '';
  await run([...words, '--json'], terminal);
  return { text, json: JSON.parse(out) };
}

it('a violation at a missing step is no held one under resample: error', async () => {
  const { text, json } = await replayed('error');
  expect(json.traces[0].held).toBe(0);
  expect(json.traces[0].rules.once).toMatchObject({
    verdict: 'violated',
    violatedAt: 1,
    violatedWhileMissing: true,
  });
  expect(json.traces[0].rules.once).not.toHaveProperty('violatedWhileHeld');
  expect(text).toMatch(/^gap +once +3 +after 1, missing /m);
});

it('a violation at a held step is one', async () => {
  const { text, json } = await replayed('hold');
  expect(json.traces[0].rules.once).toMatchObject({ violatedAt: 1, violatedWhileHeld: true });
  expect(json.traces[0].rules.once).not.toHaveProperty('violatedWhileMissing');
  expect(text).toMatch(/^gap +once +3, 2 held +1, held /m);
});
