import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import {
  compileRules,
  parseSpecification,
  SpecificationError,
} from '../../../bindings/rules/specification/index.js';

const head = `version: 1
predicates: { cancels: 'action.name == "cancel"', known: 'lastTool == "getCustomer"' }
rules:
  identifyFirst: { formula: 'G (cancels -> O known)' }
  rarely: { formula: 'P<0.1 [ F cancels ]' }
`;
const withTests = (text: string): string => `${head}tests:\n${text}`;
const testOf = (run: string, expectation = 'allowed'): string =>
  withTests(`  - { name: one, run: [${run}], expect: ${expectation} }\n`);

/** The problems of a text, as `line:column message`. */
function problemsOf(text: string): string[] {
  try {
    parseSpecification(text, { source: 'spec.yaml' });
  } catch (error) {
    if (!(error instanceof SpecificationError)) throw error;
    return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
  return [];
}

const schema = JSON.parse(
  readFileSync(new URL('../../../schema/specification.schema.json', import.meta.url), 'utf8'),
);
const valid = new Ajv({ allErrors: true }).compile(schema);

describe('tests in a specification', () => {
  it('are none by default', () => {
    expect(parseSpecification(head).tests).toEqual([]);
    expect(parseSpecification(`${head}tests: []\n`).tests).toEqual([]);
  });

  const text = withTests(`  - name: no cancelling before the customer is known
    rule: identifyFirst
    tools: [handOver]
    run:
      - getCustomer
      - { cancel: { reservation: 'A1', seats: [1, null] } }
      - { call: cancel, arguments: { call: 1 }, result: { ok: true }, state: { hot: false }, time: 3 }
      - { call: call, error: timeout, time: -0.5 }
      - { arguments: {} }
    expect: { stopped: 2 }
  - { name: other, run: [cancel], expect: { stopped: 0, by: identifyFirst } }
  - { name: third, run: [getCustomer], expect: allowed }
`);

  it('are read with their calls, outcomes, states and times', () => {
    const [first, second, third] = parseSpecification(text).tests;
    expect(first).toEqual({
      name: 'no cancelling before the customer is known',
      line: 7,
      rule: 'identifyFirst',
      tools: ['handOver'],
      principal: null,
      run: [
        { call: 'getCustomer', arguments: {}, outcome: { result: null } },
        { call: 'cancel', arguments: { reservation: 'A1', seats: [1, null] }, outcome: { result: null } },
        {
          call: 'cancel',
          arguments: { call: 1 },
          outcome: { result: { ok: true } },
          state: { hot: false },
          time: 3,
        },
        { call: 'call', arguments: {}, outcome: { error: 'timeout' }, time: -0.5 },
        { call: 'arguments', arguments: {}, outcome: { result: null } },
      ],
      expect: { stopped: 2, by: 'identifyFirst' },
    });
    expect([second.line, second.rule, second.expect]).toEqual([
      17,
      null,
      { stopped: 0, by: 'identifyFirst' },
    ]);
    expect(third).toMatchObject({ name: 'third', tools: [], expect: 'allowed' });
    expect(valid(parseYaml(text)), JSON.stringify(valid.errors)).toBe(true);
  });

  it('are read alike from JSON', () => {
    const asJson = JSON.stringify(parseYaml(text));
    const lines = ({ tests }: ReturnType<typeof parseSpecification>) =>
      tests.map(({ line: _, ...rest }) => rest);
    expect(lines(parseSpecification(asJson))).toEqual(lines(parseSpecification(text)));
  });

  it('may use anchors for arguments, results and states', () => {
    const shared = withTests(
      '  - { name: one, run: [{ a: &x { n: [1, 2] } }, { b: *x }, { call: c, result: [*x] }], expect: allowed }',
    );
    const [{ run }] = parseSpecification(shared).tests;
    expect(run[1].arguments).toEqual({ n: [1, 2] });
    expect(run[2].outcome).toEqual({ result: [{ n: [1, 2] }] });
  });

  it('do not change the hash of the specification, nor of its guard', () => {
    const plain = parseSpecification(head);
    for (const other of [text, `${head}tests: []\n`, testOf('a')])
      expect(parseSpecification(other).hash).toBe(plain.hash);
    expect(parseSpecification(head.replace('0.1', '0.2')).hash).not.toBe(plain.hash);
    const alone = head.replace(/ {2}rarely.*\n/, '');
    const guards = [alone, `${alone}tests: [{ name: a, run: [cancel], expect: { stopped: 0 } }]\n`];
    const [one, other] = guards.map((each) => compileRules(parseSpecification(each)));
    expect(other).toEqual(one);
  });

  it.each([
    ['no list', `${head}tests: { name: a }\n`, '6:8 tests must be a list, found a mapping'],
    ['no mapping', withTests('  - cancel\n'), '7:5 test 0 must be a mapping, found "cancel"'],
    [
      'no name',
      withTests('  - { run: [a], expect: allowed }\n'),
      '7:5 test 0 has no name; expected a few words that say what it shows',
    ],
    [
      'an empty name',
      withTests("  - { name: '', run: [a], expect: allowed }\n"),
      /^7:13 test 0: name must be text/,
    ],
    [
      'no run',
      withTests('  - { name: one, expect: allowed }\n'),
      /^7:5 test "one" has no run; expected a list of calls, each NAME, \{ NAME: /,
    ],
    [
      'no expect',
      withTests('  - { name: one, run: [a] }\n'),
      /^7:5 test "one" has no expect; expected allowed, or \{ stopped: 1/,
    ],
    [
      'a misspelt key',
      withTests('  - { name: one, runs: [a], expect: allowed }\n'),
      '7:18 unknown key "runs" in test 0; did you mean "run"?',
    ],
    ['an empty run', testOf(''), '7:18 test "one": run has no call'],
    [
      'a run that is no list',
      withTests('  - { name: one, run: a, expect: allowed }\n'),
      '7:23 test "one": run must be a list, found "a"',
    ],
    [
      'a number as a call',
      testOf('a, 3'),
      /^7:27 test "one": call 1 must be NAME, \{ NAME: arguments \} or .*, found 3$/,
    ],
    ['a list as a call', testOf('[a]'), /^7:24 test "one": call 0 must be NAME.*, found a list$/],
    [
      'no arguments',
      testOf('{ cancel: }'),
      '7:34 test "one": call 0: the arguments of cancel must be a mapping, found nothing',
    ],
    [
      'arguments that are no mapping',
      testOf('{ cancel: A1 }'),
      '7:34 test "one": call 0: the arguments of cancel must be a mapping, found "A1"',
    ],
    [
      'two calls in one',
      testOf('{ a: {}, b: {} }'),
      /^7:24 test "one": call 0 has the keys a, b; expected one call, NAME, /,
    ],
    [
      'a misspelt key of a call',
      testOf('{ call: a, arguements: {} }'),
      '7:35 unknown key "arguements" in test "one": call 0; did you mean "arguments"?',
    ],
    ['an empty call', testOf('{}'), /^7:24 test "one": call 0 is empty; expected one call, NAME/],
    [
      'a call that is no name',
      testOf('{ call: { a: 1 } }'),
      '7:32 test "one": call 0: call must be text, found a mapping',
    ],
    [
      'a call without a name',
      testOf('{ arguments: {}, result: 1 }'),
      /^7:24 test "one": call 0 names no tool; expected NAME/,
    ],
    [
      'a result and an error',
      testOf('{ call: a, result: 1, error: e }'),
      '7:46 test "one": call 0 has both a result and an error; expected one of them',
    ],
    [
      'a state that is no mapping',
      testOf('{ call: a, state: hot }'),
      '7:42 test "one": call 0: state must be a mapping, found "hot"',
    ],
    [
      'a time that is no number',
      testOf('{ call: a, time: soon }'),
      '7:41 test "one": call 0: time must be a finite number of seconds, found "soon"',
    ],
    [
      'a principal that is no mapping',
      withTests('  - { name: one, principal: ada, run: [a], expect: allowed }\n'),
      '7:29 test "one": principal must be a mapping, found "ada"',
    ],
    [
      'a name in tools that is none',
      withTests('  - { name: one, tools: [3], run: [a], expect: allowed }\n'),
      '7:26 test "one": a name in tools must be text, found 3',
    ],
    [
      'another expectation',
      testOf('a', 'alowed'),
      /^7:36 test "one": expect must be allowed, or \{ stopped: 1, .*; found "alowed"$/,
    ],
    ['no step', testOf('a', '{ by: identifyFirst }'), /^7:36 test "one": expect has no stopped; expected/],
    [
      'a step after the run',
      testOf('a, b', '{ stopped: 2 }'),
      '7:50 test "one": stopped must be the number of a call of the run, from 0 to 1, found 2',
    ],
    ['half a step', testOf('a, b', '{ stopped: 0.5 }'), /^7:50 test "one": stopped must be .*, found 0.5$/],
    [
      'a misspelt rule',
      testOf('a', '{ stopped: 0, by: identifyfirst }'),
      '7:54 test "one": by names "identifyfirst", which is not a rule; did you mean "identifyFirst"?',
    ],
    [
      'an unknown rule',
      withTests('  - { name: one, rule: kitchen, run: [a], expect: allowed }\n'),
      '7:24 test "one": rule names "kitchen", which is not a rule; known rules: identifyFirst, rarely',
    ],
    [
      'a rule that bounds a probability',
      testOf('a', '{ stopped: 0, by: rarely }'),
      /^7:54 test "one": by names "rarely", which bounds a probability/,
    ],
  ])('are refused with their place, and by the schema where it can: %s', (what, given, message) => {
    const problems = problemsOf(given);
    expect(problems).toHaveLength(1);
    if (typeof message === 'string') expect(problems).toEqual([message]);
    else expect(problems[0]).toMatch(message);
    // A schema knows neither the names of rules nor the length of the run beside it.
    const isBeyondSchema = /rule|step after/.test(what);
    expect(valid(parseYaml(given))).toBe(isBeyondSchema);
  });

  it('are refused if JSON cannot say them', () => {
    expect(problemsOf(testOf('{ a: { x: [.nan] } }'))).toEqual([
      '7:35 test "one": call 0: the arguments of a: JSON has no number .nan',
    ]);
    expect(problemsOf(testOf('{ call: a, result: -.inf }'))).toEqual([
      '7:43 test "one": call 0: result: JSON has no number -.inf',
    ]);
    expect(problemsOf(testOf('{ a: { x: { 1: 2, "1": 3 } } }'))).toEqual([
      '7:36 test "one": call 0: the arguments of a has the key 1, which is not a text; put it in quotes: "1"',
    ]);
    expect(problemsOf(testOf('{ a: { x: &n [.inf] } }, { b: { y: *n } }'))).toHaveLength(2);
  });

  it('are refused if two have one name, or a rule judges alone that is not the one to stop', () => {
    const twice = withTests(
      '  - { name: one, run: [a], expect: allowed }\n  - { name: one, run: [b], expect: allowed }\n',
    );
    expect(problemsOf(twice)).toEqual(['8:5 two tests are named "one"; the other is in line 7']);
    const other = withTests(
      '  - { name: one, rule: identifyFirst, run: [a], expect: { stopped: 0, by: second } }\n',
    ).replace('  rarely', "  second: { formula: 'G !cancels' }\n  rarely");
    expect(problemsOf(other)).toEqual([
      '8:75 test "one": "identifyFirst" judges alone, so "second" stops nothing',
    ]);
  });

  it('do not repeat the problems of rules that cannot be read', () => {
    const broken = testOf('a', '{ stopped: 0, by: identifyFirst }').replace("'G (cancels", "'G (( cancels");
    expect(problemsOf(broken)).toHaveLength(1);
    expect(problemsOf(broken)[0]).toMatch(/^4:/);
  });
});
