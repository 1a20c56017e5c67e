import '../../../bindings/solvers/kernel/inline.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { run } from '../../../bindings/face/cli/run.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-unread-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function replayed(more: object, ...words: string[]): Promise<string> {
  const [spec, traces] = [join(folder, 'spec.json'), join(folder, 'runs.jsonl')];
  const predicates = { a: 'x > 1', b: 'y > 1' };
  writeFileSync(
    spec,
    JSON.stringify({ version: 1, predicates, rules: { no: { formula: 'G !(a & b)' } }, ...more }),
  );
  const states = [{ x: 0, y: 0 }, { x: 0 }, { x: 2 }, { x: 0, y: 0 }, { y: 0 }];
  writeFileSync(traces, JSON.stringify({ id: 'blind', steps: states.map((state) => ({ state })) }));
  let out = '';
  await run(['replay', '-s', spec, '-t', traces, ...words], {
    out: (text) => {
      out += text;
    },
    err: () => undefined,
    interactive: false,
  });
  return out;
}

it('counts steps let through although a predicate could not be read', async () => {
  const { allowedUnread, decisions } = JSON.parse(await replayed({}, '--json'));
  expect({ allowedUnread, decisions }).toEqual({
    allowedUnread: { steps: 2, first: { trace: 'blind', step: 1, predicate: 'b' } },
    decisions: { allow: 4, stop: 1 },
  });
  expect(await replayed({})).toContain(
    '2 steps let through although a predicate could not be read, the first: trace "blind", step 1, b; onUnreadable: stop refuses such steps',
  );
});

it('counts none where they are refused', async () => {
  const { decisions, ...found } = JSON.parse(await replayed({ onUnreadable: 'stop' }, '--json'));
  expect(decisions).toEqual({ allow: 2, stop: 3 });
  expect(found).not.toHaveProperty('allowedUnread');
  expect(await replayed({ onUnreadable: 'stop' })).not.toContain('could not be read, the first');
});
