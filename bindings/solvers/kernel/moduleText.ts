/** The first character of the encoding; scripts/moduleText.mjs writes such texts and explains them. */
const FIRST = 32;
const LAST = 126;
const LEFT_OUT = `"$'<\\\``;
/** The number of characters that begin a two-character byte. */
const SHIFTS = 2;

/** Decodes the bytes of a module that was written as text. */
export function moduleBytes(text: string): Uint8Array<ArrayBuffer> {
  const digits = new Uint8Array(LAST + 1);
  let count = 0;
  for (let code = FIRST; code <= LAST; code++)
    if (!LEFT_OUT.includes(String.fromCharCode(code))) digits[code] = count++;

  const singles = count - SHIFTS;
  const frequent = Array.from({ length: singles }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  );
  const rare = [...Array(256).keys()].filter((byte) => !frequent.includes(byte));

  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let i = 2 * singles; i < text.length; i++) {
    const digit = digits[text.charCodeAt(i)];
    bytes[length++] =
      digit < SHIFTS ? rare[digit * count + digits[text.charCodeAt(++i)]] : frequent[digit - SHIFTS];
  }
  return bytes.slice(0, length);
}
