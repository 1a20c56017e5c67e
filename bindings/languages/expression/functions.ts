import type { Operation } from './operators.js';
import { codePoints, isMap } from './values.js';

/** What an argument must be: a text, or what has a size. */
export type ArgumentKind = 'text' | 'sized';

interface FunctionDefinition {
  /** What each argument must be, the receiver first. */
  readonly arguments: readonly ArgumentKind[];
  readonly returns: 'number' | 'boolean' | 'string';
  /** All are read as `x.f(y)`. `either` is read as `f(x, y)`, too; `global` is, and is printed so. */
  readonly written: 'global' | 'method' | 'either';
  /** What it does; null where it is compiled apart. */
  readonly operation: Operation | null;
}

function ofTwoTexts(holds: (text: string, part: string) => boolean): FunctionDefinition {
  return {
    arguments: ['text', 'text'],
    returns: 'boolean',
    written: 'method',
    operation: {
      apply: (text, part) =>
        typeof text === 'string' && typeof part === 'string' ? holds(text, part) : undefined,
      expected: 'two strings',
    },
  };
}

/** Functions on texts; `size` also counts lists and maps. */
export type FunctionName = 'size' | 'startsWith' | 'endsWith' | 'contains' | 'matches';

/**
 * The functions of the language: parser, types, printer, compiler and SQL read them here. A new one needs an entry, and, where it is on texts, its SQL in each dialect.
 */
export const FUNCTIONS: Readonly<Record<FunctionName, FunctionDefinition>> = {
  size: {
    arguments: ['sized'],
    returns: 'number',
    written: 'global',
    operation: {
      apply: (value) => {
        if (typeof value === 'string') return codePoints(value);
        if (Array.isArray(value)) return value.length;
        return isMap(value) ? Object.keys(value).length : undefined;
      },
      expected: 'a string, a list or a map',
    },
  },
  startsWith: ofTwoTexts((text, part) => text.startsWith(part)),
  endsWith: ofTwoTexts((text, part) => text.endsWith(part)),
  contains: ofTwoTexts((text, part) => text.includes(part)),
  // RE2's syntax, whose engine is loaded where it is used.
  matches: { arguments: ['text', 'text'], returns: 'boolean', written: 'either', operation: null },
};

/** Names of the functions. */
export const FUNCTION_NAMES = Object.keys(FUNCTIONS) as FunctionName[];
