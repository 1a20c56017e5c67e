import { ForeguardError } from './errors.js';

/** The message of an error, in a line or two. Never throws, whatever `error` is. */
export function wordsOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, 2000);
  } catch {
    return 'what was thrown cannot be put into words';
  }
}

/** Makes text that agents wrote safe to show to people who decide on it: it cannot control a terminal or reverse the direction of the surrounding text. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** Prepends `context: ` and appends `remark` to the message of a ForeguardError, also in its stack; returns any other error unchanged. */
export function withContext(error: unknown, context: string, remark = ''): unknown {
  if (!(error instanceof ForeguardError)) return error;
  const { message, stack } = error;
  error.message = `${context}: ${message}${remark}`;
  if (stack) error.stack = stack.replace(message, () => error.message);
  return error;
}
