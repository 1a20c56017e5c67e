import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-policy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'files.yaml');

const FILES = `version: 1
inputs: { path: { type: text, max: 100 } }
policies:
  notes:
    tools: [write_file]
    permit: { inNotes: 'isUnder(path, "notes")' }
`;

describe('policy verify', () => {
  it('says in words what cannot always be read, and that nothing is ensured', async () => {
    writeFileSync(file, FILES);
    const { code, out } = await foreguard('policy', 'verify', file);
    expect(code).toBe(0);
    expect(out).toMatch(/remark: notes "inNotes" cannot always be read: the condition has no value of/);
    expect(out).toMatch(/^note: notes has no ensures, /m);
    writeFileSync(file, `${FILES}    ensures: { notHome: 'permitted -> path != "/home"' }\n`);
    const ensured = await foreguard('policy', 'verify', file);
    expect(ensured.code).toBe(0);
    expect(ensured.out).not.toContain('no ensures');
  });

  it('says whether what anybody may choose decides', async () => {
    writeFileSync(file, FILES.replace('max: 100', 'max: 100, untrusted: true'));
    const { out } = await foreguard('policy', 'verify', file);
    expect(out).toMatch(/remark: notes path decides: the policy permits \{"path":/);
    expect(out).not.toContain('decides nothing');
  });
});

it('names the tools that policies decide, for who asks about another, and the way out of what is unproved', async () => {
  const policies = join(folder, 'sums.yaml');
  const call = join(folder, 'call.json');
  writeFileSync(
    policies,
    `version: 1
inputs: { a: { integer: [0, 100000] }, b: { integer: [0, 100000] } }
policies: { sums: { tools: [add, sum], permit: { few: 'a + b <= 10' }, ensures: { few: 'permitted -> a + b * 3 <= 3000' } } }
`,
  );
  writeFileSync(call, '{"name": "read", "arguments": {}}');
  expect((await foreguard('policy', 'ask', policies, call)).out).toContain(
    'Policies decide calls of add, sum.',
  );
  expect(
    (await foreguard('policy', 'ask', policies, '{"name": "add", "arguments": {"a": 1, "b": 2}}')).out,
  ).toBe('permit: add\n');
  const { out } = await foreguard('policy', 'verify', policies, '--no-mutants');
  expect(out).toContain('a + b <= 10: it depends on several inputs at once');
  expect(out).toContain('note: an outside solver may decide what is unproved: give --solver z3');
});
