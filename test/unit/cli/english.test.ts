import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foreguard } from './command.js';

describe('foreguard english', () => {
  it('prints the formula of one sentence alone', async () => {
    const { out, code } = await foreguard('english', 'Whenever a the x shall immediately satisfy !b');
    expect({ out, code }).toEqual({ out: 'G (a -> !b)\n', code: 0 });
  });

  it('prints several below their sentences, and says what units mean', async () => {
    const { out } = await foreguard('english', 'x shall always satisfy a', 'x shall for 2 seconds satisfy a');
    expect(out).toBe(`x shall always satisfy a
    G a
x shall for 2 seconds satisfy a
    G<=2 a
note: as in FRET, 2 seconds are 2 steps: write the number of steps that you mean
`);
  });

  it('gives the parts as JSON', async () => {
    const { out } = await foreguard('english', 'in m mode, when c the x shall never satisfy a', '--json');
    const { readings } = JSON.parse(out);
    expect(readings).toMatchObject([
      { component: 'x', scope: 'in', condition: 'regular', timing: 'never', duration: null, unit: null },
    ]);
  });

  it('says which sentence it cannot read, and where', async () => {
    const { err, code } = await foreguard('english', 'x shall always satisfy a', 'x shall alway satisfy a');
    expect(code).toBe(2);
    expect(err).toContain('sentence 2:1:9: unexpected "alway"');
    expect(err).toContain('did you mean always?');
  });

  it('says formulas', async () => {
    const { out, code } = await foreguard('english', '--say', 'G (stoveOn -> F<=3 inKitchen)');
    expect({ out, code }).toEqual({
      out: 'Whenever the stove is on, the agent is in the kitchen within 3 steps.\n',
      code: 0,
    });
    const { out: two } = await foreguard('english', '--say', 'G !a', 'F b');
    expect(two).toBe('G !a\n    `a` never holds.\nF b\n    Eventually, `b` holds.\n');
  });

  it('reads a sentence over the predicates of a specification, and names one that it lacks', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'foreguard-')), 'kitchen.yaml');
    await writeFile(
      file,
      `version: 1
samplingPeriod: 0.5s
predicates: { stoveOn: { when: stove.on, say: the stove is on }, beeped: beep }
rules: { warned: { formula: 'G (stoveOn -> O[0s,1s] beeped)' }, beeps: { formula: 'G (stoveOn -> F[0s,1s] beeped)' } }
`,
    );
    const good = await foreguard('english', '--spec', file, 'The robot shall never satisfy stoveOn');
    expect(good).toMatchObject({ out: 'G !stoveOn\n', code: 0 });
    const bad = await foreguard('english', 'The robot shall never satisfy stoveOff', '-s', file);
    expect(bad.err).toContain('sentence: ');
    expect(bad.err).toContain('has no predicate "stoveOff"; did you mean "stoveOn"?');
    // A rule on the past owes nothing at the end, whatever its seconds are.
    const { out } = await foreguard('english', '--say', '--spec', file);
    expect(out.match(/What is still due/g)).toHaveLength(1);
    expect(out).toMatch(/beeps: .*\n.*What is still due when the run ends is not asked for\./);
  });

  it('says the rules of a specification', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'foreguard-')), 'kitchen.yaml');
    await writeFile(
      file,
      'version: 1\npredicates: { stoveOn: stove, inKitchen: room == "Kitchen" }\nrules:\n  watch: { formula: G (stoveOn -> F inKitchen), threshold: 0.1 }\n  slow: { formula: G (stoveOn -> F speed < 2), threshold: 0.1, atEnd: weak }\n',
    );
    const { out } = await foreguard('english', '--say', '--spec', file);
    expect(out).toBe(`watch: G (stoveOn -> F inKitchen)
    Whenever the stove is on, eventually the agent is in the kitchen.
slow: G (stoveOn -> F speed < 2)
    Whenever the stove is on, eventually \`speed < 2\`. What is still due when the run ends is not asked for.
`);
    const { out: json } = await foreguard('english', '--say', '--spec', file, '--json');
    expect(JSON.parse(json).rules[0]).toEqual({
      name: 'watch',
      formula: 'G (stoveOn -> F inKitchen)',
      english: 'Whenever the stove is on, eventually the agent is in the kitchen.',
    });
    const { err, code } = await foreguard('english', '--say', 'F stoveOff', '--spec', file);
    expect(code).toBe(2);
    expect(err).toContain('formula: ');
    expect(err).toContain('has no predicate "stoveOff"; did you mean "stoveOn"?');
  });

  it.each([
    [['english'], 'nothing to read; expected sentences of FRETish, or --say with formulas'],
    [['english', '--say'], '--say has no formula; expected formulas such as "G (a -> F b)", or --spec FILE'],
    [
      ['english', 'x shall always satisfy a', '--say', 'F b'],
      '"x shall always satisfy a" stands before --say',
    ],
    [['english', '--say', 'G (a'], 'formula:1:5: '],
  ])('%j is refused', async (args, message) => {
    const { err, code } = await foreguard(...args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
