/** Number of bytes passed to `fromCharCode` at once: engines limit the number of arguments. */
const CHUNK = 8192;

/** Encodes bytes as base64 (RFC 4648, section 4), with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

/** Decodes base64. @returns null if the text is not base64 */
export function fromBase64(text: string): Uint8Array | null {
  let decoded: string;
  try {
    decoded = atob(text);
  } catch {
    return null;
  }
  const bytes = new Uint8Array(decoded.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = decoded.charCodeAt(i);
  return bytes;
}
