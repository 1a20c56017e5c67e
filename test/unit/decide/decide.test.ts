import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Expression,
  loadRegexEngine,
  parseExpression,
} from '../../../bindings/languages/expression/index.js';
import type { Inputs } from '../../../bindings/languages/inputs/index.js';
import { type Answer, Decider, holds } from '../../../bindings/solvers/decide/index.js';
import { type Claim, Rechecker } from '../../../bindings/solvers/recheck/index.js';
import { withoutStacks } from '../../withoutStacks.js';

beforeAll(loadRegexEngine);

const parsed = (text: string): Expression => parseExpression(text);
const isTrue = (text: string): Claim => ({ kind: 'is', values: ['true'], of: parsed(text) });
const isNone = (text: string): Claim => ({ kind: 'is', values: ['none'], of: parsed(text) });
const and = (...of: Claim[]): Claim => ({ kind: 'and', of });
const not = (of: Claim): Claim => ({ kind: 'not', of });

const inputs: Inputs = {
  to: { type: { kind: 'list', of: { kind: 'text', most: 100_000 }, most: 50 } },
  path: { type: { kind: 'text', most: 100_000 } },
  mail: { type: { kind: 'text', most: 100_000 } },
  url: { type: { kind: 'text', most: 100_000 } },
  amount: { type: { kind: 'number' } },
  count: { type: { kind: 'integer', least: 0, most: 1_000_000 } },
  small: { type: { kind: 'integer', least: -3, most: 12 } },
  role: { type: { kind: 'enum', values: ['nurse', 'physician', 'clerk'] } },
  columns: { type: { kind: 'list', of: { kind: 'enum', values: ['age', 'dose', 'bill'] }, most: 10 } },
  tainted: { type: { kind: 'boolean' } },
  note: { type: { kind: 'text', most: 100_000 }, optional: true },
};

/** That whatever fulfils the first, fulfils the second. */
const counterexample = (first: string, second: string): Answer =>
  new Decider(inputs).find(and(isTrue(first), not(isTrue(second))));

describe('the decider', () => {
  it.each([
    'to.exists(r, r.matches("\\\\pL"))',
    '!to.all(r, !r.matches("\\\\pL"))',
    'size(to.filter(r, r.matches("\\\\pL"))) == 1',
    'to.exists_one(r, r.matches("\\\\pL") && r.startsWith("a"))',
  ])('takes what it does not follow of elements for possible: %s', (text) => {
    expect(holds(isTrue(text), { to: ['a'] })).toBe(true);
    expect(new Decider(inputs).find(isTrue(text)).kind).not.toBe('none');
  });

  it.each(['count * 2 in [10]', '5 in [count, 4]', 'count * 2 == 10', '10 == count + 5'])(
    'takes what computes with a number for possible: %s',
    (text) => {
      expect(holds(isTrue(text), { count: 5 })).toBe(true);
      expect(new Decider(inputs).find(isTrue(text)).kind).not.toBe('none');
    },
  );

  it.each([
    [
      'to.all(r, domainOf(r) == "home.example")',
      'to.all(r, r.endsWith("home.example") || r.endsWith("HOME.EXAMPLE") || lowerAscii(r).endsWith("@home.example"))',
    ],
    ['to.all(r, domainOf(r) == "home.example")', 'to.all(r, !r.contains(","))'],
    ['isUnder(path, "/srv/data")', 'isUnder(path, "/srv")'],
    [
      'path.startsWith("/srv/data/") && !path.contains("..") && !path.contains("%") && !path.contains("\\\\") && !path.contains("\\u0000") && size(path) < 60',
      'isUnder(path, "/srv/data")',
    ],
    ['path.matches("^/srv/[a-z]{1,8}$")', 'isUnder(path, "/srv")'],
    ['amount > 10 && amount < 20', 'amount >= 10'],
    ['count > 10', 'count >= 11'],
    ['small * small < 5', 'small < 3'],
    [
      'role == "nurse" && columns.all(c, c in {"nurse": ["age"], "physician": ["age", "dose"], "clerk": ["bill"]}[role])',
      '!("dose" in columns)',
    ],
    ['size(to.filter(r, r.startsWith("a"))) > 2', 'size(to) >= 3'],
    ['to.exists(r, r == "a") && to.exists(r, r == "b")', 'size(to) > 1'],
    [
      'hostOf(url) == "shop.example"',
      'url.contains("shop.example") || lowerAscii(url).contains("shop.example")',
    ],
    ['note == null || size(note) < 3', 'note == null || !note.contains("abc")'],
    ['["a", "b"].exists(s, path.startsWith(s))', 'size(path) > 0'],
  ])('proves: %s, so %s', (first, second) => {
    const claim = and(isTrue(first), not(isTrue(second)));
    const decider = new Decider(inputs);
    expect(withoutStacks(() => decider.find(claim))).toEqual({ kind: 'none' });
    const certificate = JSON.parse(JSON.stringify(decider.certificate(claim)));
    const checker = new Rechecker(inputs, { evaluations: 500 });
    expect(withoutStacks(() => checker.check(claim, certificate))).toBe(null);
  });

  it.each<[string, string, Record<string, unknown>]>([
    [
      'to.exists(r, domainOf(r) == "home.example")',
      'to.all(r, domainOf(r) == "home.example")',
      { to: ['', 'a@home.example'] },
    ],
    [
      'to.all(r, r.endsWith("@home.example"))',
      'to.all(r, domainOf(r) == "home.example")',
      { to: ['@home.example'] },
    ],
    ['path.startsWith("/srv/data")', 'isUnder(path, "/srv/data")', { path: '/srv/dataa' }],
    ['path.startsWith("/srv/data/")', 'isUnder(path, "/srv/data")', { path: '/srv/data/%' }],
    ['path.matches("^/srv/data/[a-z./]*$")', 'isUnder(path, "/srv/data")', { path: '/srv/data/..' }],
    [
      'path.startsWith("/srv/data/") && !path.contains("..")',
      'isUnder(path, "/srv/data")',
      { path: '/srv/data/%' },
    ],
    ['amount > 10', 'amount >= 11', { amount: 10.5 }],
    ['count > 10', 'count > 11', { count: 11 }],
    ['true', 'note != null', { note: null }],
    ['role == "nurse"', '!("dose" in columns)', { role: 'nurse', columns: ['dose'] }],
    [
      'url.startsWith("https://shop.example")',
      'hostOf(url) == "shop.example"',
      { url: 'https://shop.examplea' },
    ],
  ])('refutes: %s, so %s', (first, second, expected) => {
    const answer = counterexample(first, second);
    expect(answer.kind).toBe('some');
    expect(answer.kind === 'some' && answer.input).toMatchObject(expected);
  });

  it.each(['size(to) > small / small', 'size(path) <= small / small', 'small / small == size(to)'])(
    'knows that a size compared with a number that is NaN has no value: %s',
    (text) => {
      expect(holds(isNone(text), { small: 0, to: [], path: '' })).toBe(true);
      expect(new Decider(inputs).find(isNone(text))).toMatchObject({ kind: 'found' });
      expect(new Decider(inputs).find(and(isNone(text), isTrue('small != 0'))).kind).toBe('none');
    },
  );

  it('finds addresses that are too long to be read', () => {
    const answer = new Decider(inputs).find(
      and(
        isTrue('mail.endsWith("@home.example") && mail.matches("^[a-z]+@[a-z.]+$")'),
        isNone('domainOf(mail) == "x"'),
      ),
    );
    expect(answer.kind).toBe('some');
  });

  it('says what it does not follow', () => {
    expect(counterexample('amount > 1', 'amount * 2.0 > 2')).toEqual({
      kind: 'unknown',
      reason: expect.stringContaining('amount * 2 > 2'),
    });
    expect(counterexample('path == mail', 'true')).toEqual({ kind: 'none' });
    expect(counterexample('path == mail && amount * 2.0 > 7 && amount < 3', 'false')).toEqual({
      kind: 'unknown',
      reason: expect.stringContaining('path == mail'),
    });
    const guessed = counterexample('path == mail', 'false');
    expect(guessed.kind === 'some' && guessed.input.path === guessed.input.mail).toBe(true);
  });
});

/** Predicates over few inputs, drawn to meet often. */
const predicates: Record<string, string[]> = {
  path: [
    'path == "ab"',
    'path.startsWith("a")',
    'path.endsWith("b")',
    'path.contains("..")',
    'path.matches("^a*b?$")',
    'size(path) < 2',
    'path in ["", "a", "/a"]',
    'isUnder(path, "/a")',
    'isUnder(path, "/")',
    'extension(path) == "b"',
    'glob(path, "/*/b")',
    'trim(path) == "a"',
    'path != "/a"',
  ],
  mail: [
    'domainOf(mail) == "a.b"',
    'domainOf(mail).endsWith("b")',
    'localPart(mail) == "a"',
    'mail.contains("@")',
    'mail.endsWith("@a.b")',
    'lowerAscii(mail) == "a@a.b"',
    'size(mail) > 4',
  ],
  small: [
    'small > 2',
    'small == 3',
    'small * small < 5',
    'small in [1, 5]',
    '10 / small > 2',
    'small % 2 == 0',
  ],
  amount: ['amount > 2', 'amount >= 2.5', 'amount == 0.1', 'amount != 2', '3 > amount', 'amount in [1, 2]'],
  to: [
    'to.all(e, e.startsWith("a"))',
    'to.exists(e, e == "ab")',
    'to.exists_one(e, e.startsWith("a"))',
    'size(to) < 2',
    '"b" in to',
    'size(to.filter(e, e.endsWith("b"))) >= 2',
    'to.all(e, domainOf(e) == "a.b")',
    'to.exists(e, isUnder(e, "/a") && !e.contains("b"))',
  ],
  role: ['role == "nurse"', 'role.startsWith("p")', 'role in ["clerk", "nurse"]'],
  note: ['note == null', 'note.startsWith("a")', 'note != "ab"'],
  columns: [
    'columns.all(c, c != "dose")',
    '"age" in columns',
    'columns.exists(c, c in {"nurse": ["age"], "physician": ["dose"], "clerk": []}[role])',
  ],
};
const texts = [
  '',
  'a',
  'b',
  'ab',
  '/a',
  '/a/b',
  '/a/..',
  'a.b',
  'x.b',
  'a@a.b',
  'A@a.b',
  'b@x.b',
  'a@b',
  ' a ',
  '/',
  'aab',
  '/a/..b',
  'a@a',
  '..',
  'a@a.b,c',
  `${'a'.repeat(70)}@a.b`,
];
const pool: Record<string, unknown[]> = {
  path: texts,
  mail: texts,
  small: Array.from({ length: 16 }, (_, i) => i - 3),
  amount: [-5, 0, 0.1, 1, 1.5, 2, 2.2, 2.5, 2.7, 3, 4],
  to: [
    [],
    ...texts.map((t) => [t]),
    ...texts.slice(0, 12).flatMap((t) => ['a', 'b', 'ab', 'a@a.b'].map((u) => [t, u])),
    ['ab', 'b', 'a'],
    ['b', 'b', 'ab'],
    ['ab', 'ab', 'ab'],
  ],
  role: ['nurse', 'physician', 'clerk'],
  note: [null, '', 'a', 'ab', 'b'],
  columns: [[], ['age'], ['dose'], ['bill'], ['age', 'dose'], ['bill', 'age'], ['age', 'dose', 'bill']],
};

const two = fc.uniqueArray(fc.constantFrom(...Object.keys(predicates)), { minLength: 1, maxLength: 2 });
const claim = two.chain((names) => {
  const leaf = fc.constantFrom(...names.flatMap((name) => predicates[name]));
  const expression = fc.letrec<{ e: string }>((tie) => ({
    e: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.tuple(tie('e'), fc.constantFrom('&&', '||'), tie('e')).map(([a, op, b]) => `(${a} ${op} ${b})`),
      tie('e').map((e) => `!(${e})`),
      fc.tuple(tie('e'), tie('e'), tie('e')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    ),
  })).e;
  const is = fc.tuple(
    expression,
    fc.constantFrom<('true' | 'false' | 'none')[]>(['true'], ['false'], ['none'], ['true', 'none']),
  );
  const claims = fc.array(is, { minLength: 1, maxLength: 3 });
  return claims.map((list) => ({
    names: list.some(([text]) => text.includes('[role]')) ? [...new Set([...names, 'role'])] : names,
    texts: list,
  }));
});

describe('the answer of the decider', () => {
  it('is none only if none of many inputs fulfils the claim, and seldom unknown', () => {
    const seen = { none: 0, some: 0, unknown: 0 };
    fc.assert(
      fc.property(claim, ({ names, texts: list }) => {
        const whole = and(...list.map(([text, values]): Claim => ({ kind: 'is', values, of: parsed(text) })));
        const answer = withoutStacks(() => new Decider(inputs).find(whole));
        seen[answer.kind]++;
        if (answer.kind === 'some') expect(holds(whole, answer.input)).toBe(true);
        if (answer.kind !== 'none') return;
        const combine = (at: number, input: Record<string, unknown>): void => {
          if (at === names.length) {
            if (withoutStacks(() => holds(whole, input)))
              throw new Error(`none was found, but ${JSON.stringify(input)} fulfils it`);
            return;
          }
          for (const value of pool[names[at]]) combine(at + 1, { ...input, [names[at]]: value });
        };
        combine(0, {});
      }),
      { numRuns: 200 },
    );
    expect(seen.none).toBeGreaterThan(10);
    expect(seen.unknown).toBeLessThan(0.05 * (seen.none + seen.some));
  });
});
