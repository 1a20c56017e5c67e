import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readRule } from '../../../bindings/languages/english/index.js';
import { printFormula } from '../../../bindings/languages/logic/index.js';
import {
  compileRules,
  lockFormulas,
  parseSpecification,
  type Specification,
} from '../../../bindings/rules/specification/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';

const written = (rules: string, more = ''): string => `version: 1
predicates:
  stoveOn: { when: stove.on, say: the stove is on, not: the stove is off, also: [the stove burns] }
  inKitchen: { when: room == "Kitchen", say: the robot is in the kitchen }
  inHall: { when: room == "Hall", say: the robot is in the hall }
  fast: speed > 2
${more}rules:
${rules}
`;
const read = (rules: string, more?: string): Specification =>
  parseSpecification(written(rules, more), { source: 's.yaml', readRule });
const problems = (rules: string, more?: string): string => {
  try {
    read(rules, more);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};
const valid = new Ajv({ allErrors: true }).compile(
  JSON.parse(readFileSync(new URL('../../../schema/specification.schema.json', import.meta.url), 'utf8')),
);
const WATCH = 'Whenever the stove burns, the robot is in the kitchen';

describe('rules as sentences', () => {
  it('are read, and keep their sentence', () => {
    const { rules } = read(`  watch: { english: "${WATCH}" }
  order:
    english: >-
      Never go to the hall
      before the kitchen.
    formula: '!inHall W inKitchen'
  slow: { english: the robot shall always satisfy speed <= 2 }
  bare: { formula: G !fast }`);
    expect(rules.map(({ formula }) => printFormula(formula))).toEqual([
      'G (stoveOn -> inKitchen)',
      '!inHall W inKitchen',
      'G speedAtMost2',
      'G !fast',
    ]);
    expect(rules.map(({ formulaText, english, provenance }) => [formulaText, english, provenance])).toEqual([
      ['G (stoveOn -> inKitchen)', WATCH, 'english'],
      ['!inHall W inKitchen', 'Never go to the hall before the kitchen.', 'locked'],
      ['G speed <= 2', 'the robot shall always satisfy speed <= 2', 'english'],
      ['G !fast', null, 'formula'],
    ]);
  });

  it('need no reader where their formula stands beside them', () => {
    const rules = `  watch: { english: "${WATCH}", formula: G (stoveOn -> inKitchen) }`;
    const { rules: locked } = parseSpecification(written(rules));
    expect(locked[0]).toMatchObject({ english: WATCH, provenance: 'locked' });
    expect(() =>
      parseSpecification(written(`  watch: { english: "${WATCH}" }`), { source: 's.yaml' }),
    ).toThrow(
      's.yaml:8:21: rule "watch" is a sentence without its formula, and no reader of English is given; write the formula beside it by foreguard english --lock --spec s.yaml, or give parseSpecification { readRule }',
    );
  });

  it('are in the schema, alone and with a formula', () => {
    for (const [rule, is] of [
      [`{ english: "${WATCH}" }`, true],
      [`{ english: "${WATCH}", formula: G fast }`, true],
      ['{ strategy: stop }', false],
      ['{ english: "" }', false],
    ] as const)
      expect(valid(parse(written(`  watch: ${rule}`))), rule).toBe(is);
  });

  it('are what people and agents are told', () => {
    const guard = createGuard(compileRules(read(`  watch: { english: "${WATCH}", strategy: block }`)));
    const step = guard.step({ stove: { on: true }, room: 'Hall', speed: 1 });
    expect(guard.explain(step)).toContain(`breaks rule "watch" (${WATCH}).`);
    expect(guard.file.rules[0].english).toBe(`${WATCH}.`);
  });

  it('have the hash of their formula beside them, so that locking changes none', () => {
    const alone = read(`  watch: { english: "${WATCH}" }`);
    const locked = read(`  watch: { english: "${WATCH}", formula: G (stoveOn -> inKitchen) }`);
    const formula = read('  watch: { formula: G (stoveOn -> inKitchen) }');
    expect(alone.hash).toBe(locked.hash);
    expect(alone.hash).not.toBe(formula.hash);
  });

  it('with several readings are shown with the run that tells them apart, and what to write', () => {
    const message = problems('  order: { english: Never go to the hall before the kitchen. }');
    expect(message).toContain(
      's.yaml:8:21: rule "order": the sentence can be meant in 3 ways:\n  1. !inHall W inKitchen\n',
    );
    expect(message).toContain(
      'Is this run allowed: first nothing of it holds; then the run ends? If it is: 1.',
    );
    expect(message).toContain('Write the formula of the one that you mean beside the sentence');
  });

  it('take the formula for the answer, if it is one of the readings', () => {
    const order = (formula: string): Specification =>
      read(`  order: { english: Never go to the hall before the kitchen., formula: '${formula}' }`);
    // Written otherwise, and equivalent to the second reading.
    expect(order('(F inKitchen) & (!inHall W inKitchen)').rules[0].provenance).toBe('locked');
    expect(() => order('G !inHall')).toThrow(
      'can be meant in these ways, and in none of them as the formula',
    );
  });

  it('that disagree with their formula are refused with a run on which both differ', () => {
    const message = problems('  out: { english: Stay out of the hall, formula: G !inKitchen }');
    expect(message).toContain(
      's.yaml:8:19: rule "out": the sentence and the formula beside it say different things',
    );
    expect(message).toContain('the formula G !inKitchen: The robot is never in the kitchen.');
    expect(message).toContain('the sentence G !inHall: The robot is never in the hall.');
    expect(message).toContain(
      'the formula allows this run, the sentence does not: first the robot is in the hall; then the run ends',
    );
  });

  it('are compared under the constraints, and with the predicate that a comparison is', () => {
    const rules =
      '  two: { english: "Whenever the stove is on, the robot is in the kitchen.", formula: G (stoveOn -> !inHall) }';
    expect(problems(rules)).toContain('say different things');
    expect(problems(rules, "constraints: { state: 'inKitchen != inHall' }\n")).toBe('');
    expect(
      problems('  slow: { english: the robot shall always satisfy !fast, formula: G !(speed > 2) }'),
    ).toBe('');
    expect(
      problems('  slow: { english: the robot shall always satisfy !fast, formula: G !(speed > 3) }'),
    ).toContain('say different things');
  });

  it.each([
    [
      '  out: { english: Stay out of the hal }',
      's.yaml:8:35: the word "hal" is not known; did you mean "hall"?',
    ],
    ["  out: { english: 'Stay out of the hal' }", 's.yaml:8:36: the word "hal" is not known'],
    ['  out: { english: G !inHall }', 'this is a formula, not a sentence; write it as a formula'],
    [
      '  out: { english: Visit the hall infinitely often }',
      'a run ends, so nothing can happen again and again',
    ],
    ['  out: { english: Never go to the hall. Go to the hall. }', 'no run can satisfy the sentence'],
    ['  out: { english: [a] }', 'rule "out": english must be text, found a list'],
    [
      '  out: { englsh: Stay out of the hall }',
      'unknown key "englsh" in rule "out"; did you mean "english"?',
    ],
    [
      '  out: { english: the x shall always satisfy fastt }',
      'rule "out" speaks of "fastt", which is not a predicate; did you mean "fast"?',
    ],
    ['  out: { english: the x shall alway satisfy fast }', 's.yaml:8:31: unexpected "alway"'],
    ['  out: { english: Stay out of the hall, formula: G ( }', 's.yaml:8:'],
    ['  out: { english: Stay out of the hall, formula: "P<0.1 [ F inHall ]" }', 'bounds a probability'],
    [`  out: { english: ${'go to the hall and '.repeat(125)} }`, 'words; at most 120 are read'],
    ['  out: { strategy: stop }', 'rule "out" has no formula'],
  ])('%j is refused', (rules, message) => {
    expect(problems(rules)).toContain(message);
  });

  it('report what is wrong with predicates and constraints at their place alone', () => {
    const broken = written(`  watch: { english: "${WATCH}" }`).replace('stove.on', 'stove.on +');
    expect(() => parseSpecification(broken, { source: 's.yaml', readRule })).toThrow(/^s\.yaml:3:\d+: /);
    const message = problems(`  watch: { english: "${WATCH}" }`, 'constraints: { state: "nothing || " }\n');
    expect(message).toMatch(/^s\.yaml:7:\d+: /);
    expect(message.split('\n')).toHaveLength(1);
  });
});

describe('lockFormulas', () => {
  const formulas = new Map([['a', "G (x -> `it's`)"]]);
  const lock = (text: string): string => lockFormulas(text, formulas, 's.yaml');

  it.each([
    [
      'rules:\n  a: { english: X y., strategy: stop } # z\n',
      "rules:\n  a: { english: X y., formula: 'G (x -> `it''s`)', strategy: stop } # z\n",
    ],
    ['rules: {"a": {"english": "X y."}}', 'rules: {"a": {"english": "X y.", "formula": "G (x -> `it\'s`)"}}'],
    [
      'rules:\n  a:\n    english: X y. # why\n    # more\n',
      "rules:\n  a:\n    english: X y. # why\n    formula: 'G (x -> `it''s`)'\n    # more\n",
    ],
    [
      'rules:\n  a:\n    strategy: stop\n    english: X y.',
      "rules:\n  a:\n    strategy: stop\n    english: X y.\n    formula: 'G (x -> `it''s`)'",
    ],
    [
      'rules:\r\n  a:\r\n    english: |\r\n      X\r\n      y.\r\n\r\n    shadow: true\r\n',
      "rules:\r\n  a:\r\n    english: |\r\n      X\r\n      y.\r\n    formula: 'G (x -> `it''s`)'\r\n\r\n    shadow: true\r\n",
    ],
    [
      'rules:\n  a:\n    english: X\n      y.\n',
      "rules:\n  a:\n    english: X\n      y.\n    formula: 'G (x -> `it''s`)'\n",
    ],
    [
      's: &s X y.\nrules:\n  a: { english: *s }\n',
      "s: &s X y.\nrules:\n  a: { english: *s, formula: 'G (x -> `it''s`)' }\n",
    ],
  ])('%j', (text, expected) => {
    expect(lock(text)).toBe(expected);
  });

  it('refuses a rule that is written elsewhere', () => {
    expect(() => lock('b: &b { english: X y. }\nrules:\n  a: *b\n')).toThrow('rule "a" is written elsewhere');
  });
});
