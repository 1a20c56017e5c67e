import type { Operation } from './operators.js';
import { codePoints, isMap } from './values.js';

/** The kind of an argument: a text, a constant pattern of `glob`, a value that has a size, or a list of numbers. */
export type ArgumentKind = 'text' | 'pattern' | 'sized' | 'numbers';

interface FunctionDefinition {
  /** The kind of each argument, the receiver first. */
  readonly arguments: readonly ArgumentKind[];
  readonly returns: 'number' | 'boolean' | 'string' | readonly ['string'];
  /** Every function can be called as `x.f(y)`; `either` and `global` also as `f(x, y)`, and `global` is printed that way. */
  readonly written: 'global' | 'method' | 'either';
  /** The implementation; null if it is loaded only where it is needed. */
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

function onDemand(
  returns: FunctionDefinition['returns'],
  second: readonly ArgumentKind[] = [],
  written: FunctionDefinition['written'] = 'global',
): FunctionDefinition {
  return { arguments: ['text', ...second], returns, written, operation: null };
}

/** All functions; `size` also counts lists and maps. */
export type FunctionName =
  | 'size'
  | 'sum'
  | 'startsWith'
  | 'endsWith'
  | 'contains'
  | 'matches'
  | TextFunctionName;

/** Functions that read texts of known forms; `texts/` has their operations. */
export type TextFunctionName =
  | 'domainOf'
  | 'localPart'
  | 'emails'
  | 'hostOf'
  | 'isUnder'
  | 'extension'
  | 'trim'
  | 'lowerAscii'
  | 'glob'
  | 'timeOf'
  | 'weekdayOf'
  | 'hourOf';

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
  sum: {
    arguments: ['numbers'],
    returns: 'number',
    written: 'global',
    operation: {
      apply: (values) =>
        Array.isArray(values) && values.every((value) => typeof value === 'number')
          ? values.reduce((total, value) => total + value, 0)
          : undefined,
      expected: 'a list of numbers',
    },
  },
  startsWith: ofTwoTexts((text, part) => text.startsWith(part)),
  endsWith: ofTwoTexts((text, part) => text.endsWith(part)),
  contains: ofTwoTexts((text, part) => text.includes(part)),
  // RE2's syntax; its engine is loaded only if needed.
  matches: onDemand('boolean', ['text'], 'either'),
  domainOf: onDemand('string'),
  localPart: onDemand('string'),
  emails: onDemand(['string']),
  hostOf: onDemand('string'),
  isUnder: onDemand('boolean', ['text']),
  extension: onDemand('string'),
  trim: onDemand('string', [], 'either'),
  lowerAscii: onDemand('string', [], 'either'),
  glob: onDemand('boolean', ['pattern']),
  timeOf: onDemand('number'),
  weekdayOf: onDemand('number'),
  hourOf: onDemand('number'),
};

/** Whether the operation of a function is in `texts/`. */
export function isTextFunction(name: FunctionName): name is TextFunctionName {
  return name !== 'matches' && FUNCTIONS[name].operation === null;
}

/** Names of the functions. */
export const FUNCTION_NAMES = Object.keys(FUNCTIONS) as FunctionName[];
