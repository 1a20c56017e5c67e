import type { Operation } from './operators.js';
import { codePoints, isMap } from './values.js';

/** The kind of an argument: a text, or a value that has a size. */
export type ArgumentKind = 'text' | 'sized';

interface FunctionDefinition {
  /** The kind of each argument, the receiver first. */
  readonly arguments: readonly ArgumentKind[];
  readonly returns: 'number' | 'boolean' | 'string';
  /** Every function can be called as `x.f(y)`; `either` and `global` also as `f(x, y)`, and `global` is printed that way. */
  readonly written: 'global' | 'method' | 'either';
  /** The implementation; null if it is compiled separately. */
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
 * The functions of the language, used by parser, type checker, printer, compiler and SQL translation. A new function needs an entry and, if
 * it works on texts, its SQL in each dialect.
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
  // RE2's syntax; its engine is loaded only if needed.
  matches: { arguments: ['text', 'text'], returns: 'boolean', written: 'either', operation: null },
};

/** Names of the functions. */
export const FUNCTION_NAMES = Object.keys(FUNCTIONS) as FunctionName[];
