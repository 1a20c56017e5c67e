import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSyntaxFault } from '../../../bindings/observations/trace/jsonSyntax.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON text with a few characters changed, so that faults of every kind come up. */
const damagedJson = fc
  .tuple(
    fc.json(),
    fc.array(
      fc.record({
        at: fc.nat(),
        remove: fc.nat(2),
        insert: fc.constantFrom('', ...'{}[]",:\\u0-.e+tn \n\t\u0001é'.split('')),
      }),
      { maxLength: 2 },
    ),
  )
  .map(([json, edits]) =>
    edits.reduce((text, { at, remove, insert }) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + insert + text.slice(place + remove);
    }, json),
  );

describe('findSyntaxFault', () => {
  it('finds a fault exactly where JSON.parse refuses', () => {
    fc.assert(
      fc.property(damagedJson, (text) => (findSyntaxFault(text) === undefined) === isJson(text)),
      { numRuns: 1000 },
    );
  });

  it('places the fault of a truncated object in its last token', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, cut) => {
        const text = JSON.stringify(value);
        const prefix = text.slice(0, cut % text.length);
        const fault = findSyntaxFault(prefix);
        // A cut inside an escape or a number such as `1e` is noticed where that token starts.
        return fault !== undefined && fault.position <= prefix.length && prefix.length - fault.position < 24;
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['{"a": x}', 6, '"x}"', 'a value'],
    ['{"a" 1}', 5, '"1}"', '":"'],
    ['{"a": 1 "b": 2}', 8, '"\\"b\\": 2}"', '"," or "}"'],
    ['[1, 2', 5, 'the end of the text', '"," or "]"'],
    ['[1, ]', 4, '"]"', 'a value'],
    ['{"a": 1, }', 9, '"}"', 'a double-quoted name'],
    ["{'a': 1}", 1, '"\'a\': 1}"', 'a double-quoted name or "}"'],
    ['{"a": "b', 8, 'the end of the text', 'the closing quote of a string'],
    ['{"a": "\\x"}', 7, '"\\\\x\\"}"', 'an escape such as \\n or \\u00e9'],
    ['{"a": "b\tc"}', 8, '"\\tc\\"}"', 'the closing quote of a string'],
    ['{} {}', 3, '"{}"', 'nothing more'],
    ['[01]', 2, '"1]"', '"," or "]"'],
    ['', 0, 'the end of the text', 'a value'],
  ])('places the fault of %s', (text, position, found, expected) => {
    expect(findSyntaxFault(text)).toEqual({ position, found, expected });
  });

  it('reads a long string with many escapes without running out of stack', () => {
    expect(findSyntaxFault(`["${'\\n'.repeat(1_000_000)}`)?.position).toBe(2_000_002);
  });
});
