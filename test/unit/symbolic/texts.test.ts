import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateTerm, type Term, type TermValue } from '../../../bindings/solvers/smt/index.js';
import { Context } from '../../../bindings/solvers/symbolic/context.js';
import {
  addressOf,
  codePointsOf,
  hostOf,
  loweredText,
  trimmed,
} from '../../../bindings/solvers/symbolic/texts.js';
import { withStandIns } from './grounded.js';

const runs = Number(process.env.FOREGUARD_SMT_TEXTS ?? 200);

/** What functions on texts tell apart, and pieces of addresses and URLs. */
const addresses = fc
  .array(
    fc.constantFrom(
      ...[
        'ann',
        'Bob',
        '@',
        '.',
        '-',
        '--',
        '0',
        '00',
        '1',
        '12',
        '0x',
        '0X',
        'f',
        'G',
        'x',
        'home',
        'example',
        'a+b',
        '%',
        '!',
        'ä',
        ' ',
        '_',
      ],
      ...['@home.example', 'x'.repeat(62), '9', '\ud800'],
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
const urls = fc
  .tuple(
    fc.constantFrom('http://', 'HTTPS://', 'ws://', 'wss://', 'ftp://', 'file://', 'http:/', ''),
    fc.array(
      fc.constantFrom(
        'shop',
        'A',
        '.',
        '-',
        '0',
        '25',
        '255',
        '256',
        '9',
        '1.2.3.4',
        'xn--',
        '[::1]',
        '[',
        ']',
        '_',
        'é',
        'x',
      ),
      { maxLength: 5 },
    ),
    fc.constantFrom('', ':', ':80', ':65535', ':65536', ':00080', ':123456', ':6553x'),
    fc.constantFrom('', '/', '/a@b', '?a=b', '?a@b', '#x', '#@', '/ ', '/\\', '\u007f', '/é', '/a?b#c'),
  )
  .map(([scheme, host, port, rest]) => scheme + host.join('') + port + rest);
const spaces = fc
  .array(
    fc.constantFrom(
      ' ',
      '\t',
      '\u00a0',
      '\u2003',
      '\u200b',
      '\ufeff',
      'a',
      'B',
      '\u3000',
      '\ud83d\ude00',
      '\ud83d',
      '\ude00',
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

/** Checks that what defines the variables holds of what they stand for; then, whether it still does with a value changed. */
function defined(
  text: string,
  make: (context: Context, term: Term) => void,
  change?: (model: Map<string, TermValue>) => void,
): boolean {
  const context = new Context(false);
  make(context, context.terms.variable('Text', 't'));
  const model = new Map<string, TermValue>([['t', text]]);
  withStandIns(context, model, (what) => {
    throw new Error(`no meaning of ${what}`);
  });
  change?.(model);
  return context.definitions.every((one) => evaluateTerm(one, model) === true);
}

/** With another truth value for whether the text is what the function reads. */
const turned = (name: string) => (model: Map<string, TermValue>) => {
  for (const [key, value] of model) if (key.startsWith(`${name}.`)) model.set(key, value !== true);
};

describe('functions on texts', () => {
  it('are among what their definitions allow', () => {
    fc.assert(
      fc.property(fc.oneof(addresses, urls, spaces), (text) => {
        for (const make of [addressOf, hostOf, trimmed, loweredText, codePointsOf])
          expect([make.name, defined(text, make)]).toEqual([make.name, true]);
      }),
      { numRuns: runs },
    );
  });

  it('are all that their definitions allow, of short addresses and URLs', () => {
    let [read, unread] = [0, 0];
    fc.assert(
      fc.property(
        addresses.filter((text) => text.length < 64),
        urls.filter((text) => text.length < 64 && !/xn--|\[/i.test(text)),
        (address, url) => {
          for (const [text, make, name] of [
            [address, addressOf, 'isAddress'],
            [url, hostOf, 'isUrl'],
          ] as const) {
            expect([text, defined(text, make, turned(name))]).toEqual([text, false]);
            const context = new Context(false);
            make(context, context.terms.variable('Text', 't'));
            const model = new Map<string, TermValue>([['t', text]]);
            withStandIns(context, model, () => false);
            if ([...model].some(([key, value]) => key.startsWith(name) && value === true)) read++;
            else unread++;
          }
        },
      ),
      { numRuns: runs },
    );
    expect(Math.min(read, unread)).toBeGreaterThan(runs / 200);
  });

  it('are exact at the borders of ports, of the numbers of addresses, and of labels that are no numbers', () => {
    const ports = [
      0, 9, 99, 999, 9999, 10_000, 39_999, 59_999, 60_000, 64_999, 65_000, 65_499, 65_500, 65_529,
    ];
    const beyond = [
      65_530, 65_535, 65_536, 65_540, 65_600, 66_000, 70_000, 99_999, 100_000, 640_000, 650_000, 655_200,
      655_350,
    ];
    const bytes = [
      '0',
      '9',
      '10',
      '99',
      '100',
      '199',
      '200',
      '249',
      '250',
      '255',
      '256',
      '260',
      '300',
      '00',
      '01',
    ];
    const labels = [
      '0xa',
      '0xf',
      '0xg',
      '0xz',
      '0xag',
      '0xGg',
      '0xAG',
      '0xfg',
      '0xFZ',
      '0xa-g',
      '0xf-',
      '0x-a',
      '0x',
      '0x9z',
    ];
    const others = [
      '0y',
      '0w',
      '0a',
      '0z',
      '0W',
      '0Y',
      '0A',
      '00',
      '1a',
      'x',
      'x0',
      'a-',
      '9',
      '0-a',
      '0-',
      'zz',
      'ZZ',
    ];
    for (const url of [
      ...[...ports, ...beyond].map((port) => `http://a.b:${port}/`),
      ...bytes.flatMap((byte) => [`http://1.2.3.${byte}`, `http://${byte}.2.3.4`]),
    ])
      for (const change of [undefined, turned('isUrl')])
        expect([url, defined(url, hostOf, change)]).toEqual([url, change === undefined]);
    for (const label of [...labels, ...others])
      for (const change of [undefined, turned('isAddress')])
        expect([label, defined(`a@x.${label}`, addressOf, change)]).toEqual([label, change === undefined]);
  });

  it('are trimmed and lowered in one way alone', () => {
    const texts = [' a b ', '', '   ', 'A', 'abc'];
    for (const text of texts) {
      const change = (name: string) => (model: Map<string, TermValue>) => {
        for (const key of model.keys()) if (key.startsWith(`${name}.`)) model.set(key, `${model.get(key)} `);
      };
      expect(defined(text, trimmed, change('trimmed'))).toBe(false);
      expect(defined(text, loweredText, change('lowered'))).toBe(false);
    }
    expect(defined('plain', codePointsOf, (model) => model.set('pairs.0', 1n))).toBe(false);
  });
});
