import { type CharacterSet, LAST_CODE_POINT } from './characterSet.js';

/** The characters that show best what a text is about, the best first. */
const READABLE = [
  ...'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  ...'._-/@:+,=;#?&!%*~$\'"()[]{}<>|^`\\ ',
].map((character) => character.charCodeAt(0));
const READABILITY = new Map(READABLE.map((codePoint, i) => [codePoint, i]));

/** Code points divided into classes: two of one class are in the same of the given sets, so that no automaton over these sets tells them apart. */
export class Alphabet {
  /** For each class, its most readable code point. Classes are numbered from the most readable. */
  readonly representatives: readonly number[];
  /** First code points of the intervals, ascending, and the class of each. */
  readonly #starts: Int32Array;
  readonly #classes: Int32Array;
  /** The class of each character of ASCII. */
  readonly #ascii = new Int32Array(128);

  constructor(sets: readonly CharacterSet[]) {
    const distinct = [...new Map(sets.map((set) => [String(set), set])).values()];
    const toggles = new Map<number, number[]>([[0, []]]);
    for (const [i, set] of distinct.entries())
      for (const [first, last] of set)
        for (const at of [first, last + 1]) toggles.set(at, [...(toggles.get(at) ?? []), i]);
    const starts = [...toggles.keys()].filter((at) => at <= LAST_CODE_POINT).sort((a, b) => a - b);
    const inside = new Set<number>();
    const numbers = new Map<string, number>();
    const members: [number, number][][] = [];
    const classes = starts.map((start, i) => {
      for (const set of toggles.get(start)!) if (!inside.delete(set)) inside.add(set);
      const signature = [...inside].sort((a, b) => a - b).join();
      const own = numbers.get(signature) ?? numbers.set(signature, numbers.size).get(signature)!;
      const interval: [number, number] = [start, (starts[i + 1] ?? LAST_CODE_POINT + 1) - 1];
      if (members[own] === undefined) members[own] = [];
      members[own].push(interval);
      return own;
    });
    const best = members.map(mostReadable);
    const order = best.map((_, i) => i).sort((a, b) => readability(best[a]) - readability(best[b]));
    const rank = new Int32Array(order.length);
    for (const [i, own] of order.entries()) rank[own] = i;
    this.representatives = order.map((own) => best[own]);
    this.#starts = Int32Array.from(starts);
    this.#classes = Int32Array.from(classes, (own) => rank[own]);
    for (let code = 0; code < 128; code++) this.#ascii[code] = this.#find(code);
  }

  /** Number of classes. */
  get size(): number {
    return this.representatives.length;
  }

  /** The first code points of intervals, ascending, and the class of each. */
  get intervals(): { readonly starts: number[]; readonly classes: number[] } {
    return { starts: [...this.#starts], classes: [...this.#classes] };
  }

  /** The class of a code point. */
  classOf(codePoint: number): number {
    return codePoint < 128 ? this.#ascii[codePoint] : this.#find(codePoint);
  }

  #find(codePoint: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#starts[middle] <= codePoint) low = middle;
      else high = middle;
    }
    return this.#classes[low];
  }
}

/** Lower is more readable: the readable characters of ASCII, other visible ones, spaces and controls, and last lone surrogates. */
function readability(codePoint: number): number {
  const known = READABILITY.get(codePoint);
  if (known !== undefined) return known;
  if (isSurrogate(codePoint)) return 4 * LAST_CODE_POINT + codePoint;
  return (isVisible(codePoint) ? 1 : 2) * LAST_CODE_POINT + codePoint;
}

const isSurrogate = (codePoint: number): boolean => codePoint >= 0xd800 && codePoint <= 0xdfff;
const isVisible = (codePoint: number): boolean =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(String.fromCodePoint(codePoint));

/** @param intervals ascending */
function mostReadable(intervals: readonly (readonly [number, number])[]): number {
  const ascii = READABLE.find((code) => intervals.some(([first, last]) => first <= code && code <= last));
  if (ascii !== undefined) return ascii;
  // The first few of each interval: which of many equally foreign characters is shown matters little.
  const candidates = intervals.flatMap(([first, last]) =>
    Array.from({ length: Math.min(40, last - first + 1) }, (_, i) => first + i),
  );
  // Intervals ascend, and so do candidates: of several visible ones the first is the most readable.
  return candidates.find(isVisible) ?? candidates.find((one) => !isSurrogate(one)) ?? candidates[0];
}
