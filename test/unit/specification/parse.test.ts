import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import {
  compileRules,
  parseSpecification,
  SpecificationError,
} from '../../../bindings/rules/specification/index.js';

const kitchen = `version: 1                                                   # a kitchen
predicates:
  forkInMicrowave: 'objects.exists(o, o.objectType == "Fork" && "Microwave" in o.parentReceptacles)'
  microwaveOn:     'objects.exists(o, o.objectType == "Microwave" && o.isToggled)'
  doorOpen:        'objects.exists(o, o.objectType == "Microwave" && o.isOpen)'
constraints:
  state: '!(microwaveOn && doorOpen)'
  transition: '!(from.doorOpen && to.microwaveOn)'
rules:
  noMetalHeating: { formula: 'G !(forkInMicrowave & microwaveOn)', threshold: 0.1, strategy: reflect, escalate: [inspect, stop] }
learning: { model: dtmc, smoothing: 1, states: observed }
onUnknown: stop
`;

const vehicle = `version: 1
samplingPeriod: 100ms
predicates:
  green:  'trafficLightAheadcolor == 3'
  moving: 'speed > 0.5'
rules:
  startOnGreen: { formula: 'G (green -> F[0s,10s] moving)', minimumSafe: 0.7, strategy: { replace: brake } }
`;

/** The problems of a text, as `line:column message`. */
function problemsOf(text: string): string[] {
  try {
    parseSpecification(text, { source: 'spec.yaml' });
  } catch (error) {
    if (error instanceof SpecificationError) {
      return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
    }
    throw error;
  }
  return [];
}

describe('parseSpecification', () => {
  it('refuses aliases without an anchor, and aliases that multiply', () => {
    expect(problemsOf('version: 1\npredicates: { hot: *x }')).toContainEqual(
      '2:20 no anchor &x comes before *x',
    );
    expect(problemsOf('*!')).toContainEqual('1:1 no anchor &! comes before *!');
    const lines = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`);
    expect(problemsOf(`a0: &a0 [x]\n${lines.join('\n')}`)).toContainEqual(expect.stringMatching(/alias/));
  });

  it('refuses what is no text', () => {
    for (const [value, found] of [
      [{ version: 1 }, 'a value of type object'],
      [null, 'null'],
    ] as const) {
      expect(() => parseSpecification(value as never, { source: 'kitchen.yaml' })).toThrow(
        `kitchen.yaml: expected the text of a specification, in YAML or JSON, but found ${found}`,
      );
    }
  });

  it('reads a kitchen with its rules, constraints and defaults', () => {
    const specification = parseSpecification(kitchen);
    expect(specification.abstraction.predicates.map(({ name }) => name)).toEqual([
      'forkInMicrowave',
      'microwaveOn',
      'doorOpen',
    ]);
    expect(specification.abstraction.constraints).toEqual({
      state: '!(microwaveOn && doorOpen)',
      transition: '!(from.doorOpen && to.microwaveOn)',
    });
    expect(specification.rules).toHaveLength(1);
    const [rule] = specification.rules;
    expect(rule).toMatchObject({
      name: 'noMetalHeating',
      levels: [{ threshold: { compare: 'risk>=', value: 0.1 }, strategy: { kind: 'reflect' } }],
      escalate: [{ kind: 'inspect' }, { kind: 'stop' }],
      maxReflections: 2,
      atEnd: 'strong',
      afterViolation: { kind: 'stop' },
      onFailure: { kind: 'stop' },
      horizonSteps: null,
    });
    expect(specification).toMatchObject({
      onUnknown: 'stop',
      decideOn: 'upper',
      confidence: { delta: 0.05 },
      periodTolerance: 0.1,
      samplingPeriod: null,
    });
  });

  it('reads what becomes of irregular steps: a fault, unless it says otherwise', () => {
    expect(parseSpecification(vehicle)).toMatchObject({
      resample: 'error',
      learning: { period: { seconds: 0.1, tolerance: 0.1 } },
    });
    const held = parseSpecification(`${vehicle}\nresample: hold\n`);
    expect(held).toMatchObject({
      resample: 'hold',
      learning: { period: { seconds: 0.1, resample: 'hold' } },
    });
  });

  it('reads on which bound a guard decides, and with which confidence', () => {
    const head = "version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: 'G !a', threshold: 0.1 } }\n";
    const careful = parseSpecification(`${head}decideOn: confidenceUpper\nconfidence: { delta: 1e-3 }\n`);
    expect(careful).toMatchObject({ decideOn: 'confidenceUpper', confidence: { delta: 1e-3 } });
    expect(parseSpecification(`${head}confidence: {}\n`).confidence).toEqual({ delta: 0.05 });
    for (const delta of ['0', '1', '-0.1', 'small']) {
      expect(() => parseSpecification(`${head}confidence: { delta: ${delta} }\n`)).toThrow(
        /4:22: confidence: delta must be a number above 0 and below 1, found/,
      );
    }
    expect(() => parseSpecification(`${head}confidence: { dleta: 0.1 }\n`)).toThrow('did you mean "delta"?');
  });

  it('reads whether drift is watched, and what follows', () => {
    const head = "version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: 'G !a', threshold: 0.1 } }\n";
    expect(parseSpecification(head)).toMatchObject({ drift: null, onDrift: 'report' });
    expect(parseSpecification(`${head}onDrift: report\n`)).toMatchObject({ drift: null });
    const stopping = parseSpecification(`${head}drift: { falseAlarmRate: 1e-3 }\nonDrift: stop\n`);
    expect(stopping).toMatchObject({ drift: { falseAlarmRate: 1e-3 }, onDrift: 'stop' });
    for (const rate of ['0', '1', '-1', 'rare', '.nan']) {
      expect(() => parseSpecification(`${head}drift: { falseAlarmRate: ${rate} }\n`)).toThrow(
        /4:26: drift: falseAlarmRate must be a probability above 0 and below 1, such as 1e-3, found/,
      );
    }
    expect(() => parseSpecification(`${head}drift: {}\n`)).toThrow('4:8: drift needs falseAlarmRate');
    expect(() => parseSpecification(`${head}drift: { alarmRate: 0.1 }\n`)).toThrow('unknown key "alarmRate"');
    expect(() => parseSpecification(`${head}drift: true\n`)).toThrow('drift must be a mapping');
    expect(() => parseSpecification(`${head}onDrift: inspect\n`)).toThrow(
      '4:1: onDrift: inspect says what becomes of an agent that has changed, and nothing watches for it',
    );
    expect(() => parseSpecification(`${head}drift: { falseAlarmRate: 0.1 }\nonDrift: allow\n`)).toThrow(
      'onDrift must be one of report, inspect, stop',
    );
  });

  it('reads a vehicle: exact period, weak end where there is a window, a safe action', () => {
    const specification = parseSpecification(vehicle);
    expect(specification.samplingPeriod).toBe('0.100');
    expect(specification.samplingPeriodSeconds).toBe(0.1);
    expect(specification.rules[0]).toMatchObject({
      atEnd: 'weak',
      levels: [
        { threshold: { compare: 'safety<', value: 0.7 }, strategy: { kind: 'replace', action: 'brake' } },
      ],
    });
  });

  it('takes the threshold of a PCTL rule from the rule, with its strictness', () => {
    const compare = (bound: string): unknown =>
      parseSpecification(
        `version: 1\npredicates: { a: 'x > 1' }\nrules: { r: { formula: 'P${bound} [ F a ]' } }`,
      ).rules[0].levels[0].threshold;
    expect(compare('<0.1')).toEqual({ compare: 'risk>=', value: 0.1 });
    expect(compare('<=0.1')).toEqual({ compare: 'risk>', value: 0.1 });
    expect(compare('>=0.9')).toEqual({ compare: 'safety<', value: 0.9 });
    expect(compare('>0.9')).toEqual({ compare: 'safety<=', value: 0.9 });
  });

  it('lets a rule in shadow mode go on recording after a violation', () => {
    const rule = (strategy: string): unknown =>
      parseSpecification(
        `version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: 'G !a', threshold: 0.1, strategy: ${strategy} } }`,
      ).rules[0].afterViolation;
    expect(rule('report')).toEqual({ kind: 'report' });
    expect(rule('reflect')).toEqual({ kind: 'stop' });
  });

  it('knows `end` in PCTL rules, whose paths go on in it, and in no others', () => {
    const text = (formula: string): string =>
      `version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: '${formula}' } }`;
    expect(parseSpecification(text('P>=0.9 [ a W end ]')).rules).toHaveLength(1);
    expect(problemsOf(text('a W end').replace("end'", "end', threshold: 0.1"))[0]).toMatch(/speaks of "end"/);
  });

  it('makes predicates of inline comparisons', () => {
    const { abstraction, rules } = parseSpecification(
      `version: 1\npredicates: { wet: 'rain' }\nrules: { slow: { formula: 'G !(wet & speed > 60)', threshold: 0.2 } }`,
    );
    expect(abstraction.predicates).toEqual([
      { name: 'wet', expression: 'rain' },
      { name: 'speedAbove60', expression: 'speed > 60' },
    ]);
    expect(JSON.stringify(rules[0].formula)).not.toContain('comparison');
  });

  it('sorts levels and reads JSON as well as YAML', () => {
    const json = JSON.stringify({
      version: 1,
      predicates: { a: 'x' },
      rules: {
        r: {
          formula: 'G !a',
          levels: [
            { threshold: 0.5, strategy: 'stop' },
            { threshold: 0.1, strategy: 'report' },
          ],
        },
      },
    });
    expect(parseSpecification(json).rules[0].levels.map(({ threshold }) => threshold.value)).toEqual([
      0.1, 0.5,
    ]);
  });

  it('gives the same hash to the same content in another layout, and another to other content', () => {
    const { hash } = parseSpecification(kitchen);
    expect(
      parseSpecification(
        kitchen.replace('# a kitchen', '# the kitchen').replace('onUnknown: stop', 'onUnknown:   "stop"'),
      ).hash,
    ).toBe(hash);
    expect(parseSpecification(kitchen.replace('0.1', '0.2')).hash).not.toBe(hash);
  });

  it('names file, line and column of what is wrong, and the nearest known name', () => {
    expect(problemsOf(kitchen.replace('threshold', 'treshold'))).toEqual([
      expect.stringMatching(
        /^10:\d+ unknown key "treshold" in rule "noMetalHeating"; did you mean "threshold"\?$/,
      ),
    ]);
    expect(problemsOf(kitchen.replace('& microwaveOn)', '& microwaveOnn)'))).toEqual([
      expect.stringMatching(
        /^10:\d+ rule "noMetalHeating" speaks of "microwaveOnn", which is not a predicate; did you mean "microwaveOn"\?$/,
      ),
    ]);
    expect(problemsOf(kitchen.replace('!(from.doorOpen', '!(fron.doorOpen'))[0]).toMatch(
      /^8:18 unknown predicate "fron\.doorOpen"; did you mean "from\.doorOpen"\?/,
    );
    expect(problemsOf(kitchen.replace('reflect,', 'refelct,'))[0]).toMatch(
      /^10:\d+ .*found "refelct"; did you mean "reflect"\?/,
    );
    expect(() => parseSpecification(kitchen.replace('rules:', 'rule:'), { source: 'k.yaml' })).toThrow(
      /^k\.yaml:9:1: unknown key "rule".*did you mean "rules"/,
    );
  });

  it('points into the expression of a predicate and the formula of a rule', () => {
    const column = kitchen.split('\n')[3].indexOf('o.isToggled') + 1;
    expect(problemsOf(kitchen.replace('o.isToggled', '.isToggled'))[0]).toMatch(new RegExp(`^4:${column} `));
    expect(problemsOf(kitchen.replace('G !(forkInMicrowave', 'G !!!(forkInMicrowave & & '))[0]).toMatch(
      /^10:\d+ /,
    );
  });

  it('collects all problems in the order of the file', () => {
    const problems = problemsOf(
      `version: 2\npredicates: { a: 3 }\nrules: { r: { formula: 'G !a', threshold: 2 } }\nlearning: { smoothing: -1 }\nonUnknown: allow\n`,
    );
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['1:10', '2:18', '3:43', '4:24', '5:1']);
  });

  it.each([
    ['a broken file', 'version: [1', /flow|collection|\]/i],
    ['a duplicate key', 'version: 1\nversion: 1\n', /unique/],
    ['no rules', 'version: 1\n', /no rules/],
    [
      'reflecting after reflecting',
      `version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: 'G a', threshold: 0.1, strategy: reflect, escalate: [reflect] } }`,
      /reflect is what escalates/,
    ],
    [
      'a rule with two kinds of thresholds',
      `version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: 'G a', threshold: 0.1, minimumSafe: 0.9 } }`,
      /may have one of threshold, minimumSafe, levels; found threshold and minimumSafe/,
    ],
    [
      'P=? as a rule',
      `version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: 'P=? [ F a ]' } }`,
      /needs a bound/,
    ],
    [
      'a threshold beside P<0.1',
      `version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: 'P<0.1 [ F a ]', threshold: 0.1 } }`,
      /does not go with/,
    ],
    [
      'replace without an action',
      `version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: 'G a', threshold: 0.1, strategy: replace } }`,
      /needs the action/,
    ],
    [
      'report for unknown states without the flag',
      `version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: 'G a', threshold: 0.1 } }\nonUnknown: report`,
      /unsafeAllowUnknown/,
    ],
    [
      'a period without unit',
      `version: 1\nsamplingPeriod: 0.1\npredicates: { a: 'x' }\nrules: { r: { formula: 'G a', threshold: 0.1 } }`,
      /samplingPeriod/,
    ],
    [
      'resampling without a period',
      `version: 1\nresample: hold\npredicates: { a: 'x' }\nrules: { r: { formula: 'G a', threshold: 0.1 } }`,
      /resample says what becomes of steps.*and there is none; add one, e.g. samplingPeriod: 0.1s/,
    ],
    [
      'resampling by an unknown policy',
      `version: 1\nsamplingPeriod: 1s\nresample: holds\npredicates: { a: 'x' }\nrules: { r: { formula: 'G a', threshold: 0.1 } }`,
      /resample.*hold/,
    ],
    [
      'report for untried actions without the flag',
      `version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: 'G a', threshold: 0.1 } }\nlearning: { model: mdp }\nonUntried: report`,
      /onUntried: report lets an agent act where nothing is known; it needs unsafeAllowUnknown: true/,
    ],
    [
      'untried actions without actions',
      `version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: 'G a', threshold: 0.1 } }\nonUntried: block`,
      /onUntried is about the actions of a decision process, and a chain knows none; add learning: { model: mdp }/,
    ],
    [
      'what lets an agent go on where a predicate could not be read',
      `version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: 'G a', threshold: 0.1 } }\nunsafeAllowUnknown: true\nonUnreadable: allow`,
      /onUnreadable must be one of rule, stop, block, inspect, reflect, found "allow"/,
    ],
    [
      'an unknown key of a tool, with the nearest',
      `version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: 'G a' } }\ntools: { handOver: { save: true } }`,
      /unknown key "save" in tool "handOver"; did you mean "safe"\?/,
    ],
    [
      'a tool that is safe by a word',
      `version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: 'G a' } }\ntools: { handOver: { safe: yes please } }`,
      /tool "handOver": safe must be true or false, found "yes please"/,
    ],
    [
      'a tool that is safe by itself',
      `version: 1\npredicates: { a: 'x' }\nrules: { r: { formula: 'G a' } }\ntools: { handOver: safe }`,
      /tool "handOver" must be a mapping, found "safe"/,
    ],
    ['an empty file', '', /the specification must be a mapping/],
    [
      'a rule that is a text',
      "version: 1\npredicates: { a: x > 1 }\nrules: { r: 'G a' }\n",
      /3:13: rule "r" is a text; expected \{ formula: "G a" \}/,
    ],
  ])('refuses %s', (_, text, message) => {
    expect(() => parseSpecification(text, { source: 's.yaml' })).toThrow(message);
    expect(() => parseSpecification(text, { source: 's.yaml' })).toThrow(/^s\.yaml:\d+:\d+: /);
  });
});

describe('what is not known, and safe tools', () => {
  const process = `version: 1
predicates: { a: 'x' }
rules: { r: { formula: 'G a', threshold: 0.1 } }
learning: { model: mdp }`;

  it('have settings of their own, or none', () => {
    expect(parseSpecification(process)).toMatchObject({
      ...{ onUnknown: 'rule', onUntried: null, onUnreadable: null, tools: null },
    });
    const all = `${process}\nonUntried: allow\nonUnknown: inspect\nonUnreadable: block\nunsafeAllowUnknown: true\ntools: { handOver: { safe: true }, look: {} }`;
    const specification = parseSpecification(all);
    expect(specification).toMatchObject({
      ...{ onUntried: 'allow', onUnknown: 'inspect', onUnreadable: 'block' },
      tools: new Map([
        ['handOver', { arguments: null, safe: true }],
        ['look', { arguments: null, safe: null }],
      ]),
    });
    expect(compileRules(specification)).toMatchObject({
      ...{ onUnknown: 'inspect', onUnreadable: 'block', unsafeAllowUnknown: true },
      tools: { handOver: { safe: true } },
    });
    // Rules alone judge no actions that could be untried.
    expect(compileRules(specification)).not.toHaveProperty('onUntried');
    const before = compileRules(parseSpecification(process));
    for (const key of ['onUnreadable', 'tools']) expect(before).not.toHaveProperty(key);
  });
});

describe('the published schema', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../../schema/specification.schema.json', import.meta.url), 'utf8'),
  );
  const valid = new Ajv({ allErrors: true }).compile(schema);

  it.each([
    ['1/30 s', '1/30', 1 / 30],
    ['30 Hz', '1/30', 1 / 30],
    ['30Hz', '1/30', 1 / 30],
    ['30000/1001 Hz', '1001/30000', 1001 / 30000],
    ['1/3 ms', '1/3e3', 1 / 3000],
    ['0.5 s', '0.5', 0.5],
  ])('reads and accepts the period %s', (period, exact, seconds) => {
    const text = vehicle.replace('100ms', period);
    expect(parseSpecification(text)).toMatchObject({
      samplingPeriod: exact,
      samplingPeriodSeconds: seconds,
      learning: { period: { seconds } },
    });
    expect(valid(parseYaml(text)), JSON.stringify(valid.errors)).toBe(true);
  });

  it.each([
    kitchen,
    vehicle,
    `${kitchen}drift: { falseAlarmRate: 1e-3 }\nonDrift: stop\n`,
    `${kitchen}onUnreadable: inspect\ntools: { handOver: { safe: true }, look: {} }\n`,
  ])('accepts what the reader accepts (%#)', (text) => {
    expect(valid(parseYaml(text)), JSON.stringify(valid.errors)).toBe(true);
  });

  it.each([
    ['treshold', kitchen.replace('threshold', 'treshold')],
    ['version 2', kitchen.replace('version: 1', 'version: 2')],
    ['a wrong strategy', kitchen.replace('reflect,', 'refelct,')],
    ['a negative smoothing', kitchen.replace('smoothing: 1', 'smoothing: -1')],
    ['allow without the flag', kitchen.replace('onUnknown: stop', 'onUnknown: allow')],
    ['an unknown top-level key', `${kitchen}also: 1\n`],
    ['untried actions allowed without the flag', `${kitchen}onUntried: allow\n`],
    ['unreadable ones allowed', `${kitchen}unsafeAllowUnknown: true\nonUnreadable: allow\n`],
    ['unreadable ones reported', `${kitchen}unsafeAllowUnknown: true\nonUnreadable: report\n`],
    ['an unknown key of a tool', `${kitchen}tools: { handOver: { save: true } }\n`],
    ['a tool that is safe by a word', `${kitchen}tools: { handOver: { safe: 'true' } }\n`],
    ['tools in a list', `${kitchen}tools: [handOver]\n`],
    ['a false-alarm rate of 0', `${kitchen}drift: { falseAlarmRate: 0 }\n`],
    ['drift without a rate', `${kitchen}drift: {}\n`],
    ['onDrift without drift', `${kitchen}onDrift: stop\n`],
    ['a period without unit', vehicle.replace('100ms', '0.1')],
    ['no rate', vehicle.replace('100ms', '0 Hz')],
    ['a fraction of nothing', vehicle.replace('100ms', '1/0 s')],
    ['a threshold above 1', kitchen.replace('threshold: 0.1', 'threshold: 1.1')],
    ['reflecting after reflecting', kitchen.replace('[inspect, stop]', '[reflect]')],
    ['an empty list of levels', kitchen.replace('threshold: 0.1, strategy: reflect', 'levels: []')],
  ])('refuses what the reader refuses: %s', (_, text) => {
    expect(valid(parseYaml(text))).toBe(false);
    expect(() => parseSpecification(text)).toThrow();
  });
});

describe('a specification of a decision process', () => {
  const process = (predicate: string, formula: string): string =>
    `version: 1\npredicates:\n  hot: '${predicate}'\nrules:\n  fine: { formula: '${formula}', threshold: 0.1 }\nlearning: { model: mdp }\n`;

  it('refuses predicates that read the action, and comparisons in rules that do, with their places', () => {
    expect(problemsOf(process('x > 1', 'G !hot'))).toEqual([]);
    expect(problemsOf(process('x > 1 && action.name == "go"', 'G !hot'))).toEqual([
      expect.stringMatching(/^3:18 .*it reads action.name, but the states of a Markov decision process/),
    ]);
    expect(problemsOf(process('x > 1', 'G !(hot & action.name == "go")'))).toEqual([
      expect.stringMatching(/^5:.*it reads action.name/),
    ]);
    expect(problemsOf(process('x > 1 && action.name == "go"', 'G !hot').replace('mdp', 'dtmc'))).toEqual([]);
  });
});

describe('keys that are no text', () => {
  const one = "{ formula: 'G !hot', threshold: 0.1, strategy: stop }";
  const other = "{ formula: 'G !wet', threshold: 1, strategy: report }";
  const head = "version: 1\npredicates: { hot: 'x > 1', wet: 'y > 1' }\n";

  it.each([
    ['1', '"1"'],
    ['true', '"true"'],
    ['~', '"null"'],
    ['0x10', '"16"'],
  ])('are refused beside the same in quotes: %s', (key, quoted) => {
    const [first] = problemsOf(`${head}rules:\n  ${key}: ${one}\n  ${quoted}: ${other}\n`);
    expect(first).toMatch(/^4:3 /);
    expect(first).toContain(`rules has the key ${key}, which is not a text; put it in quotes: "${key}"`);
  });

  it('are refused as lists, and among actions', () => {
    expect(problemsOf(`${head}rules:\n  ? [a]\n  : ${one}\n  ? [b]\n  : ${other}\n`)).toEqual([
      expect.stringMatching(/^4:5 rules has the key a list/),
      expect.stringMatching(/^6:5 rules has the key a list/),
    ]);
    const actions = "actions: { 1: { big: 'amount > 5' }, \"1\": { small: 'amount < 1' } }";
    const rules = `rules: { safe: ${one} }\nlearning: { model: mdp }\n`;
    expect(problemsOf(`${head}${actions}\n${rules}`)).toEqual([
      expect.stringMatching(/^3:12 .*has the key 1, which is not a text/),
    ]);
  });
});
