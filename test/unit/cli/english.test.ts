import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
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
    const { err, code } = await foreguard('english', 'x shall alway satisfy a');
    expect(code).toBe(2);
    expect(err).toContain('sentence:1:9: unexpected "alway"');
    expect(err).toContain('did you mean always?');
  });

  it('prints of several those that it can read, beside the errors of others', async () => {
    const sentences = [
      'x shall always satisfy a',
      'x shall alway satisfy a',
      'b is true',
      'x shall never satisfy a',
    ];
    const { out, code } = await foreguard('english', ...sentences);
    expect(code).toBe(2);
    expect(out).toMatch(
      /^x shall always satisfy a\n {4}G a\nx shall alway satisfy a\n {4}error: sentence 2:1:9: unexpected "alway"/,
    );
    expect(out).toContain('b is true\n    error: sentence 3: "b is true" is not FRETish');
    expect(out).toMatch(/x shall never satisfy a\n {4}G !a\n$/);
    const json = await foreguard('english', ...sentences, '--json');
    expect(json.code).toBe(2);
    expect(JSON.parse(json.out).readings.map(({ kind }: { kind: string }) => kind)).toEqual([
      'one',
      'error',
      'error',
      'one',
    ]);
    expect(JSON.parse(json.out).readings[1].error.code).toBe('parse-error');
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

const SENTENCES = `# a kitchen
version: 1
predicates:
  stoveOn:   { when: stove.on, say: the stove is on }   # the stove
  inKitchen: { when: room == "Kitchen", say: the robot is in the kitchen }

  inHall:    { when: room == "Hall", say: the robot is in the hall }
rules:
  watch: { english: 'Whenever the stove is on, the robot is in the kitchen',   strategy: reflect } # one
  order:
    # the hall is last
    english: Never go to the hall before the kitchen.   # two
    strategy:  reflect
  out: { formula:  'G !inHall' }
`;

describe('foreguard english --lock', () => {
  const kitchen = async (): Promise<string> => {
    const file = join(await mkdtemp(join(tmpdir(), 'foreguard-')), 'kitchen.yaml');
    await writeFile(file, SENTENCES);
    return file;
  };

  it('writes nothing where a sentence has several readings and nobody is asked', async () => {
    const file = await kitchen();
    const { out, code } = await foreguard('english', '--lock', '--spec', file);
    expect(code).toBe(2);
    expect(out).toContain('rule "order": the sentence can be meant in 3 ways:\n  1. !inHall W inKitchen');
    expect(out).toContain('0 formulas written');
    expect(await readFile(file, 'utf8')).toBe(SENTENCES);
    const { out: json } = await foreguard('english', '--lock', '--json', '--spec', file);
    expect(JSON.parse(json)).toMatchObject({
      locked: [],
      questions: [{ rule: 'order', readings: [{}, {}, {}] }],
    });
  });

  it('writes the formulas beside the sentences, and changes nothing else', async () => {
    const file = await kitchen();
    const { out, code } = await answering(['1'])('english', '--lock', '--ask', '--spec', file);
    expect(code).toBe(0);
    expect(out).toBe(`${file}: 2 formulas written
watch: G (stoveOn -> inKitchen)
    Whenever the stove is on, the robot is in the kitchen.
order: !inHall W inKitchen
    The robot is never in the hall before the robot is in the kitchen.
`);
    const locked = SENTENCES.replace(
      "the kitchen',   strategy",
      "the kitchen', formula: 'G (stoveOn -> inKitchen)',   strategy",
    ).replace('# two\n', "# two\n    formula: '!inHall W inKitchen'\n");
    expect(await readFile(file, 'utf8')).toBe(locked);
    const { out: again } = await foreguard('english', '--lock', '--spec', file);
    expect(again).toBe(`${file}: 0 formulas written, 2 there before\n`);
    const { out: valid } = await foreguard('validate', '--spec', file);
    expect(valid).toContain(
      'order: !inHall W inKitchen\n  written: Never go to the hall before the kitchen.\n  in words: ',
    );
    expect(valid).not.toContain('--lock');
  });

  it('is named by validate where it is missing, and broken locks are refused', async () => {
    const file = await kitchen();
    await writeFile(
      file,
      SENTENCES.replace('Never go to the hall before the kitchen.', 'Stay out of the hall.'),
    );
    const { out } = await foreguard('validate', '--spec', file);
    expect(out).toContain(
      `watch, order are read from their sentences each time; foreguard english --lock --spec ${file}`,
    );
    await writeFile(file, SENTENCES.replace('    strategy:  reflect\n', '    formula: G !inHall\n'));
    const { err, code } = await foreguard('validate', '--spec', file);
    expect(code).toBe(2);
    expect(err).toContain('rule "order": the sentence and the formula beside it say different things');
  });

  it.each([
    [['--lock'], 'expected --lock --spec FILE, without sentences'],
    [['--lock', '--spec', 'x.yaml', 'Go to the hall'], 'expected --lock --spec FILE, without sentences'],
  ])('%j is refused', async (args, message) => {
    const { err, code } = await foreguard('english', ...args);
    expect({ code, found: err.includes(message) }).toEqual({ code: 2, found: true });
  });

  it('says where no rule is a sentence', async () => {
    const file = await kitchen();
    await writeFile(file, 'version: 1\nrules: { a: { formula: G x > 1 } }\n');
    expect((await foreguard('english', '--lock', '--spec', file)).err).toContain(
      'no rule is a sentence; expected rules such as',
    );
  });
});

describe('words of predicates in tables', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'foreguard-'));
  const file = join(folder, 'kitchen.yaml');
  const text = KITCHEN.replace('  inHall:', '  fast: speed > 2\n  inHall:').replace(
    'rules: { watch: { formula: G (stoveOn -> inKitchen), strategy: reflect } }',
    'rules:\n  watch: { formula: G (stoveOn -> inKitchen), strategy: reflect }\n  use: { formula: F stoveOn, strategy: reflect }\n  out: { formula: G !inKitchen, strategy: reflect }',
  );
  await writeFile(file, text);

  it('compare heads its columns with them, and keeps names in JSON', async () => {
    const { out } = await foreguard('compare', 'G (stoveOn -> fast)', 'G !stoveOn', '--spec', file);
    expect(out).toContain('step  the stove is on  fast');
    const { out: json } = await foreguard(
      'compare',
      'G (stoveOn -> fast)',
      'G !stoveOn',
      '--spec',
      file,
      '--json',
    );
    expect(JSON.parse(json).firstOnly).toMatchObject([{ stoveOn: true, fast: true }]);
  });

  it('rules says runs in them', async () => {
    const { out } = await foreguard('rules', '--spec', file);
    expect(out).toContain('rules "watch", "use" and "out" cannot all be kept');
    expect(out).toContain('"watch" (step 0: the stove is on)');
    const { out: json } = await foreguard('rules', '--spec', file, '--json');
    expect(JSON.parse(json).findings[0].needs[0].trace[0]).toMatchObject({ stoveOn: true });
  });

  it('validate puts them behind the names, and names alone in JSON', async () => {
    const traces = join(folder, 'traces.jsonl');
    await writeFile(
      traces,
      '{"id":"a","steps":[{"state":{"stove":{"on":false},"room":"Hall","speed":1}}]}\n',
    );
    const { out } = await foreguard('validate', '--spec', file, '--traces', traces);
    expect(out).toMatch(/^stoveOn: the stove is on +0 +1 /m);
    expect(out).toMatch(/^fast +0 +1 /m);
    expect(out).toContain('stoveOn: the stove is on is never true');
    const { out: json } = await foreguard('validate', '--spec', file, '--traces', traces, '--json');
    expect(JSON.parse(json).uses.map(({ name }: { name: string }) => name)).toEqual([
      'stoveOn',
      'inKitchen',
      'fast',
      'inHall',
    ]);
  });
});
