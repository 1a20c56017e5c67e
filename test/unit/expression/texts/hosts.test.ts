import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { read, UNREADABLE } from './read.js';

const hostOf = (url: string): unknown => read('hostOf(url)', { url });

/** URLs of which programs read different hosts, or none. */
const ATTACKS = [
  '',
  'home.example',
  '//home.example/',
  '/path',
  'http:',
  'http:home.example',
  'http:/home.example',
  'http:///home.example',
  'http://',
  'http://:80/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,http://home.example/',
  'gopher://home.example/',
  'http\uff1a//home.example/',
  'http\u017f://home.example/',
  ' http://home.example/',
  'http://home.example/ ',
  'http://home.example/ http://evil.example/',
  'http://home.example\n.evil.example/',
  'http://ho\tme.example/',
  'ht\ntp://home.example/',
  'http://home.example/\r\nHost: evil.example',
  'http://home.example\0.evil.example/',
  'http://home.example\\@evil.example/',
  'http://home.example\\.evil.example/',
  'http:\\\\home.example\\',
  'http://home.example/a\\..\\b',
  'http://home.example/\x7f',
  'http://ann@home.example/',
  'http://ann:secret@home.example/',
  'http://home.example@evil.example/',
  'http://home.example:80@evil.example/',
  'http://home.example:pass@evil.example/',
  'http://a@b@evil.example/',
  'http://home.example#@evil.example/',
  'http://home.example?@evil.example/',
  'http://home.example&@evil.example/',
  'http://home.example;evil.example/',
  'http://home.example,evil.example/',
  'http://home.example%2eevil.example/',
  'http://home.example%00.evil.example/',
  'http://ex%61mple/',
  'http://h\u00f6me.example/',
  'http://home\u3002example/',
  'http://home\uff0eexample/',
  'http://\uff45vil.example/',
  'http://home.example\u00ad/',
  'http://\u212aome.example/',
  'http://xn--bcher-kva.example/',
  'http://a.XN--a/',
  'http://home.example./',
  'http://home..example/',
  'http://.home.example/',
  'http://-home.example/',
  'http://home_x.example/',
  'http://home.example:/',
  'http://home.example:65536/',
  'http://home.example:080808/',
  'http://home.example:8o/',
  'http://home.example:+80/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.0.0.1/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://127.0.0.01/',
  'http://127.0.0.1./',
  'http://1.2.3.4.5/',
  'http://256.0.0.1/',
  'http://home.example.1/',
  'http://home.0x/',
  'http://[::1/',
  'http://::1/',
  'http://[::1]evil.example/',
  'http://[::1].evil.example/',
  'http://[::ffff:127.0.0.1]/',
  'http://[fe80::1%25eth0]/',
  'http://[1:2:3:4:5:6:7]/',
  'http://[1:2:3:4:5:6:7:8:9]/',
  'http://[1::2::3]/',
  'http://[12345::]/',
  'http://[:1:2:3:4:5:6:7]/',
  'http://[]/',
  'http://[v1.x]/',
  `http://${'a'.repeat(64)}.example/`,
];

describe('hostOf', () => {
  it.each([
    ['https://home.example', 'home.example'],
    ['HTTPS://Home.EXAMPLE:443/a?b#c', 'home.example'],
    ['ws://home.example:0?x=1', 'home.example'],
    ['wss://sub.home-2.example:65535#a', 'sub.home-2.example'],
    ['ftp://localhost/', 'localhost'],
    ['http://r3---sn-4g5e.home.example/', 'r3---sn-4g5e.home.example'],
    ['http://home.example/@evil.example', 'home.example'],
    ['http://home.example/?to=ann@evil.example', 'home.example'],
    ['http://home.example/b\u00fccher/%2e%2e', 'home.example'],
    ['http://192.0.2.1:8080/', '192.0.2.1'],
    ['http://0.0.0.0/', '0.0.0.0'],
    ['http://[::1]:3000/', '[::1]'],
    ['http://[2001:DB8:0:0:1:0:0:1]/', '[2001:db8::1:0:0:1]'],
    ['http://[0:0:0:0:0:0:0:0]/', '[::]'],
    ['http://[1:2:3:4:5:6:7::]/', '[1:2:3:4:5:6:7:0]'],
  ])('of %j is %j', (url, host) => {
    expect(hostOf(url)).toBe(host);
    expect(new URL(url).hostname).toBe(host);
  });

  it.each(ATTACKS.map((url) => [url]))('of %j has no value', (url) => {
    expect(hostOf(url)).toBe(UNREADABLE);
  });

  const agrees = (url: string): boolean => {
    const host = hostOf(url);
    if (host !== UNREADABLE) expect(host).toBe(new URL(url).hostname);
    return host !== UNREADABLE;
  };

  it('agrees with the URL standard wherever it answers: URLs of pieces that attacks are made of', () => {
    const scheme = fc.constantFrom('http', 'HTTPS', 'ws', 'wss', 'ftp', 'file', 'x');
    const slashes = fc.oneof(
      { weight: 9, arbitrary: fc.constant('://') },
      fc.constantFrom(':/', ':', ':///', ':\\\\'),
    );
    const piece = fc.constantFrom(
      ...[
        'home',
        'Evil',
        '.',
        '.',
        '-',
        '_',
        '0',
        '255',
        '256',
        '0x1',
        '1',
        '[',
        ']',
        '::',
        ':',
        '@',
        '/',
        '\\',
        '?',
        '#',
      ],
      ...[
        '%2e',
        '%',
        ' ',
        '\t',
        '\n',
        '\0',
        'é',
        '\u3002',
        '\u212a',
        'xn--',
        '!',
        ',',
        '&',
        '80',
        '[::1]',
        '1.2.3.4',
      ],
    );
    const url = fc
      .tuple(scheme, slashes, fc.array(piece, { minLength: 1, maxLength: 6 }))
      .map(([a, b, pieces]) => a + b + pieces.join(''));
    let answered = 0;
    fc.assert(
      fc.property(url, (text) => {
        if (agrees(text)) answered++;
      }),
      { numRuns: 5000 },
    );
    expect(answered).toBeGreaterThan(25);
  });

  it('agrees with the URL standard on ordinary URLs, and answers', () => {
    const label = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,8}$/);
    const ordinary = fc
      .tuple(
        fc.constantFrom('http', 'https', 'ws', 'wss', 'ftp'),
        fc.array(label, { minLength: 1, maxLength: 4 }),
        fc.nat(65_535),
        fc.webPath(),
      )
      .map(([scheme, labels, port, path]) => `${scheme}://${labels.join('.')}:${port}${path}`);
    fc.assert(fc.property(ordinary, (url) => agrees(url)));
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => void agrees(url)),
    );
  });

  it('agrees with the URL standard on all addresses in numbers', () => {
    const group = fc.constantFrom('0', '0', '00', '1', 'db8', 'FFFF', '0a0');
    const ipv6 = fc.oneof(
      fc.array(group, { minLength: 8, maxLength: 8 }).map((all) => all.join(':')),
      fc
        .tuple(fc.array(group, { maxLength: 7 }), fc.array(group, { maxLength: 7 }))
        .map(([a, b]) => `${a.join(':')}::${b.join(':')}`),
      fc.ipV6(),
    );
    fc.assert(
      fc.property(ipv6, (address) => {
        const url = `http://[${address}]/`;
        expect(agrees(url)).toBe(URL.canParse(url) && !address.includes('.'));
      }),
      { numRuns: 2000 },
    );
    fc.assert(fc.property(fc.ipV4(), (address) => agrees(`http://${address}/`)));
    fc.assert(fc.property(fc.ipV4Extended(), (address) => void agrees(`http://${address}/`)));
  });
});
