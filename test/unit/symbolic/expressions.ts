import fc from 'fast-check';
import type { Inputs } from '../../../bindings/languages/inputs/index.js';

/** Inputs of each type, of lists with up to three elements. */
export const inputs: Inputs = {
  t: { type: { kind: 'text', most: 40 } },
  u: { type: { kind: 'text', most: 40 } },
  ot: { type: { kind: 'text', most: 40 }, optional: true },
  e: { type: { kind: 'enum', values: ['a', 'ab', 'b'] } },
  b: { type: { kind: 'boolean' } },
  ob: { type: { kind: 'boolean' }, optional: true },
  n: { type: { kind: 'integer', least: -5, most: 5 } },
  m: { type: { kind: 'integer', least: 0, most: 1_000_000 } },
  on: { type: { kind: 'integer', least: 0, most: 3 }, optional: true },
  d: { type: { kind: 'number' } },
  f: { type: { kind: 'number' } },
  ts: { type: { kind: 'list', of: { kind: 'text', most: 40 }, most: 3 } },
  us: { type: { kind: 'list', of: { kind: 'text', most: 40 }, most: 3 }, optional: true },
  ns: { type: { kind: 'list', of: { kind: 'integer', least: -3, most: 3 }, most: 3 } },
  ds: { type: { kind: 'list', of: { kind: 'number' }, most: 3 } },
  bs: { type: { kind: 'list', of: { kind: 'boolean' }, most: 3 } },
};

const pieces = fc.constantFrom(
  ...[
    '',
    'a',
    'b',
    'ab',
    'A',
    ' ',
    '\u00a0',
    '.',
    '@',
    'ann@home.example',
    'Bob@Home.Example',
    '/srv/',
    'x.txt',
  ],
  ...[
    'https://shop.example/a',
    'HTTP://Shop.example:80',
    'http://[::1]/',
    '\ud83d\ude00',
    '\ud83d',
    '\ude00',
    '\uffff',
    'Ä',
  ],
);
const text = fc.array(pieces, { maxLength: 3 }).map((parts) => parts.join('').slice(0, 40));
const number = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.1, 0.2, 0.3, 0.5, 2.5, 1e300, -1e308, 5e-324, 2 ** 53, 1 / 3),
  fc.integer({ min: -4, max: 4 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
);
const list = <T>(of: fc.Arbitrary<T>) => fc.array(of, { maxLength: 3 });

/** Values of the inputs. */
export const values: fc.Arbitrary<Record<string, unknown>> = fc.record({
  t: text,
  u: text,
  ot: fc.option(text),
  e: fc.constantFrom('a', 'ab', 'b'),
  b: fc.boolean(),
  ob: fc.option(fc.boolean()),
  n: fc.integer({ min: -5, max: 5 }),
  m: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 1_000_000 })),
  on: fc.option(fc.integer({ min: 0, max: 3 })),
  d: number,
  f: number,
  ts: list(text),
  us: fc.option(list(text)),
  ns: list(fc.integer({ min: -3, max: 3 })),
  ds: list(number),
  bs: list(fc.boolean()),
});

const is = fc.constant<string>;
const join = (...parts: (string | fc.Arbitrary<string>)[]) =>
  fc.tuple(...parts.map((part) => (typeof part === 'string' ? is(part) : part))).map((all) => all.join(''));
/** No half characters: the language has no way to write these. */
const quoted = pieces.filter((piece) => !/\p{Cs}/u.test(piece)).map((piece) => JSON.stringify(piece));
const pattern = fc
  .constantFrom(
    ...[
      'a',
      '^a',
      'b$',
      '^[a-z]+$',
      '^.$',
      '^..$',
      'a.b',
      '^a*b?$',
      '[^a]',
      '^[^@]+@[^@]+$',
      '(?i)AB',
      '^(ab|b)+$',
      '^\\s*$',
      '',
      '^a{2,3}$',
    ],
    ...['a|^b$', '[\u{1f600}-\u{1f64f}]', '^[\u{10000}-\u{10ffff}]*$', '\\x{1f600}', '^a|b'],
  )
  .map((one) => JSON.stringify(one));

const kinds = fc.letrec<Record<'number' | 'text' | 'boolean' | 'list' | 'numbers' | 'any', string>>(
  (tie) => ({
    number: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
        '0',
        '1',
        '2',
        '-1',
        '3',
        '2.5',
        '0.1',
        '0.3',
        '1000000',
        'n',
        'm',
        'on',
        'd',
        'f',
        'n',
        'm',
      ),
      join('size(', fc.oneof(tie('text'), tie('list'), tie('numbers')), ')'),
      join(
        '(',
        tie('number'),
        fc.constantFrom(' + ', ' - ', ' * ', ' / ', ' % ', ' + ', ' - '),
        tie('number'),
        ')',
      ),
      join('-(', tie('number'), ')'),
      join('sum(', tie('numbers'), ')'),
      join(tie('numbers'), fc.constantFrom('[0]', '[1]', '[n]', '[on]')),
      join('(', tie('boolean'), ' ? ', tie('number'), ' : ', tie('number'), ')'),
    ),
    text: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(quoted, fc.constantFrom('t', 'u', 'ot', 'e', 't', 'u')),
      join('(', tie('text'), ' + ', tie('text'), ')'),
      join(
        fc.constantFrom('trim(', 'lowerAscii(', 'domainOf(', 'localPart(', 'hostOf(', 'extension('),
        tie('text'),
        ')',
      ),
      join(tie('list'), fc.constantFrom('[0]', '[2]', '[n]')),
      join('(', tie('boolean'), ' ? ', tie('text'), ' : ', tie('text'), ')'),
      join('{"a": ', tie('text'), ', "b": "x"}[', tie('text'), ']'),
    ),
    list: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('ts', 'us', 'ts', '["a", "b"]', '[]', '[t, u, null]'),
      join(tie('list'), '.filter(x, ', tie('boolean'), ')'),
      join(tie('list'), '.map(x, ', tie('text'), ')'),
      join('(', tie('list'), ' + ', tie('list'), ')'),
    ),
    numbers: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('ns', 'ds', 'ns', '[1, 2]', '[n, d]'),
      join(tie('numbers'), '.filter(y, ', tie('boolean'), ')'),
      join(tie('numbers'), '.map(y, ', tie('number'), ')'),
    ),
    any: fc.oneof(
      tie('number'),
      tie('text'),
      tie('boolean'),
      is('null'),
      tie('list'),
      tie('numbers'),
      fc.constantFrom('x', 'y', 'bs'),
    ),
    boolean: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
        'b',
        'ob',
        'true',
        'false',
        'x == "a"',
        'y > 0',
        'x.startsWith(t)',
        'x in ts',
        'y == n',
        'bs.all(z, z)',
        'b < ob',
        'isUnder(t, "/srv")',
      ),
      join('(', tie('boolean'), fc.constantFrom(' && ', ' || '), tie('boolean'), ')'),
      join('!(', tie('boolean'), ')'),
      join(
        '(',
        tie('number'),
        fc.constantFrom(' < ', ' <= ', ' > ', ' >= ', ' == ', ' != '),
        tie('number'),
        ')',
      ),
      join(
        '(',
        tie('text'),
        fc.constantFrom(' < ', ' <= ', ' > ', ' >= ', ' == ', ' != ', ' == '),
        tie('text'),
        ')',
      ),
      join('(', tie('any'), fc.constantFrom(' == ', ' != ', ' < '), tie('any'), ')'),
      join('(', tie('any'), ' in ', fc.oneof(tie('list'), tie('numbers'), is('{"a": 1, "b": 2}')), ')'),
      join(
        '(',
        fc.oneof(tie('list'), tie('numbers')),
        fc.constantFrom(' == ', ' != '),
        fc.oneof(tie('list'), tie('numbers')),
        ')',
      ),
      join(tie('text'), fc.constantFrom('.startsWith(', '.endsWith(', '.contains('), tie('text'), ')'),
      join(tie('text'), '.matches(', pattern, ')'),
      join(
        'glob(',
        tie('text'),
        ', ',
        fc.constantFrom('"*.txt"', '"/srv/**"', '"a?b"', '"**/x.*"', '"?"'),
        ')',
      ),
      join(tie('list'), fc.constantFrom('.all(x, ', '.exists(x, ', '.exists_one(x, '), tie('boolean'), ')'),
      join(
        tie('numbers'),
        fc.constantFrom('.all(y, ', '.exists(y, ', '.exists_one(y, '),
        tie('boolean'),
        ')',
      ),
      join('(', tie('boolean'), ' ? ', tie('boolean'), ' : ', tie('any'), ')'),
    ),
  }),
);

/** Conditions over the inputs as texts, mostly well-typed; those with the free variables `x` and `y` outside of macros have no value there. */
export const conditions = kinds.boolean;
