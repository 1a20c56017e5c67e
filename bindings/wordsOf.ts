/** What an error says, in a line or two. Never throws, whatever was thrown. */
export function wordsOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error).slice(0, 2000);
  } catch {
    return 'what was thrown cannot be put into words';
  }
}
