import { ForeguardError } from './errors.js';

/** What an error says, in a line or two. Never throws, whatever was thrown. */
export function wordsOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, 2000);
  } catch {
    return 'what was thrown cannot be put into words';
  }
}

/** Text that agents wrote, for people who decide on it: it must not steer a terminal, nor turn the direction of what is read around. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** The error with what it is about in front, `context: message`, and a remark behind, also in its stack; any but Foreguard's own as it is. */
export function withContext(error: unknown, context: string, remark = ''): unknown {
  if (!(error instanceof ForeguardError)) return error;
  const { message, stack } = error;
  error.message = `${context}: ${message}${remark}`;
  if (stack) error.stack = stack.replace(message, () => error.message);
  return error;
}
