import { run } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ParseError } from '../../../../bindings/base/errors.js';
import {
  checkExpression,
  compilePredicate,
  expressionTree,
  parseExpression,
  parsePredicate,
  sqlDialect,
  translateCondition,
  usesTexts,
} from '../../../../bindings/languages/expression/index.js';
import { ActionAbstraction } from '../../../../bindings/observations/abstraction/index.js';
import { parseSpecification } from '../../../../bindings/rules/specification/index.js';
import { createGuard, type GuardFile, withTrees } from '../../../../bindings/runtime/guard/index.js';
import { chainGuard } from '../../../laws/actionWorlds.js';
import { read, UNREADABLE } from './read.js';

const FUNCTIONS_ON_ONE = [
  'domainOf',
  'localPart',
  'emails',
  'hostOf',
  'extension',
  'trim',
  'lowerAscii',
  'timeOf',
  'weekdayOf',
  'hourOf',
];

describe('trim and lowerAscii', () => {
  it('give what CEL gives', () => {
    const unit = fc.constantFrom(
      ...' \t\n\v\r\x85\xa0\u1680\u180e\u2003\u200b\u2028\u202f\u205f\u3000\ufeffaZÄ\u212aİ',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 8 }), (text) => {
        const cel = (source: string): unknown => run(source, { text }, { funcs: strings });
        // The other implementation keeps the last character of nothing but white space.
        const trimmed = cel('("a" + text).trim()') === 'a' ? '' : cel('text.trim()');
        expect(read('text.trim()', { text })).toBe(trimmed);
        expect(read('lowerAscii(text)', { text })).toBe(cel('text.lowerAscii()'));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a function on texts', () => {
  it.each([
    ...FUNCTIONS_ON_ONE.map((name) => `${name}(x)`),
    'isUnder(x, "/a")',
    'isUnder("/a", x)',
    'glob(x, "a*")',
  ])('has no value of what is no text: %s', (expression) => {
    for (const x of [null, 3, true, ['ann@home.example'], { a: 1 }])
      expect(read(expression, { x })).toBe(UNREADABLE);
    expect(read(expression, {})).toBe(UNREADABLE);
  });

  it('says what it found and what it expects', () => {
    const evaluate = compilePredicate(parseExpression('domainOf(to) == "home.example"'), 'inside');
    expect(() => evaluate({ to: 'a@home.example,b@evil.example' }, {})).toThrow(
      'expression:1:1: "domainOf" found the string "a@home.example,b@evil.example", expected one e-mail address such as ann@home.example and nothing else',
    );
    expect(() => compilePredicate(parseExpression('isUnder(a, b)'))({ a: '/x', b: 3 }, {})).toThrow(
      '"isUnder" found the string "/x" and the number 3, expected two absolute or two relative paths',
    );
  });

  it('can be called as a method as well', () => {
    expect(read('to.domainOf()', { to: 'ann@home.example' })).toBe('home.example');
    expect(read('path.isUnder("/home")', { path: '/home/x' })).toBe(true);
    expect(read('path.glob("*.txt")', { path: 'a.txt' })).toBe(true);
  });

  it('works inside all and exists, which absorb what has no value as ever', () => {
    const to = (...addresses: string[]) => ({ to: addresses });
    const inside = 'to.all(a, domainOf(a) == "home.example")';
    expect(read(inside, to('ann@home.example', 'bob@HOME.example'))).toBe(true);
    expect(read(inside, to('ann@home.example', 'b@evil.example', '<c@home.example>'))).toBe(false);
    expect(read(inside, to('ann@home.example', '<b@evil.example>'))).toBe(UNREADABLE);
    const outside = 'to.exists(a, domainOf(a) != "home.example")';
    expect(read(outside, to('<ann@home.example>', 'b@evil.example'))).toBe(true);
    expect(read(outside, to('ann@home.example', 'a@home.example@evil.example'))).toBe(UNREADABLE);
    expect(
      read('links.all(l, hostOf(l) in ["a.example", "b.example"])', {
        links: ['http://A.example/', 'ws://b.example'],
      }),
    ).toBe(true);
    expect(
      read('files.exists(f, !isUnder(f, "/work") || glob(f, "**/.env"))', {
        files: ['/srv/a', '/srv/b/.env'],
      }),
    ).toBe(true);
    expect(read('emails(body).all(a, domainOf(a) == "home.example")', { body: 'to ann@home.example.' })).toBe(
      true,
    );
    expect(read('files.map(f, lowerAscii(extension(trim(f))))', { files: [' a.EXE '] })).toEqual(['exe']);
  });

  it('has a type', () => {
    const typeOf = (source: string) => checkExpression(parseExpression(source));
    expect(typeOf('emails(x)')).toEqual(['string']);
    const ofTimes = ['timeOf', 'weekdayOf', 'hourOf'];
    for (const name of ofTimes) expect(typeOf(`${name}(x)`)).toBe('number');
    for (const name of FUNCTIONS_ON_ONE.filter((one) => one !== 'emails' && !ofTimes.includes(one)))
      expect(typeOf(`${name}(x)`)).toBe('string');
    expect(typeOf('isUnder(x, y)')).toBe('boolean');
    expect(typeOf(`glob(x, "${'a'.repeat(1000)}")`)).toBe('boolean');
  });

  it.each<readonly [string, number, string]>([
    ...FUNCTIONS_ON_ONE.map(
      (name) => [`${name}(3) == x`, name.length + 2, 'found a number, expected a string'] as const,
    ),
    ['isUnder("/a", ["/b"])', 15, 'found a list, expected a string'],
    ['isUnder(true, "/b")', 9, 'found a boolean, expected a string'],
    ['domainOf(to)', 1, 'found a string, expected a Boolean'],
    ['domainOf(to) == 3', 14, 'found a string == a number'],
    ['emails(to).all(a, a > 3)', 21, 'found a string > a number'],
    ['3 in emails(to)', 3, 'found a number in a list of a string each'],
    ['glob(3, "a")', 6, 'found a number, expected a string'],
    [
      'glob(x, pattern)',
      9,
      'found a pattern that is not a literal, expected a pattern of at most 1000 characters',
    ],
    ['glob(x, "a" + "b")', 13, 'found a pattern that is not a literal'],
    ['glob(x, 3)', 9, 'found 3, expected a pattern'],
    ['glob(x, "*.{js,ts}")', 9, 'found "*.{js,ts}", expected a pattern'],
    ['glob(x, "[ab]")', 9, 'found "[ab]"'],
    [String.raw`glob(x, "a\\*")`, 9, String.raw`found "a\\*"`],
    [`glob(x, "${'a'.repeat(1001)}")`, 9, 'found "aaa'],
    ['isUnder("/a")', 1, 'found 1 arguments of isUnder, expected 2'],
    ['domainof(x) == ""', 1, 'found the unknown function "domainof", expected domainOf'],
  ])(
    'is refused with arguments that do not fit, where a predicate is parsed: %s',
    (source, column, words) => {
      expect(() => parsePredicate(source, 'p')).toThrow(ParseError);
      expect(() => parsePredicate(source, 'p')).toThrow(`predicate "p":1:${column}: ${words}`);
    },
  );

  it('is refused with them in a specification, at its line', () => {
    const text = (predicate: string) =>
      `version: 1\npredicates:\n  ok: 'domainOf(to) == "home.example"'\n  fits: '${predicate}'\nrules: { safe: { formula: 'G ok', threshold: 0.5 } }\n`;
    expect(() => parseSpecification(text('glob(path, "*.txt")'), { source: 's.yaml' })).not.toThrow();
    expect(() => parseSpecification(text('glob(path, pattern)'), { source: 's.yaml' })).toThrow(
      /s\.yaml:4:\d+: .*found a pattern that is not a literal/s,
    );
    expect(() => parseSpecification(text('hostOf(3) == "a"'), { source: 's.yaml' })).toThrow(
      /s\.yaml:4:\d+: .*found a number, expected a string/s,
    );
  });

  it('is not translated to SQL, and the refusal says which', () => {
    for (const name of ['duckdb', 'postgresql', 'spark'] as const) {
      const translate = () =>
        translateCondition(
          parseExpression('a && domainOf(to) == "b"'),
          { field: () => ({ kind: 'text', sql: 'x' }) },
          sqlDialect(name),
        );
      expect(translate).toThrow(`"domainOf(to)" cannot be translated to SQL of ${name}`);
    }
  });

  it('is known to be called', () => {
    expect(usesTexts(parseExpression('a && l.exists(x, glob(x, "b"))'))).toBe(true);
    expect(usesTexts(parseExpression('glob == "glob" && a.trim.startsWith("b") && a.matches("b")'))).toBe(
      false,
    );
  });
});

describe('a tree that calls a function on texts', () => {
  const source = 'domainOf(to) == "home.example" && !glob(to, "b*")';

  it('needs the operations where it was not parsed, and is read once they are loaded', async () => {
    const tree = JSON.parse(JSON.stringify(expressionTree(parseExpression(source))));
    vi.resetModules();
    const { compileCondition, loadTextOperations, readExpressionTree } = await import(
      '../../../../bindings/languages/expression/runtime/index.js'
    );
    const compile = () => compileCondition(readExpressionTree(tree, source, 'it'));
    expect(compile).toThrow(
      expect.objectContaining({
        name: 'NotSupportedError',
        message: expect.stringContaining('loadTextOperations()'),
      }),
    );
    await loadTextOperations();
    expect(compile()({ to: 'ann@home.example' }, {})).toBe(true);
    expect(compile()({ to: 'bob@home.example' }, {})).toBe(false);
  });

  it('is carried by guard files, which load what they need', async () => {
    const { trees, ...chain } = await chainGuard();
    const [first, ...rest] = chain.predicates;
    const file = withTrees({
      ...chain,
      predicates: [{ ...first, expression: source }, ...rest],
    } as GuardFile);
    const text = JSON.stringify(file);
    expect(text).toContain('["call",0,"domainOf",');
    expect(trees!.predicates).toHaveLength(rest.length + 1);
    vi.resetModules();
    const { loadGuard } = await import('../../../../bindings/runtime/guard/loadGuard.js');
    const states = ['ann@home.example', 'ann@evil.example', 'ann@home.example,b@evil.example', 3].map(
      (to) => ({ to, x: 1 }),
    );
    const decisions = (guard: ReturnType<typeof createGuard>) =>
      states.map((state) => {
        guard.reset();
        const { decision, reason, predicate } = guard.propose(state, { name: 'a' });
        return { decision, reason, predicate };
      });
    const loaded = decisions((await loadGuard(text)) as ReturnType<typeof createGuard>);
    expect(loaded).toEqual(decisions(createGuard(file)));
    expect(loaded.map(({ predicate }) => predicate)).toEqual([null, null, 'one', 'one']);
    expect(loaded.map(({ reason }) => reason).slice(2)).toEqual(['predicate-failed', 'predicate-failed']);
  });

  it('tells calls apart by their arguments', () => {
    const expression = 'emails(to).all(a, domainOf(a) == "home.example")';
    const actions = new ActionAbstraction({ send: [{ name: 'inside', expression }] });
    const nameOf = (to: string) => actions.nameOf({ name: 'send', arguments: { to } });
    expect(nameOf('ann@home.example, bob@home.example')).toBe('send[inside]');
    expect(nameOf('ann@home.example, bob@evil.example')).toBe('send[!inside]');
    expect(() => nameOf('"ann b"@home.example')).toThrow('"emails" found the string');
  });
});
