import { describe, expect, it } from 'vitest';
import { printFormula } from '../../../bindings/languages/logic/index.js';
import {
  parseSpecification,
  type RuleSpecification,
  SpecificationError,
} from '../../../bindings/rules/specification/index.js';

const withRule = (formula: string, head = ''): string =>
  `version: 1\n${head}predicates: { a: 'x > 1', b: 'y > 1' }\nrules: { late: { formula: '${formula}', threshold: 0.5 } }\n`;
const ruleOf = (formula: string, head?: string): RuleSpecification =>
  parseSpecification(withRule(formula, head)).rules[0];

function problemOf(text: string): string {
  try {
    parseSpecification(text, { source: 'road.yaml' });
  } catch (error) {
    if (error instanceof SpecificationError) return error.message;
    throw error;
  }
  return 'none';
}

describe('a rule about a run', () => {
  it.each([
    ['G (a -> F b)', 'strong'],
    ['G (a -> O b)', 'strong'],
    ['G (a -> Y (b S a))', 'strong'],
    ['a U b', 'strong'],
    ['X X a', 'strong'],
    ['G (a -> F[0,3] b)', 'weak'],
    ['G (a -> F<=3 b)', 'weak'],
    ['G (a -> O<=3 b)', 'weak'],
    ['G (a -> (F (b & Y (O[1,2] a))))', 'weak'],
    ['G (a -> !(b & (a U[0,4] b)))', 'weak'],
    ['(G a) & ((F b) | (H<=2 a))', 'weak'],
    ['always(a implies eventually[-1,2](b))', 'weak'],
    ['always(a implies eventually[-2,0](b))', 'weak'],
    ['always[-1,2](a)', 'weak'],
    ['always(a implies eventually(b))', 'strong'],
  ] as const)('%s is %s at the end unless it says otherwise', (formula, atEnd) => {
    expect(ruleOf(formula).atEnd).toBe(atEnd);
    const other = atEnd === 'weak' ? 'strong' : 'weak';
    const said = withRule(formula).replace('threshold: 0.5', `threshold: 0.5, atEnd: ${other}`);
    expect(parseSpecification(said).rules[0].atEnd).toBe(other);
  });

  it('needs no predicates beside it where it compares: they follow from it', () => {
    const { abstraction, rules } = parseSpecification(
      `version: 1
samplingPeriod: 100ms
rules:
  jam:
    formula: always ((isTrafficJam==1 and (NPCAheadspeed<0.5 or NPCAheadAhead <= 0.5)) -> (eventually[0s,20s] (speed<0.5)))
    minimumSafe: 0.7
    strategy: { replace: brake }
`,
    );
    expect(abstraction.predicates).toEqual([
      { name: 'isTrafficJamIs1', expression: 'isTrafficJam==1' },
      { name: 'NPCAheadspeedBelow0_5', expression: 'NPCAheadspeed<0.5' },
      { name: 'NPCAheadAheadAtMost0_5', expression: 'NPCAheadAhead <= 0.5' },
      { name: 'speedBelow0_5', expression: 'speed<0.5' },
    ]);
    expect(printFormula(rules[0].formula)).toBe(
      'G (isTrafficJamIs1 & (NPCAheadspeedBelow0_5 | NPCAheadAheadAtMost0_5) -> F[0s,20s] speedBelow0_5)',
    );
  });

  it('takes the predicate that says what it compares, and makes no second one', () => {
    const { abstraction, rules } = parseSpecification(withRule('G (a -> F[0,3] (y>1 & x > 2))'));
    expect(abstraction.predicates.map(({ name }) => name)).toEqual(['a', 'b', 'xAbove2']);
    expect(printFormula(rules[0].formula)).toBe('G (a -> F<=3 (b & xAbove2))');
  });

  it('has constraints over what was derived from it, too', () => {
    const text = (constraint: string): string =>
      `version: 1\nconstraints: { state: '${constraint}' }\nrules: { r: { formula: 'G !(x > 3 & y > 3)', threshold: 0.5 } }`;
    expect(parseSpecification(text('!(xAbove3 && yAbove3)')).abstraction.constraints).toEqual({
      state: '!(xAbove3 && yAbove3)',
    });
    expect(problemOf(text('!xAbov3'))).toMatch(/unknown predicate "xAbov3"; did you mean "xAbove3"\?/);
  });

  it.each([
    [
      'of a predicate that does not exist',
      'G (a -> F[0,10] brakes)',
      'rule "late" speaks of "brakes", which is not a predicate; known predicates: a, b',
    ],
    [
      'with a window that ends before it begins',
      'G (a -> F[3,2] b)',
      'the window is empty; expected a lower bound that is not above the upper one',
    ],
    ['with such a window around now', 'always(a implies eventually[2,-1](b))', 'the window is empty'],
    [
      'with a negative bound',
      'G (a -> F[-1,2] b)',
      'the window reaches into the past; expected a bound of 0 or more; O[0,a] p looks back, and eventually[-a,b](p) both ways',
    ],
    [
      "with a negative bound of another of LawBreaker's words",
      'always(a implies once[-1,2](b))',
      'the window reaches into the past',
    ],
    [
      'with half a step',
      'G (a -> F[0,0.5] b)',
      'steps are whole numbers; expected a whole number, or a unit such as s',
    ],
    [
      'with seconds and no sampling period',
      'G (a -> F[0s,10s] b)',
      'rule "late": the window [0s,10s] is in s, but no sampling period is given: add one, e.g. samplingPeriod: 0.1s, or count in steps',
    ],
    [
      'with two units in a window',
      'G (a -> F[0s,10ms] b)',
      'the window mixes s and ms; expected one unit for both bounds',
    ],
    [
      'with 250 brackets',
      `G ${'('.repeat(250)}a${')'.repeat(250)}`,
      'the formula is nested more than 200 deep; expected a flatter formula',
    ],
    ['with 201 operators in each other', `${'X '.repeat(201)}a`, 'the formula is nested more than 200 deep'],
    ['with 10,000 negations', `G ${'!'.repeat(10_000)}a`, 'the formula has more than 5000 tokens'],
  ])('is refused %s', (_, formula, message) => {
    const found = problemOf(withRule(formula));
    expect(found).toContain(message);
    expect(found).toMatch(/^road\.yaml:3:\d+: /);
  });

  it('is refused where no step falls into a window at its sampling period', () => {
    expect(problemOf(withRule('G (a -> F[0.01s,0.09s] b)', 'samplingPeriod: 0.1s\n'))).toContain(
      'rule "late": the window [0.01s,0.09s] is empty: no step falls into it at a sampling period of 0.1 s',
    );
  });

  it('is told which predicate was most likely meant', () => {
    const text = withRule('G (a -> F[0,3] movng)').replace("b: 'y", "moving: 'y");
    expect(problemOf(text)).toContain(
      'rule "late" speaks of "movng", which is not a predicate; did you mean "moving"?',
    );
  });
});
