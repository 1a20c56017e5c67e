import {
  ANY_TEXT,
  choiceOf,
  type RegLan,
  repeatOf,
  sequenceOf,
  type Term,
  textOf,
  units,
} from '../smt/index.js';
import type { Context } from './context.js';

/*
 * Functions on texts, by variables for their results and conditions that define these. A condition may say less than the function does, never more: then a
 * result may have values that the function does not give, and what is proved of all of them holds of the right one.
 */

const UPPER = [0x41, 0x5a] as const;
const LETTERS = [UPPER, [0x61, 0x7a]] as const;
const DIGITS = [0x30, 0x39] as const;
const ALPHANUMERIC = units(DIGITS, ...LETTERS);
const SPACE = units([9, 13], ' \u0085\u00a0\u1680', [0x2000, 0x200a], '\u2028\u2029\u202f\u205f\u3000');
/** Half a character of two code units. */
const SURROGATE = units([0xd800, 0xdfff]);
const WITH_SURROGATE = sequenceOf(ANY_TEXT, SURROGATE, ANY_TEXT);
const NO_UPPER = repeatOf(units([0, 0x40], [0x5b, 0xffff]));
const NO_SPACE = units(...gaps());

function gaps(): (readonly [number, number])[] {
  const spaces = (SPACE as Extract<RegLan, { kind: 'units' }>).ranges;
  let from = 0;
  const found: (readonly [number, number])[] = [];
  for (const [first, last] of spaces) {
    found.push([from, first - 1]);
    from = last + 1;
  }
  return [...found, [from, 0xffff]];
}

/** Whether no code unit of a text is half a character. */
export function isPlain({ terms }: Context, text: Term): Term {
  return terms.not(terms.isIn(text, WITH_SURROGATE));
}

/** The number of code points: that of code units, less one for each pair of halves. */
export function codePointsOf(context: Context, text: Term): Term {
  const { terms } = context;
  if (text.kind === 'constant') return terms.int([...(text.value as string)].length);
  const length = terms.of('str.len', text);
  return context.once('pairs', [text], () => {
    const pairs = context.fresh('Int', 'pairs', text);
    const [zero, two] = [terms.int(0), terms.int(2)];
    context.define(
      terms.of('<=', zero, pairs),
      terms.of('<=', terms.of('*', two, pairs), length),
      terms.implies(isPlain(context, text), terms.equal(pairs, zero)),
    );
    return terms.of('-', length, pairs);
  });
}

/** `trim(text)`. */
export function trimmed(context: Context, text: Term): Term {
  const { terms } = context;
  if (text.kind === 'constant') return terms.text(trimOf(text.value as string));
  return context.once('trim', [text], () => {
    const [before, inside, after] = ['before', 'trimmed', 'after'].map((name) =>
      context.fresh('Text', name, text),
    );
    const noSpaceAtEnds = choiceOf(textOf(''), NO_SPACE, sequenceOf(NO_SPACE, ANY_TEXT, NO_SPACE));
    context.define(
      terms.equal(text, terms.of('str.++', before, inside, after)),
      terms.isIn(before, repeatOf(SPACE)),
      terms.isIn(after, repeatOf(SPACE)),
      terms.isIn(inside, noSpaceAtEnds),
    );
    context.congruent('trim', text, [inside]);
    return inside;
  });
}

function trimOf(text: string): string {
  const space = '[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*';
  return text.replace(new RegExp(`^${space}|${space}$`, 'g'), '');
}

/** `lowerAscii(text)`: what it is of texts with upper-case letters is left open but for its length. */
export function loweredText(context: Context, text: Term): Term {
  const { terms } = context;
  if (text.kind === 'constant')
    return terms.text((text.value as string).replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
  return context.once('lowerAscii', [text], () => {
    const lower = context.fresh('Text', 'lowered', text);
    context.define(
      terms.isIn(lower, NO_UPPER),
      terms.equal(terms.of('str.len', lower), terms.of('str.len', text)),
      terms.implies(terms.isIn(text, NO_UPPER), terms.equal(lower, text)),
    );
    context.congruent('lowerAscii', text, [lower]);
    context.once('lowered', [lower], () => text);
    return lower;
  });
}

/** The text of which a term is `lowerAscii`; null for any other term. */
export function beforeLower(context: Context, lower: Term): Term | null {
  return context.once<Term | null>('lowered', [lower], () => null);
}

/** The texts that are this one once A to Z are lower case; null if there are none. */
export function anyCaseOf(text: string): RegLan | null {
  if (/[A-Z]/.test(text)) return null;
  const parts = Array.from({ length: text.length }, (_, i) => {
    const unit = text.charCodeAt(i);
    const isLetter = unit >= 0x61 && unit <= 0x7a;
    return isLetter ? units([unit, unit], [unit - 32, unit - 32]) : units([unit, unit]);
  });
  return { kind: 'sequence', parts };
}

const ZERO = textOf('0');
const NUMERALS = units(DIGITS);
const SOME_HYPHENS = repeatOf(units('-'), 1);
/** What may follow a letter or digit of a label. */
const TAIL = repeatOf(sequenceOf(repeatOf(units('-')), ALPHANUMERIC));
const LABEL = sequenceOf(ALPHANUMERIC, TAIL);
/** Labels but those that are numbers, decimal or hexadecimal, which parsers of URLs take for the end of an IPv4 address. */
const NAME = choiceOf(
  sequenceOf(units(...LETTERS), TAIL),
  sequenceOf(repeatOf(NUMERALS, 1), SOME_HYPHENS, LABEL),
  sequenceOf(
    choiceOf(sequenceOf(units([0x31, 0x39]), repeatOf(NUMERALS)), sequenceOf(ZERO, repeatOf(NUMERALS, 1))),
    units(...LETTERS),
    TAIL,
  ),
  sequenceOf(ZERO, units([0x41, 0x57], 'YZ', [0x61, 0x77], 'yz'), TAIL),
  sequenceOf(
    ZERO,
    units('xX'),
    repeatOf(units(DIGITS, [0x41, 0x46], [0x61, 0x66])),
    choiceOf(sequenceOf(units([0x47, 0x5a], [0x67, 0x7a]), TAIL), sequenceOf(SOME_HYPHENS, LABEL)),
  ),
);
/** All domain names, and some whose labels are too long: these have from 64 code units on. */
const DOMAINS = sequenceOf(repeatOf(sequenceOf(LABEL, textOf('.'))), NAME);
const DOTTED = (label: RegLan): RegLan => sequenceOf(label, repeatOf(sequenceOf(textOf('.'), label)));
const LOCALS = DOTTED(repeatOf(units(DIGITS, ...LETTERS, "#$&'*+/=?^_`{|}~-"), 1));
const ADDRESSES = sequenceOf(LOCALS, textOf('@'), DOMAINS);
/** Addresses and hosts shorter than this are within all limits of lengths. */
const SHORT = 64;

/** The parts of an e-mail address, and whether the text is one. */
export interface AddressParts {
  readonly isOne: Term;
  readonly local: Term;
  /** In lower case. */
  readonly domain: Term;
}

/** What `localPart` and `domainOf` read. */
export function addressOf(context: Context, text: Term): AddressParts {
  const { terms } = context;
  return context.once('address', [text], () => {
    const isOne = context.fresh('Bool', 'isAddress', text);
    const [local, written] = ['local', 'domainAsWritten'].map((name) => context.fresh('Text', name, text));
    const domain = loweredText(context, written);
    context.define(
      terms.implies(
        isOne,
        terms.and(
          terms.equal(text, terms.of('str.++', local, terms.text('@'), written)),
          terms.isIn(local, LOCALS),
          terms.of('<=', terms.of('str.len', local), terms.int(64)),
          terms.isIn(written, DOMAINS),
          terms.of('<=', terms.of('str.len', written), terms.int(253)),
        ),
      ),
      terms.implies(
        terms.and(terms.isIn(text, ADDRESSES), terms.of('<', terms.of('str.len', text), terms.int(SHORT))),
        isOne,
      ),
    );
    context.congruent('address', text, [isOne, local, domain]);
    return { isOne, local, domain };
  });
}

const SCHEMES = sequenceOf(
  choiceOf(...['http', 'https', 'ws', 'wss', 'ftp'].map((scheme) => anyCaseOf(scheme)!)),
  textOf('://'),
);
const UP_TO_255 = choiceOf(
  NUMERALS,
  sequenceOf(units([0x31, 0x39]), NUMERALS),
  sequenceOf(textOf('1'), NUMERALS, NUMERALS),
  sequenceOf(textOf('2'), units([0x30, 0x34]), NUMERALS),
  sequenceOf(textOf('25'), units([0x30, 0x35])),
);
const IPV4 = sequenceOf(UP_TO_255, repeatOf(sequenceOf(textOf('.'), UP_TO_255), 3, 3));
const HOSTS = choiceOf(DOMAINS, IPV4);
const PUNYCODE = sequenceOf(ANY_TEXT, anyCaseOf('xn--')!, ANY_TEXT);
const BRACKETED = sequenceOf(textOf('['), ANY_TEXT, textOf(']'));
const IPV6 = sequenceOf(textOf('['), repeatOf(units(DIGITS, [0x61, 0x66], ':'), 1), textOf(']'));
const PORT = choiceOf(
  repeatOf(NUMERALS, 1, 4),
  sequenceOf(units([0x30, 0x35]), repeatOf(NUMERALS, 4, 4)),
  sequenceOf(textOf('6'), units([0x30, 0x34]), repeatOf(NUMERALS, 3, 3)),
  sequenceOf(textOf('65'), units([0x30, 0x34]), repeatOf(NUMERALS, 2, 2)),
  sequenceOf(textOf('655'), units([0x30, 0x32]), NUMERALS),
  sequenceOf(textOf('6553'), units([0x30, 0x35])),
);
/** What follows a host: nothing that parsers of URLs remove, and an `@` only in a path. */
const REST = sequenceOf(
  choiceOf(textOf(''), sequenceOf(textOf(':'), PORT)),
  choiceOf(
    textOf(''),
    sequenceOf(textOf('/'), repeatOf(units([0x21, 0x5b], [0x5d, 0x7e], [0x80, 0xffff]))),
    sequenceOf(units('?#'), repeatOf(units([0x21, 0x3f], [0x41, 0x5b], [0x5d, 0x7e], [0x80, 0xffff]))),
  ),
);

const URLS = sequenceOf(SCHEMES, HOSTS, REST);

/** What `hostOf` reads: whether the text is a URL with a host, and the host. */
export function hostOf(context: Context, text: Term): { readonly isOne: Term; readonly host: Term } {
  const { terms } = context;
  return context.once('host', [text], () => {
    const isOne = context.fresh('Bool', 'isUrl', text);
    const [scheme, written, rest, host] = ['scheme', 'hostAsWritten', 'rest', 'host'].map((name) =>
      context.fresh('Text', name, text),
    );
    context.define(
      terms.implies(
        isOne,
        terms.and(
          terms.equal(text, terms.of('str.++', scheme, written, rest)),
          terms.isIn(scheme, SCHEMES),
          terms.isIn(rest, REST),
          terms.or(
            terms.and(terms.isIn(written, HOSTS), terms.equal(host, loweredText(context, written))),
            terms.and(terms.isIn(written, BRACKETED), terms.isIn(host, IPV6)),
          ),
        ),
      ),
      terms.implies(
        terms.and(
          terms.isIn(text, URLS),
          terms.not(terms.isIn(text, PUNYCODE)),
          terms.of('<', terms.of('str.len', text), terms.int(SHORT)),
        ),
        isOne,
      ),
    );
    context.congruent('host', text, [isOne, host]);
    return { isOne, host };
  });
}
