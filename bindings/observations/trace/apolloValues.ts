import { isObject } from '../../base/objectKind.js';
import { unexpected } from './reader.js';

/** What a recording does not tell, and why. */
export class Unknown {
  /** @param unusable whether something is recorded of which no use can be made, such as NaN */
  constructor(
    readonly why: string,
    readonly unusable = false,
  ) {}

  /** The same with `words` before it. */
  after(words: string): Unknown {
    return new Unknown(`${words}; ${this.why}`, this.unusable);
  }
}

/** A value of a recording: undefined where it is absent, unknown where no use can be made of it. */
export type Told<T> = T | Unknown | undefined;

/** What `derive` makes of values that are all there; else why not: the first that is unknown, or what `lacking` says of those absent. */
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

/** A truth, or 0 or 1 as one; undefined for what is absent or null. @throws TraceFault for anything else */
export function truth(value: unknown, place: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean' && value !== 0 && value !== 1)
    throw unexpected(place, value, 'a truth, 0, 1 or null');
  return Boolean(value);
}

/**
 * A number from which something is to follow; undefined for what is absent or null.
 *
 * @param name of the field, for the reason why NaN and infinities are unknown
 * @throws TraceFault for anything else
 */
export function finite(value: unknown, place: string, name: string): Told<number> {
  const found = number(value, place);
  return found === undefined || Number.isFinite(found) ? found : new Unknown(`${name} is ${found}`, true);
}

/** A text, or a number as one; undefined for what is absent, null or empty, which names nothing. @throws TraceFault for anything else */
export function text(value: unknown, place: string, name: string): Told<string> {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') throw unexpected(place, value, 'a text, a number or null');
  return derived([finite(value, place, name)], name, String);
}

/** A list; undefined for what is absent or null. @throws TraceFault for anything else */
export function list(value: unknown, place: string): readonly unknown[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw unexpected(place, value, 'a list or null');
  return value;
}

/** More than any heading that is merely not wrapped to one turn: headings in degrees are. */
const LARGEST_HEADING = 4 * Math.PI;

/** An angle in radians, read as by `finite`. @throws TraceFault for what must be in degrees */
export function radians(value: unknown, place: string, name: string): Told<number> {
  const angle = finite(value, place, name);
  if (typeof angle === 'number' && Math.abs(angle) > LARGEST_HEADING)
    throw unexpected(place, angle, 'an angle in radians, from -π to π');
  return angle;
}
