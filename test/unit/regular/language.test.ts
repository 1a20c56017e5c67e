import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Language } from '../../../bindings/languages/regular/index.js';

const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.'), maxLength: 6 });

/** Languages, each with its definition by hand. */
const drawn = fc.letrec<{ l: readonly [Language, (text: string) => boolean] }>((tie) => ({
  l: fc.oneof(
    { depthSize: 'small' },
    fc
      .array(letters, { maxLength: 3 })
      .map((texts) => [Language.of(...texts), (text: string) => texts.includes(text)] as const),
    letters.map((part) => [Language.beginningWith(part), (text: string) => text.startsWith(part)] as const),
    letters.map((part) => [Language.endingWith(part), (text: string) => text.endsWith(part)] as const),
    letters.map((part) => [Language.containing(part), (text: string) => text.includes(part)] as const),
    fc
      .constantFrom('a*b?', '(ab|/)+', '[^a]{2}', '')
      .map(
        (pattern) =>
          [
            Language.matching(pattern),
            (text: string) => new RegExp(`^(?:${pattern})$`, 'u').test(text),
          ] as const,
      ),
    fc
      .tuple(tie('l'), tie('l'))
      .map(([[a, inA], [b, inB]]) => [a.union(b), (text: string) => inA(text) || inB(text)] as const),
    fc
      .tuple(tie('l'), tie('l'))
      .map(([[a, inA], [b, inB]]) => [a.intersection(b), (text: string) => inA(text) && inB(text)] as const),
    fc
      .tuple(tie('l'), tie('l'))
      .map(([[a, inA], [b, inB]]) => [a.minus(b), (text: string) => inA(text) && !inB(text)] as const),
    tie('l').map(([a, inA]) => [a.complement(), (text: string) => !inA(text)] as const),
  ),
})).l;

/** All texts up to a length over two letters that matter and one that does not. */
const short = Array.from({ length: 5 }, (_, length) =>
  Array.from({ length: 4 ** length }, (_, i) =>
    Array.from({ length }, (_, k) => 'ab/x'[Math.floor(i / 4 ** k) % 4]).join(''),
  ),
).flat();

describe('a language', () => {
  it('has the texts of its definition', () => {
    fc.assert(
      fc.property(drawn, fc.array(letters, { minLength: 10, maxLength: 10 }), ([language, isIn], texts) => {
        for (const text of [...texts, 'é', '\ud83d'])
          expect([text, language.has(text)]).toEqual([text, isIn(text)]);
      }),
    );
  });

  it('gives its shortest text', () => {
    fc.assert(
      fc.property(drawn, ([language, isIn]) => {
        const shortest = language.shortest();
        const first = short.find(isIn);
        if (shortest === null) expect(first).toBeUndefined();
        else expect(isIn(shortest)).toBe(true);
        if (shortest !== null && first !== undefined)
          expect(shortest.length).toBeLessThanOrEqual(first.length);
      }),
    );
  });

  it('includes another if and only if no text is in that one alone', () => {
    fc.assert(
      fc.property(drawn, drawn, ([a, inA], [b, inB]) => {
        const outside = b.minus(a).shortest();
        expect(a.includes(b)).toBe(outside === null);
        if (outside === null) expect(short.filter((text) => inB(text) && !inA(text))).toEqual([]);
        else expect([inA(outside), inB(outside)]).toEqual([false, true]);
        expect(a.equals(b)).toBe(a.includes(b) && b.includes(a));
      }),
    );
  });

  it('is as small as can be', () => {
    expect(Language.all.union(Language.containing('a')).states).toBe(1);
    expect(Language.matching('(a|b)*abb').states).toBe(5);
    expect(Language.of('ab', 'cb', 'b').states).toBe(4);
    expect(Language.none.isEmpty).toBe(true);
  });

  it('refuses half a character', () => {
    expect(() => Language.of('\ud83d')).toThrow('half a character');
  });
});
