import type { AskParts } from './before.js';
import type { Reading } from './beliefs.js';
import type { AskedCall } from './moves.js';
import type { Situation } from './run.js';

/** A predicate and the value that it would need. */
export interface Change {
  readonly predicate: string;
  readonly holds: boolean;
  /** In words: `the door is closed`. */
  readonly said: string;
}

/** Changes of the same size that are listed. */
const LISTED = 4;

/**
 * The smallest sets of predicates of the state at hand of which other values, all else being as it is, would let the call be permitted; each has the same number
 * of predicates. Values that the assumptions exclude are not offered, and what the call itself says or does is not changed.
 *
 * @param outcome what is read after the call, if the caller said so: then its predicates are changed, except those that the call changes
 * @returns empty if no change of the state at hand is enough: then it is the past that stands against the call; null if it was given up
 */
export function leastChanges(
  { judge, knowledge, beliefs, limits }: Omit<AskParts, 'moves'>,
  situation: Situation,
  call: AskedCall,
  outcome?: Reading,
): readonly (readonly Change[])[] | null {
  const { predicates, ofCall } = knowledge;
  const isGiven = (i: number): boolean =>
    outcome !== undefined &&
    has(outcome.known, i) &&
    has(outcome.valuation, i) !== has(situation.now.valuation, i);
  const free = predicates.flatMap((_, i) =>
    has(beliefs.reads, i) && !has(ofCall, i) && !isGiven(i) ? [i] : [],
  );
  let left = limits.changes;
  for (let size = 1; size <= free.length; size++) {
    const found: Change[][] = [];
    for (const chosen of subsets(free, size)) {
      for (const flipped of valued(outcome ?? situation.now, chosen)) {
        if (left-- <= 0) return null;
        const judged =
          outcome === undefined
            ? judge.judge(changed(situation, flipped), call)
            : judge.judge(situation, call, withValues(outcome, flipped));
        if (judged.verdict !== 'kept' || judged.possible === false) continue;
        found.push(
          flipped.map(({ place, holds }) => ({
            predicate: predicates[place],
            holds,
            said: knowledge.say(predicates[place], holds),
          })),
        );
      }
      if (found.length >= LISTED) break;
    }
    if (found.length > 0) return found.slice(0, LISTED);
  }
  return [];
}

interface Flip {
  readonly place: number;
  readonly holds: boolean;
}

/** The other values of the chosen predicates: of a known one the opposite, of an unknown one both. */
function valued({ valuation, known }: Reading, chosen: readonly number[]): Flip[][] {
  return chosen.reduce<Flip[][]>(
    (all, place) => {
      const values = has(known, place) ? [!has(valuation, place)] : [true, false];
      return all.flatMap((flips) => values.map((holds) => [...flips, { place, holds }]));
    },
    [[]],
  );
}

function changed(situation: Situation, flips: readonly Flip[]): Situation {
  return {
    tuples: situation.tuples,
    broken: situation.broken,
    apart: situation.apart,
    history: situation.history,
    step: situation.step,
    now: withValues(situation.now, flips),
    read: (call) => withValues(situation.read(call), flips),
  };
}

function withValues(reading: Reading, flips: readonly Flip[]): Reading {
  const valuation = reading.valuation.slice();
  const known = reading.known.slice();
  for (const { place, holds } of flips) {
    const bit = 1 << (place & 31);
    known[place >>> 5] |= bit;
    valuation[place >>> 5] = holds ? valuation[place >>> 5] | bit : valuation[place >>> 5] & ~bit;
  }
  return { valuation, known };
}

function has(bits: Uint32Array, place: number): boolean {
  return (bits[place >>> 5] & (1 << (place & 31))) !== 0;
}

function* subsets(from: readonly number[], size: number, begin = 0): Generator<number[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let i = begin; i <= from.length - size; i++)
    for (const rest of subsets(from, size - 1, i + 1)) yield [from[i], ...rest];
}
