import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkPlan,
  flatPlan,
  PlanError,
  type PlanProblem,
  planJson,
  readPlan,
} from '../../../bindings/proofs/workflow/index.js';
import { RANDOM_TOOLS, randomPlans } from './randomPlans.js';

function problemsOf(json: unknown): readonly PlanProblem[] {
  try {
    readPlan(json);
  } catch (error) {
    if (error instanceof PlanError) return error.problems;
    throw error;
  }
  return [];
}

const step = (fields: object) => ({ goal: 'g', steps: [{ id: 's', ...fields }] });

describe('a plan', () => {
  it('is the same after it was written in the nested and in the flat form, as object and as text', () => {
    fc.assert(
      fc.property(randomPlans({ unusual: true }), (plan) => {
        const [nested, flat] = [planJson(plan), flatPlan(plan)];
        // Fields called "constructor" mislead the comparisons of the test's framework.
        for (const json of [nested, JSON.stringify(nested), flat, JSON.stringify(flat)])
          expect(isDeepStrictEqual(readPlan(json), plan)).toBe(true);
        expect(isDeepStrictEqual(planJson(readPlan(flat)), nested)).toBe(true);
        expect(isDeepStrictEqual(flatPlan(readPlan(nested)), flat)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('that is drawn with right names and types has no problem', () => {
    fc.assert(
      fc.property(randomPlans({ unusual: true }), (plan) => {
        expect(checkPlan(plan, RANDOM_TOOLS).problems).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('says each value in one way', () => {
    const { steps } = readPlan({
      goal: 'g',
      inputs: { m: 'any' },
      steps: [
        { let: 'a', be: { list: [1, { literal: 'x' }] } },
        { let: 'b', be: { record: { k: { list: [] }, __proto__: null } } },
        { let: 'c', be: { text: ['a', 1, true, { text: ['b'] }, ''] } },
        { let: 'd', be: { expr: 'm["from"].name[0]' } },
        { let: 'e', be: { expr: '[-1, {"k": m.x}]' } },
        { let: 'f', be: { expr: 'm.x  ==  "y" ' } },
        { let: 'g', be: { text: ['a', { ref: 'm' }, 'b', 2] } },
      ],
    });
    expect(steps.map((one) => one.kind === 'let' && one.be)).toEqual([
      { kind: 'literal', value: [1, 'x'] },
      { kind: 'literal', value: { k: [] } },
      { kind: 'literal', value: 'a1trueb' },
      { kind: 'reference', name: 'm', path: ['from', 'name', 0] },
      {
        kind: 'list',
        of: [
          { kind: 'literal', value: -1 },
          { kind: 'record', fields: { k: { kind: 'reference', name: 'm', path: ['x'] } } },
        ],
      },
      { kind: 'expression', expression: { source: 'm.x == "y"' } },
      {
        kind: 'text',
        of: [
          { kind: 'literal', value: 'a' },
          { kind: 'reference', name: 'm', path: [] },
          { kind: 'literal', value: 'b2' },
        ],
      },
    ]);
  });

  it('has an id for each step, which its name or tool gives', () => {
    const call = { call: 'sendMail', with: {} };
    const plan = readPlan({
      goal: 'g',
      steps: [
        call,
        call,
        { id: 'sendMail_2', ...call },
        { ...call, as: 'sent' },
        { if: 'true', then: [{ return: 1 }] },
      ],
    });
    expect(plan.steps.map(({ id }) => id)).toEqual(['sendMail', 'sendMail_3', 'sendMail_2', 'sent', 'if']);
  });
});

describe('what is no plan', () => {
  it.each<[string, unknown, string, string, string, string | null]>([
    ['prose', 'Sure! Here is the plan:', '', 'text that is not JSON', 'a JSON object', null],
    ['a list', [], '', 'a list of 0', 'an object with goal and steps', null],
    ['nothing', undefined, '', 'nothing', 'an object with goal and steps', null],
    ['a function', () => 1, '', 'a function', 'an object with goal and steps', null],
    ['no goal', { steps: [] }, '/goal', 'nothing', 'the goal', null],
    ['no steps', { goal: 'g' }, '/steps', 'nothing', 'a list of steps', null],
    ['another version', { version: 2, goal: 'g', steps: [] }, '/version', '2', '1', null],
    [
      'an unknown field',
      { goal: 'g', step: [], steps: [] },
      '/step',
      'the field "step"',
      'one of version',
      '"steps"',
    ],
    ['an unknown kind', step({ cal: 'x' }), '/steps/0', 'an object with "id", "cal"', 'call, ask', '"call"'],
    ['two kinds', step({ call: 'x', let: 'y' }), '/steps/0', 'a step with call and let', 'one of', null],
    [
      'a misspelt field',
      step({ call: 'x', wiht: {} }),
      '/steps/0/wiht',
      'the field "wiht"',
      'with',
      '"with"',
    ],
    [
      'a bare list',
      step({ call: 'x', with: { to: ['a'] } }),
      '/steps/0/with/to',
      'a list of 1',
      'a value',
      '{"list": […]}',
    ],
    [
      'a bare object',
      step({ call: 'x', with: { to: { a: 1 } } }),
      '/steps/0/with/to',
      'an object with "a"',
      'ref, literal',
      '{"record"',
    ],
    [
      'a path in a name',
      step({ let: 'x', be: { ref: 'mail.from' } }),
      '/steps/0/be/ref',
      '"mail.from"',
      'a name',
      '{"ref":"mail","path":["from"]}',
    ],
    [
      'a negative position',
      step({ let: 'x', be: { ref: 'm', path: [-1] } }),
      '/steps/0/be/path/0',
      '-1',
      'a position from 0',
      null,
    ],
    [
      'a reserved name',
      step({ let: 'constructor', be: 1 }),
      '/steps/0/let',
      '"constructor"',
      'no reserved word',
      null,
    ],
    [
      'a name that is a prototype',
      step({ let: '__proto__', be: 1 }),
      '/steps/0/let',
      '"__proto__"',
      'no reserved word',
      null,
    ],
    [
      'a broken expression',
      step({ if: 'size(mails >', then: [] }),
      '/steps/0/if',
      'the end at 1:13',
      'an expression',
      null,
    ],
    [
      'an unknown function',
      step({ let: 'x', be: { expr: 'sise(m)' } }),
      '/steps/0/be/expr',
      'function "sise"',
      'size',
      null,
    ],
    ['an infinite number', step({ let: 'x', be: Number.NaN }), '/steps/0/be', 'NaN', 'a finite number', null],
    [
      'a schema that is none',
      step({ ask: { question: 'q', about: [], schema: 3 }, as: 'x' }),
      '/steps/0/ask/schema',
      '3',
      'a JSON Schema',
      null,
    ],
    [
      'an unknown type',
      { goal: 'g', inputs: { me: 'emial' }, steps: [] },
      '/inputs/me',
      '"emial"',
      'one of any',
      '"email"',
    ],
    [
      'a name of what may be missing',
      step({ call: 'x', onError: 'skip', as: 'y' }),
      '/steps/0/as',
      '"y"',
      'no "as"',
      null,
    ],
    ['a wrong id', step({ id: 'a b', call: 'x' }), '/steps/0/id', '"a b"', 'an id of 1 to 80', null],
    [
      'an id twice',
      { goal: 'g', steps: [step({ return: 1 }).steps[0], step({ return: 1 }).steps[0]] },
      '/steps/1/id',
      'the id "s" a second time',
      'no other',
      null,
    ],
    [
      'half a pair',
      step({ if: 'true', then: [], yields: { x: [1] } }),
      '/steps/0/yields/x',
      'a list of 1',
      'two values',
      null,
    ],
    [
      'an instance',
      step({ let: 'x', be: { literal: new Date(0) } }),
      '/steps/0/be/literal',
      'an object that is not JSON',
      'JSON data',
      null,
    ],
  ])('%s', (_, json, pointer, found, expected, hint) => {
    const [problem] = problemsOf(json);
    expect(problem.pointer).toBe(pointer);
    expect(problem.found).toContain(found);
    expect(problem.expected).toContain(expected);
    if (hint === null) expect(problem.hint).toBeNull();
    else expect(problem.hint).toContain(hint);
  });

  it('names all that is wrong, with the step', () => {
    const problems = problemsOf({
      goal: 1,
      steps: [
        { id: 'one', call: 2 },
        { id: 'two', if: 3, then: [{ id: 'three', let: 'x' }] },
      ],
    });
    expect(problems.map(({ step: id, pointer }) => [id, pointer])).toEqual([
      [null, '/goal'],
      ['one', '/steps/0/call'],
      ['two', '/steps/1/if'],
      ['three', '/steps/1/then/0/be'],
    ]);
    expect(() => readPlan({ goal: 1, steps: [] }, { source: 'a.json' })).toThrow(
      'a.json: /goal: found 1; expected the goal, as text',
    );
  });
});

describe('a plan in the flat form', () => {
  const call = { id: 's', kind: 'call', tool: 'x', arguments: [], as: null, onError: null };
  const loop = (id: string, block: string) => ({
    id,
    kind: 'forEach',
    in: { kind: 'json', json: '[]' },
    item: 'm',
    do: block,
  });
  it.each<[string, object, string, string, string | null]>([
    ['no block', { blocks: [] }, '/blocks', 'no block', null],
    [
      'an unknown block',
      { blocks: [{ id: 'main', steps: [loop('s', 'mian')] }] },
      '/blocks/0/steps/0/do',
      'the text "mian"',
      '"main"',
    ],
    [
      'a cycle',
      { blocks: [{ id: 'main', steps: [loop('s', 'main')] }] },
      '/blocks/0/steps/0/do',
      'the block "main" within itself',
      null,
    ],
    [
      'a longer cycle',
      {
        blocks: [
          { id: 'main', steps: [loop('s', 'a')] },
          { id: 'a', steps: [loop('t', 'b')] },
          { id: 'b', steps: [loop('u', 'a')] },
        ],
      },
      '/blocks/2/steps/0/do',
      'the block "a" within itself',
      null,
    ],
    [
      'a block twice',
      {
        blocks: [
          { id: 'main', steps: [loop('s', 'a'), loop('t', 'a')] },
          { id: 'a', steps: [] },
        ],
      },
      '/blocks/0/steps/1/do',
      'the block "a" a second time',
      null,
    ],
    [
      'a block of nothing',
      {
        blocks: [
          { id: 'main', steps: [] },
          { id: 'a', steps: [] },
        ],
      },
      '/blocks/1',
      'which nothing names',
      null,
    ],
    [
      'a cycle of values',
      {
        blocks: [{ id: 'main', steps: [{ id: 'r', kind: 'return', value: { kind: 'value', value: 'v' } }] }],
        values: [{ id: 'v', value: { kind: 'list', of: [{ kind: 'value', value: 'v' }] } }],
      },
      '/values/0/value/of/0/value',
      'the value "v" within itself',
      null,
    ],
    [
      'an unknown kind',
      { blocks: [{ id: 'main', steps: [{ ...call, kind: 'cal' }] }] },
      '/blocks/0/steps/0/kind',
      'the text "cal"',
      '"call"',
    ],
    [
      'a field of another kind',
      { blocks: [{ id: 'main', steps: [{ ...call, question: 'q' }] }] },
      '/blocks/0/steps/0/question',
      'the field "question"',
      null,
    ],
    [
      'an argument twice',
      {
        blocks: [
          {
            id: 'main',
            steps: [
              {
                ...call,
                arguments: [
                  { name: 'a', value: { kind: 'null' } },
                  { name: 'a', value: { kind: 'null' } },
                ],
              },
            ],
          },
        ],
      },
      '/blocks/0/steps/0/arguments/1/name',
      'the name "a" a second time',
      null,
    ],
    [
      'a wrong expression within',
      {
        blocks: [
          {
            id: 'main',
            steps: [
              { ...call, arguments: [{ name: 'a', value: { kind: 'expression', expression: '1 +' } }] },
            ],
          },
        ],
      },
      '/blocks/0/steps/0/arguments/0/value/expr',
      'the end',
      null,
    ],
    [
      'text in place of JSON',
      {
        blocks: [
          { id: 'main', steps: [loop('s', 'b')] },
          { id: 'b', steps: [{ id: 'r', kind: 'return', value: { kind: 'json', json: '{' } }] },
        ],
      },
      '/blocks/1/steps/0/value/json',
      'the text "{"',
      null,
    ],
  ])('%s', (_, json, pointer, found, hint) => {
    const [problem] = problemsOf({ goal: 'g', ...json });
    expect(problem.pointer).toBe(pointer);
    expect(problem.found).toContain(found);
    expect(problem.hint).toBe(hint);
  });

  it('leaves out arguments that are null', () => {
    const nulls = {
      ...call,
      note: null,
      arguments: [
        { name: 'a', value: null },
        { name: 'b', value: { kind: 'null' } },
      ],
    };
    const { steps } = readPlan({ goal: 'g', blocks: [{ id: 'main', steps: [nulls] }] });
    expect(steps).toEqual([
      { id: 's', kind: 'call', tool: 'x', with: { b: { kind: 'literal', value: null } } },
    ]);
  });
});

describe('hostile plans', () => {
  const deep = (depth: number, wrap: (inner: unknown) => unknown, core: unknown): unknown => {
    let made = core;
    for (let i = 0; i < depth; i++) made = wrap(made);
    return made;
  };

  it.each<[string, unknown, string]>([
    [
      'deep steps',
      step({ if: 'true', then: deep(10_000, (inner) => [{ if: 'true', then: inner }], []) }),
      'steps nested deeper than 60',
    ],
    [
      'deep values',
      step({ let: 'x', be: deep(10_000, (inner) => ({ list: [inner] }), 1) }),
      'a value nested deeper than 60',
    ],
    [
      'deep data',
      step({ let: 'x', be: { literal: deep(10_000, (inner) => [inner], 1) } }),
      'data nested deeper than 60',
    ],
    ['deep expressions', step({ if: `${'('.repeat(10_000)}1`, then: [] }), 'deeper than 250'],
    [
      'deep blocks',
      {
        goal: 'g',
        blocks: Array.from({ length: 10_000 }, (_, i) => ({
          id: `${i}`,
          steps: [
            { id: `s${i}`, kind: 'forEach', in: { kind: 'json', json: '[]' }, item: `m${i}`, do: `${i + 1}` },
          ],
        })),
      },
      'a block nested deeper than 60',
    ],
    [
      'deep values that are named',
      {
        goal: 'g',
        blocks: [{ id: 'main', steps: [{ id: 'r', kind: 'return', value: { kind: 'value', value: '0' } }] }],
        values: Array.from({ length: 10_000 }, (_, i) => ({
          id: `${i}`,
          value: { kind: 'list', of: [{ kind: 'value', value: `${i + 1}` }] },
        })),
      },
      'a value nested deeper than 60',
    ],
    [
      'deep inner lists',
      {
        goal: 'g',
        blocks: [
          {
            id: 'main',
            steps: [
              {
                id: 'r',
                kind: 'return',
                value: deep(10_000, (inner) => ({ kind: 'list', of: [inner] }), { kind: 'null' }),
              },
            ],
          },
        ],
      },
      'nested deeper than 60',
    ],
    [
      'very many steps',
      { goal: 'g', steps: Array.from({ length: 100_000 }, () => ({ call: 'x' })) },
      'more than 20000 steps',
    ],
    [
      'a getter that throws',
      step({
        let: 'x',
        be: {
          literal: Object.defineProperty({}, 'a', {
            enumerable: true,
            get: () => {
              throw new TypeError('no');
            },
          }),
        },
      }),
      'data that cannot be read (no)',
    ],
    ['a long text', step({ let: 'x', be: 'a'.repeat(100_001) }), 'a text of 100001 characters'],
  ])('%s', (_, json, found) => {
    expect(problemsOf(json).some((problem) => problem.found.includes(found))).toBe(true);
  });

  it('of cyclic objects', () => {
    const list: unknown[] = [];
    list.push(list);
    expect(problemsOf(step({ let: 'x', be: { literal: list } }))[0].found).toContain('nested deeper');
  });

  it('may name arguments as prototypes do', () => {
    const json = JSON.parse(
      '{"goal":"g","steps":[{"id":"s","call":"x","with":{"__proto__":{"literal":{"__proto__":1}},"constructor":2}}]}',
    );
    const plan = readPlan(json);
    const [read] = plan.steps;
    expect(read.kind === 'call' && Object.keys(read.with)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(read.kind === 'call' && read.with)).toBe(Object.prototype);
    expect(planJson(plan)).toStrictEqual({ version: 1, inputs: {}, ...json });
  });

  it('keep at most 100 problems', () => {
    expect(problemsOf({ goal: 'g', steps: Array.from({ length: 5000 }, () => 1) })).toHaveLength(100);
  });

  it('of any JSON are read or refused', () => {
    const key = fc.constantFrom(
      ...'id goal steps call with as ask let be if then else forEach item do fold require return ref path literal list record text expr blocks kind value values __proto__'.split(
        ' ',
      ),
    );
    const json = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(key, tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(json, fc.array(json, { maxLength: 3 }), fc.boolean(), (any, steps, isFlat) => {
        problemsOf(any);
        problemsOf({ goal: 'g', [isFlat ? 'blocks' : 'steps']: steps });
      }),
      { numRuns: 150 },
    );
  });
});
