import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ParseError } from '../../../bindings/base/errors.js';
import {
  freeNames,
  freePaths,
  parseExpression,
  usesMatches,
} from '../../../bindings/languages/expression/index.js';

function failure(source: string): ParseError {
  try {
    parseExpression(source, { name: 'predicate "p"' });
  } catch (error) {
    expect(error).toBeInstanceOf(ParseError);
    return error as ParseError;
  }
  throw new Error(`no error for ${source}`);
}

describe('parseExpression', () => {
  it('binds operators as CEL does', () => {
    const { root } = parseExpression('a || b && !c == d + e * -f.g ? x : y');
    expect(root).toMatchObject({
      kind: 'conditional',
      condition: {
        operator: '||',
        operands: [
          { name: 'a' },
          {
            operator: '&&',
            operands: [
              { name: 'b' },
              {
                operator: '==',
                left: { operator: '!', operand: { name: 'c' } },
                right: {
                  operator: '+',
                  left: { name: 'd' },
                  right: {
                    operator: '*',
                    left: { name: 'e' },
                    right: { operator: '-', operand: { kind: 'field', field: 'g' } },
                  },
                },
              },
            ],
          },
        ],
      },
    });
  });

  it('groups operators of one level from the left', () => {
    expect(parseExpression('a - b - c').root).toMatchObject({
      left: { operator: '-', left: { name: 'a' }, right: { name: 'b' } },
      right: { name: 'c' },
    });
  });

  it('keeps a chain of && as one node and parentheses as a node of their own', () => {
    expect(parseExpression('a && b && c').root).toMatchObject({ operands: [{}, {}, { name: 'c' }] });
    expect(parseExpression('a && (b && c)').root).toMatchObject({ operands: [{}, { kind: 'logical' }] });
  });

  it('gives every node its place, counted from 1', () => {
    const { root } = parseExpression('speed > 1 && // fast\n  light == "a\\n"');
    expect(root).toMatchObject({
      place: { line: 1, column: 11, offset: 10 },
      operands: [
        { place: { line: 1, column: 7, offset: 6 } },
        { left: { place: { line: 2, column: 3 } }, right: { place: { line: 2, column: 12 } } },
      ],
    });
  });

  it('counts lines inside and after strings of several lines', () => {
    expect(parseExpression('"""a\nb""" == c').root).toMatchObject({
      right: { place: { line: 2, column: 9 } },
    });
  });

  it.each<[string, unknown]>([
    ['12', 12],
    ['0x1F', 31],
    ['1.5e3', 1500],
    ['2E-2', 0.02],
    ['.5', 0.5],
    ['007', 7],
    ['"a\\tb\\"\\\'"', 'a\tb"\''],
    ["'it\"s'", 'it"s'],
    ['"\\x41\\u00e9\\U0001F600\\101\\?\\a\\v\\`"', 'Aé😀A?\x07\v`'],
    [String.raw`r"\d"`, '\\d'],
    [String.raw`R'\'`, '\\'],
    ['"""a "quoted"\nline"""', 'a "quoted"\nline'],
    ["'''it's'''", "it's"],
    ['"// no comment"', '// no comment'],
    ['true', true],
    ['false', false],
    ['null', null],
  ])('reads the literal %s', (source, value) => {
    expect(parseExpression(source).root).toMatchObject({ kind: 'literal', value });
  });

  it.each<[string, number, number, string, string]>([
    ['', 1, 1, 'the end', 'an expression'],
    ['a b', 1, 3, '"b"', 'an operator or the end'],
    ['(a', 1, 3, 'the end', '")"'],
    ['a &&\n  ', 2, 3, 'the end', 'an expression'],
    ['a = b', 1, 3, '"="', '"==" to compare'],
    ['a & b', 1, 3, '"&"', '"&&"'],
    ['a # b', 1, 3, '"#"', 'a literal, a name or an operator'],
    ['a.1', 1, 2, '".1"', 'an operator or the end'],
    ['a.', 1, 3, 'the end', 'a field name or a function'],
    ['a["k"', 1, 6, 'the end', '"]"'],
    ['[a b]', 1, 4, '"b"', '"," or "]"'],
    ['size(a,)', 1, 8, '")"', 'an argument'],
    ['{"a" 1}', 1, 6, '"1"', '":"'],
    ['a ? b', 1, 6, 'the end', '":"'],
    ['a ? b ? c : d : e', 1, 7, '"?"', '":"'],
    ['10u', 1, 1, '"10u"', 'a number without suffix'],
    ['1e999', 1, 1, '"1e999"', 'a number below 1.8e308'],
    ['"abc', 1, 1, 'a string without its end', 'the closing "'],
    ['"a\nb"', 1, 1, 'a string without its end', 'the closing "'],
    ['"\\q"', 1, 2, 'the escape', 'one of \\n'],
    ['"\\u12"', 1, 2, 'the escape', 'one of \\n'],
    ['"\\ud800"', 1, 2, 'the escape of code point d800', 'outside d800..dfff'],
    ['"\\U00110000"', 1, 2, 'the escape of code point 00110000', 'up to 10ffff'],
    ['"\ud800"', 1, 2, 'half of a surrogate pair', 'Unicode text'],
    ['b"x"', 1, 1, 'a bytes literal', 'a string'],
    ['while', 1, 1, '"while"', 'reserved word'],
    ['has(a)', 1, 1, 'has without a field', 'has(a.b)'],
    ['has(a.b, c)', 1, 1, 'has without a field', 'has(a.b)'],
    ['l.exits(x, x)', 1, 3, 'the unknown function "exits"', 'exists'],
    [
      'toString()',
      1,
      1,
      'the unknown function "toString"',
      'one of size, sum, matches, domainOf, localPart, ',
    ],
    ['a.constructor()', 1, 3, 'the unknown function "constructor"', 'one of size'],
    ['a.startsWith()', 1, 3, '0 arguments of startsWith', '1'],
    ['size(a, b)', 1, 1, '2 arguments of size', '1'],
    ['l.exists(1, x)', 1, 10, '"1"', 'the name of a variable'],
    ['l.exists(in, x)', 1, 10, '"in"', 'the name of a variable'],
    ['l.all(x)', 1, 8, '")"', '","'],
  ])('says what it found in %j, where, and what it expected', (source, line, column, found, expected) => {
    const error = failure(source);
    expect(error).toMatchObject({ source: 'predicate "p"', line, column });
    expect(error.message).toContain(`predicate "p":${line}:${column}: found ${found}`);
    expect(error.expected).toContain(expected);
    expect(error.message).toContain(error.expected);
  });

  it.each([
    ['parentheses', `${'('.repeat(50_000)}a${')'.repeat(49_000)}`],
    ['negations', '!'.repeat(99_000)],
    ['minus signs', `${'-'.repeat(99_000)}a`],
    ['brackets', '['.repeat(99_000)],
    ['indices', `a${'[0]'.repeat(33_000)}`],
    ['fields', `a${'.b'.repeat(49_000)}`],
    ['conditionals', `${'a?b:'.repeat(20_000)}c`],
    ['sums', `1${'+1'.repeat(49_000)}`],
    ['macros', 'l.all(x,'.repeat(9000)],
    ['calls', 'size('.repeat(19_000)],
  ])('refuses 250 and more levels of %s with a place', (_, source) => {
    expect(failure(source)).toMatchObject({ line: 1, expected: 'a flatter expression' });
  });

  it('refuses more than 100,000 characters', () => {
    expect(failure(`"${'x'.repeat(100_000)}"`).expected).toBe('at most 100000 characters');
  });

  it('accepts chains of thousands of conditions', () => {
    const { root } = parseExpression(Array.from({ length: 5000 }, (_, i) => `a${i}`).join(' || '));
    expect(root).toMatchObject({ operands: { length: 5000 } });
  });

  it('throws nothing but ParseError, whatever the text', () => {
    const piece = fc.constantFrom(
      'a',
      '1',
      '"',
      "'",
      '(',
      ')',
      '[',
      ']',
      '.',
      '&&',
      '!',
      '?',
      ':',
      ' ',
      '\n',
      '\\',
      'in',
    );
    const source = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 12 }).map((p) => p.join('')),
    );
    fc.assert(
      fc.property(source, (text) => {
        try {
          parseExpression(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
          expect((error as ParseError).line).toBeGreaterThan(0);
          expect((error as ParseError).column).toBeGreaterThan(0);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('what an expression reads', () => {
  const expression = parseExpression(
    'objects.exists(o, o.isOpen && limit.of[index] > o.size) && has(action.name) && from.a && from.b && o.c && from.a',
  );

  it('lists paths from outside with their first place, without the variables of macros', () => {
    expect(freePaths(expression).map(({ path }) => path)).toEqual([
      'objects',
      'limit.of',
      'index',
      'action.name',
      'from.a',
      'from.b',
      'o.c',
    ]);
    expect(freePaths(expression)[1].place).toMatchObject({ line: 1, column: 31 });
  });

  it('lists names from outside once', () => {
    expect(freeNames(expression)).toEqual(['objects', 'limit', 'index', 'action', 'from', 'o']);
  });

  it('knows whether matches is called', () => {
    expect(usesMatches(parseExpression('a && l.exists(x, x.matches("b"))'))).toBe(true);
    expect(usesMatches(parseExpression('a.matches == "matches"'))).toBe(false);
  });
});
