/** A typed array of `length` entries that begins with those of `array`. */
export function grown<T extends Uint8Array | Int32Array | Uint32Array | Float64Array>(
  array: T,
  length: number,
): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}
