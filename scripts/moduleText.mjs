/**
 * A WebAssembly module as text for a string of JavaScript; bindings/solvers/kernel/moduleText.ts reads it. Nearly every byte is one character, so that the text
 * is as long as the module, and gzip finds in it what repeats in the module: base64 hides that, because it cuts bytes into pieces of six bits.
 *
 * The text begins with the most frequent bytes, in hexadecimal digits: each of them is one character. A byte that is rare is two, of which the first
 * is one of two that stand for no frequent byte.
 */

/** Printable ASCII characters that need no escape in a string or a template, and that cannot end a script of HTML. */
const ALPHABET = [...Array(95).keys()]
  .map((i) => String.fromCharCode(32 + i))
  .filter((character) => !`"$'<\\\``.includes(character));
/** Characters that begin a rare byte. */
const SHIFTS = 2;
const SINGLE = ALPHABET.length - SHIFTS;

/** @param {Uint8Array} bytes */
export function moduleText(bytes) {
  const counts = new Array(256).fill(0);
  for (const byte of bytes) counts[byte]++;
  const frequent = [...counts.keys()]
    .sort((a, b) => counts[b] - counts[a] || a - b)
    .slice(0, SINGLE)
    .sort((a, b) => a - b);
  const rare = [...counts.keys()].filter((byte) => !frequent.includes(byte));
  const written = new Array(256);
  frequent.forEach((byte, i) => {
    written[byte] = ALPHABET[SHIFTS + i];
  });
  rare.forEach((byte, i) => {
    written[byte] = ALPHABET[Math.floor(i / ALPHABET.length)] + ALPHABET[i % ALPHABET.length];
  });
  return Buffer.from(frequent).toString('hex') + Array.from(bytes, (byte) => written[byte]).join('');
}
