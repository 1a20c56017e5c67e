import { characterSet, complementOfSet, isInSet } from '../characterSet.js';
import { type Machine, NONE } from '../machine.js';
import { DOMAIN_SETS, type DomainPlace, isWholeDomain, nextInDomain } from './address.js';
import { ofLowered } from './preimages.js';

const SCHEMES = ['http', 'https', 'ws', 'wss', 'ftp'].map((scheme) => `${scheme}://`);
const DIGIT = characterSet([48, 57]);
const DOT = characterSet('.');
const END_OF_HOST = characterSet(':/?#');
const BRACKET = characterSet('[');
const AT = characterSet('@');
const LETTERS = [...'hftpsw:/xn-'].flatMap((one) => [characterSet(one), characterSet(one.toUpperCase())]);
const DIGITS = [...'0123456'].map((one) => characterSet(one));
/** What parsers of URLs remove or replace. */
const REFUSED = characterSet([0, 32], '\\\u007f');

/** The shortest URL in which a length of the host is beyond its limit, in code points. */
const EXACT_BELOW = 64;

/** A predicate of `hostOf(text)`. Which IPv6 address a URL has is not followed. */
export function ofHost(inner: Machine): Machine<string> {
  const lowered = ofLowered(inner);
  const states = new Map<string, State>();
  const keep = (state: State): string => {
    const key = JSON.stringify(state);
    states.set(key, state);
    return key;
  };
  const NONE_STATE = keep({ kind: 'none' });
  const IPV6_STATE = keep({ kind: 'ipv6' });
  const ofIpv6 = outcomesOfIpv6(lowered) | NONE;
  const isHost = (state: State & { kind: 'host' }): boolean =>
    state.punycode !== 4 && (isWholeDomain(state.domain) || isWholeIpv4(state.ipv4));

  const next = (state: State, code: number): State => {
    switch (state.kind) {
      case 'none':
      case 'ipv6':
        return state;
      case 'scheme': {
        const read = state.read + String.fromCodePoint(code).toLowerCase();
        const isAscii = code < 128;
        if (!isAscii || !SCHEMES.some((scheme) => scheme.startsWith(read))) return { kind: 'none' };
        if (!SCHEMES.includes(read)) return { kind: 'scheme', read };
        return {
          kind: 'host',
          first: true,
          domain: 'start',
          ipv4: FIRST_NUMBER,
          punycode: 0,
          inner: lowered.start,
        };
      }
      case 'host': {
        if (state.first && isInSet(BRACKET, code)) return { kind: 'ipv6' };
        if (isInSet(END_OF_HOST, code)) {
          if (!isHost(state)) return { kind: 'none' };
          if (code === 58) return { kind: 'port', digits: 0, order: 'equal', inner: state.inner };
          return { kind: 'rest', path: code === 47, inner: state.inner };
        }
        const domain = nextInDomain(state.domain, code);
        const ipv4 = nextInIpv4(state.ipv4, code);
        if (domain === 'none' && ipv4 === null) return { kind: 'none' };
        const punycode = nextInPunycode(state.punycode, code);
        return { kind: 'host', first: false, domain, ipv4, punycode, inner: lowered.next(state.inner, code) };
      }
      case 'port': {
        if (isInSet(DIGIT, code)) {
          if (state.digits === 5) return { kind: 'none' };
          const limit = '65535'.charCodeAt(state.digits);
          const compared = code < limit ? 'less' : code > limit ? 'greater' : 'equal';
          return {
            ...state,
            digits: state.digits + 1,
            order: state.order === 'equal' ? compared : state.order,
          };
        }
        if (!isPort(state) || !isInSet(END_OF_HOST, code) || code === 58) return { kind: 'none' };
        return { kind: 'rest', path: code === 47, inner: state.inner };
      }
      case 'rest': {
        const refused = isInSet(REFUSED, code) || (!state.path && isInSet(AT, code));
        return refused ? { kind: 'none' } : state;
      }
    }
  };
  return {
    sets: [
      ...lowered.sets,
      ...DOMAIN_SETS,
      ...LETTERS,
      ...DIGITS,
      DIGIT,
      DOT,
      END_OF_HOST,
      characterSet(':'),
      characterSet('/'),
      BRACKET,
      AT,
      REFUSED,
      complementOfSet(characterSet([0, 127])),
    ],
    start: keep({ kind: 'scheme', read: '' }),
    next: (key, code) => {
      if (key === NONE_STATE || key === IPV6_STATE) return key;
      return keep(next(states.get(key)!, code));
    },
    outcomes: (key) => {
      const state = states.get(key)!;
      switch (state.kind) {
        case 'ipv6':
          return ofIpv6;
        case 'host':
          return isHost(state) ? lowered.outcomes(state.inner) : NONE;
        case 'port':
          return isPort(state) ? lowered.outcomes(state.inner) : NONE;
        case 'rest':
          return lowered.outcomes(state.inner);
        default:
          return NONE;
      }
    },
    through: 'hostOf',
    exactBelow: EXACT_BELOW,
  };
}

/** What a predicate may say of hexadecimal digits and colons in brackets, as bits. */
function outcomesOfIpv6(inner: Machine): number {
  const signs = [...'0123456789abcdef:'].map((sign) => sign.charCodeAt(0));
  const states = new Set([inner.next(inner.start, 91)]);
  let outcomes = 0;
  for (const state of states) {
    outcomes |= inner.outcomes(inner.next(state, 93));
    for (const sign of signs) states.add(inner.next(state, sign));
  }
  return outcomes;
}

type State =
  | { readonly kind: 'none' | 'ipv6' }
  | { readonly kind: 'scheme'; readonly read: string }
  | {
      readonly kind: 'host';
      readonly first: boolean;
      readonly domain: DomainPlace;
      readonly ipv4: Ipv4 | null;
      readonly punycode: number;
      readonly inner: number | string;
    }
  | {
      readonly kind: 'port';
      readonly digits: number;
      /** The digits so far against those of 65535. */
      readonly order: 'less' | 'equal' | 'greater';
      readonly inner: number | string;
    }
  | { readonly kind: 'rest'; readonly path: boolean; readonly inner: number | string };

function isPort({ digits, order }: { readonly digits: number; readonly order: string }): boolean {
  return digits > 0 && (digits < 5 || order !== 'greater');
}

/** How much of `xn--` a label begins with; 4 for good once one does, -1 in a label that begins otherwise. */
function nextInPunycode(read: number, code: number): number {
  if (read === 4) return 4;
  if (isInSet(DOT, code)) return 0;
  if (read === -1) return -1;
  const isNext = 'xn--'.charCodeAt(read) === (code >= 65 && code <= 90 ? code + 32 : code);
  return isNext ? read + 1 : -1;
}

/** Which of the four numbers of an IPv4 address is read, and what it is so far: without leading zeros, up to 255. */
interface Ipv4 {
  readonly number: number;
  readonly so: 'empty' | 'zero' | 'one' | 'two' | 'high' | 'ten' | 'twenty' | 'twentyFive' | 'full';
}

const FIRST_NUMBER: Ipv4 = { number: 0, so: 'empty' };

function isWholeIpv4(place: Ipv4 | null): boolean {
  return place !== null && place.number === 3 && place.so !== 'empty';
}

/** Where an IPv4 address ends after one more code point; null if it is none. */
function nextInIpv4(place: Ipv4 | null, code: number): Ipv4 | null {
  if (place === null) return null;
  const { number, so } = place;
  if (isInSet(DOT, code)) return so === 'empty' || number === 3 ? null : { number: number + 1, so: 'empty' };
  if (!isInSet(DIGIT, code)) return null;
  const digit = code - 48;
  const to = (next: Ipv4['so']): Ipv4 => ({ number, so: next });
  switch (so) {
    case 'empty':
      if (digit === 0) return to('zero');
      return to(digit === 1 ? 'one' : digit === 2 ? 'two' : 'high');
    case 'one':
      return to('ten');
    case 'two':
      if (digit === 5) return to('twentyFive');
      return to(digit < 5 ? 'twenty' : 'full');
    case 'high':
      return to('full');
    case 'ten':
    case 'twenty':
      return to('full');
    case 'twentyFive':
      return digit <= 5 ? to('full') : null;
    default:
      return null;
  }
}
