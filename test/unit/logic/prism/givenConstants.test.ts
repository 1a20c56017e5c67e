import { describe, expect, it } from 'vitest';
import {
  type GivenConstants,
  parseProperties,
  resolveConstants,
} from '../../../../bindings/languages/logic/index.js';

function value(declaration: string, given: GivenConstants[string]): string {
  const { constants, formulas, text } = parseProperties(`const ${declaration} x;`, { name: 'm' });
  const { exact, value } = resolveConstants(constants, formulas, { x: given }, text).get('x') ?? {};
  return exact ? exact.toString() : String(value);
}

describe('a constant given from outside', () => {
  it.each([
    ['double', '1/3', '1/3'],
    ['double', '1/1/3', '1/3'],
    ['double', '-0.25', '-1/4'],
    ['double', '1.5e-1', '3/20'],
    ['double', 1e-7, '1/10000000'],
    ['int', '2^10', '1024'],
    ['int', 4, '4'],
    ['bool', 'true', 'true'],
    ['bool', false, 'false'],
  ])('of type %s may be written %s', (type, given, expected) => {
    expect(value(type, given)).toBe(expected);
  });

  it.each([
    ['int', '1/3'],
    ['int', '0.5'],
    ['double', 'y'],
    ['double', '1/0'],
    ['double', ''],
    ['double', 'true'],
    ['double', Number.NaN],
    ['bool', '1'],
  ])('of type %s cannot be %s, and the message names it', (type, given) => {
    expect(() => value(type, given)).toThrow(/^constant x is given as .*; expected a value of type/);
  });
});
