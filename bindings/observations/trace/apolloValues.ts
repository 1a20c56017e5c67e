import { isObject } from '../../base/objectKind.js';
import { unexpected } from './reader.js';

/** The absence of a value in a recording, with the reason. */
export class Unknown {
  /** @param unusable whether a value is recorded but cannot be used, such as NaN */
  constructor(
    readonly why: string,
    readonly unusable = false,
  ) {}

  /** The same, with `words` put before the reason. */
  after(words: string): Unknown {
    return new Unknown(`${words}; ${this.why}`, this.unusable);
  }
}

/** A value of a recording: undefined if it is absent, Unknown if it cannot be used. */
export type Told<T> = T | Unknown | undefined;

/** Applies `derive` to values that are all known. Otherwise gives the reason why not: the first Unknown among them, or `lacking` if one is absent. */
export function derived<V extends readonly unknown[], T>(
  values: readonly [...{ [K in keyof V]: Told<V[K]> }],
  lacking: string,
  derive: (...values: V) => T,
): T | Unknown {
  const unknown = values.find((value) => value instanceof Unknown);
  if (unknown !== undefined) return unknown;
  return values.includes(undefined) ? new Unknown(lacking) : derive(...(values as unknown as V));
}

/**
 * The value at a path of keys; undefined if a part of the path is missing or null.
 *
 * @param place the place of `value` in the recording, for messages
 * @throws TraceFault if a part of the path exists but is not an object
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

/** Reads a number, or a Boolean as 0 or 1; undefined if absent or null. @throws TraceFault for anything else */
export function number(value: unknown, place: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'number') throw unexpected(place, value, 'a number, a truth or null');
  return value;
}

/** Reads a Boolean, or 0 or 1 as one; undefined if absent or null. @throws TraceFault for anything else */
export function truth(value: unknown, place: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean' && value !== 0 && value !== 1)
    throw unexpected(place, value, 'a truth, 0, 1 or null');
  return Boolean(value);
}

/**
 * Reads a number that other values are derived from; undefined if absent or null.
 *
 * @param name of the field, for the reason given for NaN and infinities, which are Unknown
 * @throws TraceFault for anything else
 */
export function finite(value: unknown, place: string, name: string): Told<number> {
  const found = number(value, place);
  return found === undefined || Number.isFinite(found) ? found : new Unknown(`${name} is ${found}`, true);
}

/** Reads a text, or a number as text; undefined if absent, null or empty. @throws TraceFault for anything else */
export function text(value: unknown, place: string, name: string): Told<string> {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') throw unexpected(place, value, 'a text, a number or null');
  return derived([finite(value, place, name)], name, String);
}

/** Reads a list; undefined if absent or null. @throws TraceFault for anything else */
export function list(value: unknown, place: string): readonly unknown[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw unexpected(place, value, 'a list or null');
  return value;
}

/** Larger than any heading in radians, even one not wrapped to a single turn; headings in degrees exceed it. */
const LARGEST_HEADING = 4 * Math.PI;

/** Reads an angle in radians, like `finite`. @throws TraceFault for an angle that must be in degrees */
export function radians(value: unknown, place: string, name: string): Told<number> {
  const angle = finite(value, place, name);
  if (typeof angle === 'number' && Math.abs(angle) > LARGEST_HEADING)
    throw unexpected(place, angle, 'an angle in radians, from -π to π');
  return angle;
}
