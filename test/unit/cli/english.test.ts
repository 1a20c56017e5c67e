import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answering, foreguard } from './command.js';

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
    [['english'], 'nothing to read; expected sentences, with --spec FILE for their predicates, or --say'],
    [
      ['english', 'Never go to the hall'],
      'sentence: "Never go to the hall" is not FRETish (… shall … satisfy …); give --spec',
    ],
    [['english', 'x shall always satisfy a', '--ask'], '--ask needs a terminal'],
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

const KITCHEN = `version: 1
predicates:
  stoveOn: { when: stove.on, say: the stove is on, not: the stove is off, also: [the stove burns] }
  inKitchen: { when: room == "Kitchen", say: the robot is in the kitchen }
  inHall: { when: room == "Hall", say: the robot is in the hall }
constraints: { state: '!(inKitchen && inHall)' }
rules: { watch: { formula: G (stoveOn -> inKitchen), strategy: reflect } }
`;

describe('foreguard english --spec, of everyday sentences', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'foreguard-')), 'kitchen.yaml');
  await writeFile(file, KITCHEN);
  const ASKED = 'Never go to the hall before the kitchen.';

  it('prints the formula, and the sentence that says it back', async () => {
    const { out, code } = await foreguard(
      'english',
      '--spec',
      file,
      'Whenever the stove burns the robot is in the kitchen',
    );
    expect({ out, code }).toEqual({
      out: 'G (stoveOn -> inKitchen)\nWhenever the stove is on, the robot is in the kitchen.\n',
      code: 0,
    });
  });

  it('reads FRETish with the predicates of the specification', async () => {
    const { out } = await foreguard('english', '--spec', file, 'the x shall always satisfy !stoveOn');
    expect(out).toBe('G !stoveOn\n');
    const { err, code } = await foreguard('english', '--spec', file, 'the x shall always satisfy stoveOff');
    expect(code).toBe(2);
    expect(err).toContain('has no predicate "stoveOff"; did you mean "stoveOn"?');
  });

  it('prints all readings, and the run that tells them apart', async () => {
    const { out, code } = await foreguard('english', '--spec', file, ASKED);
    expect(code).toBe(2);
    expect(out).toContain('sentence: the sentence can be meant in 3 ways:\n  1. !inHall W inKitchen\n');
    expect(out).toContain('The robot is never in the hall before the robot is in the kitchen.\n');
    expect(out).toContain('If it is: 1. If it is not: 2 or 3.');
    const { out: json } = await foreguard('english', '--spec', file, '--json', ASKED);
    const [{ kind, readings, question }] = JSON.parse(json).readings;
    expect(kind).toBe('ask');
    expect(readings.map(({ formula }: { formula: string }) => formula)).toEqual([
      '!inHall W inKitchen',
      '!inHall U inKitchen',
      '(!inHall U inKitchen) & (F inHall)',
    ]);
    expect(question).toMatchObject({ ifAllowed: [0], ifForbidden: [1, 2], trace: [{}] });
  });

  it.each([
    [['2'], '!inHall U inKitchen'],
    [['yes'], '!inHall W inKitchen'],
    [['perhaps', 'n', '3'], '(!inHall U inKitchen) & (F inHall)'],
    [['no', 'YES'], '!inHall U inKitchen'],
  ])('asks at the terminal: %j', async (answers, formula) => {
    const { out, err, code } = await answering(answers)('english', '--ask', '--spec', file, ASKED);
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe(formula);
    expect(err).toContain('1. !inHall W inKitchen');
    expect(err).toContain('Is this run allowed: first ');
    if (answers[0] === 'perhaps') expect(err).toContain('"perhaps" is no answer.');
  });

  it('gives up where nobody answers', async () => {
    const { out, code } = await answering(['no'])('english', '--ask', '--json', '--spec', file, ASKED);
    expect(code).toBe(2);
    expect(JSON.parse(out).error.code).toBe('no-answer');
  });

  it('marks what it does not understand, with offers', async () => {
    const { out, code } = await foreguard(
      'english',
      '--spec',
      file,
      'Never go to the kitchn',
      'Stay out of the hall',
    );
    expect(code).toBe(2);
    expect(out).toBe(`Never go to the kitchn
    sentence 1:17: the word "kitchn" is not known
      Never go to the kitchn
                      ^^^^^^
      did you mean "kitchen"?
      predicates are said so: "the stove is on", "the robot is in the kitchen", "the robot is in the hall"
Stay out of the hall
    G !inHall
    The robot is never in the hall.
`);
    const { out: json } = await foreguard('english', '--spec', file, '--json', 'Never go to the kitchn');
    expect(JSON.parse(json).readings[0]).toMatchObject({
      kind: 'refused',
      code: 'unknown-word',
      place: { start: 16, end: 22 },
    });
  });
});
