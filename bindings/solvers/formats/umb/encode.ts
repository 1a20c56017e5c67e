import type { BitSet } from '../../kernel/index.js';

/** One bit per entity, padded to a multiple of 64. */
export function encodeBits(set: BitSet): Uint8Array {
  const view = new DataView(new ArrayBuffer(Math.ceil(set.size / 64) * 8));
  set.words.forEach((word, i) => {
    view.setUint32(4 * i, word, true);
  });
  return new Uint8Array(view.buffer);
}

/** Numbers of 8 bytes each: doubles, or unsigned 64-bit integers made of non-negative safe integers. */
export function encodeNumbers(values: ArrayLike<number>, type: 'double' | 'uint'): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * values.length));
  for (let i = 0; i < values.length; i++) {
    if (type === 'double') view.setFloat64(8 * i, values[i], true);
    else {
      view.setUint32(8 * i, values[i] % 2 ** 32, true);
      view.setUint32(8 * i + 4, Math.floor(values[i] / 2 ** 32), true);
    }
  }
  return new Uint8Array(view.buffer);
}

/** Numbers of 4 bytes each. */
export function encodeUint32s(values: Uint32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => {
    view.setUint32(4 * i, value, true);
  });
  return new Uint8Array(view.buffer);
}

/** Strings one after the other, and where each begins. */
export function encodeStrings(strings: readonly string[]): { mapping: Uint8Array; strings: Uint8Array } {
  const utf8 = new TextEncoder();
  const encoded = strings.map((string) => utf8.encode(string));
  const starts = [0];
  for (const bytes of encoded) starts.push(starts[starts.length - 1] + bytes.length);
  const joined = new Uint8Array(starts[starts.length - 1]);
  encoded.forEach((bytes, i) => {
    joined.set(bytes, starts[i]);
  });
  return { mapping: encodeNumbers(starts, 'uint'), strings: joined };
}
