import fc from 'fast-check';
import type { Inputs } from '../../../bindings/languages/inputs/index.js';

/** Inputs of claims that the built-in decider and outside solvers both decide. */
export const claimInputs: Inputs = {
  t: { type: { kind: 'text', most: 60 } },
  u: { type: { kind: 'text', most: 60 }, optional: true },
  n: { type: { kind: 'integer', least: -100, most: 1000 } },
  k: { type: { kind: 'integer', least: 0, most: 3 } },
  d: { type: { kind: 'number' } },
  b: { type: { kind: 'boolean' } },
  e: { type: { kind: 'enum', values: ['a', 'ab', 'b'] } },
  ts: { type: { kind: 'list', of: { kind: 'text', most: 60 }, most: 6 } },
  ns: { type: { kind: 'list', of: { kind: 'integer', least: 0, most: 9 }, most: 5 } },
};

const is = fc.constant<string>;
const join = (...parts: (string | fc.Arbitrary<string>)[]) =>
  fc.tuple(...parts.map((part) => (typeof part === 'string' ? is(part) : part))).map((all) => all.join(''));
const text = fc.constantFrom(
  '""',
  '"a"',
  '"b"',
  '"ab"',
  '"ba"',
  '"A"',
  '"a.b"',
  '"@home.example"',
  '"home.example"',
  '"/srv"',
  '"\u00e4"',
  '"\ud83d\ude00"',
);
const relation = fc.constantFrom(' == ', ' != ', ' < ', ' <= ', ' > ', ' >= ');
const number = fc.constantFrom('0', '1', '2', '3', '5', '10', '99', '-1');

const ofText = (name: string) =>
  fc.oneof(
    join(name, fc.constantFrom('.startsWith(', '.endsWith(', '.contains('), text, ')'),
    join(name, fc.constantFrom(' == ', ' != '), text),
    join(name, ' in [', text, ', ', text, ']'),
    join('size(', name, ')', relation, number),
    join(
      name,
      '.matches("',
      fc.constantFrom('^[a-c]+$', 'a.b', '^.{2}$', '[^a-z]', '^a*$', '@', '^[a-z]+@[a-z.]+$', 'b$'),
      '")',
    ),
    join(
      'lowerAscii(',
      name,
      ')',
      fc.constantFrom(' == "ab"', '.endsWith("@home.example")', '.startsWith("a")'),
    ),
    join('trim(', name, ')', fc.constantFrom(' == "ab"', ' == ""', '.startsWith("a")')),
    join(
      'domainOf(',
      name,
      ')',
      fc.constantFrom(' == "home.example"', '.endsWith(".example")', ' != "evil.example"'),
    ),
    join('hostOf(', name, ')', fc.constantFrom(' == "shop.example"', '.endsWith(".example")')),
    join('glob(', name, ', ', fc.constantFrom('"/srv/*"', '"a?b"', '"**/x"'), ')'),
  );

const atom = fc.oneof(
  ofText('t'),
  ofText('t'),
  fc.oneof(ofText('u'), is('u == null')),
  join('n', relation, number),
  join('d', relation, fc.constantFrom('0', '0.1', '0.5', '1e300', '-2.5')),
  fc.constantFrom(
    'b',
    '!b',
    'e == "a"',
    'e.startsWith("a")',
    'k * k > 3',
    'k + k == 4',
    'k % 2 == 1',
    'size(e) > k',
    'b == (k > 1)',
    't == e',
    'n > k',
    'e in ts',
  ),
  join('ts', fc.constantFrom('.all(x, ', '.exists(x, ', '.exists_one(x, '), ofText('x'), ')'),
  join('size(ts.filter(x, ', ofText('x'), '))', relation, fc.constantFrom('0', '1', '2')),
  join('size(ts)', relation, fc.constantFrom('0', '1', '3', '6', '7')),
  join(text, ' in ts'),
  join('ns', fc.constantFrom('.all(y, y', '.exists(y, y', '.exists_one(y, y'), relation, number, ')'),
  join('ns.exists(y, y == k)'),
);

const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    atom,
    join('(', tie('condition'), fc.constantFrom(' && ', ' || '), tie('condition'), ')'),
    join('!(', tie('condition'), ')'),
  ),
}));

/** Conditions of which some input is asked that makes them true, or gives them no value. */
export const claimed = fc.record({
  text: fc.array(condition, { minLength: 1, maxLength: 4 }).map((all) => all.join(' && ')),
  value: fc.constantFrom(
    'true' as const,
    'true' as const,
    'true' as const,
    'none' as const,
    'false' as const,
  ),
});
