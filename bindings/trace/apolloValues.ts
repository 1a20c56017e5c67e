import { isObject, unexpected } from './reader.js';

/**
 * What is at a path of keys; undefined where a part of it is missing or null.
 *
 * @param place of `value` in the recording, for messages
 * @throws TraceFault where a part of the path is there and is no object
 */
export function at(value: unknown, path: string, place = ''): unknown {
  const keys = path.split('.');
  for (const [i, key] of keys.entries()) {
    if (value === undefined || value === null) return undefined;
    if (!isObject(value))
      throw unexpected([place, ...keys.slice(0, i)].filter(Boolean).join('.'), value, 'an object');
    value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/** A number, or a truth as 0 or 1; undefined for what is absent or null. @throws TraceFault for anything else */
export function number(value: unknown, place: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'number') throw unexpected(place, value, 'a number, a truth or null');
  return value;
}

/** A text, or a number as one; undefined for what is absent or null. @throws TraceFault for anything else */
export function text(value: unknown, place: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number')
    throw unexpected(place, value, 'a text, a number or null');
  return String(value);
}

/** A list; undefined for what is absent or null. @throws TraceFault for anything else */
export function list(value: unknown, place: string): readonly unknown[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw unexpected(place, value, 'a list or null');
  return value;
}

/** More than any heading that is merely not wrapped to one turn: headings in degrees are. */
const LARGEST_HEADING = 4 * Math.PI;

/** An angle in radians; undefined for what is absent or null. @throws TraceFault for what must be in degrees */
export function radians(value: unknown, place: string): number | undefined {
  const angle = number(value, place);
  if (angle !== undefined && Math.abs(angle) > LARGEST_HEADING)
    throw unexpected(place, angle, 'an angle in radians, from -π to π');
  return angle;
}
