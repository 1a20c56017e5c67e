import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotSupportedError, ParseError } from '../../../../bindings/base/errors.js';
import { parseProperties } from '../../../../bindings/languages/logic/index.js';

function read(source: string): { valid: string[]; invalid: string[] } {
  const { properties, invalid } = parseProperties(source, { skipInvalid: true });
  return { valid: properties.map(({ text }) => text), invalid: invalid.map(({ text }) => text) };
}

describe('parseProperties with skipInvalid', () => {
  it('reads on behind the semicolon that ends what it cannot read', () => {
    expect(read('P=? [ F ]; S=? [ a ]; R=? [ ; P=? [ X b ]')).toEqual({
      valid: ['S=? [ a ]', 'P=? [ X b ]'],
      invalid: ['P=? [ F ];', 'R=? [ ;'],
    });
  });

  it('reads on with the next line where no semicolon ends it', () => {
    expect(read('P=? [ F a\nP=? [ F b ]\nP=? ] c\n"d": P=? [ F d ]')).toEqual({
      valid: ['P=? [ F b ]', 'P=? [ F d ]'],
      invalid: ['P=? [ F a', 'P=? ] c'],
    });
  });

  it('leaves out what is read and not supported: bounds on rewards', () => {
    const source = 'P=? [ F^{rew{"cost"}<=3} a ];\n"b": P=? [ F{"cost"}<3 a ]\nP=? [ F b ]';
    const { properties, invalid } = parseProperties(source, { skipInvalid: true });
    expect(properties.map(({ text }) => text)).toEqual(['P=? [ F b ]']);
    expect(invalid.map(({ name }) => name)).toEqual([null, 'b']);
    for (const { error } of invalid) expect(error).toBeInstanceOf(NotSupportedError);
    expect(() => parseProperties(source)).toThrow(/properties:1:8: bounds on rewards/);
  });

  it('leaves out characters that begin no token with the property around them', () => {
    expect(read('P=? [ F a ];\nP=? [ F @ ];\nP=? [ F b ];\n"open\nP=? [ F c ]')).toEqual({
      valid: ['P=? [ F a ]', 'P=? [ F b ]', 'P=? [ F c ]'],
      invalid: ['P=? [ F @ ];', '"open'],
    });
  });

  it('leaves out the second of two properties of one name, and declarations that cannot be read', () => {
    expect(read('const int = 3;\n"p": P=? [ X a ];\n"p": P=? [ X b ];\nP=? [ X c ];')).toEqual({
      valid: ['P=? [ X a ]', 'P=? [ X c ]'],
      invalid: ['const int = 3;', 'P=? [ X b ];'],
    });
    const { invalid } = parseProperties('"p": P=? [ X ];\nP=? [ X ];', { skipInvalid: true });
    expect(invalid.map(({ name }) => name)).toEqual(['p', null]);
  });

  it.each([
    ['over several lines', '"b": P=? [ F\n   x=1\n   y ) ];\nP=? [ X c ]', ['P=? [ F\n   x=1\n   y ) ];']],
    ['with an operator that is none', 'Pmaxx=? [ F x=2 ];\nP=? [ X c ]', ['Pmaxx=? [ F x=2 ];']],
    ['never closed, before a name', 'P=? [ F (a\n"c": P=? [ X c ]', ['P=? [ F (a']],
    ['with a bracket too many', 'P=? [ F a ] )\nP=? [ X c ]', ['P=? [ F a ] )']],
    ['closed too early', 'P=? [ F a)\n  & b ];\nP=? [ X c ]', ['P=? [ F a)\n  & b ];']],
    ['that is empty', '"b": ;\nP=? [ X c ]', [';']],
    ['of brackets alone', ') ];\nP=? [ X c ]', [') ];']],
  ])('counts a property once: %s', (_, source, invalid) => {
    expect(read(source)).toEqual({ valid: ['P=? [ X c ]'], invalid });
  });

  it('says where and why in the error of each', () => {
    const { invalid } = parseProperties('P=? [ X a ]\n  P=? [ X ]', { name: 'a.props', skipInvalid: true });
    expect(invalid).toHaveLength(1);
    expect(invalid[0].place).toMatchObject({ line: 2, column: 3 });
    expect(invalid[0].error).toBeInstanceOf(ParseError);
    expect(invalid[0].error.message).toContain('a.props:2:11');
  });

  it('still throws without being asked to skip', () => {
    expect(() => parseProperties('P=? [ F ]; S=? [ a ]')).toThrow(ParseError);
  });

  it('keeps every property on a line of its own, whatever stands on the lines between', () => {
    const line = fc.string({ unit: fc.constantFrom(...'P=?[] Fab"@;()<>!&|0.3{}:\''), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (junk) => {
        const source = ['P=? [ X first ];', ...junk, ';', 'P=? [ X last ];'].join('\n');
        const { valid } = read(source);
        expect(valid[0]).toBe('P=? [ X first ]');
        expect(valid.at(-1)).toBe('P=? [ X last ]');
      }),
    );
  });
});
