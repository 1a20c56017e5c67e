import { describe, expect, it, vi } from 'vitest';
import { NotSupportedError, ParseError } from '../../../bindings/base/errors.js';
import { processorTime } from '../../processorTime.js';

/** A fresh copy of the module, whose engine is not loaded yet. */
async function fresh(): Promise<typeof import('../../../bindings/languages/expression/index.js')> {
  vi.resetModules();
  return import('../../../bindings/languages/expression/index.js');
}

async function loaded(): Promise<(source: string, state?: Record<string, unknown>) => unknown> {
  const { compileExpression, loadRegexEngine, parseExpression } = await fresh();
  await loadRegexEngine();
  return (source, state = {}) => compileExpression(parseExpression(source))(state, {});
}

describe('matches', () => {
  it('needs its engine, and says how to load it', async () => {
    const { compileExpression, parseExpression } = await fresh();
    const compile = () => compileExpression(parseExpression('a.matches("b")'));
    expect(compile).toThrow(expect.objectContaining({ name: NotSupportedError.name }));
    expect(compile).toThrow('await loadRegexEngine()');
  });

  it.each<[string, string, boolean]>([
    ['b+', 'abbc', true],
    ['^b+$', 'abbc', false],
    ['(?i)FORK', 'a fork', true],
    ['\\d{2}', '7', false],
    ['^.$', '😀', true],
    ['', '', true],
  ])('finds %s in %j or not', async (pattern, text, found) => {
    const evaluate = await loaded();
    expect(evaluate('text.matches(pattern)', { text, pattern })).toBe(found);
    expect(evaluate(`matches(text, ${JSON.stringify(pattern)})`, { text })).toBe(found);
  });

  it('refuses an invalid pattern at its place before it runs', async () => {
    const evaluate = await loaded();
    for (const pattern of ['(', 'a{2000}', '(a)\\\\1', '(?=a)', 'x'.repeat(1001), '((a{100}){100}){100}']) {
      expect(() => evaluate(`t.matches(\n "${pattern}")`, { t: '' })).toThrow(
        expect.objectContaining({
          name: ParseError.name,
          line: 2,
          column: 2,
          expected: 'a pattern in RE2 syntax',
        }),
      );
    }
  });

  it('fails on an invalid pattern from the state, and on values that are no strings', async () => {
    const evaluate = await loaded();
    expect(() => evaluate('t.matches(p)', { t: 'a', p: '(' })).toThrow(
      'expression:1:3: "matches" found the pattern "("',
    );
    expect(() => evaluate('t.matches(p)', { t: 'a', p: 'x'.repeat(1001) })).toThrow('at most 1000');
    expect(() => evaluate('t.matches("a")', { t: 3 })).toThrow(
      '"matches" found the number 3 and the string "a"',
    );
    expect(evaluate('false && t.matches(p)', { t: 'a', p: '(' })).toBe(false);
  });

  it('goes on right after more patterns from the state than it keeps', async () => {
    const { compileExpression, loadRegexEngine, parseExpression } = await fresh();
    await loadRegexEngine();
    const run = compileExpression(parseExpression('t.matches(p)'));
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 100; i++) expect(run({ t: `<${i}>`, p: `<${i}>` }, {})).toBe(true);
    }
  });

  it('takes time linear in the text where backtracking takes exponential time', async () => {
    const evaluate = await loaded();
    const text = `${'a'.repeat(100_000)}!`;
    const taken = processorTime(() => {
      for (const pattern of ['(a+)+$', '(a|aa)+$', '(a*)*b', '(.*a){20}$']) {
        expect(evaluate('t.matches(p)', { t: text, p: pattern })).toBe(false);
      }
    });
    expect(taken).toBeLessThan(10_000);
  });
});
