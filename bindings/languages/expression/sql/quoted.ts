/** A name or text between quotes, which are doubled inside. */
export function quoted(text: string, quote: string): string {
  return quote + text.replaceAll(quote, quote + quote) + quote;
}
