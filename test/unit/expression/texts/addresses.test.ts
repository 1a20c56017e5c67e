import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { read, UNREADABLE } from './read.js';

const domainOf = (text: string): unknown => read('domainOf(text)', { text });
const localPart = (text: string): unknown => read('localPart(text)', { text });
const emails = (text: string): unknown => read('emails(text)', { text });

/** Texts that hold a second address, or one that programs read differently. */
const ATTACKS = [
  '',
  '@',
  'ann',
  'ann@',
  '@home.example',
  'a@home.example,b@evil.example',
  'a@home.example;b@evil.example',
  'a@home.example b@evil.example',
  'a@home.example\n@evil.example',
  'a@home.example\r\nBcc: b@evil.example',
  'a@home.example\tb@evil.example',
  'a@home.example\u2028b@evil.example',
  'a@home.example\0.evil.example',
  '"a@b"@c.example',
  '"a b"@evil.example',
  '"b@evil.example"@home.example',
  'a@home.example@evil.example',
  'a@@home.example',
  '<a@b.example>',
  'Ann <ann@home.example>',
  'ann@home.example <b@evil.example>',
  'ann@evil.example(@home.example)',
  'ann(@home.example)@evil.example',
  'mailto:ann@home.example',
  'ann@home.example?bcc=b@evil.example',
  'ann%evil.example@home.example',
  'evil.example!ann@home.example',
  '@evil.example:ann@home.example',
  'ann\uff20home.example',
  'ann\ufe6bhome.example',
  'a@evil.example\uff20home.example',
  'ann@home\u3002example',
  'ann@home\uff0eexample',
  'ann@h\u043eme.example',
  'ann@\u212aome.example',
  '\u0430nn@home.example',
  'ann@home.example\u200b',
  '\ufeffann@home.example',
  'ann@home.example\u202e',
  ' ann@home.example',
  'ann@home.example ',
  'ann@home.example.',
  'ann@.home.example',
  'ann@home..example',
  'ann@-home.example',
  'ann@home-.example',
  'ann@home_x.example',
  'ann@home.example\\.evil.example',
  'ann@[192.0.2.1]',
  'ann@192.0.2.1',
  'ann@0x7f000001',
  'ann@home.example:25',
  'ann@home.example/evil.example',
  '.ann@home.example',
  'ann.@home.example',
  'a..n@home.example',
  `${'a'.repeat(65)}@home.example`,
  `ann@${'a'.repeat(64)}.example`,
  `ann@${'a.'.repeat(126)}ex`,
];

describe('domainOf and localPart', () => {
  it.each([
    ['ann@home.example', 'ann', 'home.example'],
    ['Ann.Lee+news@Home.EXAMPLE', 'Ann.Lee+news', 'home.example'],
    ["o'neill_{x}=1@sub.home-2.example", "o'neill_{x}=1", 'sub.home-2.example'],
    ['ann@xn--bcher-kva.example', 'ann', 'xn--bcher-kva.example'],
    ['root@localhost', 'root', 'localhost'],
    [`ann@${'a.'.repeat(126)}e`, 'ann', `${'a.'.repeat(126)}e`],
    [`${'a'.repeat(64)}@${'b'.repeat(63)}.example`, 'a'.repeat(64), `${'b'.repeat(63)}.example`],
  ])('read %j', (text, local, domain) => {
    expect(domainOf(text)).toBe(domain);
    expect(localPart(text)).toBe(local);
  });

  it.each(ATTACKS.map((text) => [text]))('have no value of %j', (text) => {
    expect(domainOf(text)).toBe(UNREADABLE);
    expect(localPart(text)).toBe(UNREADABLE);
  });

  it('have a value of no text but an address in characters that a mail program cannot mistake', () => {
    const around = fc.string({
      unit: fc.constantFrom(...'aZ0.-+@ ,;"<>()[]\\%!:\n\t\0é\u212a\uff20'),
      maxLength: 4,
    });
    const address = fc.tuple(around, fc.constantFrom('ann@home.example', 'A@b'), around);
    let [read, refused] = [0, 0];
    fc.assert(
      fc.property(address, ([before, middle, after]) => {
        const text = before + middle + after;
        const domain = domainOf(text);
        if (domain === UNREADABLE) {
          refused++;
          expect(localPart(text)).toBe(UNREADABLE);
          return;
        }
        read++;
        const parts = text.split('@');
        expect(parts).toEqual([localPart(text), expect.anything()]);
        expect(domain).toBe(parts[1].toLowerCase());
        expect(domain).toMatch(/^[a-z0-9.-]+$/);
        expect(parts[0]).toMatch(/^[\w.+-]+$/);
        for (const label of `${domain}`.split('.')) expect(label).toMatch(/^[a-z0-9]/);
      }),
      { numRuns: 2000 },
    );
    expect(Math.min(read, refused)).toBeGreaterThan(30);
  });
});

describe('emails', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['no address at all', []],
    ['two for 5 @ 3 each, thanks @ann (and @bob, @cid)', []],
    ['ann@home.example', ['ann@home.example']],
    ['Write to Ann.Lee@HOME.example.', ['Ann.Lee@home.example']],
    ['Ann <ann@home.example>, "Bob" <bob@evil.example>', ['ann@home.example', 'bob@evil.example']],
    ['a@home.example,b@evil.example', ['a@home.example', 'b@evil.example']],
    ['a@home.example;b@evil.example', ['a@home.example', 'b@evil.example']],
    [
      'a@home.example\nb@evil.example\ta@home.example',
      ['a@home.example', 'b@evil.example', 'a@home.example'],
    ],
    ['mailto:ann@home.example?bcc=b@evil.example', ['ann@home.example', 'b@evil.example']],
    ['{"to":"ann@home.example"}', ['ann@home.example']],
    ['`ann@home.example`! *bob@home.example*', ['ann@home.example', 'bob@home.example']],
    ['ssh://git@code.example:22/x', ['git@code.example']],
    ['an ideographic space\u3000ann@home.example\u3000', ['ann@home.example']],
  ])('of %j', (text, found) => {
    expect(emails(text)).toEqual(found);
  });

  it.each([
    '"a b"@evil.example',
    '"a@b"@c.example',
    'ann@home.example@evil.example',
    'a@@evil.example',
    'ann%evil.example@home.example',
    'evil.example!ann@home.example',
    'ann@home.example%evil.example',
    'ann@home_x.example',
    'ann@home.example\\.evil.example',
    'ann@home.example(.evil.example)',
    'ann(x)@evil.example',
    'ann@(x)evil.example',
    'ann@[192.0.2.1]',
    'ann@192.0.2.1',
    'ann@home..example',
    'ann@-home.example',
    '..ann@home.example',
    'ann@...',
    'ann\uff20evil.example',
    'write to \ufe6b',
    'ann@home.example\u3002evil.example',
    'ann@h\u043eme.example',
    '\u0430nn@home.example',
    'ann@home.example\u200b',
    'ann@home.example\0',
    '\x01ann@home.example',
    `${'a'.repeat(65)}@home.example`,
  ])('has no value of %j', (text) => {
    expect(emails(text)).toBe(UNREADABLE);
  });

  it('finds each address that stands between words and marks, and gives domainOf what it reads', () => {
    const word = fc.constantFrom('to', '<', '>', '"x"', '(see', ')', ',', ';', '@ann', '5 @ 3', 'é', '\n');
    const address = fc.constantFrom('ann@Home.example', 'b.c@evil.example', 'x+y@localhost');
    fc.assert(
      fc.property(fc.array(fc.oneof(word, address)), (parts) => {
        const found = emails(parts.join(' '));
        const given = parts.filter((part) => /^[a-z]/.test(part) && part.includes('@'));
        expect(found).toEqual(given.map((one) => one.replace('Home', 'home')));
        expect(read('emails(text).map(a, domainOf(a))', { text: parts.join(' ') })).toEqual(
          given.map((one) => one.split('@')[1].toLowerCase()),
        );
      }),
    );
  });

  it('takes time linear in the text', () => {
    for (const text of [
      'a@'.repeat(50_000),
      `${'a'.repeat(100_000)}@`,
      '@ '.repeat(50_000),
      '.'.repeat(100_000),
    ])
      expect([UNREADABLE, []]).toContainEqual(emails(text));
  });
});
