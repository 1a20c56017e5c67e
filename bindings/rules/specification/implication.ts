/**
 * Writes `a -> b` as `!(a) || (b)`, from the right: `->` has the least strength and stands outside of parentheses. Texts in quotes stay as they are.
 */
export function withoutImplication(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i];
    if (sign === '"' || sign === "'") {
      i = endOfQuote(text, i);
    } else if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth--;
    else if (depth === 0 && sign === '-' && text[i + 1] === '>')
      return `!(${text.slice(0, i).trim()}) || (${withoutImplication(text.slice(i + 2).trim())})`;
  }
  return text;
}

/** The place of the quote that ends a text. */
function endOfQuote(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== text[start]) i += text[i] === '\\' ? 2 : 1;
  return i;
}
