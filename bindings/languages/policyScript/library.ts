import { EvaluationError } from '../../base/errors.js';
import { FUNCTIONS, type FunctionName, isTextFunction, TEXT_OPERATIONS } from '../expression/index.js';

/*
 * What scripts import from `foreguard/policy`, for unit tests of their functions: the operations of the expression language, by which policies decide. Policies
 * themselves run none of it.
 */

/** What a function of a script decides of a call; `reason` is what the agent is told. */
export type Decision = { readonly permitted: true } | { readonly permitted: false; readonly reason: string };

/** The decision that permits a call. */
export function permit(): Decision {
  return { permitted: true };
}

/**
 * The decision that denies a call.
 *
 * @param reason what the agent is told
 */
export function deny(reason: string): Decision {
  return { permitted: false, reason };
}

/** The number of code points of a text. JavaScript's `length` counts UTF-16 units instead. */
export function size(text: string): number {
  return call('size', text) as number;
}

/** The domain of an e-mail address, in lower case. @throws EvaluationError for what is not one address and nothing else */
export function domainOf(text: string): string {
  return call('domainOf', text) as string;
}

/** The local part of an e-mail address. @throws EvaluationError for what is not one address and nothing else */
export function localPart(text: string): string {
  return call('localPart', text) as string;
}

/** The e-mail addresses in a text, in order. @throws EvaluationError if it has one that cannot be read */
export function emails(text: string): readonly string[] {
  return call('emails', text) as readonly string[];
}

/** The host of an absolute URL, as every program reads it. @throws EvaluationError for what programs read differently */
export function hostOf(url: string): string {
  return call('hostOf', url) as string;
}

/** Whether a path is a folder or lies in it. @throws EvaluationError for what programs read differently */
export function isUnder(path: string, folder: string): boolean {
  return call('isUnder', path, folder) as boolean;
}

/** The extension of a path's last name, without its dot. @throws EvaluationError for what programs read differently */
export function extension(path: string): string {
  return call('extension', path) as string;
}

/** Whether a whole text fits a pattern of `*`, `**` and `?`. @throws EvaluationError for what is no such pattern */
export function glob(text: string, pattern: string): boolean {
  return call('glob', text, pattern) as boolean;
}

/** A text without Unicode's white space at both ends. */
export function trim(text: string): string {
  return call('trim', text) as string;
}

/** A text with A to Z in lower case, and all else as it is. */
export function lowerAscii(text: string): string {
  return call('lowerAscii', text) as string;
}

function call(name: FunctionName, ...given: readonly string[]): unknown {
  const operation = isTextFunction(name) ? TEXT_OPERATIONS[name] : FUNCTIONS[name].operation;
  const value = operation?.apply(given[0], given[1]);
  if (value === undefined)
    throw new EvaluationError(
      `${name}(${given.map((text) => JSON.stringify(text)).join(', ')}) has no value, expected ${operation?.expected}`,
    );
  return value;
}
