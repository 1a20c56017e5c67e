import { InvalidArgumentError } from './errors.js';

/** The names of all options of a type; the compiler reports a missing one. */
export type OptionNames<Options extends object> = { readonly [Name in keyof Required<Options>]: true };

/**
 * Refuses unknown options: a misspelt option would be silently ignored.
 *
 * @param where Name of the function that takes the options, for the message
 * @throws InvalidArgumentError naming the option and the one that was most likely meant; also if the options are not an object
 */
export function refuseUnknownOptions<Options extends object>(
  where: string,
  options: Options,
  known: Readonly<Record<keyof OptionNames<Options>, unknown>>,
): void {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidArgumentError(
      `the options of ${where} are ${JSON.stringify(options)}; expected an object, or nothing`,
    );
  }
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue;
    const names = Object.keys(known);
    const nearest = nearestName(name, names);
    const hint = nearest === undefined ? `it has ${names.join(', ')}` : `did you mean ${nearest}?`;
    throw new InvalidArgumentError(`${where} has no option ${name}; ${hint}`);
  }
}

/** Checks that `source` is text; the message names `where`. @throws InvalidArgumentError if it is not */
export function requireText(where: string, source: unknown): asserts source is string {
  if (typeof source === 'string') return;
  throw new InvalidArgumentError(`${where} is given ${describeValue(source)}; expected text`);
}

/** Describes an unexpected value for a message. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string')
    return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  if (typeof value === 'object' && value !== null)
    return `an object with ${Object.keys(value).slice(0, 6).join(', ') || 'nothing in it'}`;
  return String(value);
}

/**
 * Finds the known name that a misspelt one most likely meant: the first candidate at the smallest edit distance (insertions, deletions,
 * substitutions and swaps of neighbours; a change of case costs half). At most a third of the letters may differ, so that wrong guesses are
 * not offered.
 *
 * @returns undefined if no candidate is near enough, or if `name` itself is a candidate.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let best = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    if (candidate === name) return undefined;
    const limit = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    if (Math.abs(name.length - candidate.length) > limit) continue;
    const distance = editDistance(name, candidate);
    if (distance <= limit && distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Optimal string alignment over three rows: `previous[j]` is the distance of a's first i-1 letters to b's first j. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      let distance = Math.min(
        previous[j] + 1,
        current[j - 1] + 1,
        previous[j - 1] + substitution(a[i - 1], b[j - 1]),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, beforePrevious[j - 2] + 1);
      }
      current.push(distance);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length];
}

function substitution(a: string, b: string): number {
  if (a === b) return 0;
  return a.toLowerCase() === b.toLowerCase() ? 0.5 : 1;
}
