import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { read } from './read.js';

const glob = (text: string, pattern: string): unknown =>
  read(`glob(text, ${JSON.stringify(pattern)})`, { text });

/** The definition, rewritten as a regular expression of JavaScript. */
function asRegExp(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+^$()|]/g, '\\$&');
  const source = escaped
    .replace(/(^|\/)\*{2,}(?=\/)/g, '$1«')
    .replace(/\*{2,}/g, '»')
    .replace(/\*/g, '[^/]*')
    .replace(/\?/g, '[^/]')
    .replace(/«\//g, '(?:[^]*/)?')
    .replace(/»/g, '[^]*');
  return new RegExp(`^(?:${source})$`, 'u');
}

describe('glob', () => {
  it.each<[string, string, boolean]>([
    ['notes.txt', '*.txt', true],
    ['a/notes.txt', '*.txt', false],
    ['a/notes.txt', '**.txt', true],
    ['a/b/notes.txt', 'a/**/notes.txt', true],
    ['a/notes.txt', 'a/**/notes.txt', true],
    ['a/xnotes.txt', 'a/**/notes.txt', false],
    ['notes.txt', '**/notes.txt', true],
    ['/x/notes.txt', '**/notes.txt', true],
    ['a/b', 'a**/b', true],
    ['ab', 'a**/b', false],
    ['/home/me/a/b', '/home/me/**', true],
    ['/home/me', '/home/me/**', false],
    ['.hidden', '*', true],
    ['a\nb', 'a*b', true],
    ['ab', 'a?', true],
    ['a/', 'a?', false],
    ['a', 'a?', false],
    ['😀', '?', true],
    ['', '', true],
    ['', '*', true],
    ['a', '', false],
    ['A', 'a', false],
    ['a+b.c', 'a+b.c', true],
    ['aab-c', 'a+b.c', false],
    ['a/b/c', '**/**/c', true],
    ['c', '**/**/c', true],
    ['a/b', '***', true],
  ])('%j fits %j: %s', (text, pattern, fits) => {
    expect(glob(text, pattern)).toBe(fits);
  });

  it('is the regular expression that its definition gives', () => {
    const sign = fc.constantFrom('a', 'b', '/', '*', '*', '**/', '?', '.', '😀', '\n');
    const character = fc.constantFrom('a', 'b', '/', '.', '😀', '\n');
    let fitting = 0;
    fc.assert(
      fc.property(
        fc.string({ unit: sign, maxLength: 8 }),
        fc.string({ unit: character, maxLength: 8 }),
        (pattern, text) => {
          const fits = glob(text, pattern);
          expect(fits).toBe(asRegExp(pattern).test(text));
          if (fits === true) fitting++;
        },
      ),
      { numRuns: 5000 },
    );
    expect(fitting).toBeGreaterThan(100);
  });

  it('takes time in proportion to text and pattern where backtracking takes exponential time', () => {
    const text = 'a'.repeat(5_000);
    expect(glob(text, `${'*a'.repeat(60)}b`)).toBe(false);
    expect(glob(text.replaceAll('a', 'a/'), `${'**/'.repeat(60)}b`)).toBe(false);
  });

  it('goes on right after more patterns than it keeps', () => {
    for (let round = 0; round < 2; round++)
      for (let i = 0; i < 1200; i++) expect(glob(`${i}x`, `${i}?`)).toBe(true);
  });
});
