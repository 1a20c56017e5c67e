/** Code points from the first to the last, both included. */
export type CharacterRange = readonly [first: number, last: number];

/** A set of code points: ranges in ascending order that neither overlap nor touch. A lone surrogate is a code point like any other. */
export type CharacterSet = readonly CharacterRange[];

/** The greatest code point. */
export const LAST_CODE_POINT = 0x10ffff;

/** All code points. */
export const ANY_CHARACTER: CharacterSet = [[0, LAST_CODE_POINT]];

/** The set of these code points: texts give each of theirs, ranges all between their ends. */
export function characterSet(...parts: readonly (string | CharacterRange)[]): CharacterSet {
  const ranges = parts.flatMap((part) =>
    typeof part === 'string' ? codePointsOf(part).map((code): CharacterRange => [code, code]) : [part],
  );
  return joined(ranges);
}

/** The code points that are in at least one of the sets. */
export function unionOfSets(...sets: readonly CharacterSet[]): CharacterSet {
  return joined(sets.flat());
}

/** The code points that are not in the set. */
export function complementOfSet(set: CharacterSet): CharacterSet {
  const ranges: CharacterRange[] = [];
  let from = 0;
  for (const [first, last] of set) {
    if (first > from) ranges.push([from, first - 1]);
    from = last + 1;
  }
  if (from <= LAST_CODE_POINT) ranges.push([from, LAST_CODE_POINT]);
  return ranges;
}

/** The code points that are in both sets. */
export function intersectionOfSets(a: CharacterSet, b: CharacterSet): CharacterSet {
  return complementOfSet(unionOfSets(complementOfSet(a), complementOfSet(b)));
}

/** Whether a code point is in the set. */
export function isInSet(set: CharacterSet, codePoint: number): boolean {
  let [low, high] = [0, set.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (set[middle][1] < codePoint) low = middle + 1;
    else high = middle;
  }
  return low < set.length && set[low][0] <= codePoint;
}

/** The code points of a text. */
export function codePointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0)!);
}

function joined(ranges: readonly CharacterRange[]): CharacterSet {
  const sorted = [...ranges].sort(([a], [b]) => a - b);
  const result: [number, number][] = [];
  for (const [first, last] of sorted) {
    const before = result.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else result.push([first, last]);
  }
  return result;
}
