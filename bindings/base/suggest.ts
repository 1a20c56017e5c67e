import { InvalidArgumentError } from './errors.js';

/** Every option of a type, so that none can be forgotten. */
export type OptionNames<Options extends object> = { readonly [Name in keyof Required<Options>]: true };

/**
 * Refuses options that do not exist: one that is misspelt would be ignored without a word.
 *
 * @param where What takes the options, for the message
 * @throws InvalidArgumentError naming the option and the one that was most likely meant; also where they are no object
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

/** Refuses what is no text, in the words of whoever takes it. @throws InvalidArgumentError */
export function requireText(where: string, source: unknown): asserts source is string {
  if (typeof source === 'string') return;
  throw new InvalidArgumentError(`${where} is given ${describeValue(source)}; expected text`);
}

/** A value that is not what was expected, for a message. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string')
    return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  if (typeof value === 'object' && value !== null)
    return `an object with ${Object.keys(value).slice(0, 6).join(', ') || 'nothing in it'}`;
  return String(value);
}

/**
 * The known name a misspelt one was most likely meant to be: the candidate at least edit distance (insertions, deletions,
 * substitutions and swaps of neighbours; a change of case costs half), the first of equals. At most a third of the
 * letters may differ, so that a wrong guess is not offered as help.
 *
 * @returns undefined where no candidate is near enough, or where `name` itself is a candidate.
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
