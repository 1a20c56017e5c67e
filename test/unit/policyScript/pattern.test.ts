import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadRegexEngine } from '../../../bindings/languages/expression/index.js';
import { compilePattern } from '../../../bindings/languages/expression/regex.js';
import { translatePattern } from '../../../bindings/languages/policyScript/pattern.js';
import { ScriptProblems } from '../../../bindings/languages/policyScript/problems.js';

beforeAll(loadRegexEngine);

const PLACE = { line: 1, column: 1, offset: 0 };

/** What a pattern is translated to, or what is wrong with it. */
function translated(pattern: string): string | null {
  return translatePattern(pattern, PLACE, new ScriptProblems());
}

function wrongWith(pattern: string): string {
  const problems = new ScriptProblems();
  expect(translatePattern(pattern, PLACE, problems), pattern).toBeNull();
  return `${problems.found[0].column}: ${problems.found[0].message}`;
}

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    'k',
    'S',
    '.',
    '\\d',
    '\\w',
    '\\s',
    '\\S',
    '\\W',
    '\\n',
    '\\.',
    '\\/',
    '\\x41',
    '\\u00e9',
    'é',
    ' ',
    '_',
    '\\u{1F600}',
    '😀',
  ],
  ...[
    '[ab]',
    '[^a]',
    '[a-f]',
    '[\\w-]',
    '[^\\s@]',
    '[\\-.]',
    '[$-/]',
    '[^]',
    '[é-ü]',
    '[a\\u{1F600}]',
    '[\\D]',
    '-',
    '@',
    '\\@',
    '\\b',
    '^',
    '$',
  ],
);
const { pattern } = fc.letrec((tie) => ({
  part: fc.oneof({ depthSize: 'small' }, atom, tie('group')),
  group: tie('choice').map((inside) => `(?:${inside})`),
  repeated: fc
    .tuple(tie('part'), fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '+?'))
    .map((parts) => parts.join('')),
  sequence: fc.array(tie('repeated'), { maxLength: 4 }).map((parts) => parts.join('')),
  choice: fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((parts) => parts.join('|')),
  pattern: fc
    .tuple(tie('choice'), fc.constantFrom('', 'u', 'i', 's', 'us'))
    .map(([inside, flags]) => `/${inside}/${flags}`),
}));
const text = fc
  .array(
    fc.constantFrom(
      ...'abkKsSſ\u212aAéÉ_-.@/ 1\n\r\t',
      '\u2028',
      '\u00a0',
      '\ufeff',
      '\u0085',
      '😀',
      '\ud83d',
      '\ude00',
      'aa',
      '$',
      '\0',
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

describe('patterns of scripts', () => {
  it('match what JavaScript matches', () => {
    let matched = 0;
    let compared = 0;
    fc.assert(
      fc.property(
        pattern as fc.Arbitrary<string>,
        fc.array(text, { minLength: 12, maxLength: 12 }),
        (written, texts) => {
          const found = translated(written);
          if (found === null) return;
          const end = written.lastIndexOf('/');
          const expected = new RegExp(written.slice(1, end) || '(?:)', written.slice(end + 1));
          const matcher = compilePattern(found);
          if (typeof matcher === 'string') throw new Error(`${written} became ${found}: ${matcher}`);
          for (const one of texts) {
            compared++;
            if (expected.test(one)) matched++;
            if (matcher(one) !== expected.test(one))
              throw new Error(`${written} became ${found}, which differs on ${JSON.stringify(one)}`);
          }
        },
      ),
      { numRuns: Number(process.env.PATTERN_RUNS ?? 3000) },
    );
    expect(compared).toBeGreaterThan(2800);
    expect(matched).toBeGreaterThan(compared / 10);
  });

  it.each([
    ['/a.c/', '3: found ".", which matches halves'],
    ['/[^a]/', '2: found "[^"'],
    ['/\\W/', '2: found "\\W"'],
    ['/😀/', 'a character of two UTF-16 units'],
    ['/a(?=b)/', '3: found a look ahead or behind'],
    // JavaScript finds it between the halves of a character: /\\B/.test('a😀a').
    ['/a|\\B/', '4: found "\\B"'],
    ['/\\B/u', '2: found "\\B"'],
    ['/(?<n>b)/', 'a group with a name'],
    ['/(a)\\1/', 'the escape "\\1"'],
    ['/\\p{L}/u', 'the escape "\\p"'],
    ['/a/g', 'the flag "g"'],
    ['/a/iu', 'the flags i and u'],
    ['/é/i', 'a character outside ASCII with the flag i'],
    ['/a{2/', '"{"'],
    ['/a**/', 'two repetitions'],
    ['/(a/', 'a "(" without its ")"'],
    ['/a)/', 'a ")" without its "("'],
    ['/^*/', '"*" after "^"'],
    ['/[]/', 'a class of nothing'],
    ['/[b-a]/', 'a range without order'],
    ['/(?:(?:a{100}){100})/', 'more than 1000 repetitions'],
    ['/\\ud83d/', 'the escape "\\u"'],
    ['/\\-/u', 'the escape "\\-"'],
    [`/${'a'.repeat(1001)}/`, 'a pattern of 1001 characters'],
    [`/${'('.repeat(60)}a${')'.repeat(60)}/`, 'nesting too deep'],
  ])('%s is refused', (written, says) => {
    expect(wrongWith(written)).toContain(says);
  });
});
