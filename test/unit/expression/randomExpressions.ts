import fc from 'fast-check';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, -1.25, 1e9));
const text = fc.constantFrom('', 'a', 'b', 'ab', 'ba b', 'Fork');
const scalar: fc.Arbitrary<Json> = fc.oneof(number, text, fc.boolean(), fc.constant(null));
const object = fc.dictionary(
  fc.constantFrom('f', 'g'),
  scalar.filter((value) => value !== null),
  { maxKeys: 2 },
);
/** States for the expressions below. */
export const environment: fc.Arbitrary<Record<string, Json>> = fc.record(
  {
    n: fc.oneof({ weight: 6, arbitrary: number }, scalar),
    s: fc.oneof({ weight: 6, arbitrary: text }, scalar),
    b: fc.oneof({ weight: 6, arbitrary: fc.boolean() }, scalar),
    l: fc.array(scalar, { maxLength: 3 }),
    o: object,
    os: fc.array(object, { maxLength: 3 }),
  },
  { requiredKeys: ['o'] },
);

const numberText = number.map((value) => {
  const digits = Number.isInteger(value) ? `${Math.abs(value)}.0` : String(Math.abs(value));
  return value < 0 ? `-${digits}` : digits;
});
const textText = text.map((value) => JSON.stringify(value));
export const join = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((list) => list.join(''));
export const is = fc.constant<string>;

/** Expressions as texts, mostly well-typed, and sometimes not, so that failures meet `&&`, `||` and the macros. */
const { boolean, any } = fc.letrec<{
  number: string;
  text: string;
  boolean: string;
  list: string;
  map: string;
  any: string;
}>((tie) => ({
  number: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    numberText,
    is('n'),
    fc.constantFrom('x', 'o.f', 'l[0]', 'x.f', 'absent'),
    join(is('('), tie('number'), fc.constantFrom(' + ', ' - ', ' * ', ' / '), tie('number'), is(')')),
    fc.constantFrom('-n', '-l[0]', '-o.f', '-(n * 2.0)'),
    join(is('('), tie('boolean'), is(' ? '), tie('number'), is(' : '), tie('number'), is(')')),
  ),
  text: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    textText,
    is('s'),
    fc.constantFrom('x', 'o.g', 'x.g', 'o["f"]', 'l[1]'),
    join(is('('), tie('text'), is(' + '), tie('text'), is(')')),
  ),
  boolean: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    is('b'),
    fc.constantFrom(
      'true',
      'false',
      'x',
      'o.f',
      'has(o.f)',
      'has(o.g)',
      'absent',
      'os.all(x, has(x.f))',
      'x.f == "Fork"',
    ),
    join(is('('), tie('boolean'), fc.constantFrom(' && ', ' || '), tie('boolean'), is(')')),
    join(tie('boolean'), fc.constantFrom(' && ', ' || '), tie('boolean')),
    join(is('!('), tie('boolean'), fc.constantFrom(' && ', ' || '), tie('boolean'), is(')')),
    fc.constantFrom('!b', '!o.f', '!n'),
    join(tie('number'), fc.constantFrom(' < ', ' <= ', ' > ', ' >= ', ' == ', ' != '), tie('number')),
    join(tie('text'), fc.constantFrom(' < ', ' <= ', ' > ', ' >= ', ' == ', ' != '), tie('text')),
    join(is('('), tie('any'), fc.constantFrom(' == ', ' != ', ' < '), tie('any'), is(')')),
    join(tie('any'), is(' in '), tie('list')),
    join(tie('text'), is(' in '), tie('map')),
    join(is('size('), tie('any'), is(')'), fc.constantFrom(' > ', ' == '), numberText),
    join(
      tie('text'),
      fc.constantFrom('.startsWith(', '.endsWith(', '.contains(', '.matches('),
      tie('text'),
      is(')'),
    ),
    join(tie('list'), fc.constantFrom('.exists(x, ', '.all(x, ', '.exists_one(x, '), tie('boolean'), is(')')),
  ),
  list: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    is('os'),
    fc.constantFrom('l', 'o', 'x', '[]'),
    join(is('['), tie('any'), is(', '), tie('any'), is(']')),
    join(tie('list'), fc.constantFrom('.filter(x, '), tie('boolean'), is(')')),
    join(tie('list'), is('.map(x, '), tie('any'), is(')')),
  ),
  map: fc.oneof(
    is('o'),
    fc.constantFrom('x', 'os[0]'),
    join(is('{"f": '), fc.oneof(numberText, textText, fc.constantFrom('absent', '[l]', 'o')), is('}')),
  ),
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    is('null'),
    tie('number'),
    tie('text'),
    tie('boolean'),
    tie('list'),
    tie('map'),
  ),
}));

export { any, boolean as condition };
