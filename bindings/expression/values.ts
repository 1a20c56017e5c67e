/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a map has a field of its own; `undefined`, which JSON cannot say, is absence. */
export function hasField(map: Fields, name: string): boolean {
  return Object.hasOwn(map, name) && map[name] !== undefined;
}

/** CEL's equality: values of different types are unequal, lists and maps compare by content, NaN equals nothing. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((element, i) => equal(element, b[i]));
  }
  if (Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal((a as Fields)[key], (b as Fields)[key]))
  );
}

/** Number of code points. */
export function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    count++;
    if (text.codePointAt(i)! > 0xffff) i++;
  }
  return count;
}

/**
 * Order by code points: negative, 0 or positive. JavaScript orders by UTF-16 units, which puts the surrogates of large
 * code points before U+E000..U+FFFF.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
