import { describe, expect, it } from 'vitest';
import { ParseError } from '../../../bindings/base/errors.js';
import {
  checkExpression,
  checkPredicate,
  type FieldsSchema,
  parseExpression,
} from '../../../bindings/languages/expression/index.js';

const schema: FieldsSchema = {
  speed: 'number',
  name: 'string',
  clear: 'boolean',
  extra: 'any',
  lanes: ['number'],
  objects: [{ objectType: 'string', isOpen: 'boolean', parentReceptacles: ['string'] }],
  position: { x: 'number', y: 'number' },
};

describe('checkExpression', () => {
  it.each([
    ['speed + 1', 'number'],
    ['-speed * lanes[0] % 2', 'number'],
    ['name + "!"', 'string'],
    ['name < "b"', 'boolean'],
    ['speed > 0.5 && !clear || name.startsWith("a")', 'boolean'],
    ['clear ? speed : 1', 'number'],
    ['clear ? speed : name', 'any'],
    ['extra.anything[0]["k"] + 1', 'number'],
    ['extra', 'any'],
    ['null == name', 'boolean'],
    ['size(objects) + name.size()', 'number'],
    ['position["x"]', 'number'],
    ['"x" in position && 3 in lanes', 'boolean'],
    ['has(position.x)', 'boolean'],
    ['time + 1', 'number'],
    ['action.name', 'string'],
    ['action.arguments.to', 'any'],
    ['objects.exists(o, o.objectType == "Fork" && "Microwave" in o.parentReceptacles)', 'boolean'],
    ['position.all(key, key == "x")', 'boolean'],
    ['objects[0].isOpen', 'boolean'],
  ])('gives %s the type %s', (source, type) => {
    expect(checkExpression(parseExpression(source), schema)).toBe(type);
  });

  it('gives lists the type of their elements', () => {
    expect(checkExpression(parseExpression('objects.map(o, o.isOpen)'), schema)).toEqual(['boolean']);
    expect(checkExpression(parseExpression('lanes.filter(l, l > 1) + [2]'), schema)).toEqual(['number']);
    expect(checkExpression(parseExpression('[1, "a"]'), schema)).toEqual(['any']);
  });

  it.each<[string, number, string, string]>([
    ['sped > 1', 1, 'found unknown field "sped" (did you mean "speed"?)', 'one of speed, name'],
    ['constructor == 1', 1, 'found unknown field "constructor"', 'one of speed'],
    ['position.z > 1', 10, 'found unknown field "z"', 'one of x, y'],
    ['position["z"] > 1', 9, 'found unknown field "z"', 'one of x, y'],
    ['has(position.z)', 1, 'found unknown field "z"', 'one of x, y'],
    [
      'objects.exists(o, o.isOpn)',
      21,
      'found unknown field "isOpn" (did you mean "isOpen"?)',
      'one of objectType',
    ],
    ['objects.isOpen', 9, 'found field "isOpen" of a list', 'a map'],
    ['speed.x', 7, 'found field "x" of a number', 'a map'],
    ['action.nme', 8, 'found unknown field "nme" (did you mean "name"?)', 'one of name, arguments'],
    ['speed == "a"', 7, 'found a number == a string', 'two values of one type'],
    ['objects == position', 9, 'found a list == a map', 'two values of one type'],
    ['speed < name', 7, 'found a number < a string', 'two values of one type'],
    ['objects < objects', 1, 'found a list', 'a number, a string or a Boolean'],
    ['speed + name', 7, 'found a number + a string', 'two values of one type'],
    ['name - 1', 1, 'found a string', 'a number'],
    ['-name', 2, 'found a string', 'a number'],
    ['!speed', 2, 'found a number', 'a Boolean'],
    ['clear && speed', 10, 'found a number', 'a Boolean'],
    ['speed ? 1 : 2', 1, 'found a number', 'a Boolean'],
    ['"a" in lanes', 5, 'found a string in a list of a number each', 'a value of their type'],
    ['1 in position', 1, 'found a number', 'a string as key'],
    ['1 in name', 6, 'found a string', 'a list or a map'],
    ['lanes["a"]', 7, 'found a string', 'a number as index'],
    ['position[0]', 10, 'found a number', 'a string as key'],
    ['name[0]', 1, 'found a string', 'a list or a map'],
    ['size(speed)', 6, 'found a number', 'a string, a list or a map'],
    ['name.matches(1)', 14, 'found a number', 'a string'],
    ['speed.startsWith("a")', 1, 'found a number', 'a string'],
    ['speed.exists(x, true)', 1, 'found a number', 'a list or a map'],
    ['lanes.all(x, x)', 14, 'found a number', 'a Boolean'],
    ['{1: 2} == {}', 2, 'found a number', 'a string as key'],
  ])('refuses %s at its place', (source, column, found, expected) => {
    const check = () => checkExpression(parseExpression(source, { name: 'p' }), schema);
    expect(check).toThrow(ParseError);
    expect(check).toThrow(`p:1:${column}: ${found}`);
    expect(check).toThrow(
      expect.objectContaining({ line: 1, column, expected: expect.stringContaining(expected) }),
    );
  });

  it('checks what literals and operators say where there is no schema', () => {
    expect(checkExpression(parseExpression('anything.at[0].all(x, x > 1)'))).toBe('boolean');
    expect(() => checkExpression(parseExpression('anything && 1 + 1'))).toThrow(
      'found a number, expected a Boolean',
    );
  });
});

describe('checkPredicate', () => {
  it('accepts what is or may be Boolean and refuses the rest', () => {
    expect(() => checkPredicate(parseExpression('speed > 1'), schema)).not.toThrow();
    expect(() => checkPredicate(parseExpression('extra'), schema)).not.toThrow();
    expect(() => checkPredicate(parseExpression('speed'), schema)).toThrow(
      '1:1: found a number, expected a Boolean',
    );
    expect(() => checkPredicate(parseExpression('objects'), schema)).toThrow(
      '1:1: found a list, expected a Boolean',
    );
  });
});
