import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileExpression, parseExpression } from '../../../bindings/languages/expression/index.js';
import { isOfFormat, languageOfDomains, languageOfFormat } from '../../../bindings/proofs/contract/index.js';
import { runs as times } from '../../laws/runs.js';

const runs = { numRuns: times(300) };

const pieces = fc.array(
  fc.constantFrom(
    'a',
    'B',
    '0',
    '.',
    '-',
    '@',
    '/',
    '..',
    '*',
    '?',
    '[',
    '{',
    'https://',
    'x.example',
    ':80',
    '#',
    '%2e',
    '~',
    ' ',
    '0x1',
    '2025-06-30',
    'T08:15:00',
    'Z',
    '+02:00',
    '\\',
    'é',
  ),
  { maxLength: 6 },
);
const texts = pieces.map((parts) => parts.join(''));

/** Whether the function of expressions has a value of a text. */
const hasValue = (source: string, text: string): boolean => {
  try {
    compileExpression(parseExpression(source))({ x: text }, {});
    return true;
  } catch {
    return false;
  }
};

const READ = { email: 'domainOf(x)', url: 'hostOf(x)' } as const;
const EXAMPLES = {
  email: ['ann@home.example', 'a.b@x.example'],
  url: ['https://x.example/a?b', 'http://127.0.0.1:80/', 'http://[::1]/'],
  path: ['/a/b', 'a/../b', '.'],
  glob: ['*.txt', 'a?b', '**'],
  'date-time': ['2025-06-30T08:15:00Z', '2025-06-30T10:15:00.5+02:00'],
} as const;

describe('formats of texts', () => {
  it('are what the functions of expressions read, and languages have every text of them', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const format of ['email', 'url', 'path', 'glob', 'date-time'] as const) {
          const is = isOfFormat(text, format);
          if (format in READ) expect(is).toBe(hasValue(READ[format as 'email'], text));
          if (is) expect(languageOfFormat(format).has(text), `${format} ${text}`).toBe(true);
          // Without percent signs and lengths, nothing else is in them.
          else if (format !== 'date-time' && format !== 'url' && !text.includes('%'))
            expect(languageOfFormat(format).has(text), `${format} ${text}`).toBe(false);
        }
      }),
      runs,
    );
  });

  it('have their usual texts', () => {
    for (const [format, examples] of Object.entries(EXAMPLES))
      for (const text of examples) {
        expect(isOfFormat(text, format as 'email'), text).toBe(true);
        expect(languageOfFormat(format as 'email').has(text), text).toBe(true);
      }
    for (const text of [
      'eve@evil.example,me@home.example',
      'Ann <ann@home.example>',
      'ann@home.example\nBcc: x@evil.example',
    ]) {
      expect(isOfFormat(text, 'email')).toBe(false);
      expect(languageOfFormat('email').has(text)).toBe(false);
    }
    expect(isOfFormat('anything', 'id:files')).toBe(true);
    expect(languageOfFormat('id:files').complement().isEmpty).toBe(true);
  });

  it('have the domains that addresses have', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const domain = text.toLowerCase();
        expect(languageOfDomains().has(domain)).toBe(
          languageOfFormat('email').has(`a@${domain}`) && domain === domain.replace(/[A-Z]/g, ''),
        );
      }),
      runs,
    );
  });
});
