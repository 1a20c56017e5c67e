/** Letters, digits and inner hyphens (RFC 1123). */
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
/** What parsers of URLs take for the end of an IPv4 address. */
const NUMBER = /^(?:\d+|0[xX][0-9A-Fa-f]*)$/;

/**
 * A domain name of ASCII labels, in lower case.
 *
 * @returns undefined for any other text: with an empty label, a dot at the end, a number as last label, or more than 253 characters
 */
export function domainName(text: string): string | undefined {
  if (text.length > 253) return undefined;
  const labels = text.split('.');
  const isName = labels.every((label) => LABEL.test(label)) && !NUMBER.test(labels.at(-1)!);
  return isName ? text.toLowerCase() : undefined;
}
