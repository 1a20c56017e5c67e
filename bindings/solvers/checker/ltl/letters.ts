import type { LtlLetters } from '../../../languages/automaton/index.js';
import type { BitSet } from '../../kernel/index.js';

/** The atoms of states as letters: states with the same atoms share one, and only letters that occur are numbered. */
export interface StateLetters extends LtlLetters {
  /** Uint32Array(states). */
  readonly ofState: Uint32Array;
}

/** Letters over the sets of states in which each atom holds. Takes time proportional to states times atoms. */
export function lettersOf(states: number, atoms: readonly BitSet[]): StateLetters {
  const ofState = new Uint32Array(states);
  let count = 1;
  for (const atom of atoms) {
    // The atom splits each letter into up to two: states in which it does not hold, and states in which it does.
    const split = new Int32Array(2 * count).fill(-1);
    count = 0;
    for (let s = 0; s < states; s++) {
      const part = 2 * ofState[s] + Number(atom.has(s));
      if (split[part] < 0) split[part] = count++;
      ofState[s] = split[part];
    }
  }
  const example = new Uint32Array(count);
  for (let s = 0; s < states; s++) example[ofState[s]] = s;
  return { count, ofState, holds: (letter, atom) => atoms[atom].has(example[letter]) };
}
