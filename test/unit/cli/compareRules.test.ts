import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

const folder = mkdtempSync(join(tmpdir(), 'foreguard-compare-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function specification(constraints: string): string {
  const path = join(folder, 'specification.yaml');
  writeFileSync(
    path,
    `version: 1
predicates: { inKitchen: place == "kitchen", inHall: place == "hall", fast: speed > 3 }
${constraints}
samplingPeriod: 0.5s
rules: { slow: { formula: G !fast } }
`,
  );
  return path;
}

const APART = 'constraints: { state: "!(inKitchen && inHall)" }';

describe('foreguard compare', () => {
  it('says of a name that is a rule what its formula is', async () => {
    const { err, code } = await foreguard('compare', 'slow', 'G fast', '--spec', specification(''));
    expect(code).toBe(2);
    expect(err).toContain('first rule: "slow" is a rule of ');
    expect(err).toContain('write that of the rule: G !fast');
  });

  it('shows the shortest run each way on which only one rule holds', async () => {
    const { out, code } = await foreguard('compare', 'F (a & (X (F b)))', '(!b U a) & (F b)');
    expect(code).toBe(1);
    expect(out).toBe(`different: neither rule implies the other

The first rule holds here, the second does not:
step  a    b
----  ---  ---
   0  no   yes
   1  yes  no
   2  no   yes

The second rule holds here, the first does not:
step  a    b
----  ---  ---
   0  yes  yes
`);
  });

  it('says which rule implies which, and gives the run as JSON', async () => {
    const { out, code } = await foreguard('compare', '!a U b', '!a W b', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      relation: 'implies',
      firstOnly: null,
      secondOnly: [{ a: false, b: false }],
      predicates: [],
    });
    expect((await foreguard('compare', '!a W b', '!a U b')).out).toContain('second rule implies the first');
  });

  it('ends with 0 for equivalent rules, at a weak end for more of them', async () => {
    expect(await foreguard('compare', 'F (a | b)', '(F a) | (F b)')).toMatchObject({ code: 0, err: '' });
    expect((await foreguard('compare', '!a U b', '!a W b', '--at-end', 'weak')).code).toBe(0);
  });

  it('considers only runs that the constraints of a specification allow', async () => {
    const rules = ['G (inKitchen -> !inHall)', 'true'] as const;
    expect((await foreguard('compare', ...rules, '--spec', specification(APART))).code).toBe(0);
    expect((await foreguard('compare', ...rules, '--spec', specification(''))).code).toBe(1);
  });

  it('reads windows in time, and comparisons as the predicates that they are', async () => {
    const path = specification(APART);
    const same = await foreguard('compare', 'F[0,1s] speed > 3', 'F<=2 fast', '--spec', path);
    expect(same).toMatchObject({ code: 0, err: '' });
    const { out } = await foreguard('compare', 'G x > 3', 'G x > 5');
    expect(out).toContain('note: each comparison is a predicate of its own');
  });

  it('refuses what it cannot compare, and says what and where', async () => {
    const path = specification(APART);
    const cases = [
      [['G (a', 'b'], /first rule:1:\d+/],
      [['a', 'G inKitchn', '--spec', path], /no predicate "a"/],
      [['inHall', 'G inKitchn', '--spec', path], /second rule: .* did you mean "inKitchen"\?/],
      [['F[0,2s] a', 'a'], /sampling/],
      [['P>0.5 [ F a ]', 'a'], /probabilities are asked of a model/],
      [['a', 'b', '--at-end', 'soft'], /strong, weak/],
    ] as const;
    for (const [words, message] of cases) {
      const { err, code } = await foreguard('compare', ...words);
      expect([code, err]).toEqual([2, expect.stringMatching(message)]);
    }
    const never = specification('constraints: { state: "fast && !fast" }');
    const { err, code } = await foreguard('compare', 'fast', 'inHall', '--spec', never);
    expect([code, err]).toEqual([2, expect.stringContaining('no run satisfies the constraints')]);
  });
});
