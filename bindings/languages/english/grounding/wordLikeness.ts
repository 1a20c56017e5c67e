/** The words of a text: in lower case, without accents, apostrophes and the "s" of plurals. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/['’]/g, '').toLowerCase();
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 ? word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1') : word,
  );
}

/**
 * How alike two words are, 0 to 1: 1 if they are the same. Else Dice's share of common three letters, or the share of the shorter word that both begin with, if that is more than half;
 * words of fewer than four letters are the same or not alike.
 */
export function likeness(one: string, other: string): number {
  if (one === other) return 1;
  if (one.length < 4 || other.length < 4) return 0;
  const [left, right] = [trigrams(one), trigrams(other)];
  let common = 0;
  for (const part of left) if (right.has(part)) common++;
  let start = 0;
  while (one[start] === other[start] && start < one.length) start++;
  const prefix = start < 4 ? 0 : (0.8 * start) / Math.min(one.length, other.length);
  const found = Math.max((2 * common) / (left.size + right.size), prefix);
  return found < 0.55 ? 0 : 0.9 * found;
}

function trigrams(word: string): ReadonlySet<string> {
  const padded = `^${word}$`;
  return new Set(Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3)));
}
