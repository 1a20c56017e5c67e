import { NotSupportedError } from '../../base/errors.js';
import type { CharacterSet, Regex } from '../../languages/regular/index.js';
import { ANY_TEXT, choiceOf, LAST_UNIT, type RegLan, repeatOf, sequenceOf } from '../smt/index.js';

/**
 * A regular expression over code points, over code units. Where `isExact` is false the set has all texts that the expression matches and perhaps more, which
 * then have surrogates: characters of two code units, or halves of such.
 */
export interface UnitPattern {
  readonly set: RegLan;
  readonly isExact: boolean;
}

type Ranges = readonly (readonly [number, number])[];

/**
 * The pattern of texts of which some part (`part`) or the whole (`whole`) matches.
 *
 * @throws NotSupportedError for assertions elsewhere than at the ends
 */
export function patternOf(regex: Regex, extent: 'part' | 'whole'): UnitPattern {
  const alternatives = regex.kind === 'choice' ? regex.parts : [regex];
  const found = alternatives.map((alternative) => {
    const parts = alternative.kind === 'sequence' ? [...alternative.parts] : [alternative];
    let [fromStart, toEnd] = [extent === 'whole', extent === 'whole'];
    while (isAssertion(parts[0], 'textStart')) {
      parts.shift();
      fromStart = true;
    }
    while (isAssertion(parts.at(-1), 'textEnd')) {
      parts.pop();
      toEnd = true;
    }
    const { set, isExact } = unitsOf({ kind: 'sequence', parts });
    return { set: sequenceOf(...(fromStart ? [] : [ANY_TEXT]), set, ...(toEnd ? [] : [ANY_TEXT])), isExact };
  });
  return { set: choiceOf(...found.map(({ set }) => set)), isExact: found.every(({ isExact }) => isExact) };
}

function isAssertion(regex: Regex | undefined, assertion: 'textStart' | 'textEnd'): boolean {
  return regex?.kind === 'assert' && regex.assertion === assertion;
}

function unitsOf(regex: Regex): UnitPattern {
  switch (regex.kind) {
    case 'assert':
      throw new NotSupportedError(
        `the pattern has an assertion (${regex.assertion}) elsewhere than at its ends`,
      );
    case 'set':
      return { set: oneOf(regex.set), isExact: !hasSurrogates(regex.set) };
    case 'sequence':
    case 'choice': {
      const parts = regex.parts.map(unitsOf);
      const sets = parts.map(({ set }) => set);
      const set = regex.kind === 'sequence' ? { kind: 'sequence' as const, parts: sets } : choiceOf(...sets);
      return { set, isExact: parts.every(({ isExact }) => isExact) };
    }
    case 'repeat': {
      const { part, least, most } = regex;
      // A character of two code units is as good as its two halves where any number of either may stand.
      if (part.kind === 'set' && most === null && least < 2 && isClosed(part.set))
        return { set: repeatOf({ kind: 'units', ranges: withinUnits(part.set) }, least), isExact: true };
      const inner = unitsOf(part);
      return { set: repeatOf(inner.set, least, most), isExact: inner.isExact };
    }
  }
}

const HIGH = [0xd800, 0xdbff] as const;
const LOW = [0xdc00, 0xdfff] as const;
const BEYOND = 0x10000;

function withinUnits(set: CharacterSet): Ranges {
  return cut(set, 0, LAST_UNIT);
}

function hasSurrogates(set: CharacterSet): boolean {
  return cut(set, HIGH[0], LOW[1]).length > 0;
}

/** Whether all characters of two code units, and all halves of such, are in the set. */
function isClosed(set: CharacterSet): boolean {
  return (
    set.some(([first, last]) => first <= HIGH[0] && last >= LOW[1]) &&
    set.some(([first, last]) => first <= BEYOND && last === 0x10ffff)
  );
}

function cut(set: CharacterSet, least: number, most: number): Ranges {
  return set
    .filter(([first, last]) => first <= most && last >= least)
    .map(([first, last]) => [Math.max(first, least), Math.min(last, most)] as const);
}

/** One character of the set, as one or two code units. */
function oneOf(set: CharacterSet): RegLan {
  const pairs = cut(set, BEYOND, 0x10ffff).flatMap(([first, last]) => pairsOf(first, last));
  const single = withinUnits(set);
  return choiceOf(
    ...(single.length > 0 || pairs.length === 0 ? [{ kind: 'units' as const, ranges: single }] : []),
    ...pairs,
  );
}

/** The characters of two code units in a range: those with the first one's high half, those with all low halves, those with the last one's. */
function pairsOf(first: number, last: number): RegLan[] {
  const halves = (code: number) => [HIGH[0] + ((code - BEYOND) >> 10), LOW[0] + ((code - BEYOND) & 0x3ff)];
  const [[high, low], [highest, lowest]] = [halves(first), halves(last)];
  const pair = (from: number, to: number, low1: number, low2: number): RegLan[] =>
    from > to
      ? []
      : [sequenceOf({ kind: 'units', ranges: [[from, to]] }, { kind: 'units', ranges: [[low1, low2]] })];
  if (high === highest) return pair(high, high, low, lowest);
  const beginsWhole = low === LOW[0];
  const endsWhole = lowest === LOW[1];
  return [
    ...(beginsWhole ? [] : pair(high, high, low, LOW[1])),
    ...pair(beginsWhole ? high : high + 1, endsWhole ? highest : highest - 1, ...LOW),
    ...(endsWhole ? [] : pair(highest, highest, LOW[0], lowest)),
  ];
}

/** The expression that a text matches if and only if it matches once A to Z are lower case. */
export function beforeLowering(regex: Regex): Regex {
  switch (regex.kind) {
    case 'assert':
      return regex;
    case 'set':
      return { kind: 'set', set: lowered(regex.set) };
    case 'sequence':
    case 'choice':
      return { kind: regex.kind, parts: regex.parts.map(beforeLowering) };
    case 'repeat':
      return { ...regex, part: beforeLowering(regex.part) };
  }
}

function lowered(set: CharacterSet): CharacterSet {
  const [below, above] = [cut(set, 0, 64), cut(set, 91, 0x10ffff)];
  const upper = cut(set, 97, 122).map(([first, last]) => [first - 32, last - 32] as const);
  return [...below, ...upper, ...above];
}
