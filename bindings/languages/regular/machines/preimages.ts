import { type CharacterSet, characterSet, isInSet, unionOfSets } from '../characterSet.js';
import type { Machine } from '../machine.js';

const UPPER = characterSet([65, 90]);
/** Unicode's white space, as `trim` removes it. */
const SPACE = characterSet(
  [9, 13],
  '\u0020\u0085\u00a0\u1680',
  [0x2000, 0x200a],
  '\u2028\u2029\u202f\u205f\u3000',
);

/** The sets of a machine that reads lower-case letters where the text has those of A to Z. */
function withUpper(sets: readonly CharacterSet[]): CharacterSet[] {
  const lowered = sets.map((set) => {
    const upper = Array.from({ length: 26 }, (_, i) => 65 + i).filter((code) => isInSet(set, code + 32));
    return unionOfSets(set, ...upper.map((code) => characterSet([code, code])));
  });
  return [...sets, ...lowered, UPPER];
}

const lowerOf = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

/** The function through which a predicate reads, if what it reads is given by another function. */
function throughAlso(name: string, { through }: Machine): Pick<Machine, 'through'> {
  return through === undefined ? {} : { through: `${through} of ${name}` };
}

/** A predicate of `lowerAscii(text)`. */
export function ofLowered<S extends number | string>(inner: Machine<S>): Machine<S> {
  return {
    ...inner,
    ...throughAlso('lowerAscii', inner),
    sets: withUpper(inner.sets),
    next: (state, code) => inner.next(state, lowerOf(code)),
  };
}

/** A predicate of `trim(text)`. */
export function ofTrimmed(inner: Machine): Machine<string> {
  // The state of the inner machine after the text so far without the spaces at its end, then the one with them; before the first other character, none.
  const states = new Map<string, readonly [number | string, number | string]>();
  const keep = (trimmed: number | string, whole: number | string): string => {
    const key = JSON.stringify([trimmed, whole]);
    if (!states.has(key)) states.set(key, [trimmed, whole]);
    return key;
  };
  const START = '';
  return {
    ...inner,
    ...throughAlso('trim', inner),
    sets: [...inner.sets, SPACE],
    start: START,
    next: (state, code) => {
      const isSpace = isInSet(SPACE, code);
      if (state === START) return isSpace ? START : both(inner.next(inner.start, code));
      const [trimmed, whole] = states.get(state)!;
      const after = inner.next(whole, code);
      return isSpace ? keep(trimmed, after) : both(after);
    },
    outcomes: (state) => inner.outcomes(state === START ? inner.start : states.get(state)![0]),
    ...(inner.doubts && {
      doubts: (state: string) => inner.doubts!(state === START ? inner.start : states.get(state)![0]),
    }),
  };

  function both(state: number | string): string {
    return keep(state, state);
  }
}
