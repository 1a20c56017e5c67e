import { type CharacterSet, characterSet, isInSet } from '../characterSet.js';
import { type Machine, NONE } from '../machine.js';
import { ofLowered } from './preimages.js';

const DIGIT = characterSet([48, 57]);
const LETTER = characterSet([65, 90], [97, 122]);
const HEXADECIMAL = characterSet([48, 57], [65, 70], [97, 102]);
const X = characterSet('xX');
const ZERO = characterSet('0');
const HYPHEN = characterSet('-');
const DOT = characterSet('.');
const AT = characterSet('@');
/** The characters of a local part, as `readAddress` has them. */
const OF_LOCAL = characterSet([48, 57], [65, 90], [97, 122], "#$&'*+/=?^_`{|}~-");

/** The shortest text in which a length of a domain name or of a local part is beyond its limit, in code points. */
const EXACT_BELOW = 64;

export const DOMAIN_SETS: readonly CharacterSet[] = [DIGIT, LETTER, HEXADECIMAL, X, ZERO, HYPHEN, DOT];

/**
 * Where in a domain name a text ends, as far as its form is concerned: at the start of a label; in one that is `0`, a number, hexadecimal (`0x…`), or another;
 * after a hyphen; or nowhere, as the text is no domain name. Lengths are left out.
 */
export type DomainPlace = 'start' | 'zero' | 'number' | 'hex' | 'name' | 'hyphen' | 'none';

/** Where a domain name ends after one more code point. */
export function nextInDomain(place: DomainPlace, code: number): DomainPlace {
  if (place === 'none') return 'none';
  if (isInSet(DOT, code)) return place === 'start' || place === 'hyphen' ? 'none' : 'start';
  if (isInSet(HYPHEN, code)) return place === 'start' ? 'none' : 'hyphen';
  const isDigit = isInSet(DIGIT, code);
  if (!isDigit && !isInSet(LETTER, code)) return 'none';
  switch (place) {
    case 'start':
      if (isInSet(ZERO, code)) return 'zero';
      return isDigit ? 'number' : 'name';
    case 'zero':
      if (isInSet(X, code)) return 'hex';
      return isDigit ? 'number' : 'name';
    case 'number':
      return isDigit ? 'number' : 'name';
    case 'hex':
      return isInSet(HEXADECIMAL, code) ? 'hex' : 'name';
    default:
      return 'name';
  }
}

/** Whether a domain name may end here: not in a label that parsers of URLs take for a number. */
export function isWholeDomain(place: DomainPlace): boolean {
  return place === 'name';
}

/** A predicate of `domainOf(text)`. */
export function ofDomain(inner: Machine): Machine<string> {
  const lowered = ofLowered(inner);
  return addressMachine({
    sets: lowered.sets,
    start: lowered.start,
    local: (state) => state,
    domain: (state, code) => lowered.next(state, code),
    outcomes: (state) => lowered.outcomes(state),
  });
}

/** A predicate of `localPart(text)`. */
export function ofLocalPart(inner: Machine): Machine<string> {
  return addressMachine({
    sets: inner.sets,
    start: inner.start,
    local: (state, code) => inner.next(state, code),
    domain: (state) => state,
    outcomes: (state) => inner.outcomes(state),
  });
}

interface Reader {
  readonly sets: readonly CharacterSet[];
  readonly start: number | string;
  local(state: number | string, code: number): number | string;
  domain(state: number | string, code: number): number | string;
  outcomes(state: number | string): number;
}

type Place = 'local' | 'afterDot' | 'inLocal' | DomainPlace;

/** A machine for addresses, with a machine that reads one of their parts. */
function addressMachine(reader: Reader): Machine<string> {
  const states = new Map<string, readonly [Place, number | string]>();
  const keep = (place: Place, inner: number | string): string => {
    const key = place === 'none' ? 'none' : `${place} ${typeof inner} ${inner}`;
    states.set(key, [place, inner]);
    return key;
  };
  const none = keep('none', reader.start);
  return {
    sets: [...reader.sets, ...DOMAIN_SETS, AT, OF_LOCAL],
    start: keep('local', reader.start),
    next: (state, code) => {
      const [place, inner] = states.get(state)!;
      if (place === 'none') return none;
      if (place === 'local' || place === 'afterDot' || place === 'inLocal') {
        if (isInSet(OF_LOCAL, code)) return keep('inLocal', reader.local(inner, code));
        if (place === 'inLocal' && isInSet(DOT, code)) return keep('afterDot', reader.local(inner, code));
        return place === 'inLocal' && isInSet(AT, code) ? keep('start', inner) : none;
      }
      const next = nextInDomain(place, code);
      return next === 'none' ? none : keep(next, reader.domain(inner, code));
    },
    outcomes: (state) => {
      const [place, inner] = states.get(state)!;
      return place === 'name' ? reader.outcomes(inner) : NONE;
    },
    through: 'readAddress',
    exactBelow: EXACT_BELOW,
  };
}
