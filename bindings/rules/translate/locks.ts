import { InvalidArgumentError, ModelError } from '../../base/errors.js';
import { nearestName } from '../../base/suggest.js';
import { type Formula, parseFormula, predicatesOf } from '../../languages/logic/index.js';
import { placeOf, type Span } from './mentions.js';

/** A part of a sentence whose meaning a person has settled. */
export interface Lock {
  /** As it stands in the sentence, whole words; of several places the first counts. */
  readonly text: string;
  /** What it means, over the predicates. */
  readonly formula: Formula | string;
}

/** A lock with its place in the sentence. */
export interface PlacedLock extends Span {
  readonly formula: Formula;
}

/**
 * Finds the locks in a sentence.
 *
 * @returns in the order of their places
 * @throws InvalidArgumentError if one does not stand there, overlaps another, or speaks of a predicate that is not known; ParseError for a formula that is none
 */
export function placedLocks(
  locks: readonly Lock[],
  sentence: string,
  known: readonly string[],
): PlacedLock[] {
  const placed = locks.map(({ text, formula }, i): PlacedLock => {
    const at = `locks[${i}]`;
    const meant = typeof formula === 'string' ? parseFormula(formula, { name: at }) : formula;
    const other = predicatesOf(meant).find((name) => !known.includes(name));
    if (other !== undefined) {
      const nearest = nearestName(other, known);
      throw new InvalidArgumentError(
        `${at} has the predicate ${other}, which is not known${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
      );
    }
    return { text, start: placeIn(sentence, text, at), formula: meant };
  });
  placed.sort((one, other) => one.start - other.start);
  placed.forEach(({ text, start }, i) => {
    const next = placed[i + 1];
    if (next !== undefined && start + text.length > next.start)
      throw new InvalidArgumentError(
        `the locks ${JSON.stringify(text)} and ${JSON.stringify(next.text)} overlap`,
      );
  });
  return placed;
}

function placeIn(sentence: string, text: string, at: string): number {
  try {
    return placeOf(sentence, text, 0, sentence.length);
  } catch (cause) {
    throw new InvalidArgumentError(
      `${at} is of ${JSON.stringify(text)}, which does not stand in the sentence; copy a part of it, whole words`,
      { cause },
    );
  }
}

/**
 * Those that stand within a part of the sentence.
 *
 * @throws ModelError if the part cuts through one: then a model took the sentence apart otherwise than the person
 */
export function within<Part extends Span>(parts: readonly Part[], { text, start }: Span): Part[] {
  const end = start + text.length;
  return parts.filter((part) => {
    const last = part.start + part.text.length;
    if (part.start >= start && last <= end) return true;
    if (last <= start || part.start >= end) return false;
    throw new ModelError(`the answer cuts through ${JSON.stringify(part.text)}`);
  });
}
