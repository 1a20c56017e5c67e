import { isRecord } from '../../base/objectKind.js';

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Whether a value is a map: a record, as in JSON. The content of a `Set`, a `Map`, a promise, an iterator or an instance of a class does
 * not show in its own fields; taken for a map, it would be empty and make many predicates true.
 */
export function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && isRecord(value);
}

/** Whether an object, which may be an instance of a class, has an own field; a field that is `undefined`, which JSON cannot express, counts as absent. */
export function hasField(value: unknown, name: string): value is Fields {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.hasOwn(value, name) &&
    (value as Fields)[name] !== undefined
  );
}

/** Whether a value has a type unknown to expressions. */
export function isForeign(value: unknown): boolean {
  switch (typeof value) {
    case 'object':
      return value !== null && !Array.isArray(value) && !isRecord(value);
    case 'function':
    case 'symbol':
    case 'bigint':
      return true;
    default:
      return false;
  }
}

/**
 * Implements `==`: lists and maps compare by content, and null equals only null. Values of different kinds, and NaN, cannot be compared: if
 * they were silently unequal, a sensor that writes `true` or `"1"` for 1 would satisfy every rule against 1.
 * @returns undefined if the two cannot be compared
 */
export function compareEqual(a: unknown, b: unknown): boolean | undefined {
  if (Number.isNaN(a) || Number.isNaN(b)) return undefined;
  if (a !== null && b !== null && (typeof a !== typeof b || Array.isArray(a) !== Array.isArray(b)))
    return undefined;
  return equal(a, b);
}

/**
 * CEL's equality, for the content of lists and maps, whose types may be mixed: values of different types are unequal, lists and maps
 * compare by content, NaN equals nothing.
 * @returns undefined if the result depends on a value of a type unknown to expressions
 */
export function equal(a: unknown, b: unknown): boolean | undefined {
  if (isForeign(a) || isForeign(b)) return undefined;
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  let result: boolean | undefined = true;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) {
      const same = equal(a[i], b[i]);
      if (same === false) return false;
      if (same === undefined) result = undefined;
    }
    return result;
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    const same = Object.hasOwn(b, key) ? equal((a as Fields)[key], (b as Fields)[key]) : false;
    if (same === false) return false;
    if (same === undefined) result = undefined;
  }
  return result;
}

/** The number of code points in a text. */
export function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    count++;
    if (text.codePointAt(i)! > 0xffff) i++;
  }
  return count;
}

/**
 * Compares texts by code points: negative, 0 or positive. JavaScript orders by UTF-16 units, which puts the surrogates of large
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
