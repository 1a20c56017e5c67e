/** Text that agents wrote, for people who decide on it: it must not steer a terminal, nor turn the direction of what is read around. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
