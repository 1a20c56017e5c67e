import { domainName } from './domainName.js';

/** Scheme, host, port, and the rest without control characters, spaces and backslashes, which parsers remove or replace. */
const URL_FORM = /^(?:https?|wss?|ftp):\/\/(\[[^\]]*\]|[^:/?#]*)(?::(\d{1,5}))?((?:[/?#][^\0- \\\x7f]*)?)$/i;
/** A number without leading zeros. */
const DECIMAL = /^(?:0|[1-9]\d{0,2})$/;

/**
 * The host of an absolute URL with a host: a domain name in lower case, an IPv4 address, or an IPv6 address in brackets in its shortest form,
 * as the URL standard writes it.
 *
 * @returns undefined for any other text, and wherever programs in use find different hosts
 * @see https://url.spec.whatwg.org/#host-parsing
 */
export function readHost(url: string): string | undefined {
  const [, host, port = '', rest] = URL_FORM.exec(url) ?? [];
  if (host === undefined || Number(port) > 65_535) return undefined;
  // Some programs read user info up to an @ that no / precedes.
  if (!rest.startsWith('/') && rest.includes('@')) return undefined;
  if (isIpv4(host)) return host;
  if (host.startsWith('[')) return ipv6(host.slice(1, -1));
  const name = domainName(host);
  // Whether a label of Punycode is valid depends on the version of Unicode.
  return name === undefined || /(?:^|\.)xn--/.test(name) ? undefined : name;
}

/** Whether a text is an IPv4 address in the only form that all programs read alike: four decimal numbers. */
function isIpv4(text: string): boolean {
  const numbers = text.split('.');
  return numbers.length === 4 && numbers.every((number) => DECIMAL.test(number) && Number(number) < 256);
}

/** An IPv6 address without an IPv4 address in it, in brackets: the first of the longest runs of zeros is left out. */
function ipv6(text: string): string | undefined {
  const halves = text.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - halves.flat().length;
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return undefined;
  const [before, after = []] = halves;
  const pieces = [...before, ...Array<string>(missing).fill('0'), ...after];
  if (!pieces.every((piece) => /^[0-9a-f]{1,4}$/i.test(piece))) return undefined;
  const whole = pieces.map((piece) => Number.parseInt(piece, 16).toString(16)).join(':');
  const runs = whole.match(/\b0(?::0\b)+/g) ?? [];
  const longest = runs.reduce((a, b) => (b.length > a.length ? b : a), '');
  return `[${longest === '' ? whole : whole.replace(new RegExp(`:?\\b${longest}\\b:?`), '::')}]`;
}
