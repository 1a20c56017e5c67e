import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadRegexEngine, loadTextOperations } from '../../bindings/languages/expression/index.js';
import { parsePolicies } from '../../bindings/rules/specification/index.js';
import { call, POLICIES, randomScript } from '../laws/randomScripts.js';
import { comparison } from '../laws/scriptDecisions.js';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz.js';
import { mutatedText } from './mutations.js';

beforeAll(async () => {
  await loadRegexEngine();
  await loadTextOperations();
});

/** What is TypeScript but not of the language, and what is nearly of it. */
const ALSO = [
  ...[
    'let',
    'var',
    'for',
    'while',
    '==',
    '!=',
    '?.',
    '??',
    '`a`',
    'any',
    'new',
    'await',
    'async',
    '=>',
    '++',
    '=',
  ],
  ...[
    '[0]',
    '/',
    '/a/',
    '/a/g',
    '/',
    '//',
    '/*',
    '*/',
    "'",
    '"',
    '{',
    '}',
    '(',
    ')',
    ';',
    ',',
    '...',
    'as const',
    '!',
  ],
  ...[
    'null',
    'true',
    '0',
    '010',
    '1n',
    '0.5',
    '-',
    '\\',
    '\u2028',
    '😀',
    '\ud800',
    '@',
    '#',
    'function',
    'return',
    'else',
  ],
  ...[
    'permit',
    'deny',
    'noSuchName',
    'constructor',
    '__proto__',
    'inputs',
    'subject',
    'flag',
    '.length',
    '.every',
    'switch',
  ],
];
const SCRIPTS = [1, 4, 7, 10, 12].map((seed) => randomScript(seed));

describe('scripts at random', () => {
  it('are refused in words, or decide what an engine decides that runs them', {
    timeout: FUZZ_TIMEOUT_MS,
  }, async () => {
    await fuzz(
      120,
      fc.tuple(mutatedText(SCRIPTS, ALSO), fc.array(call, { minLength: 8, maxLength: 8 })),
      ([source, calls]) => {
        const compare = comparison(source, parsePolicies(POLICIES, { read: () => source }));
        for (const inputs of calls) {
          const { policy, unordered } = compare(inputs);
          if (policy !== unordered) expect(`${policy}\n${JSON.stringify(inputs)}\n${source}`).toBe(unordered);
        }
      },
    );
  });

  it('of any characters end in words', () => {
    const signs = fc.constantFrom(
      ...ALSO,
      ' ',
      '\n',
      'export function p(inputs: Inputs): Decision {',
      'if (',
      'const a = ',
      'x',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(signs, { maxLength: 60 }).map((parts) => parts.join(' ')),
        ),
        (source) => {
          expect(() => parsePolicies(POLICIES, { read: () => source })).toThrow(
            /p\.policy\.ts:\d+:\d+: found /,
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});
