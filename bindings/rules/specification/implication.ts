/**
 * The parts of `a -> b -> c`, where `->` stands outside of parentheses and of texts in quotes. Parse each part by itself: where quotes are written otherwise than
 * this reads them, a part is no expression.
 */
export function implicationParts(text: string): string[] {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i];
    if (sign === '"' || sign === "'") {
      i = endOfQuote(text, i);
    } else if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth--;
    else if (depth === 0 && sign === '-' && text[i + 1] === '>')
      return [text.slice(0, i), ...implicationParts(text.slice(i + 2))];
  }
  return [text];
}

/** `a -> b -> c` as `!(a) || (!(b) || (c))`, from the right. */
export function joinedImplication(parts: readonly string[]): string {
  return parts.reduceRight((then, given) => `!(${given}) || (${then})`);
}

/** The place of the quote that ends a text. */
function endOfQuote(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== text[start]) i += text[i] === '\\' ? 2 : 1;
  return i;
}
