import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EvaluationError, ParseError } from '../../../bindings/base/errors.js';
import {
  compileExpression,
  compilePredicate,
  parseExpression,
} from '../../../bindings/languages/expression/index.js';
import { garbageOf } from '../../garbage.js';

const state = JSON.parse(`{
  "speed": 1.5, "light": 3, "clear": true, "name": "añ😀b", "nothing": null,
  "list": [1, "a", null, [2], {"k": 1}], "map": {"k": 1, "constructor": 2, "__proto__": 3, "length": 4},
  "objects": [
    {"objectType": "Fork", "isOpen": false, "parentReceptacles": ["Microwave"]},
    {"objectType": "Mug", "parentReceptacles": null},
    {"objectType": "Microwave", "isOpen": true, "parentReceptacles": []}
  ]
}`);

function evaluate(source: string, context = {}): unknown {
  return compileExpression(parseExpression(source))(state, context);
}

function failure(run: () => unknown): EvaluationError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(EvaluationError);
    return error as EvaluationError;
  }
  throw new Error('no error');
}

describe('compileExpression', () => {
  it.each<[string, unknown]>([
    ['speed > 1', true],
    ['1 > speed', false],
    ['1.5 >= speed', true],
    ['speed == 1.5', true],
    ['speed != 1.5', false],
    ['speed > -1.5', true],
    ['light + 1 == 4', true],
    ['"a" == name', false],
    ['nothing == null', true],
    ['light == null', false],
    ['clear ? "yes" : "no"', 'yes'],
    ['-light', -3],
    ['7 / 2', 3.5],
    ['-7 % 3', -1],
    ['1 / 0', Number.POSITIVE_INFINITY],
    ['"ab" + "c"', 'abc'],
    ['[1] + ["a"]', [1, 'a']],
    ['[1, [2]] == [1, [2]]', true],
    ['{"a": [1]} == {"a": [1]}', true],
    ['{"a": 1} == {"b": 1}', false],
    ['list[3][0]', 2],
    ['list[4].k', 1],
    ['map["k"]', 1],
    ['map["constructor"]', 2],
    ['map["__proto__"] + map.length', 7],
    ['map.constructor', 2],
    ['null in list', true],
    ['[2] in list', true],
    ['"b" in list', false],
    ['"k" in map', true],
    ['"toString" in map', false],
    ['3 in map', false],
    ['has(map.k) && has(map.constructor) && !has(map.toString)', true],
    ['has(objects[1].parentReceptacles)', true],
    ['size(name) == 4 && name.size() == 4', true],
    ['size(list) + size(map)', 9],
    ['name.startsWith("añ") && name.endsWith("b") && name.contains("😀")', true],
    ['"\uffff" < "😀"', true],
    ['"a" < "ab" && "b" > "ab" && "" <= ""', true],
    ['false < true', true],
    ['objects.exists(o, o.objectType == "Fork" && "Microwave" in o.parentReceptacles)', true],
    ['objects.exists(o, o.objectType == "Knife")', false],
    ['objects.exists(o, "Fork" == o.objectType)', true],
    ['objects.exists(o, o.isOpen && o.objectType == "Microwave")', true],
    ['objects.all(o, o.objectType != "Knife")', true],
    ['objects.exists_one(o, o.objectType == "Fork")', true],
    ['objects.exists_one(o, o.objectType != "Fork")', false],
    ['objects.filter(o, has(o.isOpen)).map(o, o.objectType)', ['Fork', 'Microwave']],
    ['map.filter(key, key.size() == 1)', ['k']],
    ['[].all(x, x) && ![].exists(x, x)', true],
    ['[1, 2].all(x, [2, 3].exists(y, y > x && [x].exists(x, x < y)))', true],
    [
      '[1, 2].map(x, [10, 20].map(y, x + y))',
      [
        [11, 21],
        [12, 22],
      ],
    ],
    ['[1, 2].map(speed, speed)', [1, 2]],
    ['[[1, 2], [3]].map(x, x.map(x, x * 2))', [[2, 4], [6]]],
    // Null says that nothing is there, so it compares with all; lists may be mixed, so what they hold is quietly unequal.
    ['nothing == 1 || nothing == "a" || nothing == true || nothing == [] || nothing == map', false],
    ['nothing != 1 && "a" != nothing && nothing == null', true],
    ['clear in [1, "true"] || light in ["3"] || [1] == ["1"] || {"a": 1} == {"a": true}', false],
    ['(light == "3" && speed > 100) || clear', true],
  ])('gives %s its value', (source, value) => {
    expect(evaluate(source)).toEqual(value);
  });

  it('reads time and action beside the state, which has no say in them', () => {
    const evaluate = compileExpression(
      parseExpression('time > 2 && action.name == "pour" && action.arguments.to == "cup"'),
    );
    const step = { state: {}, time: 3, action: { name: 'pour', arguments: { to: 'cup' } } };
    expect(evaluate({ time: 1, action: null }, step)).toBe(true);
    expect(failure(() => evaluate({ time: 1 }, {})).message).toContain('the step has no time');
  });

  it('lets has ask whether there is an action', () => {
    expect(evaluate('has(action.name) && action.name == "pour"')).toBe(false);
    expect(evaluate('has(action.name)', { action: { name: 'x' } })).toBe(true);
    expect(evaluate('[{"name": 1}].all(action, has(action.name))')).toBe(true);
  });

  it.each<[string, number, string]>([
    ['sped > 1', 1, 'the state has no field "sped"; did you mean "speed"?'],
    ['clear && absent == "x"', 10, 'the state has no field "absent"'],
    ['constructor == 1', 1, 'the state has no field "constructor"'],
    ['__proto__ == 1', 1, 'the state has no field "__proto__"'],
    ['toString == "x"', 1, 'the state has no field "toString"'],
    ['length > 1', 1, 'no field "length"'],
    ['map.valueOf', 5, 'found no field "valueOf"'],
    ['objects.all(o, o.hasOwnProperty == 1)', 18, 'found no field "hasOwnProperty"'],
    ['list.length == 5', 6, '".length" found a list of 5, expected a map'],
    ['name.length', 6, '".length" found the string "añ😀b", expected a map'],
    ['nothing.field', 9, '".field" found null, expected a map'],
    ['list.exists(x, x.k == "v")', 18, '".k" found the number 1, expected a map'],
    ['list[5]', 5, '"[]" found a list of 5 and the number 5, expected an element there is'],
    ['list[-1]', 5, '"[]" found a list of 5 and the number -1'],
    ['list[0.5]', 5, 'expected a list and an integral number'],
    ['list["length"]', 5, 'expected a list and an integral number'],
    ['map["toString"]', 4, 'expected an element there is'],
    ['name[0]', 5, '"[]" found the string'],
    ['speed + "a"', 7, '"+" found the number 1.5 and the string "a", expected two numbers'],
    [
      'light % 0',
      7,
      '"%" found the number 3 and the number 0, expected two integral numbers, the second not 0',
    ],
    ['speed % 2', 7, 'expected two integral numbers'],
    ['speed < "a"', 7, '"<" found the number 1.5 and the string "a"'],
    ['clear < 1', 7, '"<" found the boolean true and the number 1'],
    ['nothing < nothing', 9, '"<" found null and null'],
    ['"a" in name', 5, '"in" found'],
    ['null in map', 6, '"in" found null and a map'],
    ['!speed', 1, '"!" found the number 1.5, expected a Boolean'],
    ['-clear', 1, '"-" found the boolean true, expected a number'],
    ['speed && true', 7, '"&&" found the number 1.5, expected a Boolean'],
    ['false || nothing', 7, '"||" found null, expected a Boolean'],
    ['speed ? 1 : 2', 7, '"?:" found the number 1.5, expected a Boolean'],
    ['size(speed)', 1, '"size" found the number 1.5, expected a string, a list or a map'],
    ['name.contains(speed)', 6, '"contains" found'],
    ['speed.exists(x, true)', 7, '"exists" found the number 1.5, expected a list or a map'],
    ['objects.exists(o, o.isOpen && o.objectType == "Mug")', 21, 'found no field "isOpen"'],
    ['list.all(x, x)', 6, '"all" found the number 1, expected a Boolean'],
    ['list.filter(x, x in [1] || x)', 25, '"||" found the string "a", expected a Boolean'],
    ['light == "3"', 7, '"==" found the number 3 and the string "3", expected two values of one kind'],
    ['light != "3"', 7, '"!=" found the number 3 and the string "3"'],
    ['"3" == light', 5, '"==" found the string "3" and the number 3'],
    ['clear == 1', 7, '"==" found the boolean true and the number 1'],
    ['list == 5', 6, '"==" found a list of 5 and the number 5'],
    ['map == list', 5, '"==" found a map and a list of 5'],
    ['[1] == {"a": 1}', 5, '"==" found a list of 1 and a map'],
    ['list.exists(x, x == 7)', 18, '"==" found the string "a" and the number 7'],
    ['has(name.x)', 1, '"has" found the string'],
    ['{"a": 1, "a": 2}', 1, 'a map found the string "a", expected string keys, each once'],
    ['{1: 2}', 1, 'a map found the number 1, expected string keys'],
  ])('fails on %s at its place', (source, column, message) => {
    const error = failure(() => evaluate(source));
    expect(error.message).toContain(`expression:1:${column}: `);
    expect(error.message).toContain(message);
  });

  it.each([
    ['gap < 2', '"<" found that gap is NaN, expected a number'],
    ['gap >= 2', '">=" found that gap is NaN'],
    ['2 >= gap', '">=" found that gap is NaN'],
    ['gap == 2', '"==" found that gap is NaN'],
    ['gap != 2', '"!=" found that gap is NaN'],
    ['gap != "far"', '"!=" found that gap is NaN'],
    ['gap == gap', '"==" found that gap is NaN'],
    ['speed < gap', '"<" found that gap is NaN'],
    ['car.gap + 1 > speed', '">" found that car.gap + 1 is NaN'],
    ['gap in [1, 2]', '"in" found that gap is NaN'],
    ['[car].exists(c, c.gap < 2)', '"<" found that c.gap is NaN'],
    ['!(gap < 2) && true', '"<" found that gap is NaN'],
    ['0 / 0 <= 1', '"<=" found that 0 / 0 is NaN'],
  ])('fails on %s where a number is NaN, naming what is', (source, message) => {
    const unmeasured = { speed: 1, gap: Number.NaN, car: { gap: Number.NaN } };
    const predicate = compilePredicate(parseExpression(source), 'near');
    const error = failure(() => predicate(unmeasured, {}));
    expect(error.predicate).toBe('near');
    expect(error.message).toContain(message);
  });

  it('decides a connective without the part that compares NaN, where the other part decides it', () => {
    const unmeasured = { speed: 1, gap: Number.NaN };
    const value = (source: string) => compileExpression(parseExpression(source))(unmeasured, {});
    expect(value('gap < 2 && speed > 5')).toBe(false);
    expect(value('gap < 2 || speed > 0')).toBe(true);
  });

  it('takes inherited and undefined fields for absent', () => {
    const inherited = Object.create({ speed: 5, clear: true, name: 'a' });
    for (const source of ['speed > 1', 'clear', 'name == "a"']) {
      expect(failure(() => compileExpression(parseExpression(source))(inherited, {})).message).toMatch(
        /no field/,
      );
    }
    for (const source of [
      '[o].exists(x, x.speed > 1)',
      '[o].exists(x, x.name == "b")',
      'o.speed == 5',
      'o.clear',
    ]) {
      expect(failure(() => compileExpression(parseExpression(source))({ o: inherited }, {})).message).toMatch(
        /no field/,
      );
    }
    expect(failure(() => compileExpression(parseExpression('x == 1'))({ x: undefined }, {})).message).toMatch(
      /no field/,
    );
    expect(compileExpression(parseExpression('has(o.x)'))({ o: { x: undefined } }, {})).toBe(false);
  });

  it('compares values too deep for the stack with an error of its own', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const run = compileExpression(parseExpression('a == b'));
    expect(failure(() => run({ a: JSON.parse(deep), b: JSON.parse(deep) }, {})).message).toContain(
      'evaluation failed',
    );
  });

  it('does not keep the last element of a macro for the next evaluation', () => {
    const run = compileExpression(parseExpression('l.exists(x, x.a == "b")'));
    expect(run({ l: [{ a: 'b' }] }, {})).toBe(true);
    expect(run({ l: [] }, {})).toBe(false);
  });
});

describe('failures in conditions', () => {
  const operand = fc.constantFrom('true', 'false', 'absent', '1', 'nothing', 'map.x', 'clear');
  const outcome = (source: string): unknown => {
    try {
      return evaluate(source);
    } catch (error) {
      return (error as Error).name;
    }
  };

  it('are absorbed by && beside false and by || beside true, on either side and in any grouping', () => {
    fc.assert(
      fc.property(fc.array(operand, { minLength: 2, maxLength: 9 }), fc.nat(), (operands, split) => {
        for (const [operator, deciding] of [
          ['&&', 'false'],
          ['||', 'true'],
        ] as const) {
          const values = operands.map((source) => (source === 'clear' ? 'true' : source));
          const expected = values.includes(deciding)
            ? deciding === 'true'
            : values.every((value) => value === 'true' || value === 'false')
              ? deciding !== 'true'
              : 'EvaluationError';
          expect(outcome(operands.join(` ${operator} `))).toBe(expected);
          const at = 1 + (split % (operands.length - 1));
          const groups = [operands.slice(0, at), operands.slice(at)].map(
            (part) => `(${part.join(` ${operator} `)})`,
          );
          expect(outcome(groups.join(` ${operator} `))).toBe(expected);
        }
      }),
    );
  });

  it('are absorbed by exists and all as by the disjunction and conjunction of their elements', () => {
    const element = fc.constantFrom('true', 'false', 'null', '1');
    fc.assert(
      fc.property(fc.array(element, { minLength: 2, maxLength: 5 }), (elements) => {
        expect(outcome(`[${elements}].exists(x, x)`)).toBe(outcome(elements.join(' || ')));
        expect(outcome(`[${elements}].all(x, x)`)).toBe(outcome(elements.join(' && ')));
      }),
    );
  });

  it('are not absorbed by exists_one, filter and map', () => {
    for (const macro of ['exists_one', 'filter', 'map']) {
      expect(outcome(`[true, 1].${macro}(x, x && true)`)).toBe('EvaluationError');
    }
  });

  it('leave the branch that is not taken alone', () => {
    expect(evaluate('true ? 1 : absent')).toBe(1);
    expect(evaluate('false ? absent : 2')).toBe(2);
  });
});

describe('a comparison of a field', () => {
  const value = fc.oneof(
    fc.double(),
    fc.integer({ min: -2, max: 2 }),
    fc.constantFrom('a', '', 'b', true, null),
  );
  const constant = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constantFrom('a', '', 'b'));
  const operator = fc.constantFrom('==', '!=', '<', '<=', '>', '>=');
  const outcome = (source: string, x: unknown): unknown => {
    try {
      return compileExpression(parseExpression(source))({ x, o: [{ x }] }, {});
    } catch (error) {
      // What is named differs with how it is written: x, e.x, [x][0].
      return (error as Error).message
        .replace(/^.*?: /, '')
        .replace(/found that \S+ is NaN/, 'found that … is NaN');
    }
  };

  it('with a constant is that of two expressions, for the state and for elements of lists', () => {
    fc.assert(
      fc.property(value, operator, constant, (x, compare, c) => {
        const general = outcome(`[x][0] ${compare} ${JSON.stringify(c)}`, x);
        expect(outcome(`x ${compare} ${JSON.stringify(c)}`, x)).toBe(general);
        expect(outcome(`o.exists(e, e.x ${compare} ${JSON.stringify(c)})`, x)).toBe(general);
        const turned = outcome(`${JSON.stringify(c)} ${compare} [x][0]`, x);
        expect(outcome(`${JSON.stringify(c)} ${compare} x`, x)).toBe(turned);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('compilePredicate', () => {
  it('carries the name of the predicate in its errors', () => {
    const expression = parseExpression('sped > 1', { name: 'predicate "moving"' });
    const error = failure(() => compilePredicate(expression, 'moving')(state, {}));
    expect(error.predicate).toBe('moving');
    expect(error.message).toBe(
      'predicate "moving":1:1: the state has no field "sped"; did you mean "speed"?',
    );
  });

  it('refuses an expression that cannot be Boolean before it runs', () => {
    expect(() => compilePredicate(parseExpression('speed + 1'))).toThrow(ParseError);
    expect(() => compilePredicate(parseExpression('speed + 1'))).toThrow(
      '1:7: found a number, expected a Boolean',
    );
  });

  it('refuses a value that turns out not to be Boolean', () => {
    expect(failure(() => compilePredicate(parseExpression('speed'))(state, {})).message).toContain(
      'the predicate found the number 1.5, expected a Boolean',
    );
  });

  it('fails on a state that is no object', () => {
    const run = compilePredicate(parseExpression('speed > 1'));
    for (const bad of [null, undefined, 3, 'speed', []]) {
      expect(failure(() => run(bad as never, {})).message).toMatch(/expected a map|no field/);
    }
  });
});

describe('the hot path', () => {
  it('allocates nothing for comparisons, Boolean operators and exists', async () => {
    const sources = [
      'speed > 0.5',
      'distance < 20 && acceleration >= 0.25',
      'light == 3 || !clear',
      'clear ? lane != 1 : false',
      'objects.exists(o, o.objectType == "Fork" && "Microwave" in o.parentReceptacles)',
      'objects.all(o, o.weight < 2.5)',
      'absent > 1 || clear',
    ];
    const states = Array.from({ length: 16 }, (_, i) => ({
      speed: i / 7,
      distance: i * 3.1,
      acceleration: i / 32,
      light: i % 4,
      lane: 2,
      clear: true,
      objects: Array.from({ length: 3 }, (_, j) => ({
        objectType: ['Fork', 'Mug', 'Pan'][j],
        weight: j / 3,
        parentReceptacles: ['Microwave'],
      })),
    }));
    const context = {};
    let holding = 0;
    const { collections } = await garbageOf(async () => {
      const { compilePredicate, parseExpression } = await import(
        '../../../bindings/languages/expression/index.js'
      );
      const predicates = sources.map((source) => compilePredicate(parseExpression(source)));
      const evaluateAll = (times: number): void => {
        for (let i = 0; i < times; i++) {
          const state = states[i % states.length];
          for (let j = 0; j < predicates.length; j++) if (predicates[j](state, context)) holding++;
        }
      };
      evaluateAll(100_000);
      return () => () => evaluateAll(500_000);
    }, Number.POSITIVE_INFINITY);
    expect(holding).toBeGreaterThan(0);
    // One double copied to the heap per evaluation would be at least 40 MB, and many collections.
    expect(collections).toBe(0);
  });
});

describe('what is no data', () => {
  class Computing {
    readonly own = 1;
    get lethal(): boolean {
      return true;
    }
  }
  const foreign: [string, unknown][] = [
    ['a set', new Set([{ lethal: true }, 'read'])],
    ['a map', new Map([['read', { lethal: true }]])],
    ['a promise', Promise.resolve([{ lethal: true }])],
    ['an iterator', [{ lethal: true }].values()],
    ['bytes', new Uint8Array(2)],
    ['a date', new Date(0)],
    ['a text in an object', new String('read')],
    ['an instance whose class computes', new Computing()],
  ];

  it.each(foreign)('is no map without fields: %s', (_, items) => {
    for (const source of [
      'items.exists(o, o.lethal)',
      'items.all(o, o == "a")',
      'size(items) < 3',
      '"read" in items',
      'has(items.lethal)',
      'items.lethal',
      'items == []',
      'items != {}',
      'items == items',
      'items in [1, 2]',
      '"a" in [items]',
      '1 in [items]',
      '[1, items] == [1, 2]',
      '{"a": items} == {"a": {}}',
    ]) {
      expect(
        failure(() => compileExpression(parseExpression(source))({ items }, {})).message,
        source,
      ).toBeTruthy();
    }
  });

  it('does not keep from deciding what is decided without it', () => {
    const items = new Set();
    for (const source of ['1 in [items, 1]', '"a" in [items, "a"]', '[1, items] != [2, 2]', '[items] != []'])
      expect(compileExpression(parseExpression(source))({ items }, {}), source).toBe(true);
  });

  it('are functions, symbols and integers without end, too', () => {
    for (const x of [() => 1, Symbol('x'), 5n])
      expect(failure(() => compileExpression(parseExpression('x == 5'))({ x }, {})).message).toMatch(
        /found a/,
      );
  });

  it('is not: a record of another realm, one without prototype, own fields of an instance', () => {
    const foreignRecord = runInNewContext('({ items: { read: true } })');
    const bare = Object.assign(Object.create(null), {
      items: Object.assign(Object.create(null), { read: 1 }),
    });
    for (const record of [foreignRecord, bare])
      expect(compileExpression(parseExpression('"read" in items && size(items) == 1'))(record, {})).toBe(
        true,
      );
    const instance = { o: new Computing() };
    for (const source of ['o.own == 1', 'has(o.own)', 'o["own"] == 1', '"own" in o'])
      expect(compileExpression(parseExpression(source))(instance, {}), source).toBe(true);
  });
});
