import { InvalidArgumentError } from '../../../base/errors.js';
import { type CharacterSet, characterSet, codePointsOf } from '../characterSet.js';
import { FALSE, type Machine, TRUE } from '../machine.js';

const truth = (holds: boolean): number => (holds ? TRUE : FALSE);

/** Each character of the texts apart. */
function charactersOf(...texts: readonly string[]): CharacterSet[] {
  return [...new Set(texts.flatMap((text) => [...text]))].map((character) => characterSet(character));
}

/**
 * The text's code points. Predicates compare UTF-16 code units, which is the same for texts without lone surrogates.
 * @throws InvalidArgumentError for a text with a lone surrogate
 */
function constant(text: string): number[] {
  const codes = codePointsOf(text);
  if (codes.some((code) => code >= 0xd800 && code <= 0xdfff))
    throw new InvalidArgumentError(
      `found ${JSON.stringify(text)} with half a character, expected a whole text`,
    );
  return codes;
}

/** Whether the text is one of these: a trie. */
export function isOneOf(texts: readonly string[]): Machine<number> {
  const DEAD = -1;
  const children: Map<number, number>[] = [new Map()];
  const accepts: boolean[] = [false];
  for (const text of texts) {
    let node = 0;
    for (const code of constant(text)) {
      let to = children[node].get(code);
      if (to === undefined) {
        to = children.push(new Map()) - 1;
        accepts.push(false);
        children[node].set(code, to);
      }
      node = to;
    }
    accepts[node] = true;
  }
  return {
    sets: charactersOf(...texts),
    start: 0,
    next: (node, code) => (node === DEAD ? DEAD : (children[node].get(code) ?? DEAD)),
    outcomes: (node) => truth(node !== DEAD && accepts[node]),
  };
}

/** Whether the text begins with the part. */
export function beginsWith(part: string): Machine<number> {
  const codes = constant(part);
  const DEAD = -1;
  return {
    sets: charactersOf(part),
    start: 0,
    next: (place, code) => {
      if (place === codes.length) return place;
      return place !== DEAD && codes[place] === code ? place + 1 : DEAD;
    },
    outcomes: (place) => truth(place === codes.length),
    isSmall: true,
  };
}

/** Whether the text ends with the part: as many code points of it as the text ends with are a state (Knuth, Morris, Pratt 1977, doi:10.1137/0206024). */
export function endsWith(part: string): Machine<number> {
  const codes = constant(part);
  const next = longestPrefix(codes);
  return {
    sets: charactersOf(part),
    start: 0,
    next,
    outcomes: (place) => truth(place === codes.length),
    isSmall: true,
  };
}

/** Whether the part stands in the text. */
export function contains(part: string): Machine<number> {
  const codes = constant(part);
  const next = longestPrefix(codes);
  return {
    sets: charactersOf(part),
    start: 0,
    next: (place, code) => (place === codes.length ? place : next(place, code)),
    outcomes: (place) => truth(place === codes.length),
    isSmall: true,
  };
}

/** The length of the longest prefix of the part with which a text ends, after one more code point. */
function longestPrefix(codes: readonly number[]): (place: number, code: number) => number {
  const failure = [0, 0];
  for (let i = 1; i < codes.length; i++) {
    let k = failure[i];
    while (k > 0 && codes[k] !== codes[i]) k = failure[k];
    failure.push(codes[k] === codes[i] ? k + 1 : 0);
  }
  return (place, code) => {
    let k = place === codes.length ? failure[place] : place;
    if (codes.length === 0) return 0;
    while (k > 0 && codes[k] !== code) k = failure[k];
    return codes[k] === code ? k + 1 : 0;
  };
}

/**
 * A predicate over the number of code points.
 *
 * @param cap from this number on the predicate says the same of all
 */
export function lengthIs(holds: (length: number) => boolean, cap: number): Machine<number> {
  return {
    sets: [],
    start: 0,
    next: (length) => Math.min(length + 1, cap),
    outcomes: (length) => truth(holds(length)),
    isSmall: true,
  };
}
