import { ForeguardError } from './errors.js';

/** The message of an error, in a line or two. Never throws, whatever `error` is. */
export function wordsOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, 2000);
  } catch {
    return 'what was thrown cannot be described';
  }
}

/**
 * Makes text that agents or tools may have written safe to show to people, as one line: it cannot control a terminal, reverse the direction of the surrounding
 * text, hide characters, or look like a line of ours. Controls, line breaks and invisible characters are shown as `\u{…}`.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
}

/** As `printable`, for text of several lines, such as the output of a command: line breaks and tabs remain. */
export function printableLines(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  );
}

/** A name that agents or tools may have chosen, within a sentence of ours: quoted unless it is one word, so that it cannot go on as the sentence does. */
export function printableName(name: string): string {
  return /^[\w.:/-]+$/.test(name) ? name : printable(JSON.stringify(name));
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Prepends `context: ` and appends `remark` to the message of a ForeguardError, also in its stack; returns any other error unchanged. */
export function withContext(error: unknown, context: string, remark = ''): unknown {
  if (!(error instanceof ForeguardError)) return error;
  const { message, stack } = error;
  error.message = `${context}: ${message}${remark}`;
  if (stack) error.stack = stack.replace(message, () => error.message);
  return error;
}
