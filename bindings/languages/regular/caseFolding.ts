import { type CharacterSet, characterSet, isInSet, LAST_CODE_POINT, unionOfSets } from './characterSet.js';

let orbits: readonly (readonly number[])[] | undefined;

/**
 * The set with all characters that differ from one of its own in case alone, by Unicode's simple folding.
 *
 * @see https://www.unicode.org/Public/UCD/latest/ucd/CaseFolding.txt
 */
export function caseClosure(set: CharacterSet): CharacterSet {
  orbits ??= findOrbits();
  const added = orbits.filter((orbit) => orbit.some((code) => isInSet(set, code))).flat();
  return unionOfSets(set, ...added.map((code) => characterSet([code, code])));
}

/** The sets of code points that differ in case alone, each of two or more. */
function findOrbits(): number[][] {
  const orbitOf = new Map<number, number[]>();
  const join = (a: number, b: number): void => {
    const [first, second] = [orbitOf.get(a) ?? [a], orbitOf.get(b) ?? [b]];
    if (first === second) return;
    const orbit = [...first, ...second];
    for (const code of orbit) orbitOf.set(code, orbit);
  };
  for (let code = 0; code <= LAST_CODE_POINT; code++) {
    if (code === 0xd800) code = 0xe000;
    const character = String.fromCodePoint(code);
    for (const other of [character.toLowerCase(), character.toUpperCase()]) {
      if (other === character || [...other].length > 1) continue;
      // Changes of case that are not simple foldings, as from the dotless i.
      const folds = new RegExp(`^\\u{${code.toString(16)}}$`, 'iu').test(other);
      if (folds) join(code, other.codePointAt(0)!);
    }
  }
  return [...new Set(orbitOf.values())];
}
