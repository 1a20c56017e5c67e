import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(text: string): string {
  const path = join(folder, 'rules.yaml');
  writeFileSync(path, `version: 1\npredicates: { hot: t > 80, burnt: t > 100 }\n${text}`);
  return path;
}

describe('foreguard rules', () => {
  it('exits with 0 where nothing is found', async () => {
    const { out, code } = await foreguard('rules', '--spec', file('rules: { never: { formula: G !burnt } }'));
    expect(out).toContain('1 rule: nothing found\n');
    expect(code).toBe(0);
  });

  it('exits with 1 on findings, which --json gives as data', async () => {
    const spec = file('rules: { never: { formula: G !burnt }, cool: { formula: G !hot } }');
    const { out, code } = await foreguard('rules', '--spec', spec, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      rules: ['never', 'cool'],
      findings: [{ kind: 'redundant', rules: ['never'], because: ['cool'], under: ['comparisons'] }],
      undecided: [],
    });
  });

  it('exits with 3 where a rule is too large, and with 2 for a file without rules', async () => {
    const large = file('rules: { late: { formula: "G (hot -> F[30,60] burnt)", atEnd: weak } }');
    const given = await foreguard('rules', '--spec', large);
    expect(given.out).toMatch(/rule "late" is not checked: .*\n.*0 rules: nothing found, 1 not decided/s);
    expect(given.code).toBe(3);
    const policies = file('policies: { p: { tool: pay, permit: "true" } }');
    expect((await foreguard('rules', '--spec', policies)).code).toBe(2);
  });
});
